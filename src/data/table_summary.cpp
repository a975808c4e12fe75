// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/table_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What is summed over rows for one column.
struct Range {
  double least = infinity;
  double most = -infinity;
  double sum = 0.0;
  double count = 0.0;

  void see(double value) noexcept {
    if (std::isnan(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
    count += 1.0;
  }
};

std::vector<Range> ranges_of(const Dataset& table) {
  std::vector<Range> ranges(table.n_columns());
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    if (!table.is_sparse()) {
      for (std::size_t column = 0; column < ranges.size(); ++column) ranges[column].see(table.value(row, column));
      continue;
    }
    const SparseRow entries = table.sparse_row(row);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      ranges[entries.columns[entry]].see(entries.value(entry));
    }
  }
  return ranges;
}

ColumnSummary finish(Range range, std::size_t n_missing, std::size_t n_rows) {
  const std::size_t n_present = n_rows - n_missing;
  const bool has_unstored_zero = range.count < static_cast<double>(n_present);  // of sparse rows
  if (has_unstored_zero) {
    range.least = std::min(range.least, 0.0);
    range.most = std::max(range.most, 0.0);
  }
  if (n_present == 0) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none, n_missing};
  }
  return {range.least, range.sum / static_cast<double>(n_present), range.most, n_missing};
}

bool same_words(const Dataset& table, std::size_t a, std::size_t b) {
  return std::ranges::all_of(table.categories(),
                             [=](const CategoryColumn& column) { return column.codes[a] == column.codes[b]; });
}

bool same_numbers(const Dataset& table, std::size_t a, std::size_t b) {
  for (std::size_t column = 0; column < table.n_columns(); ++column) {
    const double x = table.value(a, column);
    const double y = table.value(b, column);
    if (x != y && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

struct HashedRow {
  std::uint64_t hash = 0;
  std::size_t row = 0;
};

// Rows with equal hashes, all of them: how many are equal to one before them.
std::size_t duplicates_among(const Dataset& table, std::span<const HashedRow> rows) {
  std::vector<std::size_t> distinct;
  for (const HashedRow& candidate : rows) {
    const bool is_known = std::ranges::any_of(distinct, [&](std::size_t known) {
      return same_words(table, known, candidate.row) && same_numbers(table, known, candidate.row);
    });
    if (!is_known) distinct.push_back(candidate.row);
  }
  return rows.size() - distinct.size();
}

std::uint64_t hash_with_words(const Dataset& table, std::size_t row) {
  std::uint64_t hash = row_hash(table, row);
  for (const CategoryColumn& column : table.categories()) {
    hash = (hash ^ static_cast<std::uint64_t>(column.codes[row])) * 0x9e3779b97f4a7c15ULL;
  }
  return hash;
}

std::size_t count_duplicates(const Execution& execution, const Dataset& table) {
  std::vector<HashedRow> rows(table.n_rows());
  const Blocks blocks{.n_items = rows.size()};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      rows[row] = {hash_with_words(table, row), row};
    }
  });
  // Copies come to stand together: O(N log N), and rows are compared only where hashes are equal.
  std::ranges::sort(rows, {}, &HashedRow::hash);
  std::size_t n_duplicates = 0;
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t last = first + 1;
    while (last < rows.size() && rows[last].hash == rows[first].hash) ++last;
    if (last - first > 1) n_duplicates += duplicates_among(table, std::span(rows).subspan(first, last - first));
    first = last;
  }
  return n_duplicates;
}

}  // namespace

TableSummary summarize_table(const Execution& execution, const Dataset& table) {
  TableSummary summary;
  const std::vector<Range> ranges = ranges_of(table);
  for (std::size_t column = 0; column < ranges.size(); ++column) {
    summary.columns.push_back(finish(ranges[column], table.n_missing(column), table.n_rows()));
  }
  summary.n_duplicates = count_duplicates(execution, table);
  return summary;
}

}  // namespace coppice
