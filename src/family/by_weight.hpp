// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A function of a cluster's weight, or of a sum of counts, remembered for whole numbers: rows mostly weigh 1, and log
// gamma is slow. Others are computed when asked for. May be asked from several threads at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "coppice/family/stats.hpp"

namespace coppice::internal {

class ByWeight {
 public:
  // Up to the greatest weight that is asked for.
  ByWeight(double greatest, std::function<double(double)> function) : function_(std::move(function)) {
    // Half a megabyte at most.
    constexpr double most = 65'536.0;
    known_.resize(static_cast<std::size_t>(std::min(greatest, most)) + 1);
    for (std::size_t n = 0; n < known_.size(); ++n) known_[n] = function_(static_cast<double>(n));
  }
  // Up to the weight of all clusters together.
  ByWeight(const StatsArena& stats, std::function<double(double)> function)
      : ByWeight(total_weight(stats), std::move(function)) {}

  [[nodiscard]] double operator()(double weight) const {
    if (!(weight >= 0.0 && weight < static_cast<double>(known_.size()))) return function_(weight);
    const auto whole = static_cast<std::int32_t>(weight);  // the quickest of all conversions
    return static_cast<double>(whole) == weight ? known_[static_cast<std::size_t>(whole)] : function_(weight);
  }
  // The remembered ones, of 0, 1, 2, ...
  [[nodiscard]] const std::vector<double>& known() const noexcept { return known_; }

 private:
  static double total_weight(const StatsArena& stats) {
    double total = 0.0;
    for (std::size_t c = 0; c < stats.size(); ++c) total += stats.weight(c);
    return total;
  }

  std::function<double(double)> function_;
  std::vector<double> known_;
};

}  // namespace coppice::internal
