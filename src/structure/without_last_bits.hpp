// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace coppice::internal {

// The first 24 bits. Sums over rows in another order differ in the last bits; what is drawn or cut by them must not.
[[nodiscard]] inline double without_last_bits(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 24)), exponent - 24);
}

}  // namespace coppice::internal
