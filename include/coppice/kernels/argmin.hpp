// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Smallest and second smallest cost of every row of a panel, over clusters that come tile by tile.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// Running minima of one panel; `index` holds whole numbers.
struct RowMinima {
  std::vector<double> best = std::vector<double>(panel_rows);
  std::vector<double> second = std::vector<double>(panel_rows);
  std::vector<double> index = std::vector<double>(panel_rows);

  void reset() noexcept;
};

// Takes in costs[cluster * panel_stride + row] + offsets[cluster]; the clusters are numbered from `first`.
// Among equal costs the smaller number wins.
void update_minima(const double* costs, std::span<const double> offsets, std::size_t first, std::size_t n_rows,
                   RowMinima& minima) noexcept;

}  // namespace coppice::kernels
