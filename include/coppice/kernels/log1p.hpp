// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Logarithms of many rows at once, as densities with power-law tails ask for.

#include <cstddef>

namespace coppice::kernels {

// What becomes of a value x: constant + factor log(1 + max(least, scale x)).
struct LogOfSquare {
  double constant = 0.0;
  double factor = 1.0;
  double scale = 1.0;
  double least = 0.0;  // above -1
};

void take_log1p(const LogOfSquare& form, double* values, std::size_t n) noexcept;

}  // namespace coppice::kernels
