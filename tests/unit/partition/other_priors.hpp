// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A prior that a program may bring, and that no cluster can tell from its own size.

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "coppice/partition/partition_prior.hpp"

namespace coppice {

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
