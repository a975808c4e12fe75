// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which units each cluster of a mixture has a share in: where clusters overlap little, moves of one cluster or of two
// can be judged by these alone.

#include <cstddef>
#include <vector>

#include "coppice/assign/portion.hpp"
#include "coppice/infer/me.hpp"

namespace coppice::internal {

// In the order of the units; a share is multiplied by the unit's weight.
struct SharedRows {
  std::vector<std::size_t> rows;
  std::vector<double> shares;

  [[nodiscard]] Portion portion() const noexcept { return {rows, shares}; }
};

// Of every cluster, at the posteriors of these statistics. A share of less than `least_share` of a unit is left out.
[[nodiscard]] std::vector<SharedRows> shared_rows(const Execution& execution, const Problem& problem,
                                                  const StatsArena& clusters, double least_share);

}  // namespace coppice::internal
