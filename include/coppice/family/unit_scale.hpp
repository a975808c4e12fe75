// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace coppice::internal {

// The power of two by which a column is to be multiplied for its scatter b to lie between 1 and 4.
[[nodiscard]] inline double unit_scale(double b) {
  const int exponent = std::ilogb(b);
  return std::ldexp(1.0, -(exponent - (exponent & 1)) / 2);
}

}  // namespace coppice::internal
