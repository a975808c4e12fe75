// SPDX-License-Identifier: BSD-3-Clause
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "coppice/runtime/counted.hpp"
#include "printable.hpp"
#include "terminal.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

constexpr std::size_t gap = 2;           // before every column
constexpr std::size_t least_words = 24;  // cells that a column of words needs if it is to be broken

}  // namespace

TextTable::TextTable(std::vector<std::string> headings, std::string alignment) : alignment_(std::move(alignment)) {
  add(std::move(headings));
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], display_width(row[column]));
  }
  return widths;
}

std::size_t TextTable::width() const {
  std::size_t total = 0;
  for (const std::size_t width : widths()) total += gap + width;
  return total;
}

bool TextTable::is_left(std::size_t column) const { return column < alignment_.size() && alignment_[column] == 'l'; }

std::string TextTable::to_string(std::size_t most_width) const {
  const std::vector<std::size_t> width = widths();
  std::vector<std::size_t> columns(width.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const std::size_t total = this->width();
  const bool has_last_words = width.size() > 1 && is_left(width.size() - 1);
  if (total <= most_width || (has_last_words && total - width.back() + least_words <= most_width)) {
    return lines(columns, most_width);
  }
  std::string text;
  for (std::size_t next = 1; next < columns.size();) {
    std::vector<std::size_t> some{0};
    std::size_t used = gap + width.front();
    do {
      used += gap + width[next];
      some.push_back(next++);
    } while (next < columns.size() && used + gap + width[next] <= most_width);
    if (!text.empty()) text += '\n';
    text += lines(some, most_width);
  }
  return text;
}

std::string TextTable::lines(const std::vector<std::size_t>& columns, std::size_t most_width) const {
  const std::vector<std::size_t> width = widths();
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    std::size_t used = 0;
    for (const std::size_t column : columns) {
      const std::string padding(width[column] - display_width(row[column]), ' ');
      line += std::string(gap, ' ');
      used += gap;
      if (column == columns.back() && is_left(column)) {
        line += most_width == unlimited ? row[column] : wrapped(row[column], {most_width, used, used});
      } else {
        line += is_left(column) ? row[column] + padding : padding + row[column];
      }
      used += width[column];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string shortened(const std::string& name, std::size_t width) {
  std::string shown = printable(name);
  if (display_width(shown) <= width) return shown;
  const std::size_t n_kept = width - 2;
  return fmt::format("{}..{}", clipped(shown, n_kept - n_kept / 2), clipped_to_end(shown, n_kept / 2));
}

std::string short_number(double value) {
  if (value == 0.0) return "0";
  const double size = std::abs(value);
  if (size >= 1e7 || size < 1e-3) return fmt::format("{:.3e}", value);
  if (size >= 1000.0) return fmt::format("{:.0f}", value);
  const int decimals = 3 - static_cast<int>(std::floor(std::log10(size)));
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 6));
}

std::string fixed_number(double value, int decimals) {
  constexpr std::size_t most_characters = 12;
  if (std::abs(value) >= 1e11) return fmt::format("{:.5e}", value);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  while (decimals > 0 && text.size() > most_characters) text = fmt::format("{:.{}f}", value, --decimals);
  return text;
}

std::string with_commas(std::size_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string text;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0) text += ',';
    text += digits[at];
  }
  return text;
}

std::string with_commas(std::size_t value, std::string_view one, std::string_view many) {
  return with_commas(value) + " " + plural(value, one, many);
}

std::string percent(double share) {
  const double value = 100.0 * share;
  return value > 0.0 && value < 0.05 ? fmt::format("{:.2g}%", value) : fmt::format("{:.1f}%", value);
}

}  // namespace coppice::cli
