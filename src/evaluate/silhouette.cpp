// SPDX-License-Identifier: BSD-3-Clause
// O(N^2 D): all distances between rows. Sums of a row's distances to a cluster are all that is kept.

#include "coppice/evaluate/silhouette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "evaluate/clustered_rows.hpp"

namespace coppice::evaluate {

namespace {

// Rows in the order of their clusters and stored column by column, so that the distances of one row to a stretch of a
// cluster vectorize.
class ColumnStore {
 public:
  ColumnStore(const Dataset& data, const Groups& groups)
      : n_rows_(data.n_rows()), n_columns_(data.n_columns()), values_(n_rows_ * n_columns_) {
    const std::vector<std::uint32_t> rows = rows_by_group(groups);
    for (std::size_t at = 0; at < n_rows_; ++at) {
      for (std::size_t column = 0; column < n_columns_; ++column) {
        values_[column * n_rows_ + at] = data.value(rows[at], column);
      }
    }
  }

  // The sum of the distances from row `at` to rows first .. last - 1.
  [[nodiscard]] double sum_of_distances(std::size_t at, std::size_t first, std::size_t last) const noexcept {
    double sum = 0.0;
    for (; first < last; first += stretch) sum += stretch_sum(at, first, std::min(stretch, last - first));
    return sum;
  }

 private:
  static constexpr std::size_t stretch = 256;  // its sums stay in the fastest cache

  [[nodiscard]] double stretch_sum(std::size_t at, std::size_t first, std::size_t length) const noexcept {
    std::array<double, stretch> squared;
    std::fill_n(squared.begin(), length, 0.0);
    for (std::size_t column = 0; column < n_columns_; ++column) {
      const double* values = values_.data() + column * n_rows_;
      const double here = values[at];
      for (std::size_t other = 0; other < length; ++other) {
        const double difference = here - values[first + other];
        squared[other] += difference * difference;
      }
    }
    double sum = 0.0;
    for (std::size_t other = 0; other < length; ++other) sum += std::sqrt(squared[other]);
    return sum;
  }

  std::size_t n_rows_;
  std::size_t n_columns_;
  std::vector<double> values_;
};

// s = (b - a) / max(a, b): a = mean distance to the rest of the own cluster, b = smallest mean distance to another
// cluster. A row alone in its cluster, or on top of all rows of both, counts 0.
double row_silhouette(const ColumnStore& rows, const Groups& groups, std::size_t at, std::size_t own) {
  if (groups.sizes[own] == 1) return 0.0;
  double a = 0.0;
  double b = std::numeric_limits<double>::infinity();
  std::size_t first = 0;
  for (std::size_t cluster = 0; cluster < groups.k(); ++cluster) {
    const std::size_t size = groups.sizes[cluster];
    const double sum = rows.sum_of_distances(at, first, first + size);
    if (cluster == own) {
      a = sum / static_cast<double>(size - 1);
    } else {
      b = std::min(b, sum / static_cast<double>(size));
    }
    first += size;
  }
  const double larger = std::max(a, b);
  return larger > 0.0 ? (b - a) / larger : 0.0;
}

}  // namespace

double silhouette(const Dataset& data, std::span<const std::int32_t> labels) {
  const Groups groups = check_and_group(data, labels);
  const ColumnStore rows(data, groups);
  double sum = 0.0;
  std::size_t at = 0;
  for (std::size_t cluster = 0; cluster < groups.k(); ++cluster) {
    for (std::size_t left = groups.sizes[cluster]; left > 0; --left) sum += row_silhouette(rows, groups, at++, cluster);
  }
  return sum / static_cast<double>(groups.n_rows());
}

}  // namespace coppice::evaluate
