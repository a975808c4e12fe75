// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What point-estimated Gaussian families (point_gaussian.hpp and its neighbours) have in common besides their
// statistics: the number of columns and the floor, checked and saved.

#include <cstddef>
#include <string_view>

#include "coppice/family/family.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice {

struct PointParameters {
  std::size_t n_columns = 0;
  double floor = 0.0;
};

// OptionError unless there are columns and the floor is finite and not negative.
void check_point_parameters(const PointParameters& parameters);

[[nodiscard]] NamedArrays point_arrays(const PointParameters& parameters);
// DataError if the arrays are not what point_arrays wrote.
[[nodiscard]] PointParameters point_parameters(const NamedArrays& arrays, std::string_view family);

// For a cluster without spread in some direction, where nothing keeps its density finite.
[[nodiscard]] NumericError singular_covariance(double weight);

}  // namespace coppice
