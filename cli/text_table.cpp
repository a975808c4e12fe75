// SPDX-License-Identifier: BSD-3-Clause
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coppice::cli {

namespace {

constexpr std::size_t gap = 2;  // before every column

// Characters, not bytes: names may be UTF-8, in which all but the first byte of a character start with 10.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], length(row[column]));
  }
  return widths;
}

std::size_t TextTable::width() const {
  std::size_t total = 0;
  for (const std::size_t width : widths()) total += gap + width;
  return total;
}

std::string TextTable::to_string() const {
  const std::vector<std::size_t> width = widths();
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const bool is_left = column < alignment_.size() && alignment_[column] == 'l';
      const std::string padding(width[column] - length(row[column]), ' ');
      line += std::string(gap, ' ') + (is_left ? row[column] + padding : padding + row[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string short_number(double value) {
  if (value == 0.0) return "0";
  const double size = std::abs(value);
  if (size >= 1e7 || size < 1e-3) return fmt::format("{:.3e}", value);
  if (size >= 1000.0) return fmt::format("{:.0f}", value);
  const int decimals = 3 - static_cast<int>(std::floor(std::log10(size)));
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 6));
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

}  // namespace coppice::cli
