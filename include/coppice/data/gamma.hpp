// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// log of a Gamma(shape, 1) number: for small shapes the number itself may be too small for a double. The shape is
// positive and finite.
[[nodiscard]] double draw_log_gamma(RandomStream& random, double shape);

}  // namespace coppice::internal
