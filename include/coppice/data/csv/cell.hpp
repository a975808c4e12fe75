// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a cell holds, and what to say when that is not what was expected.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "coppice/data/column.hpp"
#include "coppice/data/csv/scanner.hpp"

namespace coppice::csv {

// thousands: 1,000 with commas between the thousands.
enum class CellKind : std::uint8_t { number, word, empty, missing, nan, infinite, too_large, decimal_comma, thousands };

// Nothing there, or NA and its like; nan is a number gone wrong.
[[nodiscard]] inline bool is_missing(CellKind kind) noexcept {
  return kind == CellKind::empty || kind == CellKind::missing;
}

struct Cell {
  CellKind kind = CellKind::word;
  double value = 0.0;  // of a number
};

// In quotes, NA, nan and their like are words; numbers are numbers all the same.
[[nodiscard]] Cell classify(const Field& field) noexcept;

// In quotes, at most 40 bytes, fit for a terminal.
[[nodiscard]] std::string show(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

// The column of a cell, for messages.
struct CellColumn {
  std::string_view name;
  std::optional<ColumnKind> declared;
  bool may_be_name = false;  // the cell stands in a first line that was read as a row
};

// "file:line:column: ..." for a cell that is not a number in a column that should have them.
[[noreturn]] void throw_bad_number(std::string_view file, const Field& field, CellKind kind, const CellColumn& column);

// The same for an empty cell, or NA, among words.
[[noreturn]] void throw_missing_word(std::string_view file, const Field& field, std::string_view column);

[[noreturn]] void throw_not_utf8(std::string_view file, const Field& field);

}  // namespace coppice::csv
