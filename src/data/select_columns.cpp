// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <utility>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/error.hpp"
#include "data/column_choice.hpp"

namespace coppice {
using namespace internal;

namespace {

template <class Value>
std::shared_ptr<const std::vector<Value>> gather(std::span<const Value> values, std::size_t n_columns,
                                                 const std::vector<std::size_t>& chosen) {
  auto result = std::make_shared<std::vector<Value>>();
  const std::size_t n_rows = n_columns == 0 ? 0 : values.size() / n_columns;
  result->reserve(n_rows * chosen.size());
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (const std::size_t column : chosen) result->push_back(values[row * n_columns + column]);
  }
  return result;
}

// The same for sparse rows: entries keep their values and take the numbers that the chosen columns get.
template <class Value>
SparseEntries<Value> gather_sparse(const Dataset& table, const std::vector<std::size_t>& chosen) {
  constexpr std::uint32_t left_out = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> new_number(table.n_columns(), left_out);
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    new_number[chosen[place]] = static_cast<std::uint32_t>(place);
  }
  SparseEntries<Value> result{{0}, {}, {}, chosen.size()};
  std::vector<std::pair<std::uint32_t, Value>> kept;
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    const SparseRow entries = table.sparse_row(row);
    kept.clear();
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      const std::uint32_t column = new_number[entries.columns[entry]];
      if (column != left_out) kept.emplace_back(column, static_cast<Value>(entries.value(entry)));
    }
    std::ranges::sort(kept);
    for (const auto& [column, value] : kept) {
      result.columns.push_back(column);
      result.values.push_back(value);
    }
    result.starts.push_back(result.columns.size());
  }
  return result;
}

// Numbers run on from the numeric columns into the categories.
std::vector<std::string> names_of(const Dataset& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns()) names.push_back(column.name);
  for (const CategoryColumn& column : table.categories()) names.push_back(column.name);
  return names;
}

}  // namespace

Dataset Dataset::select_columns(const std::vector<std::string>& chosen) const {
  if (chosen.empty()) throw OptionError("no column is chosen; choose at least one");
  const std::vector<std::string> names = names_of(*this);
  const ColumnChoice choice = choose_columns(names, {.columns = chosen});
  Dataset table = *this;
  table.columns_.clear();
  table.categories_.clear();
  table.missing_.clear();
  std::vector<std::size_t> numeric;
  for (const std::size_t column : choice.data) {
    if (column < n_columns()) {
      numeric.push_back(column);
      table.columns_.push_back(columns_[column]);
      if (has_missing()) table.missing_.push_back(missing_[column]);
    } else {
      table.categories_.push_back(categories_[column - n_columns()]);
    }
  }
  if (std::ranges::all_of(table.missing_, [](std::size_t count) { return count == 0; })) table.missing_.clear();
  const bool are_all_in_place = numeric.size() == n_columns() && std::ranges::is_sorted(numeric);
  if (are_all_in_place) return table;  // still shares the numbers
  if (is_sparse()) {
    if (storage_ == Storage::float32) {
      table.own_sparse(gather_sparse<float>(*this, numeric), storage_);
    } else {
      table.own_sparse(gather_sparse<double>(*this, numeric), storage_);
    }
  } else if (storage_ == Storage::float32) {
    auto values = gather(floats(), n_columns(), numeric);
    table.values_ = values->data();
    table.owner_ = std::move(values);
  } else {
    auto values = gather(doubles(), n_columns(), numeric);
    table.values_ = values->data();
    table.owner_ = std::move(values);
  }
  return table;
}

}  // namespace coppice
