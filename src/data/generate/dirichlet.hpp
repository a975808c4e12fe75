// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Probabilities from a symmetric Dirichlet, of which clusters of counts and bits are made.

#include <cstddef>
#include <vector>

#include "coppice/runtime/random.hpp"

namespace coppice::internal {

[[nodiscard]] std::vector<double> draw_dirichlet(std::size_t n, double concentration, RandomStream& random);

// Throws OptionError unless the concentration is positive and finite.
void check_concentration(double concentration);

}  // namespace coppice::internal
