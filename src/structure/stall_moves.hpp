// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Moves for a search that has come to a standstill: they look one step further than a split or a merge does.

#include "structure/split_merge.hpp"

namespace coppice::internal {

// Merges a near pair and lets all units move, or splits the pair anew; or makes a split that does not pay by itself and
// lets all units move. The first that lowers the objective is kept; false if none does.
bool try_stall_moves(MaximizationExpectation& me, SplitMerge& moves, State& state, const SearchLimits& limits);

}  // namespace coppice::internal
