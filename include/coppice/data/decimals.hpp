// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How finely the values of a table are written: new rows of a model are rounded as those were that it was fitted to.

#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

inline constexpr int most_decimals = 9;

// The columns of the table with the decimals that suffice for all values of rows that weigh something: -1 where that
// takes more than nine, or more digits than people write down (12 in all, of float32 6), and in sparse tables.
[[nodiscard]] std::vector<Column> with_decimals(const Dataset& data);

// The value with so many decimals.
[[nodiscard]] double rounded_to(double value, int decimals);

}  // namespace coppice::internal
