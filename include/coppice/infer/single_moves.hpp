// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Exact moves of single rows. A sweep judges a row by clusters of which it is itself a part, so that rows cling to
// small clusters of many columns; here every row is judged as if its cluster were without it (Hartigan's rule for
// k-means). Moving x from a to b changes the objective by
//
//   dF = [log w_a + log p(x | X_a without x)] - [log w_b + log p(x | X_b)],   w the clusters' shares without x.
//
// A state that no such move improves is also one that no sweep changes.

#include <cstdint>
#include <span>

#include "coppice/assign/subset.hpp"
#include "coppice/infer/me.hpp"

namespace coppice::internal {

// Rows of a subset (positions in it) and the clusters among which they move.
struct MovingRows {
  const Subset& subset;                 // a list of rows, or all of them, outside a tree
  std::span<std::int32_t> labels;       // one per position
  StatsArena& stats;                    // of the clusters
  Deaths deaths = Deaths::allowed;      // allowed: clusters may lose all rows, and stay in `stats` without weight
  double min_size = 0.0;                // no cluster becomes lighter than this
  std::span<const double> others = {};  // sizes of the clusters outside the subset
};

// Makes moves while they lower the objective; by how much they did. The family must be one that moves_single_rows(),
// and merges of the partition prior must have a closed form.
double move_single_rows(const Execution& execution, const Problem& problem, const MovingRows& rows);

// The same for all rows and clusters of a state; false if nothing moved.
bool move_single_rows(MaximizationExpectation& me, State& state, Deaths deaths, double min_size);

}  // namespace coppice::internal
