// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How wide the place is where people read: tables, help and progress keep to it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace coppice::cli {

enum class Stream { output, error };

// Cells in a line: what COLUMNS says, else what the terminal does; nothing if the stream is no terminal.
[[nodiscard]] std::optional<std::size_t> terminal_width(Stream stream);

// Of standard output; about a hundred where it is no terminal.
[[nodiscard]] std::size_t table_width();
// The same for running text, which is hard to read in lines longer than 120.
[[nodiscard]] std::size_t text_width();

struct Margins {
  std::size_t width = 80;
  std::size_t first = 0;   // cells that the first line has used already
  std::size_t indent = 0;  // of all lines behind it
};

// Printable text broken between words; its own line ends stay. No line end behind the last line.
[[nodiscard]] std::string wrapped(std::string_view text, const Margins& margins);

}  // namespace coppice::cli
