// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How coarsely a table's values were rounded.

#include <vector>

#include "coppice/data/rows.hpp"

namespace coppice::internal {

// The variance that rounding hides in every column: delta^2 / 12 where all values lie on a grid of width delta (1 / 12
// for whole numbers), 0 where they lie on none. Up to five values in steps of one size are taken for answers to a
// question: they hide an eighth of their squared range, with which no column of answers is worth a split by itself.
[[nodiscard]] std::vector<double> rounding_variances(const Execution& execution, const Rows& rows);

}  // namespace coppice::internal
