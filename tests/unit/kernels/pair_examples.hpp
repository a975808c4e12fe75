// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random quadratic forms and boxes for the tests of bounds over boxes.

#include <cmath>
#include <cstddef>
#include <vector>

#include "coppice/kernels/pair_bound.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::kernels {

using Vector = std::vector<double>;

// (x - m)' A (x - m) + a with A = scale (G G' / D + I / 10).
struct Form {
  Vector m;
  Vector matrix;
  double a = 0.0;

  Form(std::size_t d, double scale, internal::RandomStream& random) : m(d), matrix(d * d), a(random.normal()) {
    Vector g(d * d);
    for (double& value : g) value = random.normal();
    for (double& value : m) value = 2.0 * random.normal();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        double sum = i == j ? 0.1 : 0.0;
        for (std::size_t k = 0; k < d; ++k) sum += g[i * d + k] * g[j * d + k] / static_cast<double>(d);
        matrix[i * d + j] = scale * sum;
      }
    }
  }
  [[nodiscard]] BoxForm view() const { return {m.data(), matrix.data(), a}; }
};

// The form written out, with digits to spare.
inline long double value(const Form& form, const Vector& x) {
  const std::size_t d = x.size();
  long double sum = form.a;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      sum += (static_cast<long double>(x[i]) - form.m[i]) * form.matrix[i * d + j] *
             (static_cast<long double>(x[j]) - form.m[j]);
    }
  }
  return sum;
}

// Two forms and a box. Centres are of the size of the means and widths go from a hundredth of that to ten times as
// much, so that boxes hold a mean in all columns, in some or in none; every third width is zero, on the average.
struct Example {
  Form q;
  Form p;
  Vector centre;
  Vector half_width;

  Example(std::size_t d, internal::RandomStream& random)
      : q(d, std::exp(2.0 * random.normal()), random),
        p(d, std::exp(2.0 * random.normal()), random),
        centre(d),
        half_width(d) {
    for (std::size_t i = 0; i < d; ++i) {
      centre[i] = 2.0 * random.normal();
      half_width[i] = random.below(3) == 0 ? 0.0 : std::exp(random.uniform(-4.0, 2.0));
    }
  }
  [[nodiscard]] std::size_t d() const { return centre.size(); }
  [[nodiscard]] long double difference(const Vector& x) const { return value(q, x) - value(p, x); }
};

struct Bounds {
  double tangent = 0.0;
  double curvature = 0.0;
  double allowed = 0.0;  // rounding
};

// Both bounds as they are meant to be used. What they add up are sums of D terms over numbers of the size of `scale`.
inline Bounds bounds(const Example& e) {
  Vector gradient_q(e.d());
  Vector gradient_p(e.d());
  const double at_q = at_centre(e.q.view(), e.centre, gradient_q.data()).value;
  const double at_p = at_centre(e.p.view(), e.centre, gradient_p.data()).value;
  const double curvature_p = curvature(e.p.matrix.data(), e.half_width);
  double scale = std::abs(at_q) + std::abs(at_p) + std::abs(e.q.a) + std::abs(e.p.a) + curvature_p +
                 curvature(e.q.matrix.data(), e.half_width);
  for (std::size_t i = 0; i < e.d(); ++i) {
    scale += (std::abs(gradient_q[i]) + std::abs(gradient_p[i])) * e.half_width[i];
  }
  return {tangent_bound(at_q - at_p, gradient_q.data(), gradient_p.data(), curvature_p, e.half_width),
          curvature_bound(at_q - at_p, gradient_q.data(), gradient_p.data(), e.q.matrix.data(), e.p.matrix.data(),
                          e.half_width),
          0x1p-50 * (static_cast<double>(e.d()) + 8.0) * scale};
}

inline Vector vertex(const Example& e, std::size_t number) {
  Vector x = e.centre;
  for (std::size_t i = 0; i < e.d(); ++i) x[i] += ((number >> i) & 1U) == 1U ? e.half_width[i] : -e.half_width[i];
  return x;
}

}  // namespace coppice::kernels
