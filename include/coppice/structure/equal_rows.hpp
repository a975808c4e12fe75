// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether equal rows are copies, or equal because values are coarse: whole numbers in two columns agree all the time,
// five lengths to a tenth of a millimetre never do.

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

// Pairs of rows that are equal, and about how many would be if values agreed no more often than chance has them agree.
struct EqualPairs {
  double found = 0.0;
  double by_chance = 0.0;
};

// `distinct`: different rows, each with the weight of all its copies, which count as that many rows.
//
// Where values are coarse, pairs that agree in all columns but one show it. Let n be the pairs that differ in column d
// alone, and p how often two rows agree in it. If the other columns do not tell what is in column d, chance makes
// n p / (1 - p) of the pairs that agree elsewhere agree there as well. Inside clusters they agree more often; but then
// values that are next to each other are about as frequent, and as many pairs lie a step apart. The larger of the two,
// in the column where it is largest.
[[nodiscard]] EqualPairs equal_pairs(const Execution& execution, const Dataset& distinct);

}  // namespace coppice::internal
