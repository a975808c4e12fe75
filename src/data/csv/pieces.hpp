// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cuts a text table into pieces of whole records that can be parsed at the same time: each knows its first line and its
// first row, so that its values go straight to their place and its errors name the right line. The cuts depend on the
// bytes alone, never on the number of threads.

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "coppice/data/csv/layout.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/runtime/execution.hpp"

namespace coppice::csv {

inline constexpr std::size_t default_bytes_per_piece = std::size_t{1} << 20U;

struct Piece {
  std::string_view lines;
  std::size_t first_line = 1;  // in the file
  std::size_t first_row = 0;
  std::size_t n_rows = 0;  // to be parsed; in the last piece, more lines may follow
};

struct Cutting {
  std::size_t max_rows = std::numeric_limits<std::size_t>::max();
  std::size_t bytes_per_piece = default_bytes_per_piece;
};

// DataError for a NUL byte in the lines that are needed. Where quotes break or never close, the last piece holds that
// place, and parsing it says so.
[[nodiscard]] std::vector<Piece> cut_into_pieces(const internal::Content& content, const Layout& layout,
                                                 const Cutting& cutting, const Execution& execution);

[[nodiscard]] inline std::size_t count_rows(const std::vector<Piece>& pieces) noexcept {
  return pieces.empty() ? 0 : pieces.back().first_row + pieces.back().n_rows;
}

}  // namespace coppice::csv
