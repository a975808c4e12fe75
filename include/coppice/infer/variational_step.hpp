// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One cycle of variational Bayes for mixtures ([V] sections 4 to 6): posteriors at their best for the shares that the
// statistics count, then shares at their best for these posteriors, with the free energy of both,
//
//   F = KL(q(weights) || prior) + sum_c KL(q(theta_c) || prior) - sum_n log sum_c exp(E[log weight_c] - cost_c(x_n)).
//
// Where the prior over partitions knows clusters not seen yet, all of them together are one more, the tail: its
// parameters are at their prior, and its weight is a sum over infinitely many. It has shares, but no say of its own.

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/portion.hpp"
#include "coppice/infer/me.hpp"

namespace coppice::internal {

// Weights of a mixture under a posterior: E[log weight] of every cluster, then of the tail if there is one.
struct MixtureWeights {
  std::vector<double> expected_logs;
  double divergence = 0.0;  // KL(q(weights) || prior)
};

// Labels cost a little: most steps need none. A pass that takes long may be the last, and the one that would make them
// takes as long (expectation.hpp).
enum class StepLabels : std::uint8_t { never, of_long_passes, always };

// What of a mixture takes part. Clusters that stay as they are ("others", given by their sizes) and have no share in
// these units count in the weights; bounds of the same units beside the same others compare.
struct StepScope {
  std::span<const double> others = {};
  Portion portion = {};  // what is shared out; no units: all, by their weights
  bool has_tail = true;  // where the prior knows one; else what it has is not touched
  StepLabels labels = StepLabels::never;
};

struct VariationalStep {
  double bound = 0.0;
  StatsArena next;           // of the shares
  std::vector<double> tail;  // statistics of what the tail has; empty: there is none
  std::vector<std::int32_t> labels;
  std::uint64_t distances = 0;
};

// The best weights for clusters of these statistics.
[[nodiscard]] MixtureWeights weights_of(const Problem& problem, const StatsArena& stats, const StepScope& scope = {});

// From the posteriors that statistics give. `clusters` are set to them, and the tail is the last if there is one.
[[nodiscard]] VariationalStep variational_step(const Execution& execution, const Problem& problem, Components& clusters,
                                               const StatsArena& stats, const StepScope& scope = {});
// The same for weights that are given, for the tail as well if there is one more than clusters.
[[nodiscard]] VariationalStep variational_step(const Execution& execution, const Problem& problem, Components& clusters,
                                               const StatsArena& stats, const MixtureWeights& weights,
                                               const StepScope& scope);

}  // namespace coppice::internal
