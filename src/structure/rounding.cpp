// SPDX-License-Identifier: BSD-3-Clause
// Values rounded to a grid of width h hide a variance of h^2 / 12 (that of a uniform error). A cluster whose rows fall
// on one value would have no width and an endless density; families take this variance into account. Answers to a
// question in few steps are no measurements at all, and count with the spread of their whole range.

#include "coppice/structure/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_answers = 5;  // to a question, in steps of one size

std::vector<double> sorted_values(const Rows& rows, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.weight(row) > 0.0) values.push_back(rows.data().value(row, column));
  }
  std::ranges::sort(values);
  return values;
}

// The width of which all values are whole multiples, counted from the first; 0 if there is none. The least gap between
// values is a first guess: in float32, tenths are a little too wide or too narrow, and the farther two of them are
// apart, the better they tell the width.
double lattice_width(std::span<const double> values, double gap) {
  constexpr double tolerance = 0.01;
  double width = gap;
  for (const double value : values) {
    const double distance = value - values.front();
    const double steps = std::nearbyint(distance / width);
    if (std::abs(distance / width - steps) > tolerance) return 0.0;
    if (steps > 0.0) width = distance / steps;
  }
  return width;
}

// The variance that the grid of the values hides; 0 if they lie on none. Any two or three different numbers form one: a
// grid shows only where values come back. A row of weight w is w rows.
double hidden_variance(std::span<const double> values, double total_weight) {
  double gap = std::numeric_limits<double>::infinity();
  std::size_t n_different = 1;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!(values[i] > values[i - 1])) continue;
    gap = std::min(gap, values[i] - values[i - 1]);
    ++n_different;
  }
  const bool comes_back =
      n_different < values.size() || n_different > 8 || total_weight > static_cast<double>(n_different) + 0.5;
  if (n_different < 2 || !comes_back) return 0.0;
  const double width = lattice_width(values, gap);
  const double range = values.back() - values.front();
  const bool has_no_gaps = range < (static_cast<double>(n_different) - 0.5) * width;
  if (n_different <= most_answers && has_no_gaps) return range * range / 8.0;
  return width * width / 12.0;
}

}  // namespace

std::vector<double> rounding_variances(const Execution& execution, const Rows& rows) {
  double total_weight = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) total_weight += rows.weight(row);
  std::vector<double> variances(rows.n_columns(), 0.0);
  for_each_task(execution, {.count = rows.n_columns()}, [&](std::size_t column) {
    variances[column] = hidden_variance(sorted_values(rows, column), total_weight);
  });
  return variances;
}

}  // namespace coppice::internal
