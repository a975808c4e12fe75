// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::cli {

// Columns of text under their headings: words to the left, numbers to the right. What would harm a terminal is escaped.
class TextTable {
 public:
  // One letter per column, l or r; columns without one are right-aligned.
  TextTable(std::vector<std::string> headings, std::string alignment);
  void add(std::vector<std::string> row);
  // No wider than asked for, as far as that can be had: words in the last column are broken, else columns that have no
  // room beside the first one follow below it, in a table of their own.
  [[nodiscard]] std::string to_string(std::size_t most_width = unlimited) const;
  [[nodiscard]] std::size_t width() const;  // of the longest line, in cells

  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;  // of the columns
  [[nodiscard]] bool is_left(std::size_t column) const;
  // Some of the columns; the last of them in so many cells.
  [[nodiscard]] std::string lines(const std::vector<std::size_t>& columns, std::size_t most_width) const;

  std::vector<std::vector<std::string>> rows_;
  std::string alignment_;
};

// A name in at most so many cells. The middle is left out: names of one table often differ in their last letters alone.
[[nodiscard]] std::string shortened(const std::string& name, std::size_t width);
// A number for people: four significant digits, no exponent where it can be helped.
[[nodiscard]] std::string short_number(double value);
// With so many decimals, or fewer: a dozen characters at most. Numbers of more digits get an exponent.
[[nodiscard]] std::string fixed_number(double value, int decimals);
// 1234567 -> 1,234,567
[[nodiscard]] std::string with_commas(std::size_t value);
// 1 row, 1,234 rows
[[nodiscard]] std::string with_commas(std::size_t value, std::string_view one, std::string_view many = {});
// 45.2%; parts of a percent where there is no more
[[nodiscard]] std::string percent(double share);

}  // namespace coppice::cli
