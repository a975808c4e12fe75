// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many small groups of rows that lie near each other, cheaply: the rows are cut in two, each half is cut in two, and so
// on, so that every level costs a few passes over the rows, however many cells there are.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/family/stats.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

enum class CellSpace : std::uint8_t {
  as_is,            // bits
  unit_deviations,  // every column divided by its standard deviation
  roots_of_shares   // of counts: distances do not depend on how much a row counts
};

struct CellOptions {
  CellSpace space = CellSpace::as_is;
  std::span<const double> variance = {};  // of the columns, for unit_deviations
  double most_weight = 8.0;               // of a cell, unless its rows are all alike
};

struct Cells {
  std::vector<std::int32_t> of_row;  // numbered from 0
  StatsArena centres;                // as clusters of Centroid, in the space that cells are cut in
};

// The halves of a cut are those of 2-means, from the sides of the plane across the widest direction. Which rows are
// together depends neither on their order nor on the number of threads.
[[nodiscard]] Cells cut_into_cells(const Execution& execution, const Rows& rows, const CellOptions& options);

}  // namespace coppice::internal
