// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// g(x) = log(Gamma(prior + x) / Gamma(prior)) for every group of columns, remembered for whole x: sums of columns are
// small whole numbers mostly, and log gamma is slow. May be asked from several threads at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "coppice/kernels/special.hpp"

namespace coppice::internal {

class LogRising {
 public:
  // For pseudo-counts by group, up to the greatest sum that is asked for; `group_of` columns must outlive this.
  LogRising(std::vector<double> priors, std::span<const std::uint32_t> group_of, double greatest)
      : priors_(std::move(priors)), group_of_(group_of) {
    constexpr std::size_t most_known = std::size_t{1} << 19U;  // of all groups together
    constexpr double most_of_group = 65'536.0;
    n_known_ = std::min(static_cast<std::size_t>(std::min(greatest, most_of_group)) + 1, most_known / priors_.size());
    known_.reserve(priors_.size() * n_known_);
    for (const double prior : priors_) {
      of_prior_.push_back(kernels::log_gamma(prior));
      for (std::size_t x = 0; x < n_known_; ++x) {
        known_.push_back(kernels::log_gamma(prior + static_cast<double>(x)) - of_prior_.back());
      }
    }
  }

  [[nodiscard]] double operator()(std::uint32_t column, double x) const {
    const std::size_t group = group_of_[column];
    if (is_known(x)) return known_[group * n_known_ + static_cast<std::size_t>(static_cast<std::int32_t>(x))];
    return kernels::log_gamma(priors_[group] + x) - of_prior_[group];
  }
  // Of a whole x below n_known().
  [[nodiscard]] double known(std::uint32_t column, std::int32_t x) const noexcept {
    return known_[group_of_[column] * n_known_ + static_cast<std::size_t>(x)];
  }
  [[nodiscard]] std::size_t n_known() const noexcept { return n_known_; }
  [[nodiscard]] bool is_known(double x) const noexcept {
    return x >= 0.0 && x < static_cast<double>(n_known_) && static_cast<double>(static_cast<std::int32_t>(x)) == x;
  }

 private:
  std::vector<double> priors_;
  std::vector<double> of_prior_;
  std::span<const std::uint32_t> group_of_;
  std::size_t n_known_;
  std::vector<double> known_;  // group by group
};

}  // namespace coppice::internal
