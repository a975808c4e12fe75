// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/error.hpp"
#include "data/column_choice.hpp"

namespace coppice {

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
  const ColumnChoice choice = choose_columns(names, {.columns = chosen, .id = {}, .weights = {}});
  Dataset table = *this;
  table.columns_.clear();
  table.categories_.clear();
  std::vector<std::size_t> numeric;
  for (const std::size_t column : choice.data) {
    if (column < n_columns()) {
      numeric.push_back(column);
      table.columns_.push_back(columns_[column]);
    } else {
      table.categories_.push_back(categories_[column - n_columns()]);
    }
  }
  const bool are_all_in_place = numeric.size() == n_columns() && std::ranges::is_sorted(numeric);
  if (are_all_in_place) return table;  // still shares the numbers
  if (storage_ == Storage::float32) {
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
