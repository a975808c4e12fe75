// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Starting halves for a split (structure/split.hpp).

#include <cstdint>
#include <vector>

#include "coppice/structure/split.hpp"

namespace coppice {

// One vector of sides per start: the principal axis first, then pairs of members drawn like k-means++ seeds.
[[nodiscard]] std::vector<std::vector<std::int32_t>> split_starts(const Problem& problem, ConstStatsRef stats,
                                                                  std::size_t cluster,
                                                                  std::span<const std::size_t> members,
                                                                  const SplitOptions& options, const StopSignal& stop);

}  // namespace coppice
