// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Splitting one cluster in two, tried inside the cluster: the other clusters do not move, so that the change of the
// objective is exact and costs only the cluster's own units. Starting halves come from the principal axis ([L] appendix
// D.3) and from pairs of far-apart members; each is improved by sweeps between the two halves.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice {

struct Split {
  std::size_t cluster = 0;
  std::vector<std::int32_t> sides;  // 0 or 1 for every member, in their order
  StatsArena halves;
  double pair_gain = 0.0;  // change of the objective but for the part that depends on K
};

struct SplitOptions {
  double min_weight = 0.0;   // lighter halves are no split
  std::size_t n_seeded = 2;  // starting halves from drawn pairs, besides the principal axis
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  // a number of its own for every search and round
};

// Sides by the plane through the mean orthogonal to the widest direction; 0 on the positive side.
[[nodiscard]] std::vector<std::int32_t> principal_sides(const Problem& problem, ConstStatsRef stats,
                                                        std::span<const std::size_t> members);

// The best split found, better or worse than none; nothing if the cluster cannot be split. Counts distances.
[[nodiscard]] std::optional<Split> find_split(const Execution& execution, const Problem& problem, const State& state,
                                              std::size_t cluster, std::span<const std::size_t> members,
                                              const SplitOptions& options, std::uint64_t& distances);

// Change of the objective if the split is made in a state of k clusters.
[[nodiscard]] double split_gain(const Problem& problem, const Split& split, std::size_t k);

}  // namespace coppice
