// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Element-wise minima that keep the least of many passes, and sums of them that do not depend on any order.

#include <cstddef>
#include <cstdint>

namespace coppice::kernels {

// least[i] = min(least[i], values[i]) for i < n; returns the largest of them, or `floor` if none is larger.
double lower_to(double* least, const double* values, std::size_t n, double floor) noexcept;

// x rounded up to a whole number; 0 <= x < 2^63.
[[nodiscard]] inline std::int64_t rounded_up(double x) noexcept {
  const auto whole = static_cast<std::int64_t>(x);
  return whole + (static_cast<double>(whole) < x ? 1 : 0);
}

// Sum over i < n of scale * min(a[i], b[i]) rounded up: exact, hence the same in any order, while it is below 2^53.
[[nodiscard]] double whole_sum_of_minima(const double* a, const double* b, double scale, std::size_t n) noexcept;

}  // namespace coppice::kernels
