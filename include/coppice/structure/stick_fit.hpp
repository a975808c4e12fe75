// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fits alpha2 of stick breaking, how many components there are to be, to sizes that stay as they are: one more
// coordinate along which the free energy descends, the tail's part included.

#include <span>

#include "coppice/partition/sticks.hpp"

namespace coppice::internal {

// What alpha2 is fitted within. With a single component the free energy falls all the way to alpha2 = 0, where no other
// could ever come.
inline constexpr double least_alpha2 = 0.1;
inline constexpr double most_alpha2 = 100.0;

struct FittedSticks {
  StickPrior prior;
  double gain = 0.0;  // at least 0
};
[[nodiscard]] FittedSticks fit_alpha2(const StickPrior& prior, std::span<const double> sizes, double total);

}  // namespace coppice::internal
