// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -ffp-contract=off: see diagonal.hpp.
#include "coppice/kernels/diagonal.hpp"

namespace coppice::kernels {

ExactQuadratic exact_diagonal(std::span<const double> x, const DiagonalForm& form, double squared_norm) noexcept {
  double value = 0.0;
  double squared_distance = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = x[i] - form.m[i];
    const double y = form.scale[i] * t;
    value += y * y;
    squared_distance += t * t;
  }
  return {value + form.a, squared_norm * squared_distance};
}

}  // namespace coppice::kernels
