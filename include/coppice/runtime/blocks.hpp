// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows, or other things that stand in a row, cut into blocks of a fixed size.

#include <algorithm>
#include <cstddef>

namespace coppice {

// Rows per block: fixed, never derived from the number of threads.
inline constexpr std::size_t rows_per_block = 4096;

// Of this process. Several processes hold whole blocks each and number them one after the other (ordered_sum.hpp).
struct Blocks {
  std::size_t n_items = 0;
  std::size_t items_per_block = rows_per_block;

  [[nodiscard]] std::size_t count() const noexcept { return (n_items + items_per_block - 1) / items_per_block; }
  [[nodiscard]] std::size_t first(std::size_t block) const noexcept { return block * items_per_block; }
  [[nodiscard]] std::size_t last(std::size_t block) const noexcept {
    return std::min(n_items, (block + 1) * items_per_block);
  }
};

}  // namespace coppice
