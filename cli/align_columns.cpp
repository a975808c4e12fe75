// SPDX-License-Identifier: BSD-3-Clause
#include "align_columns.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "coppice/data/match_columns.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::cli {
using namespace internal;

Dataset align_columns(const Dataset& table, const Model& model, const TableOfModel& from) {
  const std::vector<Column>& wanted = model.input_columns();
  const std::string name = from.path == "-" ? "standard input" : from.path;
  try {
    if (from.by_position) return columns_by_position(table, wanted);
    MatchedColumns matched = match_columns(table, wanted);
    if (matched.by == MatchedBy::position && have_names(table.columns()) != have_names(wanted)) {
      from.note(fmt::format("{} has no column names, so that the columns of {} are taken by position",
                            have_names(wanted) ? name : "the model", name));
    }
    return std::move(matched.data);
  } catch (const DataError& error) {
    const std::string_view message = error.what();  // which may know the place already
    if (message.starts_with(name + ":")) throw;
    Text placed = name + ": ";
    throw DataError(placed += error.text());
  }
}

}  // namespace coppice::cli
