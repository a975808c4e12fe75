// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows without a word in a column of words, as a table read with ReadOptions::keep_missing may have them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "coppice/data/column.hpp"

namespace coppice::internal {

// The code of such a row.
inline constexpr std::int32_t no_word = -1;

// Nothing for a row that has none.
[[nodiscard]] inline std::string_view word_of(const CategoryColumn& column, std::size_t row) noexcept {
  const std::int32_t code = column.codes[row];
  return code == no_word ? std::string_view() : column.levels[static_cast<std::size_t>(code)];
}

[[nodiscard]] inline std::size_t n_missing(const CategoryColumn& column) noexcept {
  return static_cast<std::size_t>(std::ranges::count(column.codes, no_word));
}

}  // namespace coppice::internal
