// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Quadratic forms ||W t||^2 of a matrix W that is diagonal but for a few directions. With s = scale * t, entry by
// entry, it is ||s - Q Q' s||^2 + ||T Q' s||^2: nothing cancels, and nothing is as large as columns by columns.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/kernels/quadratic.hpp"

namespace coppice::kernels {

struct LowRankRoot {
  std::size_t rank = 0;
  std::vector<double> scale;   // one per column of the table
  std::vector<double> basis;   // Q: orthonormal, n_columns x rank, row by row
  std::vector<double> inside;  // T: lower triangular, rank x rank, row by row
  bool operator==(const LowRankRoot&) const = default;
};

// ||W (x - m)||^2 as exact_quadratic gives it: in a fixed order of operations without contraction.
[[nodiscard]] ExactQuadratic exact_low_rank(std::span<const double> x, std::span<const double> m,
                                            const LowRankRoot& root, std::span<const double> squared_columns);

}  // namespace coppice::kernels
