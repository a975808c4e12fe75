// SPDX-License-Identifier: BSD-3-Clause
#include "align_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "coppice/runtime/error.hpp"

namespace coppice::cli {

namespace {

// Sparse rows are only as wide as their last entry: columns behind it are all zero.
Dataset widened(const Dataset& table, const Model& model) {
  const std::size_t n_columns = model.input_columns().size();
  return table.is_sparse() && table.n_columns() < n_columns ? table.with_zero_columns(n_columns) : table;
}

}  // namespace

Dataset align_columns(const Dataset& given, const Model& model, const std::string& path) {
  const Dataset table = widened(given, model);
  const std::vector<Column>& wanted = model.input_columns();
  const bool is_same = std::ranges::equal(wanted, table.columns(), {}, &Column::name, &Column::name);
  if (is_same && table.categories().empty()) return table;
  std::vector<std::string> names;
  for (const Column& column : wanted) names.push_back(column.name);
  std::unordered_set<std::string_view> known;
  for (const Column& column : table.columns()) known.insert(column.name);
  const auto has = [&](const std::string& name) { return known.contains(name); };
  if (std::ranges::all_of(names, has)) return table.select_columns(names);
  if (table.n_columns() == names.size() && table.categories().empty()) return table;
  const auto missing = std::ranges::find_if_not(names, has);
  throw DataError(fmt::format(
      "{}: the model was fitted to {} columns, and this table with {} has no column '{}'; choose the columns "
      "with --columns",
      path, names.size(), table.n_columns() + table.categories().size(), *missing));
}

}  // namespace coppice::cli
