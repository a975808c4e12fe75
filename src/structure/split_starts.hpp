// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What splits start from (structure/split.hpp).

#include <optional>
#include <span>
#include <vector>

#include "coppice/assign/portion.hpp"
#include "coppice/structure/split.hpp"

namespace coppice::internal {

// Across the widest direction of what a component has of the units, columns divided by lengths if some are given.
[[nodiscard]] Plane principal_plane(const Problem& problem, ConstStatsRef stats, const Portion& members,
                                    std::span<const double> lengths);

// Across the principal axis first, then halfway between pairs of members that are drawn like k-means++ seeds.
[[nodiscard]] std::vector<Plane> split_starts(const Problem& problem, ConstStatsRef stats, const Subset& members,
                                              const SplitOptions& options);

// Halves of a cluster of all rows: those around one of them, and the others; of several such halves the ones with the
// most evidence. A small or thin cluster inside a broad one lies on both sides of every plane. Nothing if there is no
// such half.
[[nodiscard]] std::optional<StatsArena> neighbourhood_start(const Problem& problem, ConstStatsRef stats,
                                                            const SplitOptions& options);

}  // namespace coppice::internal
