// SPDX-License-Identifier: BSD-3-Clause
#include "evaluate/clustered_rows.hpp"

#include <fmt/format.h>

#include <limits>

#include "coppice/data/squares.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::evaluate {
using namespace internal;

namespace {

// The first row of each cluster. Sums are taken relative to it, so that data far from 0 lose no digits.
std::vector<std::size_t> first_rows(const Groups& groups) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first(groups.k(), none);
  for (std::size_t row = 0; row < groups.n_rows(); ++row) {
    if (first[groups.of_row[row]] == none) first[groups.of_row[row]] = row;
  }
  return first;
}

}  // namespace

Groups check_and_group(const Dataset& data, std::span<const std::int32_t> labels) {
  const std::size_t n_rows = data.n_rows();
  if (labels.size() != n_rows) {
    throw DataError(
        fmt::format("{} given, but the data has {}", counted(labels.size(), "label"), counted(n_rows, "row")));
  }
  Groups groups = group(labels);
  if (groups.k() < 2 || groups.k() >= n_rows) {
    throw OptionError(
        fmt::format("the labels make {} of {}; the score needs at least 2 clusters and fewer clusters than rows",
                    counted(groups.k(), "cluster"), counted(n_rows, "row")));
  }
  // Distances of what overflows when squared are no numbers.
  check_squares(data);
  return groups;
}

std::vector<double> centroids(const Dataset& data, const Groups& groups) {
  const std::size_t n_columns = data.n_columns();
  const std::vector<std::size_t> first = first_rows(groups);
  std::vector<double> means(groups.k() * n_columns, 0.0);
  for (std::size_t row = 0; row < groups.n_rows(); ++row) {
    const std::uint32_t cluster = groups.of_row[row];
    double* sum = means.data() + cluster * n_columns;
    for (std::size_t column = 0; column < n_columns; ++column) {
      sum[column] += data.value(row, column) - data.value(first[cluster], column);
    }
  }
  for (std::size_t cluster = 0; cluster < groups.k(); ++cluster) {
    double* mean = means.data() + cluster * n_columns;
    for (std::size_t column = 0; column < n_columns; ++column) {
      mean[column] = data.value(first[cluster], column) + mean[column] / static_cast<double>(groups.sizes[cluster]);
    }
  }
  return means;
}

double squared_distance(const Dataset& data, std::size_t row, const double* point) noexcept {
  double sum = 0.0;
  for (std::size_t column = 0; column < data.n_columns(); ++column) {
    const double difference = data.value(row, column) - point[column];
    sum += difference * difference;
  }
  return sum;
}

double squared_distance(const double* a, const double* b, std::size_t n_columns) noexcept {
  double sum = 0.0;
  for (std::size_t column = 0; column < n_columns; ++column) sum += (a[column] - b[column]) * (a[column] - b[column]);
  return sum;
}

}  // namespace coppice::evaluate
