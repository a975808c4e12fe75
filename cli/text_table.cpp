// SPDX-License-Identifier: BSD-3-Clause
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coppice::cli {

std::string TextTable::to_string() const {
  std::vector<std::size_t> width(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column)
      width[column] = std::max(width[column], row[column].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const bool is_left = column < alignment_.size() && alignment_[column] == 'l';
      line += is_left ? fmt::format("  {:<{}}", row[column], width[column])
                      : fmt::format("  {:>{}}", row[column], width[column]);
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
