// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a column holds. Families say which kinds they can take.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

enum class ColumnKind : std::uint8_t { real, count, binary, category };

[[nodiscard]] std::string_view to_string(ColumnKind kind) noexcept;
// The other way round; OptionError for a word that is no kind.
[[nodiscard]] ColumnKind column_kind(std::string_view word);

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::real;
  bool is_made_up = false;  // the name: the file has none, so that x1, x2, ... stands for it
  int decimals = -1;        // that the values of a fit's rows have at most; -1: not known, or not worth rounding to
  // Whoever named them.
  friend bool operator==(const Column& a, const Column& b) { return a.name == b.name && a.kind == b.kind; }
};

// A column of words: code[row] indexes levels, which are sorted.
struct CategoryColumn {
  std::string name;
  std::vector<std::string> levels;
  std::vector<std::int32_t> codes;
  std::string place = {};   // "file:line:column" of its first word, where that is known
  bool is_made_up = false;  // the name, as in Column
  // Wherever they stand.
  friend bool operator==(const CategoryColumn& a, const CategoryColumn& b) {
    return a.name == b.name && a.levels == b.levels && a.codes == b.codes;
  }
};

}  // namespace coppice
