// SPDX-License-Identifier: BSD-3-Clause
// Are equal rows copies, or is it the coarseness of the values? By chance, rows agree in all columns about as often as
// pairs that agree in all columns but one would lead one to expect: with p the chance to agree in the last column too,
// near pairs times p / (1 - p). Far more equal pairs than that are copies. Sorting by a hash of all columns but one
// finds those pairs in O(N log N) per column instead of O(N^2).

#include "coppice/structure/equal_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

// A column's values, and the place of every row's among the different ones.
struct RankedColumn {
  std::vector<double> values;  // the different ones, in increasing order
  std::vector<std::uint32_t> ranks;

  // The least gap between two of them: the grid, if there is one.
  [[nodiscard]] double step() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < values.size(); ++i) least = std::min(least, values[i] - values[i - 1]);
    return least;
  }
};

RankedColumn ranked(const Dataset& data, std::size_t column) {
  RankedColumn result;
  for (std::size_t row = 0; row < data.n_rows(); ++row) result.values.push_back(data.value(row, column));
  std::ranges::sort(result.values);
  result.values.erase(std::unique(result.values.begin(), result.values.end()), result.values.end());
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    const auto place = std::ranges::lower_bound(result.values, data.value(row, column));
    result.ranks.push_back(static_cast<std::uint32_t>(place - result.values.begin()));
  }
  return result;
}

std::uint64_t hash_of(std::size_t column, std::uint32_t rank) noexcept {
  std::uint64_t h = (static_cast<std::uint64_t>(column) << 32U) + rank + 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27U)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31U);
}

// How often two different rows agree in a column.
double agreement(std::span<const std::uint32_t> ranks) {
  std::vector<double> count(ranks.size(), 0.0);
  for (const std::uint32_t rank : ranks) count[rank] += 1.0;
  double pairs = 0.0;
  for (const double n : count) pairs += n * (n - 1.0);
  const auto n = static_cast<double>(ranks.size());
  return pairs / (n * (n - 1.0));
}

// A row without one of its columns.
struct Rest {
  std::uint64_t hash = 0;
  std::uint32_t rank = 0;  // in that column
  double weight = 0.0;
};

// Pairs that differ in this column alone, and among them those that are a step of the grid apart.
struct NearPairs {
  double all = 0.0;
  double next = 0.0;
};

NearPairs near_pairs(std::vector<Rest> rows, const RankedColumn& column) {
  std::ranges::sort(rows,
                    [](const Rest& a, const Rest& b) { return std::pair(a.hash, a.rank) < std::pair(b.hash, b.rank); });
  const double step = 1.5 * column.step();  // decimals are not exact
  NearPairs pairs;
  double before = 0.0;  // weight of the rows that agree with this one, and come first
  for (std::size_t i = 1; i < rows.size(); ++i) {
    before = rows[i].hash == rows[i - 1].hash ? before + rows[i - 1].weight : 0.0;
    pairs.all += before * rows[i].weight;
    const double gap = column.values[rows[i].rank] - column.values[rows[i - 1].rank];
    if (before > 0.0 && gap < step) pairs.next += rows[i - 1].weight * rows[i].weight;
  }
  return pairs;
}

}  // namespace

EqualPairs equal_pairs(const Execution& execution, const Dataset& distinct) {
  const std::size_t n = distinct.n_rows();
  EqualPairs result;
  for (std::size_t row = 0; row < n; ++row) {
    result.found += distinct.weight(row) * std::max(0.0, distinct.weight(row) - 1.0) / 2.0;
  }
  if (n < 2) return result;
  std::vector<RankedColumn> columns(distinct.n_columns());
  for_each_task(execution, {.count = columns.size()}, [&](std::size_t c) { columns[c] = ranked(distinct, c); });
  std::vector<std::uint64_t> hash(n, 0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t row = 0; row < n; ++row) hash[row] += hash_of(c, columns[c].ranks[row]);
  }
  std::vector<double> by_chance(columns.size(), 0.0);
  for_each_task(execution, {.count = columns.size()}, [&](std::size_t c) {
    const std::vector<std::uint32_t>& ranks = columns[c].ranks;
    const double p = agreement(ranks);
    if (!(p < 1.0)) return;
    std::vector<Rest> rows(n);
    for (std::size_t row = 0; row < n; ++row) {
      // The hash of a row is a sum over its columns: one of them can be taken out.
      rows[row] = {hash[row] - hash_of(c, ranks[row]), ranks[row], distinct.weight(row)};
    }
    const NearPairs near = near_pairs(std::move(rows), columns[c]);
    by_chance[c] = std::max(near.all * p / (1.0 - p), near.next);
  });
  result.by_chance = std::ranges::max(by_chance);
  return result;
}

}  // namespace coppice::internal
