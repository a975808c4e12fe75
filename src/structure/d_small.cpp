// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/d_small.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "coppice/data/row_draw.hpp"

namespace coppice {

namespace {

constexpr std::size_t n_smallest = 3;
constexpr std::size_t most_queries = 10000;

// Hash and row; the rows of one content come together when sorted.
struct Keyed {
  std::uint64_t hash = 0;
  std::size_t row = 0;
  auto operator<=>(const Keyed&) const = default;
};

void drop_repeats(const Dataset& data, std::vector<Keyed>& keyed) {
  std::ranges::sort(keyed, [&](const Keyed& a, const Keyed& b) {
    return a.hash != b.hash ? a.hash < b.hash : content_less(data, a.row, b.row);
  });
  const auto is_same = [&](const Keyed& a, const Keyed& b) {
    return a.hash == b.hash && !content_less(data, a.row, b.row) && !content_less(data, b.row, a.row);
  };
  keyed.erase(std::unique(keyed.begin(), keyed.end(), is_same), keyed.end());
}

// The rows in the order of their widest column: neighbours in space are then near each other in the list.
class SortedRows {
 public:
  SortedRows(const Rows& rows, const StopSignal& stop)
      : rows_(rows), n_columns_(rows.n_columns()), axis_(widest_column(stop)) {
    std::vector<std::pair<double, std::size_t>> keyed;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows.weight(row) > 0.0) keyed.emplace_back(rows.data().value(row, axis_) - rows.origin()[axis_], row);
    }
    throw_if_stopped(stop);
    std::ranges::sort(keyed);
    throw_if_stopped(stop);
    values_.resize(keyed.size() * n_columns_);
    for (std::size_t i = 0; i < keyed.size(); ++i)
      rows.copy_row(keyed[i].second, {&values_[i * n_columns_], n_columns_});
  }

  // Squared distance from a row to its nearest different row, or `limit` if none is nearer.
  [[nodiscard]] double nearest(std::size_t row, double limit) const {
    std::vector<double> query(n_columns_);
    rows_.copy_row(row, query);
    const auto coordinate = [&](std::size_t i) { return values_[i * n_columns_ + axis_]; };
    std::size_t start = 0;  // the first row whose coordinate is not below the query's
    for (std::size_t length = size(); length > 0;) {
      const std::size_t half = length / 2;
      const bool is_below = coordinate(start + half) < query[axis_];
      start = is_below ? start + half + 1 : start;
      length = is_below ? length - half - 1 : half;
    }
    const auto square = [](double x) { return x * x; };
    for (std::size_t i = start; i < size() && square(coordinate(i) - query[axis_]) < limit; ++i) {
      limit = nearer(i, query, limit);
    }
    for (std::size_t i = start; i-- > 0 && square(coordinate(i) - query[axis_]) < limit;)
      limit = nearer(i, query, limit);
    return limit;
  }

 private:
  [[nodiscard]] double nearer(std::size_t i, std::span<const double> query, double limit) const {
    const double* values = &values_[i * n_columns_];
    double sum = 0.0;
    for (std::size_t c = 0; c < n_columns_ && sum < limit; ++c) {
      const double t = values[c] - query[c];
      sum += t * t;
    }
    return sum > 0.0 ? std::min(sum, limit) : limit;  // distance 0: the row itself, or a copy of it
  }

  [[nodiscard]] std::size_t size() const noexcept { return values_.size() / n_columns_; }

  [[nodiscard]] std::size_t widest_column(const StopSignal& stop) const {
    std::vector<double> low(n_columns_, std::numeric_limits<double>::infinity());
    std::vector<double> high(n_columns_, -std::numeric_limits<double>::infinity());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (row % rows_per_block == 0) throw_if_stopped(stop);
      for (std::size_t c = 0; c < n_columns_; ++c) {
        low[c] = std::min(low[c], rows_.data().value(row, c));
        high[c] = std::max(high[c], rows_.data().value(row, c));
      }
    }
    std::size_t widest = 0;
    for (std::size_t c = 1; c < n_columns_; ++c) widest = high[c] - low[c] > high[widest] - low[widest] ? c : widest;
    return widest;
  }

  const Rows& rows_;
  std::size_t n_columns_;
  std::size_t axis_;
  std::vector<double> values_;  // less the origin, by increasing coordinate
};

}  // namespace

std::vector<std::size_t> neighbour_queries(const Dataset& data, const StopSignal& stop) {
  std::vector<Keyed> all;
  std::vector<Keyed> lowest;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (row % rows_per_block == 0) throw_if_stopped(stop);
    if (data.weight(row) <= 0.0) continue;
    all.push_back({row_hash(data, row), row});
    if (all.back().hash < std::numeric_limits<std::uint64_t>::max() / 10) lowest.push_back(all.back());
  }
  drop_repeats(data, lowest);
  if (lowest.size() < n_smallest) {
    lowest = std::move(all);
    drop_repeats(data, lowest);
    lowest.resize(std::min(lowest.size(), n_smallest));
  }
  lowest.resize(std::min(lowest.size(), most_queries));
  std::vector<std::size_t> queries;
  queries.reserve(lowest.size());
  for (const Keyed& keyed : lowest) queries.push_back(keyed.row);
  return queries;
}

double small_distance(const Rows& rows, std::span<const std::size_t> queries, const StopSignal& stop) {
  const SortedRows sorted(rows, stop);
  // Squared distances of the three best so far: a query need not look farther than the worst of them.
  std::vector<double> smallest;
  for (const std::size_t query : queries) {
    throw_if_stopped(stop);
    const double limit = smallest.size() < n_smallest ? std::numeric_limits<double>::infinity() : smallest.back();
    const double nearest = sorted.nearest(query, limit);
    if (nearest >= limit) continue;
    smallest.insert(std::ranges::upper_bound(smallest, nearest), nearest);
    if (smallest.size() > n_smallest) smallest.pop_back();
  }
  double sum = 0.0;
  for (const double squared : smallest) sum += std::sqrt(squared);
  return smallest.empty() ? 0.0 : sum / static_cast<double>(smallest.size());
}

}  // namespace coppice
