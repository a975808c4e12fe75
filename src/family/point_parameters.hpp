// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What point-estimated Gaussian families (point_gaussian.hpp and its neighbours) have in common besides their
// statistics: a floor per column, checked and saved.

#include <cstddef>
#include <string_view>
#include <vector>

#include "coppice/family/family.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

// OptionError unless there are columns and all floors are 0, or all positive and finite.
void check_floors(const std::vector<double>& floors);

[[nodiscard]] NamedArrays point_arrays(const std::vector<double>& floors);
// DataError if the arrays are not what point_arrays wrote. (One number is a floor for all columns.)
[[nodiscard]] std::vector<double> point_floors(const NamedArrays& arrays, std::string_view family);

// For a cluster without spread in some direction, where nothing keeps its density finite.
[[nodiscard]] NumericError singular_covariance(double weight, bool has_floor);

}  // namespace coppice::internal
