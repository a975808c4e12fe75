// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace coppice::cli {

// Columns of text under their headings, right-aligned but for the last one.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings) : rows_{std::move(headings)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void align_last_right() { is_last_left_ = false; }
  [[nodiscard]] std::string to_string() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  bool is_last_left_ = true;
};

// A number for people: four significant digits, no exponent where it can be helped.
[[nodiscard]] std::string short_number(double value);
// 1234567 -> 1,234,567
[[nodiscard]] std::string with_commas(std::size_t value);

}  // namespace coppice::cli
