// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -ffp-contract=off: see quadratic.hpp.
// The one value of a cost that everybody agrees on: entries of W t row by row, columns from the first to the last.
// Kernels add up in the order that suits their vectors, and their winners are only trusted where this one could not say
// otherwise.

#include "coppice/kernels/quadratic.hpp"

namespace coppice::kernels {

ExactQuadratic exact_quadratic(std::span<const double> x, const QuadraticForm& form,
                               std::span<const double> squared_columns) noexcept {
  const std::size_t n = x.size();
  double value = 0.0;
  double scale = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double y = 0.0;
    for (std::size_t j = 0; j <= i; ++j) y += form.w->at(i, j) * (x[j] - form.m[j]);
    value += y * y;
    const double t = x[i] - form.m[i];
    scale += squared_columns[i] * t * t;
  }
  return {value + form.a, scale};
}

double exact_squared_distance(std::span<const double> x, std::span<const double> m) noexcept {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = x[i] - m[i];
    sum += t * t;
  }
  return sum;
}

void solve_triangle(const BandedTriangle& w, std::span<double> x) noexcept {
  for (std::size_t i = 0; i < x.size(); ++i) {
    double left = x[i];
    for (std::size_t j = 0; j < i; ++j) left -= w.at(i, j) * x[j];
    x[i] = left / w.at(i, i);
  }
}

}  // namespace coppice::kernels
