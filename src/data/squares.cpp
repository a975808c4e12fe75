// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

constexpr double most_squares = 1e300;   // leaves room for factors such as pseudo-counts
constexpr double least_weight = 1e-100;  // of a row that has one
constexpr double most_weight = 1e150;    // whose square is that
constexpr double least_range = 1e-132;   // whose square may still be divided by 1e36 without losing digits
constexpr double most_reaches = 1e100;
constexpr double most_distance = 1e150;  // whose square is most_squares

struct Ranges {
  std::vector<double> low;
  std::vector<double> high;
};

template <class Value>
Ranges ranges_of(std::span<const Value> values, std::size_t n_columns) {
  std::vector<Value> low(n_columns, std::numeric_limits<Value>::infinity());
  std::vector<Value> high(n_columns, -std::numeric_limits<Value>::infinity());
  for (std::size_t first = 0; first < values.size(); first += n_columns) {
    const Value* row = values.data() + first;
    for (std::size_t c = 0; c < n_columns; ++c) {
      low[c] = row[c] < low[c] ? row[c] : low[c];
      high[c] = row[c] > high[c] ? row[c] : high[c];
    }
  }
  return {{low.begin(), low.end()}, {high.begin(), high.end()}};
}

std::size_t row_of_largest(const Dataset& data, std::size_t column) {
  std::size_t largest = 0;
  for (std::size_t row = 1; row < data.n_rows(); ++row) {
    if (std::abs(data.value(row, column)) > std::abs(data.value(largest, column))) largest = row;
  }
  return largest;
}

[[noreturn]] void refuse_large(const Dataset& data, std::size_t column) {
  const std::size_t row = row_of_largest(data, column);
  throw DataError(format_text(
      "row {}, column '{}': {} is so large that sums of squares over the {} rows overflow; divide the column by a "
      "constant, or use {transform=standardize}",
      row + 1, data.columns()[column].name, data.value(row, column), data.n_rows()));
}

[[noreturn]] void refuse_small(const Dataset& data, std::size_t column, double range) {
  std::size_t row = 1;
  while (data.value(row, column) == data.value(0, column)) ++row;
  throw DataError(format_text(
      "row {}, column '{}': {} differs from the values above, but the whole column varies by no more than {:.3g}, "
      "and squares of such differences vanish; multiply the column by a constant, or use {transform=standardize}",
      row + 1, data.columns()[column].name, data.value(row, column), range));
}

}  // namespace

WeightSummary check_weights(const Dataset& data) {
  if (data.weights().empty()) return {.total = static_cast<double>(data.n_rows()), .least = 1.0};
  WeightSummary found{.total = 0.0, .least = std::numeric_limits<double>::infinity()};
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    const double weight = data.weights()[row];
    found.total += weight;
    if (weight > 0.0) found.least = std::min(found.least, weight);
    if (weight > 0.0 && weight < least_weight) {
      throw DataError(
          fmt::format("row {} weighs {:g}: squares times such a weight vanish; a row that is not to count "
                      "weighs 0, and weights that are small throughout can be multiplied by a constant",
                      row + 1, weight));
    }
  }
  if (found.total <= most_weight) return found;
  const auto heaviest = std::ranges::max_element(data.weights());
  throw DataError(
      fmt::format("row {} weighs {:g}: sums of squares times such weights overflow; divide the weights by a "
                  "constant",
                  heaviest - data.weights().begin() + 1, *heaviest));
}

void check_squares(const Dataset& data) {
  const auto [total_weight, least_weight_here] = check_weights(data);
  if (data.is_sparse()) return;
  const double weight = std::max(1.0, total_weight);
  const double least = least_range / std::sqrt(std::min(1.0, least_weight_here));
  const auto [low, high] = data.storage() == Storage::float32 ? ranges_of(data.floats(), data.n_columns())
                                                              : ranges_of(data.doubles(), data.n_columns());
  double sum = 0.0;
  std::size_t widest = 0;
  for (std::size_t c = 0; c < low.size(); ++c) {
    const double range = high[c] - low[c];
    if (std::max(std::abs(low[c]), std::abs(high[c])) > most_squares / weight) refuse_large(data, c);
    if (range > 0.0 && range < least) refuse_small(data, c, range);
    if (range > high[widest] - low[widest]) widest = c;
    sum += range * range;
  }
  if (!(sum <= most_squares / weight / weight)) refuse_large(data, widest);
}

void check_reach(const Dataset& rows, std::span<const double> origin, std::span<const double> reach) {
  if (rows.is_sparse()) return;
  const double widest = std::ranges::max(reach);
  std::vector<double> limit;
  for (const double of_column : reach) {
    const double far = most_reaches * (of_column > 0.0 ? of_column : widest > 0.0 ? widest : 1.0);
    limit.push_back(std::min(far, most_distance));
  }
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    for (std::size_t c = 0; c < limit.size(); ++c) {
      if (std::abs(rows.value(row, c) - origin[c]) <= limit[c]) continue;
      throw DataError(fmt::format(
          "row {}, column '{}': {} is so far from the data that the model was fitted to, near {:.3g} in this column, "
          "that squared distances overflow; remove the row, or fit a model to rows like it",
          row + 1, rows.columns()[c].name, rows.value(row, c), origin[c]));
    }
  }
}

}  // namespace coppice::internal
