// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Splitting one cluster in two, tried inside the cluster: the other clusters do not move, so that the change of the
// objective is exact and costs only the cluster's own units, or its nodes in a tree. Starting halves lie on the sides
// of a plane: across the principal axis ([L] appendix D.3), or between two far-apart members; each is improved by
// sweeps between the two halves.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

struct Split {
  std::size_t cluster = 0;
  Labels sides;  // 0 or 1 for every member, in their order
  StatsArena halves;
  double pair_gain = 0.0;  // change of the objective but for the part that depends on K
};

struct SplitOptions {
  double min_weight = 0.0;   // lighter halves are no split
  std::size_t n_seeded = 2;  // starting halves from drawn pairs, besides the principal axis
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;                      // a number of its own for every search and round
  std::span<const std::size_t> drawn_from = {};  // members that pairs are drawn from; none: all
  bool goes_down = true;                         // over a tree: by nodes, not row by row
  bool moves_single_rows = false;                // as in SearchLimits
};

// The plane through the mean orthogonal to the widest direction: from the statistics where these tell it, else from the
// members.
[[nodiscard]] Plane principal_plane(const Problem& problem, ConstStatsRef stats, const Subset& members);

// What the sweeps between the halves of a cluster counted.
struct SplitWork {
  std::uint64_t distances = 0;
  std::uint64_t node_distances = 0;
  std::uint64_t nodes_visited = 0;
  std::uint64_t rows = 0;  // units of each sweep, summed up
};

// The best split found, better or worse than none; nothing if the cluster cannot be split.
[[nodiscard]] std::optional<Split> find_split(const Execution& execution, const Problem& problem, const State& state,
                                              std::size_t cluster, const Subset& members, const SplitOptions& options,
                                              SplitWork& work);

// Change of the objective if the split is made in a state of k clusters.
[[nodiscard]] double split_gain(const Problem& problem, const Split& split, std::size_t k);

}  // namespace coppice::internal
