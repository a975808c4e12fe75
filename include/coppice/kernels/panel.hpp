// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A panel: up to 256 rows as doubles, column by column, so that every kernel works on many rows at once. The rows
// behind the last one, up to a multiple of 16, are zero.

#include <cstddef>
#include <span>

namespace coppice::kernels {

inline constexpr std::size_t panel_rows = 256;
// Not a power of two: columns 2 KiB apart would share a handful of cache sets.
inline constexpr std::size_t panel_stride = panel_rows + 8;

struct PanelView {
  const double* values = nullptr;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;

  [[nodiscard]] const double* column(std::size_t c) const noexcept { return values + c * panel_stride; }
};

// Rows as they are stored, one after the other, to be taken less the origin. Exactly one of the first two pointers is
// set; with an index, row i is the one numbered index[i] from there, and behind the last there may be the numbers of
// rows that are read next.
struct StoredRows {
  const float* floats = nullptr;
  const double* doubles = nullptr;
  const std::size_t* index = nullptr;
  std::size_t n_rows = 0;
  const double* origin = nullptr;
  std::size_t n_following = 0;  // rows that are read next
};

// Fills a panel from rows stored one after the other: panel(row, c) = rows[index[row]][c] - origin[c].
// A null index means rows 0, 1, 2, ... The panel has room for n_columns * panel_stride doubles.
void load_panel(const float* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept;
void load_panel(const double* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept;

}  // namespace coppice::kernels
