// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/label_column.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

using RowOfId = std::unordered_map<std::string_view, std::size_t>;

bool are_row_numbers(const std::vector<std::string>& ids) {
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (ids[row] != fmt::format_int(row).str()) return false;
  }
  return true;
}

// Enough to find them in a file.
constexpr std::size_t most_ids_named = 3;

std::string named(const std::vector<std::string>& ids) {
  const std::size_t n_named = std::min(ids.size(), most_ids_named);
  std::string text =
      fmt::format("'{}'", fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n_named), "', '"));
  if (ids.size() > n_named) text += fmt::format(" and {} more", ids.size() - n_named);
  return text;
}

RowOfId rows_by_id(const std::vector<std::string>& ids, const std::string& file) {
  RowOfId rows;
  std::vector<std::string> repeated;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (!rows.emplace(ids[row], row).second) repeated.push_back(ids[row]);
  }
  if (repeated.empty()) return rows;
  throw DataError(fmt::format("{}: rows are matched by id, and {} comes more than once; expected every id once", file,
                              named(repeated)));
}

// Every id of one file is in the other.
void expect_all(const std::vector<std::string>& ids, const std::string& file, const RowOfId& in,
                const std::string& other) {
  std::vector<std::string> missing;
  for (const std::string& id : ids) {
    if (!in.contains(id)) missing.push_back(id);
  }
  if (missing.empty()) return;
  throw DataError(
      fmt::format("{}: rows are matched by id, and there is no row {} of {}; expected the same ids in both (leave the "
                  "ids out of one of them to go by position)",
                  other, named(missing), file));
}

void put_in_order(LabelColumn& labels, const std::vector<std::string>& ids, const RowOfId& rows) {
  std::vector<std::int32_t> ordered;
  ordered.reserve(ids.size());
  for (const std::string& id : ids) ordered.push_back(labels.labels[rows.at(id)]);
  labels.labels = std::move(ordered);
  labels.ids = ids;
}

// Row numbers beside names that are none: the numbers are not meant as ids.
bool are_numbers_beside_names(const std::vector<std::string>& numbers, const std::vector<std::string>& names) {
  if (!are_row_numbers(numbers)) return false;
  const RowOfId rows = rows_by_id(numbers, "");
  return std::ranges::none_of(names, [&](const std::string& name) { return rows.contains(name); });
}

bool have_common_ids(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return !a.empty() && !b.empty() && !are_numbers_beside_names(a, b) && !are_numbers_beside_names(b, a);
}

}  // namespace

std::string LabelColumn::name_of(std::int32_t label) const {
  return words.empty() ? fmt::format("{}", label) : words.at(static_cast<std::size_t>(label));
}

Matching match_rows(LabelColumn& labels, const std::vector<std::string>& ids, std::size_t n_rows,
                    const std::string& file) {
  if (have_common_ids(labels.ids, ids)) {
    const RowOfId rows = rows_by_id(labels.ids, labels.file);
    const RowOfId wanted = rows_by_id(ids, file);
    expect_all(ids, file, rows, labels.file);
    expect_all(labels.ids, labels.file, wanted, file);
    put_in_order(labels, ids, rows);
    return Matching::by_id;
  }
  if (labels.labels.size() != n_rows) {
    throw DataError(fmt::format("{}: holds {}, but the table has {}", labels.file,
                                counted(labels.labels.size(), "label"), counted(n_rows, "row")));
  }
  // Where there are no ids, this holds as well.
  return are_row_numbers(labels.ids) && are_row_numbers(ids) ? Matching::by_position : Matching::ids_unused;
}

void put_in_row_order(LabelColumn& labels) {
  if (are_row_numbers(labels.ids)) return;
  std::vector<std::string> numbers;
  for (std::size_t row = 0; row < labels.ids.size(); ++row) numbers.push_back(fmt::format_int(row).str());
  RowOfId rows;
  for (std::size_t row = 0; row < labels.ids.size(); ++row) rows.emplace(labels.ids[row], row);
  const auto has_row = [&](const std::string& number) { return rows.contains(number); };
  if (std::ranges::all_of(numbers, has_row)) put_in_order(labels, numbers, rows);
}

}  // namespace coppice::internal
