// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Weight, mean and scatter of a panel of rows, in two passes: the mean first, then the scatter about it, so that no
// digits are lost when the rows lie far from the origin.

#include <cstddef>
#include <span>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// Entry (row, column) of a symmetric matrix of which the lower triangle is kept, row by row.
[[nodiscard]] constexpr std::size_t packed_index(std::size_t row, std::size_t column) noexcept {
  return row * (row + 1) / 2 + column;
}
[[nodiscard]] constexpr std::size_t packed_size(std::size_t n) noexcept { return n * (n + 1) / 2; }

// Works in place: afterwards the panel holds sqrt(weight) (x - mean). No weights: all ones. Returns the total weight;
// if that is zero, mean and scatter are zero.
double panel_moments(double* panel, std::size_t n_rows, std::span<const double> weights, std::span<double> mean,
                     std::span<double> packed_scatter) noexcept;

}  // namespace coppice::kernels
