// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Exact moves of single rows. A sweep judges a row by clusters of which it is itself a part, so that rows cling to
// small clusters of many columns; here every row is judged as if its cluster were without it (Hartigan's rule for
// k-means). Moving x from a to b changes the objective by
//
//   dF = [log w_a + log p(x | X_a without x)] - [log w_b + log p(x | X_b)],   w the clusters' shares without x.
//
// A state that no such move improves is also one that no sweep changes. A background beside the clusters takes part as
// one group more, in which every row has the same density.

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/subset.hpp"
#include "coppice/data/background_label.hpp"
#include "coppice/infer/me.hpp"

namespace coppice::internal {

// The rows in no cluster, which have background_label.
struct RowsOutside {
  double log_volume = 0.0;  // their density is 1 / volume
  double weight = 0.0;      // where it is 0 no row comes: the first ones go together (background_moves.hpp)
};

// Rows of a subset (positions in it) and the clusters among which they move.
struct MovingRows {
  const Subset& subset;                 // a list of rows, or all of them, outside a tree
  std::span<std::int32_t> labels;       // one per position
  StatsArena& stats;                    // of the clusters
  Deaths deaths = Deaths::allowed;      // allowed: clusters may lose all rows, and stay in `stats` without weight
  double min_size = 0.0;                // no cluster becomes lighter than this
  std::span<const double> others = {};  // sizes of the clusters outside the subset
  std::vector<bool> resting = {};       // clusters between which there is nothing to move; none: not known of any
  const Components* made = nullptr;     // clusters of this family, some of which may be those of `stats`
  RowsOutside* outside = nullptr;       // nullptr: there is no background
};

struct SingleMovesMade {
  double gained = 0.0;     // by how much the objective has fallen
  bool is_at_rest = true;  // no move is left that would lower it; else the passes have come to their limit
};

// Makes moves while they lower the objective. The family must be one that moves_single_rows(), and merges of the
// partition prior must have a closed form; to it a background is a group among the others. Sums that rows are taken out
// of again and again lose digits: in the end they are made anew from the labels, unless there is a background.
SingleMovesMade move_single_rows(const Execution& execution, const Problem& problem, const MovingRows& rows);

// The same for all rows and clusters of a state; false if nothing moved. Between clusters that are as they were when
// nothing was left to move (RestingClusters) it is not looked for again.
bool move_single_rows(MaximizationExpectation& me, State& state, Deaths deaths, double min_size);

}  // namespace coppice::internal
