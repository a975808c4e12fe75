// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What each field of a text table is for, decided before the rows are parsed.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coppice/data/csv/layout.hpp"
#include "coppice/data/read.hpp"
#include "data/column_choice.hpp"

namespace coppice::csv {

enum class Role : std::uint8_t { ignored, number, weight, word, id };

struct Part {
  Role role = Role::ignored;
  std::size_t slot = 0;                // among the columns of its role, in the order of the result
  std::optional<ColumnKind> declared;  // by the user
  std::string first_text;              // of a column that was taken for words: its first cell, for messages
  std::size_t first_line = 0;
};

struct Plan {
  std::vector<Part> parts;  // one per field
  std::size_t n_numbers = 0;
  std::size_t n_words = 0;
  bool keep_missing = false;
};

// The first row decides: a column is numeric if its first cell is a number, unless the user says what it is. Where
// missing entries are kept, the first cell that is there decides. OptionError if a kind is given to an unknown column.
[[nodiscard]] Plan make_plan(const Layout& layout, const internal::ColumnChoice& choice, const ReadOptions& options,
                             const std::string& file);

}  // namespace coppice::csv
