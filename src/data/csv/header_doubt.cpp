// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/header_doubt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "coppice/data/csv/cell.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::csv {
using namespace internal;

namespace {

constexpr std::size_t most_rows = 200;
constexpr std::size_t least_rows = 3;  // to say what a column holds

struct TextCell {
  std::string text;
  Cell cell;
};
using TextRow = std::vector<TextCell>;

// Fewer where quotes break: whoever reads the rows says so.
std::vector<TextRow> first_rows(const Layout& layout, const std::string& file) {
  std::vector<TextRow> rows;
  Scanner scanner(layout.rows, layout.first_line, layout.separator, file);
  try {
    while (rows.size() < most_rows && scanner.next_record()) {
      TextRow row;
      do {
        const Field field = scanner.field();
        row.push_back({std::string(field.text), classify(field)});
      } while (scanner.next_field());
      rows.push_back(std::move(row));
    }
  } catch (const DataError&) {
    return rows;
  }
  return rows;
}

bool is_whole(const TextCell& cell) {
  return cell.cell.kind == CellKind::number && cell.text.find_first_not_of("0123456789") == std::string::npos;
}

// Whole numbers that rise from left to right, as years do; two alone by 1, since of any two numbers one is larger.
bool count_on(std::span<const TextCell> row) {
  if (row.size() < 2 || !std::ranges::all_of(row, is_whole)) return false;
  for (std::size_t i = 1; i < row.size(); ++i) {
    const double step = row[i].cell.value - row[i - 1].cell.value;
    if (step <= 0.0 || (row.size() == 2 && step != 1.0)) return false;
  }
  return true;
}

// Whether a column below the first row holds something else than a name that is a number: fractions, or numbers that
// are all smaller or all larger.
struct Below {
  bool has_fraction = false;
  bool is_elsewhere = true;
};

Below below(std::span<const TextRow> rows, std::size_t column) {
  const double first = rows[0][column].cell.value;
  bool has_less = false;
  bool has_more = false;
  Below result;
  for (const TextRow& row : rows.subspan(1)) {
    if (column >= row.size() || row[column].cell.kind != CellKind::number) continue;
    const double value = row[column].cell.value;
    result.has_fraction = result.has_fraction || row[column].text.find('.') != std::string::npos;
    has_less = has_less || value <= first;
    has_more = has_more || value >= first;
  }
  result.is_elsewhere = has_less != has_more;
  return result;
}

bool looks_like_names(std::span<const TextRow> rows) {
  if (rows.size() < 1 + least_rows || !count_on(rows[0])) return false;
  const std::ptrdiff_t n_alike =
      std::ranges::count_if(rows.subspan(1), [](const TextRow& row) { return count_on(row); });
  if (2 * static_cast<std::size_t>(n_alike) >= rows.size() - 1) return false;  // rows count on in this table
  bool has_fraction = false;
  bool are_all_elsewhere = true;
  for (std::size_t column = 0; column < rows[0].size(); ++column) {
    const Below found = below(rows, column);
    has_fraction = has_fraction || found.has_fraction;
    are_all_elsewhere = are_all_elsewhere && found.is_elsewhere;
  }
  // Numbers that count on, above fractions or apart from all that stands below them, are hardly measurements like the
  // rest.
  return has_fraction || are_all_elsewhere;
}

// "2019, 2020, 2021, ..."
std::string shown(const std::vector<std::string>& texts) {
  constexpr std::ptrdiff_t most = 5;
  std::vector<std::string> list(texts.size());
  std::ranges::transform(texts, list.begin(), [](const std::string& text) { return show(text); });
  const auto n = static_cast<std::ptrdiff_t>(list.size());
  return fmt::format("{}{}", fmt::join(list.begin(), list.begin() + std::min(n, most), ", "), n > most ? ", ..." : "");
}

Text doubt_about_row(const Layout& layout, std::span<const TextRow> rows, const std::string& file) {
  if (!looks_like_names(rows)) return {};
  std::vector<std::string> texts;
  for (const TextCell& cell : rows[0]) texts.push_back(cell.text);
  return format_text(
      "{}:{}: the first line ({}) was read as a row, but looks like names of columns; if it is that, give "
      "{header=yes}, else {header=no}",
      file, layout.first_line, shown(texts));
}

// A name that a column also holds as a word, such as setosa; empty if there is none.
std::string word_again(const Layout& layout, std::span<const TextRow> rows) {
  for (const TextRow& row : rows) {
    for (std::size_t column = 0; column < std::min(row.size(), layout.names.size()); ++column) {
      const bool is_word = row[column].cell.kind == CellKind::word;
      if (is_word && row[column].text == layout.names[column]) return row[column].text;
    }
  }
  return {};
}

// Numbers, with gaps between them. The empty name in front of 0,1,2,... is that of row numbers.
bool are_names_numbers(const Layout& layout) {
  TextRow names;
  for (std::size_t column = 0; column < layout.names.size(); ++column) {
    const std::string text = layout.are_made_up[column] ? std::string() : layout.names[column];
    names.push_back({text, classify({text, false, 1, column + 1})});
  }
  const auto is_number_or_nothing = [](const TextCell& name) {
    return name.cell.kind == CellKind::number || name.cell.kind == CellKind::empty;
  };
  if (!std::ranges::all_of(names, is_number_or_nothing)) return false;
  const std::span<const TextCell> rest = std::span<const TextCell>(names).subspan(1);
  const bool is_counting = names.front().cell.kind == CellKind::empty && (count_on(rest) || rest.size() <= 1);
  return !is_counting;
}

Text doubt_about_names(const Layout& layout, std::span<const TextRow> rows, const std::string& file) {
  std::vector<std::string> texts;
  for (std::size_t column = 0; column < layout.names.size(); ++column) {
    texts.push_back(layout.are_made_up[column] ? std::string() : layout.names[column]);
  }
  const std::string again = word_again(layout, rows);
  if (again.empty() && !are_names_numbers(layout)) return {};
  return format_text(
      "{}:{}: the first line ({}) was read as names of columns, but {}; if it is a row, give {header=no}, else "
      "{header=yes}",
      file, layout.header_line, shown(texts),
      again.empty() ? "holds numbers" : fmt::format("{} comes again below", show(again)));
}

}  // namespace

Text header_doubt(const Layout& layout, const std::string& file) {
  const std::vector<TextRow> rows = first_rows(layout, file);
  return layout.has_header ? doubt_about_names(layout, rows, file) : doubt_about_row(layout, rows, file);
}

}  // namespace coppice::csv
