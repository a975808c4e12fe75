// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/little_work.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "data/kind_guess.hpp"

namespace coppice {
using namespace internal;

namespace {

// Tests the bits, which compilers do for several values at a time: infinities and NaN have all bits of the exponent.
template <class Value>
bool are_finite(std::span<const Value> values) noexcept {
  using Bits = std::conditional_t<sizeof(Value) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<Value>::infinity());
  Bits any = 0;
  for (const Value value : values) any |= static_cast<Bits>((std::bit_cast<Bits>(value) & exponent) == exponent);
  return any == 0;
}

template <class Value>
[[noreturn]] void refuse_first_infinite(std::span<const Value> values, std::size_t n_columns, std::size_t first_row) {
  const auto found = std::ranges::find_if(values, [](Value value) { return !std::isfinite(value); });
  const auto at = static_cast<std::size_t>(found - values.begin());
  throw DataError(
      fmt::format("row {}, column {} (counted from 1): the value is {}; every value must be a finite number "
                  "(remove or fill the "
                  "row)",
                  first_row + at / n_columns + 1, at % n_columns + 1, *found));
}

// What some rows show of their columns. A column of fractions is known for one after a row or two.
template <class Value>
std::vector<KindGuess> guesses_of(std::span<const Value> values, std::size_t n_columns) {
  std::vector<KindGuess> guesses(n_columns);
  std::vector<std::size_t> open(n_columns);
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (std::size_t first = 0; first < values.size() && !open.empty(); first += n_columns) {
    for (const std::size_t column : open) guesses[column].see(static_cast<double>(values[first + column]));
    const auto is_known = [&](std::size_t column) { return guesses[column].kind() == ColumnKind::real; };
    if (std::ranges::any_of(open, is_known)) std::erase_if(open, is_known);
  }
  return guesses;
}

// Of several values that are not finite, the error names the first: so does for_each_block, of several that throw.
template <class Value>
std::vector<Column> check_and_guess(std::span<const Value> values, std::size_t n_columns, std::size_t n_threads) {
  if (values.empty()) return guessed_columns(std::vector<KindGuess>(n_columns));
  const Blocks blocks{values.size() / n_columns};
  std::vector<std::vector<KindGuess>> of_block(blocks.count());
  LocalExecution local(static_cast<double>(values.size()) < little_work ? 1 : n_threads);
  for_each_block(local.get(), blocks, [&](const BlockRange& block) {
    const auto rows = values.subspan(block.first * n_columns, (block.last - block.first) * n_columns);
    if (!are_finite(rows)) refuse_first_infinite(rows, n_columns, block.first);
    of_block[block.number] = guesses_of(rows, n_columns);
  });
  for (std::size_t block = 1; block < of_block.size(); ++block) {
    for (std::size_t column = 0; column < n_columns; ++column) of_block[0][column].join(of_block[block][column]);
  }
  return guessed_columns(of_block[0]);
}

// How many entries of each column are missing; empty if none is.
std::vector<std::size_t> count_missing(std::span<const double> values, std::size_t n_columns) {
  std::vector<std::size_t> missing(n_columns, 0);
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (std::isnan(values[at])) ++missing[at % n_columns];
  }
  return std::ranges::all_of(missing, [](std::size_t count) { return count == 0; }) ? std::vector<std::size_t>{}
                                                                                    : missing;
}

template <class Value>
Dataset own(std::vector<Value> values, Storage storage, std::size_t n_rows, std::size_t n_columns) {
  if (values.size() != n_rows * n_columns) {
    throw DataError(fmt::format("{} do not make {} of {}", counted(values.size(), "value"), counted(n_rows, "row"),
                                counted(n_columns, "column")));
  }
  auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
  const void* first = owner->data();
  return Dataset::from_memory(std::move(owner), first, storage, n_rows, n_columns);
}

bool same_entry(double a, double b) noexcept { return a == b || (std::isnan(a) && std::isnan(b)); }

void check_length(std::string_view what, std::size_t length, std::size_t expected) {
  if (length != expected) throw DataError(fmt::format("{} {} given, but the table has {}", length, what, expected));
}

}  // namespace

std::string_view to_string(Storage storage) noexcept { return storage == Storage::float32 ? "float32" : "float64"; }

Dataset Dataset::from_rows(std::vector<double> values, std::size_t n_rows, std::size_t n_columns) {
  return own(std::move(values), Storage::float64, n_rows, n_columns);
}

Dataset Dataset::from_rows(std::vector<float> values, std::size_t n_rows, std::size_t n_columns) {
  return own(std::move(values), Storage::float32, n_rows, n_columns);
}

Dataset Dataset::from_rows_with_gaps(std::vector<double> values, std::size_t n_rows, std::size_t n_columns) {
  std::vector<std::size_t> missing = count_missing(values, n_columns);
  if (missing.empty()) return from_rows(std::move(values), n_rows, n_columns);
  // The other checks, and the guesses, are those of the table with its gaps filled by 0, which every kind admits.
  std::vector<double> filled = values;
  std::ranges::replace_if(
      filled, [](double value) { return std::isnan(value); }, 0.0);
  Dataset table = from_rows(std::move(filled), n_rows, n_columns);
  auto owner = std::make_shared<const std::vector<double>>(std::move(values));
  table.values_ = owner->data();
  table.owner_ = std::move(owner);
  table.missing_ = std::move(missing);
  return table;
}

bool Dataset::has_missing() const noexcept { return !missing_.empty(); }

Dataset Dataset::from_memory(std::shared_ptr<const void> owner, const void* values, Storage storage, std::size_t n_rows,
                             std::size_t n_columns, std::size_t n_threads) {
  Dataset table;
  table.owner_ = std::move(owner);
  table.values_ = values;
  table.storage_ = storage;
  table.n_rows_ = n_rows;
  table.columns_.resize(n_columns);
  table.columns_ = storage == Storage::float32 ? check_and_guess(table.floats(), n_columns, n_threads)
                                               : check_and_guess(table.doubles(), n_columns, n_threads);
  return table;
}

std::span<const float> Dataset::floats() const noexcept {
  if (storage_ != Storage::float32 || is_sparse()) return {};
  return {static_cast<const float*>(values_), n_rows_ * n_columns()};
}

std::span<const double> Dataset::doubles() const noexcept {
  if (storage_ != Storage::float64 || is_sparse()) return {};
  return {static_cast<const double*>(values_), n_rows_ * n_columns()};
}

double Dataset::value(std::size_t row, std::size_t column) const noexcept {
  if (is_sparse()) return sparse_value(row, column);
  const std::size_t at = row * n_columns() + column;
  return storage_ == Storage::float32 ? static_cast<double>(floats()[at]) : doubles()[at];
}

Dataset Dataset::with_names(std::vector<std::string> names, const std::vector<bool>& are_made_up) const {
  check_length("column names", names.size(), n_columns());
  Dataset copy = *this;
  for (std::size_t column = 0; column < names.size(); ++column) {
    copy.columns_[column].name = std::move(names[column]);
    copy.columns_[column].is_made_up = !are_made_up.empty() && are_made_up[column];
  }
  return copy;
}

Dataset Dataset::with_kinds(const std::vector<ColumnKind>& kinds) const {
  check_length("column kinds", kinds.size(), n_columns());
  for (std::size_t column = 0; column < kinds.size(); ++column) {
    if (kinds[column] == columns_[column].kind || kinds[column] == ColumnKind::real) continue;
    for (std::size_t row = 0; row < n_rows_; ++row) {
      if (std::isnan(value(row, column)) || admits(kinds[column], value(row, column))) continue;
      throw DataError(
          fmt::format("row {} (counted from 1): the value {} in column '{}' is not {}, as its kind '{}' asks", row + 1,
                      value(row, column), columns_[column].name, values_of(kinds[column]), to_string(kinds[column])));
    }
  }
  Dataset copy = *this;
  for (std::size_t column = 0; column < kinds.size(); ++column) copy.columns_[column].kind = kinds[column];
  return copy;
}

Dataset Dataset::first_rows(std::size_t n) const {
  if (n >= n_rows_) return *this;
  Dataset copy = *this;
  copy.n_rows_ = n;
  if (has_missing()) copy.missing_ = count_missing(copy.doubles(), n_columns());
  if (is_sparse()) copy.starts_ = starts_.first(n + 1);
  if (!weights_.empty()) copy.weights_.resize(n);
  if (!ids_.empty()) copy.ids_.resize(n);
  for (CategoryColumn& column : copy.categories_) column.codes.resize(n);
  return copy;
}

Dataset Dataset::with_weights(std::vector<double> weights) const {
  check_length("weights", weights.size(), n_rows_);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!std::isfinite(weights[row]) || weights[row] < 0.0) {
      throw DataError(
          fmt::format("the weight of row {} (counted from 1) is {}; weights must be finite and not negative", row + 1,
                      weights[row]));
    }
  }
  Dataset copy = *this;
  copy.weights_ = std::move(weights);
  return copy;
}

Dataset Dataset::with_ids(std::vector<std::string> ids) const {
  check_length("row names", ids.size(), n_rows_);
  Dataset copy = *this;
  copy.ids_ = std::move(ids);
  return copy;
}

Dataset Dataset::with_categories(std::vector<CategoryColumn> categories) const {
  for (const CategoryColumn& column : categories) check_length("category codes", column.codes.size(), n_rows_);
  Dataset copy = *this;
  copy.categories_ = std::move(categories);
  return copy;
}

Dataset Dataset::with_rows_reordered(std::shared_ptr<const void> owner, const void* values,
                                     std::vector<double> weights) const {
  check_length("weights", weights.size(), weights_.size());
  Dataset copy = *this;
  copy.owner_ = std::move(owner);
  copy.values_ = values;
  copy.weights_ = std::move(weights);
  copy.ids_.clear();
  copy.categories_.clear();
  return copy;
}

bool operator==(const Dataset& a, const Dataset& b) {
  if (a.n_rows_ != b.n_rows_ || a.is_sparse() != b.is_sparse() || a.columns_ != b.columns_ ||
      a.categories_ != b.categories_ || a.weights_ != b.weights_ || a.ids_ != b.ids_) {
    return false;
  }
  for (std::size_t row = 0; row < a.n_rows_; ++row) {
    for (std::size_t column = 0; column < a.n_columns(); ++column) {
      if (!same_entry(a.value(row, column), b.value(row, column))) return false;
    }
  }
  return true;
}

double total_weight(const Dataset& data) {
  if (data.weights().empty()) return static_cast<double>(data.n_rows());
  double total = 0.0;
  for (const double weight : data.weights()) total += weight;
  return total;
}

}  // namespace coppice
