// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Merging clusters by the closed-form gain: the change of the objective follows from statistics alone, no unit is
// looked at.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

// The gains of all pairs of clusters, kept up to date while clusters merge.
class MergeGains {
 public:
  MergeGains(const Execution& execution, const Problem& problem, const StatsArena& stats);

  struct Pair {
    std::size_t a = 0;  // a < b
    std::size_t b = 0;
    double gain = 0.0;  // change of the objective, negative is good
  };
  // The pair of least gain; the smallest pair among equals. At least two clusters must be left.
  [[nodiscard]] Pair best() const;
  // The n pairs of least gain, the least first.
  [[nodiscard]] std::vector<Pair> nearest(std::size_t n) const;
  // The pair of least gain that the given cluster is part of.
  [[nodiscard]] Pair best_of(std::size_t cluster) const;
  // Joins b into a. Clusters keep their numbers; b is gone.
  void merge(const Pair& pair);

  [[nodiscard]] std::size_t n_left() const noexcept { return n_left_; }
  // For every original cluster, the one it is part of now, numbered 0..n_left-1 in order.
  [[nodiscard]] std::vector<std::int32_t> numbering() const;
  [[nodiscard]] StatsArena stats() const;

 private:
  [[nodiscard]] double pair_part(std::size_t a, std::size_t b) const;
  [[nodiscard]] double& part(std::size_t a, std::size_t b) { return parts_[a * stats_.size() + b]; }

  Execution execution_;
  const Problem& problem_;
  StatsArena stats_;
  std::vector<double> log_evidence_;
  std::vector<std::size_t> owner_;  // of every original cluster
  std::vector<bool> is_alive_;
  std::vector<double> parts_;  // gain of every pair a < b, less the part that depends on K
  std::size_t n_left_;
};

// Merges the best pair as long as that lowers the objective; returns how many merges were made. No sweeps.
std::size_t merge_while_better(MaximizationExpectation& me, State& state);

// Merges the best pair whatever its gain until k clusters are left.
void merge_down_to(MaximizationExpectation& me, State& state, std::size_t k);

// Merges clusters a < b, whatever the gain.
void merge_pair(MaximizationExpectation& me, State& state, std::size_t a, std::size_t b);

// Merges the cluster with the one that suits it best, whatever the gain.
void merge_into_best_partner(MaximizationExpectation& me, State& state, std::size_t cluster);

}  // namespace coppice::internal
