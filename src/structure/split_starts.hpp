// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Planes to start a split from (structure/split.hpp).

#include <vector>

#include "coppice/structure/split.hpp"

namespace coppice::internal {

// Across the principal axis first, then halfway between pairs of members that are drawn like k-means++ seeds.
[[nodiscard]] std::vector<Plane> split_starts(const Problem& problem, ConstStatsRef stats, const Subset& members,
                                              const SplitOptions& options);

}  // namespace coppice::internal
