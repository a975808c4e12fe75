// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Moves between clusters and a background beside them: whole clusters that the background explains better, and single
// rows. Every change of the objective
//
//   F = - sum_c log p(X_c) + n_out log V - log p(z),   z with one group more if the background has rows,
//
// is exact, and no move raises it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/family/components.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

struct BackgroundProblem {
  const Rows& rows;
  const Components& components;    // the family with its prior; its clusters are not used
  const PartitionPrior& clusters;  // the prior without a background
  double log_volume = 0.0;

  [[nodiscard]] double objective(const StatsArena& stats, double weight_outside) const;
};

struct BackgroundState {
  std::vector<std::int32_t> labels;  // one per row: 0..k-1, or -1
  StatsArena stats;                  // of the clusters, none empty
  double weight_outside = 0.0;       // of the rows in the background
  double objective = 0.0;

  [[nodiscard]] std::size_t k() const noexcept { return stats.size(); }
};

// A state from labels (any integers; -1 is the background). Clusters without weight vanish, and their rows get the
// label of the background: they weigh nothing.
[[nodiscard]] BackgroundState state_of(const Execution& execution, const BackgroundProblem& problem,
                                       std::vector<std::int32_t> labels);

// As for states without a background (me.hpp).
[[nodiscard]] double negligible(const BackgroundState& state);

// Sends clusters to the background, whole, the most gainful first, while that lowers the objective; one stays. False if
// none went.
bool dissolve_clusters(const Execution& execution, const BackgroundProblem& problem, BackgroundState& state);

// Single rows, out and back and from cluster to cluster, while that lowers the objective, if any go out. No cluster
// dies or becomes lighter than min_size. False if nothing moved.
bool move_rows(const Execution& execution, const BackgroundProblem& problem, BackgroundState& state, double min_size);

}  // namespace coppice::internal
