// SPDX-License-Identifier: BSD-3-Clause
#include "align_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coppice/runtime/error.hpp"

namespace coppice::cli {

Dataset align_columns(const Dataset& table, const Model& model, const std::string& path) {
  std::vector<std::string> names;
  const auto has = [&](const std::string& name) {
    return std::ranges::find(table.columns(), name, &Column::name) != table.columns().end();
  };
  for (const Column& column : model.columns()) names.push_back(column.name);
  if (std::ranges::all_of(names, has)) {
    const bool is_same = std::ranges::equal(names, table.columns(), {}, {}, &Column::name);
    return is_same && table.categories().empty() ? table : table.select_columns(names);
  }
  if (table.n_columns() == model.n_columns() && table.categories().empty()) return table;
  const auto missing = std::ranges::find_if_not(names, has);
  throw DataError(fmt::format(
      "{}: the model was fitted to {} columns, and this table with {} has no column '{}'; choose the columns "
      "with --columns",
      path, model.n_columns(), table.n_columns() + table.categories().size(), *missing));
}

}  // namespace coppice::cli
