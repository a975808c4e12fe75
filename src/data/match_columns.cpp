// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/match_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "coppice/data/csv/cell.hpp"
#include "coppice/data/word_advice.hpp"
#include "coppice/runtime/ascii.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

// A name as it is compared where it is not found to the letter: without upper case, and what is no UTF-8 as one mark,
// since a model's file cannot hold it otherwise.
std::string loose_name(const std::string& name) {
  constexpr std::string_view mark = "\xEF\xBF\xBD";  // U+FFFD
  const bool is_text = csv::is_utf8(name);
  std::string loose;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    const bool is_mark = is_text ? std::string_view(name).substr(at).starts_with(mark) : (c & '\x80') != 0;
    if (!is_mark) {
      loose += ascii::to_lower(c);
      continue;
    }
    if (!loose.ends_with(mark)) loose += mark;
    at += is_text ? mark.size() - 1 : 0;
  }
  return loose;
}

// Sparse rows are only as wide as their last entry: columns behind it are all zero.
Dataset widened(const Dataset& table, std::size_t n_columns) {
  return table.is_sparse() && table.n_columns() < n_columns ? table.with_zero_columns(n_columns) : table;
}

// For every wanted column its number in the table, or nothing.
using Places = std::vector<std::optional<std::size_t>>;

Places exact_places(std::span<const Column> columns, std::span<const Column> wanted) {
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t column = 0; column < columns.size(); ++column) by_name.emplace(columns[column].name, column);
  Places places(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = by_name.find(wanted[i].name);
    if (found != by_name.end()) places[i] = found->second;
  }
  return places;
}

// Fills in the places of names that differ in case only, unless several could be meant.
void add_places_in_any_case(std::span<const Column> columns, std::span<const Column> wanted, Places& places) {
  std::vector<bool> is_taken(columns.size(), false);
  for (const std::optional<std::size_t>& place : places) {
    if (place) is_taken[*place] = true;
  }
  std::unordered_map<std::string, std::vector<std::size_t>> free;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (!is_taken[column]) free[loose_name(columns[column].name)].push_back(column);
  }
  std::unordered_map<std::string, std::vector<std::size_t>> open;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!places[i]) open[loose_name(wanted[i].name)].push_back(i);
  }
  for (const auto& [name, who] : open) {
    const auto found = free.find(name);
    if (who.size() == 1 && found != free.end() && found->second.size() == 1)
      places[who.front()] = found->second.front();
  }
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::ptrdiff_t most = 10;
  const auto n = static_cast<std::ptrdiff_t>(names.size());
  if (n <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... ({} in all)", fmt::join(names.begin(), names.begin() + most, ", "), n);
}

[[noreturn]] void refuse(const Dataset& table, std::span<const Column> wanted, const Places& places) {
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!places[i]) missing.push_back(fmt::format("'{}'", wanted[i].name));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto words = std::ranges::find(table.categories(), wanted[i].name, &CategoryColumn::name);
    if (places[i] || words == table.categories().end()) continue;
    const std::string advice = advice_on_column(*words);
    if (!advice.empty()) throw DataError(advice);
    throw DataError(fmt::format("column '{}' holds words{}, and the model was fitted to numbers there; correct it",
                                words->name,
                                words->levels.empty() ? "" : fmt::format(" such as '{}'", words->levels.front())));
  }
  std::vector<std::string> names;
  for (const Column& column : table.columns()) names.push_back(column.name);
  for (const CategoryColumn& column : table.categories()) names.push_back(column.name);
  const std::string what = fmt::format("the model was fitted to {}, and this table has no {} {}; it has {}",
                                       counted(wanted.size(), "column"), plural(missing.size(), "column"),
                                       list_of(missing), names.empty() ? "none" : list_of(names));
  if (table.n_columns() == wanted.size() && table.categories().empty()) {
    throw DataError(format_text(
        "{}: rename them, or, if they are the same columns in the same order, take them {by_position}", what));
  }
  throw DataError(format_text("{}: rename them, or choose as many with {columns} and take them {by_position}", what));
}

Dataset selected(const Dataset& table, const Places& places) {
  std::vector<std::string> numbers;
  for (const std::optional<std::size_t>& place : places) numbers.push_back(table.columns()[*place].name);
  return table.select_columns(numbers);
}

}  // namespace

bool have_names(std::span<const Column> columns) {
  return !std::ranges::all_of(columns, [](const Column& column) { return column.is_made_up; });
}

MatchedColumns match_columns(const Dataset& given, std::span<const Column> wanted) {
  const Dataset table = widened(given, wanted.size());
  const std::vector<Column>& columns = table.columns();
  const bool is_same = std::ranges::equal(wanted, columns, {}, &Column::name, &Column::name);
  if (is_same && table.categories().empty()) return {table};
  Places places = exact_places(columns, wanted);
  const auto is_found = [](const std::optional<std::size_t>& place) { return place.has_value(); };
  if (!std::ranges::all_of(places, is_found)) add_places_in_any_case(columns, wanted, places);
  if (std::ranges::all_of(places, is_found)) return {selected(table, places)};
  const bool can_names_decide = have_names(columns) && have_names(wanted);
  const bool are_as_many = columns.size() == wanted.size() && table.categories().empty();
  if (!can_names_decide && are_as_many) return {columns_by_position(table, wanted), MatchedBy::position};
  refuse(table, wanted, places);
}

Dataset columns_by_position(const Dataset& given, std::span<const Column> wanted) {
  const Dataset table = widened(given, wanted.size());
  if (!table.categories().empty()) {
    throw DataError(format_text(
        "column '{}' holds words, and the model was fitted to numbers; choose {} with {columns}",
        table.categories().front().name, wanted.size() == 1 ? "one column" : fmt::format("{} columns", wanted.size())));
  }
  if (table.n_columns() != wanted.size()) {
    throw DataError(format_text("the table has {}, but the model was fitted to {}; choose as many with {columns}",
                                counted(table.n_columns(), "column"), wanted.size()));
  }
  std::vector<std::string> names;
  std::vector<bool> are_made_up;
  for (const Column& column : wanted) {
    names.push_back(column.name);
    are_made_up.push_back(column.is_made_up);
  }
  return table.with_names(std::move(names), are_made_up);
}

}  // namespace coppice::internal
