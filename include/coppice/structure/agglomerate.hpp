// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Agglomerative Bayesian clustering ([L] section 7): from given clusters on, the pair whose union lowers the objective
// most (or raises it least) is merged, until one cluster is left. The gain of a merge,
//
//   dF = log p(X_a) + log p(X_b) - log p(X_a u X_b) + the partition prior's part,
//
// depends on the two clusters alone but for a level part, which is the same for all pairs: it is left out where pairs
// are compared and is in the objective.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coppice/data/dendrogram.hpp"
#include "coppice/data/rows.hpp"
#include "coppice/family/components.hpp"
#include "coppice/infer/state.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/stop.hpp"

namespace coppice::internal {

struct Agglomeration {
  // To the root, with height_k = max over j <= k of dF_j, less the smallest dF of all: the objective is not monotone
  // along the merges, heights are. If it was stopped: the merges so far.
  Dendrogram tree;
  std::vector<double> objective;  // before the first merge and after every one
  std::uint64_t n_keys = 0;       // pairs of clusters looked at
  std::optional<StopReason> stopped = {};
};

struct AgglomerationOptions {
  std::string pairs = "auto";  // make_closest_pairs
  std::size_t look_ahead = 1;  // merges to think ahead; 1: the best one is made
  // Called now and then; heights are those of no tree yet.
  std::function<Next(const Agglomeration&)> observer = {};
};

// The largest number of clusters that looking ahead starts from.
inline constexpr std::size_t most_clusters_to_look_ahead = 2000;

// None of the clusters is empty. LimitError if there are too many to look ahead.
[[nodiscard]] Agglomeration agglomerate(const Execution& execution, const Components& components,
                                        const PartitionPrior& partition, StatsArena clusters,
                                        const AgglomerationOptions& options = {});

// The statistics of every row by itself, with its weight.
[[nodiscard]] StatsArena row_statistics(const Execution& execution, const Components& components, const Rows& rows);

// The number of clusters at the least objective; of several the smallest. `objective` as in Agglomeration, from
// n_leaves clusters on.
[[nodiscard]] std::size_t least_objective_k(std::span<const double> objective, std::size_t n_leaves);
// The number of clusters before the first merge that does not lower the objective (the short version of the paper).
[[nodiscard]] std::size_t first_rise_k(std::span<const double> objective, std::size_t n_leaves);

}  // namespace coppice::internal
