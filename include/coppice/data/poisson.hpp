// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// A whole number with Poisson distribution; `mean` is finite and not negative.
[[nodiscard]] double draw_poisson(RandomStream& random, double mean);

}  // namespace coppice::internal
