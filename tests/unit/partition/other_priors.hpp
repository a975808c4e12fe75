// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors that no cluster can tell from its own size: what a program may bring, and what the interface has to carry.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "coppice/kernels/special.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice {

// Stick breaking: clusters stand in order of size, and each breaks a Beta(alpha1, alpha2) part off what those before it
// have left. v_i given the labels is Beta(f1, f2), f1 = alpha1 + N_i, f2 = alpha2 + the weight behind.
class Sticks final : public PartitionPrior {
 public:
  Sticks(double alpha1, double alpha2) : alpha1_(alpha1), alpha2_(alpha2) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override {
    return std::make_unique<Sticks>(alpha1_, alpha2_);
  }
  [[nodiscard]] std::string_view name() const override { return "sticks"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override {
    return {{"alpha1", alpha1_}, {"alpha2", alpha2_}};
  }

  void offsets(std::span<const double> sizes, double /*total*/, std::span<double> out) const override {
    double left = 0.0;  // E[log] of what is left of the stick
    for_each_stick(sizes, [&](std::size_t cluster, double f1, double f2) {
      const double of_both = kernels::digamma(f1 + f2);
      if (cluster < out.size()) out[cluster] = of_both - kernels::digamma(f1) - left;
      left += kernels::digamma(f2) - of_both;
    });
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double /*total*/) const override {
    double sum = 0.0;
    for_each_stick(sizes, [&](std::size_t /*cluster*/, double f1, double f2) {
      sum += log_beta(alpha1_, alpha2_) - log_beta(f1, f2);
    });
    return sum;
  }
  void log_shares(std::span<const double> sizes, double /*total*/, std::span<double> out) const override {
    double log_left = 0.0;
    for_each_stick(sizes, [&](std::size_t cluster, double f1, double f2) {
      if (cluster < out.size()) out[cluster] = log_left + std::log(f1 / (f1 + f2));
      log_left += std::log(f2 / (f1 + f2));
    });
  }
  [[nodiscard]] double log_remainder(std::span<const double> sizes, double /*total*/) const override {
    double log_left = 0.0;
    for_each_stick(sizes, [&](std::size_t /*cluster*/, double f1, double f2) { log_left += std::log(f2 / (f1 + f2)); });
    return log_left;
  }
  [[nodiscard]] bool is_monotone() const override { return true; }

 private:
  static double log_beta(double a, double b) {
    return kernels::log_gamma(a) + kernels::log_gamma(b) - kernels::log_gamma(a + b);
  }

  template <class Visit>
  void for_each_stick(std::span<const double> sizes, const Visit& visit) const {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t c) { return sizes[c]; });
    double behind = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    for (const std::size_t cluster : order) {
      behind = std::max(0.0, behind - sizes[cluster]);
      visit(cluster, alpha1_ + sizes[cluster], alpha2_ + behind);
    }
  }

  double alpha1_;
  double alpha2_;
};

// Every cluster but the first costs lambda2, whatever its size: DP-means.
class Penalty final : public PartitionPrior, public MergeTerms {
 public:
  explicit Penalty(double lambda2) : lambda2_(lambda2) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return std::make_unique<Penalty>(lambda2_); }
  [[nodiscard]] std::string_view name() const override { return "penalty"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return {{"lambda2", lambda2_}}; }

  void offsets(std::span<const double> /*sizes*/, double /*total*/, std::span<double> out) const override {
    std::ranges::fill(out, 0.0);
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double /*total*/) const override {
    return sizes.empty() ? 0.0 : lambda2_ * static_cast<double>(sizes.size() - 1);
  }
  void log_shares(std::span<const double> /*sizes*/, double /*total*/, std::span<double> out) const override {
    std::ranges::fill(out, 0.0);
  }
  [[nodiscard]] double log_remainder(std::span<const double> sizes, double /*total*/) const override {
    return sizes.empty() ? 0.0 : -lambda2_;
  }
  [[nodiscard]] bool is_monotone() const override { return true; }

  [[nodiscard]] const MergeTerms* closed_merges() const override { return this; }
  [[nodiscard]] double pair(double /*size_a*/, double /*size_b*/) const override { return 0.0; }
  [[nodiscard]] double level(double /*total*/, std::size_t /*k*/) const override { return -lambda2_; }
  [[nodiscard]] double size_term(double /*size*/) const override { return 0.0; }

 private:
  double lambda2_;
};

}  // namespace coppice
