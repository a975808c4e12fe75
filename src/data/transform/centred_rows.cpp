// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <optional>

#include "data/transform/column_ranges.hpp"
#include "data/transform/principal_directions.hpp"

namespace coppice::internal {

CentredRows CentredRows::make(const Execution& execution, const Dataset& data) {
  const ColumnRanges ranges = column_ranges(execution, data);
  CentredRows rows{data, scaled_means(execution, data, ranges)};
  std::optional<double> factor;  // that of the column with the largest values; a constant column has no say
  for (std::size_t column = 0; column < rows.mean.size(); ++column) {
    const bool is_constant = ranges.low[column] == ranges.high[column];
    rows.mean[column] = is_constant ? ranges.low[column] : rows.mean[column] / ranges.factor[column];
    if (!is_constant) factor = std::min(factor.value_or(ranges.factor[column]), ranges.factor[column]);
  }
  rows.factor = factor.value_or(1.0);
  rows.weight_factor = ranges.weight_factor;
  rows.total_weight = ranges.total_weight;
  rows.n_rows = ranges.n_rows;
  return rows;
}

void CentredRows::copy(std::size_t first, std::size_t last, double* out) const {
  const std::size_t n_columns = data.n_columns();
  for (std::size_t row = first; row < last; ++row, out += n_columns) {
    const double root = std::sqrt(weight(row));
    const auto times_root = [&](std::size_t column, double value) { return root * centred(column, value); };
    if (data.is_sparse()) {
      for (std::size_t column = 0; column < n_columns; ++column) out[column] = times_root(column, 0.0);
      const SparseRow entries = data.sparse_row(row);
      for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        out[entries.columns[entry]] = times_root(entries.columns[entry], entries.value(entry));
      }
    } else {
      for (std::size_t column = 0; column < n_columns; ++column)
        out[column] = times_root(column, data.value(row, column));
    }
  }
}

}  // namespace coppice::internal
