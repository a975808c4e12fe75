// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// When bounds on distances tell that one centre neither beats nor ties with another (tie_rule.hpp), and how bounds are
// rounded to single precision.

#include <algorithm>
#include <limits>

#include "coppice/family/components.hpp"
#include "coppice/family/tie_rule.hpp"
#include "coppice/kernels/distance_bounds.hpp"

namespace coppice::internal {

// Single precision rounds by 2^-24 at most, and by its smallest normal number near zero.
inline constexpr double least_float = std::numeric_limits<float>::min();
inline float rounded_up(double x) { return static_cast<float>(x * (1.0 + 0x1p-22) + least_float); }
inline float rounded_down(double x) { return static_cast<float>(std::max(x * (1.0 - 0x1p-22) - least_float, 0.0)); }

class CentreTies {
 public:
  CentreTies() = default;
  explicit CentreTies(const Components& centres)
      : band_(widest_band(centres.n_columns())), reserve_(centres.tie_reserve()) {}

  // Whether a centre at least `lower` away can neither beat nor tie with one at most `upper` away.
  [[nodiscard]] bool is_beaten(double lower, double upper) const {
    if (lower == std::numeric_limits<double>::infinity()) return true;  // there is no other centre
    // lower^2 - upper^2, as a product so that it does not cancel. The band of a tie is measured by both squared
    // distances and by the scales that rounding has, together at most five times the larger distance squared.
    return (lower - upper) * (lower + upper) > band_ * 5.0 * lower * lower + reserve_;
  }
  // The same for the kernels.
  [[nodiscard]] kernels::TieLimit in_floats() const {
    // More than 2^-20, as TieLimit asks: that covers the rounding of the comparison itself in single precision.
    return {rounded_up(5.0 * band_ + 0x1p-19), rounded_up(reserve_)};
  }
  // How much farther than the squared distance `best` the next one must be.
  [[nodiscard]] double width(double best) const { return band_ * 5.1 * std::max(best, 0.0) + reserve_; }

 private:
  double band_ = 0.0;
  double reserve_ = 0.0;
};

}  // namespace coppice::internal
