// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Masses as whole numbers. Sums of them are exact, so that a draw depends neither on the order of the rows nor on who
// added them up, and a row of whole weight w counts exactly as w copies of it.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "coppice/kernels/running_minima.hpp"

namespace coppice::internal {

// mass = weight * value, the value cut to some 40 bits of the largest one, in units that let the masses of all rows add
// up to little more than 2^62. Rounded up: what has a mass can be drawn, however small it is.
struct WholeMass {
  double per_value = 1.0;   // a power of two: value * per_value is rounded to a whole number ...
  double per_weight = 1.0;  // ... and counts weight * per_weight times

  static WholeMass make(double total_weight, double largest_value) noexcept {
    int log_weight = 0;
    int log_value = 0;
    (void)std::frexp(total_weight, &log_weight);  // total_weight < 2^log_weight
    (void)std::frexp(largest_value, &log_value);
    // Whole weights of up to 12 bits times 41 bits are exact as doubles; 24 bits are enough for a law.
    const int value_bits = std::clamp(62 - log_weight, 24, 41);
    constexpr int most = 1000;  // stay finite
    return {std::ldexp(1.0, std::min(value_bits - log_value, most)),
            std::ldexp(1.0, std::min(62 - value_bits - log_weight, most))};
  }

  // 0 for a value that is not positive.
  [[nodiscard]] std::int64_t operator()(double value, double weight) const noexcept {
    if (!(value > 0.0)) return 0;
    const auto whole = static_cast<double>(kernels::rounded_up(value * per_value));
    return kernels::rounded_up(weight * per_weight * whole);
  }
};

}  // namespace coppice::internal
