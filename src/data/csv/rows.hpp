// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From lines to numbers. A plan says what each field is for; parse_rows applies it to any range of whole lines, so
// that several ranges can be parsed on their own and joined.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/column_choice.hpp"
#include "data/csv/layout.hpp"
#include "data/csv/scanner.hpp"

namespace coppice::csv {

enum class Role : std::uint8_t { ignored, number, weight, word, id };

struct Part {
  Role role = Role::ignored;
  std::size_t slot = 0;    // among the columns of its role, in the order of the result
  std::string first_text;  // of a column of words: its cell in the first row, for messages
  std::size_t first_line = 0;
};

struct Plan {
  std::vector<Part> parts;  // one per field
  std::size_t n_numbers = 0;
  std::size_t n_words = 0;
};

// The first row decides: a column is numeric if its first cell is a number.
[[nodiscard]] Plan make_plan(const Layout& layout, const ColumnChoice& choice, const std::string& file);

// Words by first appearance.
class Words {
 public:
  // The code of a word, and whether it is new.
  std::pair<std::int32_t, bool> code(std::string_view word);
  [[nodiscard]] const std::vector<std::string>& levels() const noexcept { return levels_; }

  std::vector<std::int32_t> codes;  // one per row

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> index_;
  std::vector<std::string> levels_;
};

struct Rows {
  std::size_t n_rows = 0;
  std::vector<double> values;  // row by row, plan.n_numbers each
  std::vector<double> weights;
  std::vector<std::string> ids;
  std::vector<Words> words;  // plan.n_words
};

// `lines` are whole lines, the first of which is number `first_line` of the file.
[[nodiscard]] Rows parse_rows(std::string_view lines, std::size_t first_line, const Layout& layout, const Plan& plan,
                              const std::string& file);

}  // namespace coppice::csv
