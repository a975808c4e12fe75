// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -ffp-contract=off: see diagonal.hpp.
// One sum in the order of the columns: this value settles ties, and is to be the same on every machine.

#include "coppice/kernels/diagonal.hpp"

namespace coppice::kernels {

ExactQuadratic exact_diagonal(std::span<const double> x, const DiagonalForm& form) noexcept {
  double value = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = x[i] - form.m[i];
    const double y = form.scale[i] * t;
    value += y * y;
  }
  return {value + form.a, value};
}

}  // namespace coppice::kernels
