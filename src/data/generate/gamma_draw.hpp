// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gamma random numbers, which Dirichlet and Beta draws are made of.

#include <cstddef>
#include <vector>

#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// log of a Gamma(shape, 1) draw: for small shapes the number itself may be too small for a double.
[[nodiscard]] double draw_log_gamma(double shape, RandomStream& random);

// n probabilities from a symmetric Dirichlet.
[[nodiscard]] std::vector<double> draw_dirichlet(std::size_t n, double concentration, RandomStream& random);

// Throws OptionError unless the concentration is positive and finite.
void check_concentration(double concentration);

}  // namespace coppice::internal
