// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace coppice::kernels {

// log sum_i exp(x_i), without overflow; -infinity for no terms or only infinitely small ones.
[[nodiscard]] inline double log_sum_exp(std::span<const double> x) noexcept {
  if (x.empty()) return -std::numeric_limits<double>::infinity();
  const double largest = *std::max_element(x.begin(), x.end());
  if (!std::isfinite(largest)) return largest;
  double sum = 0.0;
  for (const double value : x) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

}  // namespace coppice::kernels
