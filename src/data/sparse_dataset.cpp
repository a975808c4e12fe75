// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/error.hpp"
#include "data/kind_guess.hpp"

namespace coppice {
using namespace internal;

namespace {

template <class Value>
void check_shape(const SparseEntries<Value>& entries) {
  const std::vector<std::uint64_t>& starts = entries.starts;
  const bool fits = !starts.empty() && starts.front() == 0 && std::ranges::is_sorted(starts) &&
                    starts.back() == entries.columns.size() && entries.columns.size() == entries.values.size();
  if (!fits) {
    throw DataError(fmt::format("{} row starts, {} columns and {} values do not make sparse rows", starts.size(),
                                entries.columns.size(), entries.values.size()));
  }
  if (entries.n_columns > Dataset::most_sparse_columns) {
    throw LimitError(fmt::format("{} columns are more than a sparse table may have ({})", entries.n_columns,
                                 Dataset::most_sparse_columns));
  }
}

template <class Value>
void check_row(const SparseEntries<Value>& entries, std::size_t row) {
  for (std::uint64_t at = entries.starts[row]; at < entries.starts[row + 1]; ++at) {
    const std::uint32_t column = entries.columns[at];
    if (column >= entries.n_columns) {
      throw DataError(
          fmt::format("row {} has an entry in column {}, but there are {} columns (rows and columns counted from 1)",
                      row + 1, std::size_t{column} + 1, entries.n_columns));
    }
    if (at > entries.starts[row] && entries.columns[at - 1] >= column) {
      throw DataError(
          fmt::format("row {}: column {} comes after column {} (counted from 1); the columns of a row must increase",
                      row + 1, std::size_t{column} + 1, std::size_t{entries.columns[at - 1]} + 1));
    }
    if (!std::isfinite(entries.values[at])) {
      throw DataError(
          fmt::format("row {}, column {} (counted from 1): the value is {}; every value must be a finite number "
                      "(remove or fill the "
                      "row)",
                      row + 1, std::size_t{column} + 1, entries.values[at]));
    }
  }
}

// What is not stored is 0, which every kind admits.
template <class Value>
std::vector<Column> check_and_guess(const SparseEntries<Value>& entries) {
  check_shape(entries);
  std::vector<KindGuess> guesses(entries.n_columns);
  for (std::size_t row = 0; row + 1 < entries.starts.size(); ++row) check_row(entries, row);
  for (std::size_t at = 0; at < entries.values.size(); ++at) {
    guesses[entries.columns[at]].see(static_cast<double>(entries.values[at]));
  }
  return guessed_columns(guesses);
}

}  // namespace

Dataset Dataset::from_sparse_rows(SparseEntries<double> entries) {
  Dataset table;
  table.columns_ = check_and_guess(entries);
  table.own_sparse(std::move(entries), Storage::float64);
  return table;
}

Dataset Dataset::from_sparse_rows(SparseEntries<float> entries) {
  Dataset table;
  table.columns_ = check_and_guess(entries);
  table.own_sparse(std::move(entries), Storage::float32);
  return table;
}

template <class Value>
void Dataset::own_sparse(SparseEntries<Value> entries, Storage storage) {
  auto owner = std::make_shared<const SparseEntries<Value>>(std::move(entries));
  storage_ = storage;
  n_rows_ = owner->starts.size() - 1;
  starts_ = owner->starts;
  places_ = owner->columns;
  values_ = owner->values.data();
  owner_ = std::move(owner);
}

template void Dataset::own_sparse(SparseEntries<float> entries, Storage storage);
template void Dataset::own_sparse(SparseEntries<double> entries, Storage storage);

SparseRow Dataset::sparse_row(std::size_t row) const noexcept {
  const std::size_t first = starts_[row];
  const std::size_t count = starts_[row + 1] - first;
  SparseRow result{places_.subspan(first, count), {}, {}};
  if (storage_ == Storage::float32) {
    result.floats = {static_cast<const float*>(values_) + first, count};
  } else {
    result.doubles = {static_cast<const double*>(values_) + first, count};
  }
  return result;
}

Dataset Dataset::with_zero_columns(std::size_t n) const {
  COPPICE_ASSERT(is_sparse() && n >= n_columns());
  Dataset copy = *this;
  for (std::size_t column = n_columns(); column < n; ++column) {
    copy.columns_.push_back({fmt::format("x{}", column + 1), ColumnKind::binary, true});
  }
  return copy;
}

double Dataset::sparse_value(std::size_t row, std::size_t column) const noexcept {
  const SparseRow entries = sparse_row(row);
  const auto found = std::ranges::lower_bound(entries.columns, column);
  if (found == entries.columns.end() || *found != column) return 0.0;
  return entries.value(static_cast<std::size_t>(found - entries.columns.begin()));
}

}  // namespace coppice
