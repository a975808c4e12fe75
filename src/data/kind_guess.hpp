// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Kinds as the values show them: only 0 and 1; whole numbers from 0 on; anything else.

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/data/column.hpp"

namespace coppice::internal {

[[nodiscard]] inline bool is_binary(double value) noexcept { return value == 0.0 || value == 1.0; }
[[nodiscard]] inline bool is_count(double value) noexcept { return value >= 0.0 && value == std::floor(value); }

// Whether a number may stand in a column of a kind, and what may stand there, for messages.
[[nodiscard]] inline bool admits(ColumnKind kind, double value) noexcept {
  if (kind == ColumnKind::binary) return is_binary(value);
  return kind == ColumnKind::real || (kind == ColumnKind::count && is_count(value));
}
[[nodiscard]] inline std::string_view values_of(ColumnKind kind) noexcept {
  return kind == ColumnKind::binary ? "0 or 1" : "a whole number from 0 on";
}

class KindGuess {
 public:
  void see(double value) noexcept {
    binary_ = binary_ && is_binary(value);
    count_ = count_ && is_count(value);
  }
  // As if this had seen what the other has.
  void join(const KindGuess& other) noexcept {
    binary_ = binary_ && other.binary_;
    count_ = count_ && other.count_;
  }
  [[nodiscard]] ColumnKind kind() const noexcept {
    return binary_ ? ColumnKind::binary : count_ ? ColumnKind::count : ColumnKind::real;
  }

 private:
  bool binary_ = true;
  bool count_ = true;
};

// Columns named x1, x2, ...
[[nodiscard]] inline std::vector<Column> guessed_columns(std::span<const KindGuess> guesses) {
  std::vector<Column> columns(guesses.size());
  for (std::size_t column = 0; column < guesses.size(); ++column) {
    columns[column] = {fmt::format("x{}", column + 1), guesses[column].kind(), true};
  }
  return columns;
}

}  // namespace coppice::internal
