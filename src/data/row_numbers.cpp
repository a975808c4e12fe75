// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/row_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "coppice/data/match_columns.hpp"
#include "coppice/runtime/ascii.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t few_rows = 10;                // numbers that are all different by chance
constexpr std::size_t most_rows_to_sort = 1000000;  // beyond, only numbers in order are recognised

// id, customer_id, customerId, Unnamed: 0 (as pandas reads its own row numbers back).
bool is_name_of_rows(std::string_view name) {
  constexpr std::array<std::string_view, 12> names{"id",  "index",  "idx",        "row",      "rowid",      "row_id",
                                                   "uid", "rownum", "row_number", "rownames", "row number", "key"};
  const std::string small = ascii::lower_case(name);
  if (std::ranges::find(names, small) != names.end() || small.starts_with("unnamed:")) return true;
  if (small.size() < 3 || !small.ends_with("id")) return false;
  const char before = name[name.size() - 3];
  // customer_id and customerId are, paid is not.
  return !ascii::is_letter(before) || (before >= 'a' && name[name.size() - 2] == 'I');
}

bool counts_the_rows(const Dataset& table, std::size_t column) {
  const double first = table.value(0, column);
  if (first != 0.0 && first != 1.0) return false;
  for (std::size_t row = 1; row < table.n_rows(); ++row) {
    if (table.value(row, column) != first + static_cast<double>(row)) return false;
  }
  return true;
}

bool are_different_whole_numbers(const Dataset& table, std::size_t column) {
  std::vector<double> values;
  bool is_rising = true;
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    const double value = table.value(row, column);
    if (value != std::floor(value)) return false;
    is_rising = is_rising && (row == 0 || value > table.value(row - 1, column));
    if (!is_rising && table.n_rows() > most_rows_to_sort) return false;
  }
  if (is_rising) return true;
  for (std::size_t row = 0; row < table.n_rows(); ++row) values.push_back(table.value(row, column));
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

}  // namespace

std::vector<std::size_t> row_number_columns(const Dataset& table) {
  std::vector<std::size_t> found;
  if (table.is_sparse() || table.n_rows() < 3 || table.n_columns() + table.categories().size() < 2) return found;
  const bool has_names = have_names(table.columns());
  for (std::size_t column = 0; column < table.n_columns(); ++column) {
    const bool is_of_rows =
        has_names ? table.columns()[column].is_made_up || is_name_of_rows(table.columns()[column].name) : column == 0;
    if (!is_of_rows || table.n_missing(column) > 0) continue;
    const bool is_long = table.n_rows() >= few_rows;
    const bool is_counting = counts_the_rows(table, column) && (has_names || is_long);
    if (is_counting || (has_names && is_long && are_different_whole_numbers(table, column))) found.push_back(column);
  }
  return found;
}

}  // namespace coppice::internal
