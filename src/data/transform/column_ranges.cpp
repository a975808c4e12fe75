// SPDX-License-Identifier: BSD-3-Clause
// Values are multiplied by powers of two before they are added up. No digit is lost by that, and squares of columns
// near 1e300, or 1e-300, neither overflow nor vanish.

#include "data/transform/column_ranges.hpp"

#include <algorithm>
#include <cmath>

namespace coppice::internal {

namespace {

// An accumulator: how many rows, how many entries of each column (of sparse rows; all others are 0), least and largest
// value of each. Nothing is known of a column before its first entry.
struct RangeView {
  std::span<double> numbers;
  std::size_t n_columns;

  static std::size_t size(std::size_t n_columns) { return 1 + 3 * n_columns; }
  double& rows() const { return numbers[0]; }
  double& count(std::size_t column) const { return numbers[1 + column]; }
  double& low(std::size_t column) const { return numbers[1 + n_columns + column]; }
  double& high(std::size_t column) const { return numbers[1 + 2 * n_columns + column]; }

  void see(std::size_t column, double least, double largest, double times) const {
    low(column) = count(column) == 0.0 ? least : std::min(low(column), least);
    high(column) = count(column) == 0.0 ? largest : std::max(high(column), largest);
    count(column) += times;
  }
};

void see_row(const RangeView& view, const Dataset& data, std::size_t row) {
  view.rows() += 1.0;
  if (data.is_sparse()) {
    const SparseRow entries = data.sparse_row(row);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      view.see(entries.columns[entry], entries.value(entry), entries.value(entry), 1.0);
    }
    return;
  }
  for (std::size_t column = 0; column < data.n_columns(); ++column) {
    view.see(column, data.value(row, column), data.value(row, column), 1.0);
  }
}

// The power of two that brings a number near 1; near enough for its square at the ends, where 2^1074 does not fit.
double factor_for(double magnitude) {
  int exponent = 0;
  (void)std::frexp(magnitude, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

void sum_weights(const Dataset& data, ColumnRanges& ranges) {
  if (data.weights().empty()) {
    ranges.total_weight = static_cast<double>(data.n_rows());
    return;
  }
  ranges.weight_factor = factor_for(*std::ranges::max_element(data.weights()));
  for (const double weight : data.weights()) ranges.total_weight += weight * ranges.weight_factor;
}

// Weighted means of the scaled values less `centre`, which is 0 for sparse rows.
std::vector<double> means_around(const Execution& execution, const Dataset& data, const ColumnRanges& ranges,
                                 const std::vector<double>& centre) {
  const std::size_t n_columns = data.n_columns();
  const auto add_row = [&](std::span<double> total, std::size_t row) {
    const double weight = data.weight(row) * ranges.weight_factor;
    if (weight == 0.0) return;
    const auto add = [&](std::size_t column, double value) {
      total[column] += weight * (value * ranges.factor[column] - centre[column]);
    };
    if (data.is_sparse()) {
      const SparseRow entries = data.sparse_row(row);
      for (std::size_t entry = 0; entry < entries.size(); ++entry) add(entries.columns[entry], entries.value(entry));
    } else {
      for (std::size_t column = 0; column < n_columns; ++column) add(column, data.value(row, column));
    }
  };
  const Blocks blocks{.n_items = data.n_rows()};
  const OrderedSum sum{.size = n_columns,
                       .add =
                           [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                             for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
                               add_row(total, row);
                             }
                           },
                       .merge = add_all};
  std::vector<double> mean = ordered_sum(execution, blocks, sum);
  for (double& value : mean) value /= ranges.total_weight;
  return mean;
}

}  // namespace

ColumnRanges column_ranges(const Execution& execution, const Dataset& data) {
  const std::size_t n_columns = data.n_columns();
  const Blocks blocks{.n_items = data.n_rows()};
  const OrderedSum sum{.size = RangeView::size(n_columns),
                       .add =
                           [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                             for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
                               if (data.weight(row) > 0.0) see_row({total, n_columns}, data, row);
                             }
                           },
                       .merge =
                           [&](std::span<double> into, std::span<const double> from) {
                             const RangeView view{into, n_columns};
                             view.rows() += from[0];
                             for (std::size_t column = 0; column < n_columns; ++column) {
                               if (from[1 + column] == 0.0) continue;
                               view.see(column, from[1 + n_columns + column], from[1 + 2 * n_columns + column],
                                        from[1 + column]);
                             }
                           }};
  std::vector<double> total = ordered_sum(execution, blocks, sum);
  const RangeView view{total, n_columns};
  ColumnRanges ranges;
  ranges.n_rows = static_cast<std::size_t>(view.rows());
  sum_weights(data, ranges);
  for (std::size_t column = 0; column < n_columns; ++column) {
    if (view.count(column) < view.rows()) view.see(column, 0.0, 0.0, 1.0);  // what is not stored
    ranges.low.push_back(view.low(column));
    ranges.high.push_back(view.high(column));
    ranges.factor.push_back(factor_for(std::max(std::abs(view.low(column)), std::abs(view.high(column)))));
  }
  return ranges;
}

std::vector<double> scaled_means(const Execution& execution, const Dataset& data, const ColumnRanges& ranges) {
  std::vector<double> mean = means_around(execution, data, ranges, std::vector<double>(data.n_columns(), 0.0));
  if (data.is_sparse()) return mean;
  // About the first mean the deviations nearly cancel: their mean has the digits that the first one has lost.
  const std::vector<double> correction = means_around(execution, data, ranges, mean);
  for (std::size_t column = 0; column < mean.size(); ++column) mean[column] += correction[column];
  return mean;
}

void add_all(std::span<double> into, std::span<const double> from) {
  for (std::size_t at = 0; at < into.size(); ++at) into[at] += from[at];
}

}  // namespace coppice::internal
