// SPDX-License-Identifier: BSD-3-Clause
#include "data/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

// The names a user may choose from, cut short where there are very many.
std::string list_of(std::span<const std::string> names) {
  constexpr std::size_t most = 30;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... ({} columns)", fmt::join(names.first(most), ", "), names.size());
}

std::size_t must_find(std::span<const std::string> names, std::string_view wanted) {
  const std::optional<std::size_t> column = find_column(names, wanted);
  if (!column) throw_unknown_column(names, wanted);
  return *column;
}

std::optional<std::size_t> find_weights(std::span<const std::string> names, const std::string& wanted) {
  const std::optional<std::size_t> column = find_column(names, wanted);
  std::error_code ignored;
  if (!column && !std::filesystem::exists(wanted, ignored)) {
    throw OptionError(
        fmt::format("weights '{}' is neither a column nor a file; the columns are {}", wanted, list_of(names)));
  }
  return column;
}

// One name that holds commas, cut at them: a list whose parts are not all columns, but which is a column as a whole.
std::optional<std::size_t> named_with_commas(std::span<const std::string> names,
                                             const std::vector<std::string>& wanted) {
  if (wanted.size() < 2) return std::nullopt;
  const auto found = std::ranges::find(names, fmt::format("{}", fmt::join(wanted, ",")));
  if (found == names.end()) return std::nullopt;
  const auto is_column = [&](const std::string& name) { return find_column(names, name).has_value(); };
  if (std::ranges::all_of(wanted, is_column)) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::size_t> chosen_data(std::span<const std::string> names, const std::vector<std::string>& wanted,
                                     const ColumnChoice& others) {
  std::unordered_map<std::string_view, std::size_t> places;  // tables may have many thousand columns
  for (std::size_t column = 0; column < names.size(); ++column) places.emplace(names[column], column);
  const std::optional<std::size_t> whole = named_with_commas(names, wanted);
  if (whole && whole != others.id && whole != others.weights) return {*whole};
  std::vector<std::size_t> data;
  std::unordered_set<std::size_t> seen;
  for (const std::string& name : wanted) {
    const auto by_name = places.find(name);
    const std::size_t column = by_name != places.end() ? by_name->second : must_find(names, name);
    if (!seen.insert(column).second) throw OptionError(fmt::format("column '{}' is chosen twice", names[column]));
    if (column == others.id || column == others.weights) {
      throw OptionError(fmt::format("column '{}' holds the {}; leave it out of the chosen columns", names[column],
                                    column == others.id ? "row names" : "weights"));
    }
    data.push_back(column);
  }
  return data;
}

}  // namespace

std::optional<std::size_t> find_column(std::span<const std::string> names, std::string_view wanted) {
  // Names come first: columns may be called 1, 2, 3 themselves.
  const auto found = std::ranges::find(names, wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  const bool is_number = error == std::errc{} && end == wanted.data() + wanted.size();
  if (!is_number || number < 1 || number > names.size()) return std::nullopt;
  return number - 1;
}

void throw_unknown_column(std::span<const std::string> names, std::string_view wanted) {
  throw OptionError(fmt::format("there is no column '{}'; choose from {} (or a number from 1 to {})", wanted,
                                list_of(names), names.size()));
}

ColumnChoice choose_columns(std::span<const std::string> names, const ReadOptions& options) {
  ColumnChoice choice;
  if (options.id) choice.id = must_find(names, *options.id);
  if (options.weights) choice.weights = find_weights(names, *options.weights);
  if (choice.id && choice.id == choice.weights) {
    throw OptionError(fmt::format("column '{}' cannot hold both the row names and the weights", names[*choice.id]));
  }
  if (!options.columns.empty()) {
    choice.data = chosen_data(names, options.columns, choice);
    return choice;
  }
  for (std::size_t column = 0; column < names.size(); ++column) {
    if (column != choice.id && column != choice.weights) choice.data.push_back(column);
  }
  return choice;
}

}  // namespace coppice::internal
