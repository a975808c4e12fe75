// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>

namespace coppice::internal {

inline const double log_pi = std::log(std::numbers::pi);
inline const double log_2 = std::log(2.0);

}  // namespace coppice::internal
