// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

// The columns that seem to number the rows rather than to measure them, by their numbers from 0: those without a name
// among columns with names (as programs write the row numbers), or with one such as id, index or row, whose whole
// numbers are all different; and a first column that counts 0, 1, 2, ... or 1, 2, 3, ... where nothing has a name.
[[nodiscard]] std::vector<std::size_t> row_number_columns(const Dataset& table);

}  // namespace coppice::internal
