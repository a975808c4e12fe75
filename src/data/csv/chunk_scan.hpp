// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Counts the records of a chunk of whole lines without reading its fields. Whoever stands at the start of a line is
// either outside quotes or inside a quoted field, and which of the two cannot be told from the chunk. Both are tried:
// chunks can then be scanned in parallel, and a walk over them in order picks the one that holds.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "coppice/data/csv/grammar.hpp"

namespace coppice::csv {

enum class ScanEnd : std::uint8_t {
  outside,  // quotes: the next chunk begins with a new line
  inside,   // quotes that go on in the next chunk
  broken,   // text follows a closing quote: no one can say where the next record begins
};

struct Reading {
  std::size_t n_rows = 0;          // records that begin in the chunk, up to a broken one
  std::size_t first = 0;           // byte where the first line begins that is outside quotes
  std::size_t n_lines_before = 0;  // line ends before it
  ScanEnd end = ScanEnd::outside;
};

struct ChunkScan {
  Reading outside;  // if the chunk begins outside quotes
  Reading inside;   // if it begins inside
  std::size_t n_lines = 0;
  std::size_t nul = std::string_view::npos;  // the first NUL byte; the rest is then not filled in
};

[[nodiscard]] ChunkScan scan_chunk(std::string_view chunk, char separator);

}  // namespace coppice::csv
