// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coppice::cli {

// Columns of text under their headings: words to the left, numbers to the right.
class TextTable {
 public:
  // One letter per column, l or r; columns without one are right-aligned.
  TextTable(std::vector<std::string> headings, std::string alignment)
      : rows_{std::move(headings)}, alignment_(std::move(alignment)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] std::size_t width() const;  // of the longest line, in characters

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;  // of the columns

  std::vector<std::vector<std::string>> rows_;
  std::string alignment_;
};

// A number for people: four significant digits, no exponent where it can be helped.
[[nodiscard]] std::string short_number(double value);
// 1234567 -> 1,234,567
[[nodiscard]] std::string with_commas(std::size_t value);

}  // namespace coppice::cli
