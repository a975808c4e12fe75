// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The number of clusters by the soft bound (infer/soft_bound.hpp): corrects what hard labels make of clusters that
// overlap, which with few rows are taken for one, and with many are cut into pieces.

#include <cstddef>
#include <optional>

#include "coppice/structure/search.hpp"

namespace coppice::internal {

struct SoftChoice {
  StatsArena stats;  // of the clusters, rows counted with their shares
};

// From the clusters of a search that has ended: merges of near pairs and splits of clusters while they lower the bound.
// Nothing if the number of clusters stays as it is.
[[nodiscard]] std::optional<SoftChoice> choose_softly(MaximizationExpectation& me, const State& state,
                                                      const SearchLimits& limits);

}  // namespace coppice::internal
