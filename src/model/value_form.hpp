// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a number that a model made up needs before it looks like one of a table.

#include <algorithm>
#include <cmath>

#include "coppice/data/column.hpp"
#include "coppice/data/decimals.hpp"

namespace coppice::internal {

// Within +-most; what is no number, too.
[[nodiscard]] inline double clipped(double value, double most) {
  return std::isnan(value) ? most : std::clamp(value, -most, most);
}

// As the values of the column are written.
[[nodiscard]] inline double in_form_of(const Column& column, double value) {
  if (column.kind == ColumnKind::binary) return value < 0.5 ? 0.0 : 1.0;
  if (column.kind == ColumnKind::count) return std::max(0.0, std::nearbyint(value));
  return column.decimals < 0 ? value : rounded_to(value, column.decimals);
}

}  // namespace coppice::internal
