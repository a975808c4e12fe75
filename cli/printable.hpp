// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Text of others (names of columns and files, words of a table, messages that hold them) as it may stand on a terminal.
// Files keep the true bytes; only what people see goes through here.

#include <cstddef>
#include <string>
#include <string_view>

namespace coppice::cli {

// Control characters (also those that turn the direction of writing) and bytes that are no UTF-8 as escapes: \n, \t,
// \x1b, \u202e. Everything else stays.
[[nodiscard]] std::string printable(std::string_view text);

// Cells of a terminal that printable text takes: none for a combining mark, two for a Chinese character.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The longest beginning of printable text that is not wider, and the longest end.
[[nodiscard]] std::string_view clipped(std::string_view text, std::size_t width);
[[nodiscard]] std::string_view clipped_to_end(std::string_view text, std::size_t width);

}  // namespace coppice::cli
