// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice {

namespace {

std::vector<double> sorted_values(const Rows& rows, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.weight(row) > 0.0) values.push_back(rows.data().value(row, column));
  }
  std::ranges::sort(values);
  return values;
}

// Whether all values are whole multiples of the gap, counted from the first.
bool is_lattice(std::span<const double> values, double gap) {
  constexpr double tolerance = 0.01;
  return std::ranges::all_of(values, [&](double value) {
    const double steps = (value - values.front()) / gap;
    return std::abs(steps - std::nearbyint(steps)) <= tolerance;
  });
}

// The width of the grid that the values lie on; 0 if there is none. Any two or three different numbers form one: a
// grid shows only where values come back.
double grid_width(std::span<const double> values) {
  double gap = std::numeric_limits<double>::infinity();
  std::size_t n_different = 1;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!(values[i] > values[i - 1])) continue;
    gap = std::min(gap, values[i] - values[i - 1]);
    ++n_different;
  }
  const bool comes_back = n_different < values.size() || n_different > 8;
  return n_different > 1 && comes_back && is_lattice(values, gap) ? gap : 0.0;
}

}  // namespace

std::vector<double> rounding_variances(const Execution& execution, const Rows& rows) {
  std::vector<double> variances(rows.n_columns(), 0.0);
  execution.pool.run(rows.n_columns(), [&](std::size_t column, std::size_t /*worker*/) {
    const double width = grid_width(sorted_values(rows, column));
    variances[column] = width * width / 12.0;
  });
  return variances;
}

}  // namespace coppice
