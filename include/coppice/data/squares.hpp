// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Distances, variances and covariances are sums of squares, and a double's range is used up twice as fast by a square.
// These checks stand where a table enters: below them, sums over its rows neither overflow nor vanish.

#include <span>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

// Positive weights alone; of rows without any, 1 each.
struct WeightSummary {
  double total = 0.0;
  double least = 0.0;
};

// DataError that names the row (from 1) if the weights are so large that the square of their sum overflows, or if one
// is so small, but not 0, that squares times it vanish.
WeightSummary check_weights(const Dataset& data);

// The same, and DataError that names row and column if sums of squared differences over the rows, counted with their
// weights, could overflow: W^2 times the sum of the columns' squared ranges must stay below 1e300, where W is the total
// weight, or 1. And if a column varies, but by so little that the squares of its differences, times the least weight,
// fall below 1e-264. Values of dense tables alone: sparse ones hold counts. One pass.
void check_squares(const Dataset& data);

// For rows that are held against something fitted before, whose columns reach `reach` far from `origin`: DataError that
// names row and column if a value lies 1e100 times farther from the origin. In a column that reaches nowhere, the
// farthest of all columns counts, or 1.
void check_reach(const Dataset& rows, std::span<const double> origin, std::span<const double> reach);

}  // namespace coppice::internal
