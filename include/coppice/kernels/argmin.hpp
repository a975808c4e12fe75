// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Smallest and second smallest cost of every row of a panel, over clusters that come tile by tile.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// Running minima of one panel; `index` holds whole numbers.
struct RowMinima {
  std::array<double, panel_rows> best;
  std::array<double, panel_rows> second;
  std::array<double, panel_rows> index;
};

// Takes in costs[cluster * panel_stride + row] + offsets[cluster]; the clusters are numbered from `first`, and those
// numbered 0 begin anew. Among equal costs the smaller number wins.
void update_minima(const double* costs, std::span<const double> offsets, std::size_t first, std::size_t n_rows,
                   RowMinima& minima) noexcept;

// How close a second best may come before the best is in doubt: base + per_size |best| + per_excess max(best - floor,
// 0).
struct DoubtLimits {
  double base = 0.0;
  double per_size = 0.0;
  double per_excess = 0.0;
  double floor = 0.0;
};

// The winners as whole numbers, and the rows whose winner is in doubt; returns how many of those there are. Both arrays
// have room for panel_rows.
std::size_t take_winners(const RowMinima& minima, std::size_t n_rows, const DoubtLimits& limits, std::int32_t* winners,
                         std::uint32_t* doubtful) noexcept;

}  // namespace coppice::kernels
