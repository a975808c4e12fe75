// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What Student-t clusters (student.hpp) need to know of the Gaussian kind that they are made of, in one set of names.

#include <numbers>

#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/kernels/special.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

// Half of (x - m)' E[Omega] (x - m) for every row of a panel; and for one row, in a fixed order of operations.
inline void half_squares(const WishartPosterior& q, const kernels::PanelView& panel, double* out) {
  q.w.costs(panel, q.m, 0.0, out);
}
inline void half_squares(const AxisForm& q, const kernels::PanelView& panel, double* out) {
  const kernels::DiagonalForm form{q.m, q.scale, 0.0};
  kernels::diagonal_costs(panel, {&form, 1}, out);
}
[[nodiscard]] inline kernels::ExactQuadratic exact_half_square(const WishartPosterior& q, std::span<const double> row) {
  return q.w.exact(row, q.m);
}
[[nodiscard]] inline kernels::ExactQuadratic exact_half_square(const AxisForm& q, std::span<const double> row) {
  return kernels::exact_diagonal(row, {q.m, q.scale, 0.0});
}
// The scale of an exact half square is at most so many times its value.
[[nodiscard]] inline double tie_ratio(const WishartPosterior& q) { return q.tie_ratio; }
[[nodiscard]] inline double tie_ratio(const AxisForm& /*q*/) { return 1.0; }

// log |B|, where B / eta is the scale at the mean precision
[[nodiscard]] inline double log_det_b(const WishartPosterior& q) { return q.log_det_b; }
[[nodiscard]] inline double log_det_b(const DiagonalPosterior& q) { return q.log_b; }
[[nodiscard]] inline double log_det_b(const SphericalPosterior& q) {
  return static_cast<double>(q.m.size()) * std::log(q.b);
}

// E[log |Omega|]; for Wishart clusters in wishart_parts.hpp
template <std::derived_from<AxisForm> Q>
[[nodiscard]] double expected_log_det(const Q& q) {
  return static_cast<double>(q.m.size()) * (kernels::digamma(q.eta / 2.0) + std::numbers::ln2) - log_det_b(q);
}

// E[tr(R Omega)], which rounding adds to every squared distance
[[nodiscard]] inline double rounding_square(const Gaussian& /*kind*/, const WishartPosterior& q) {
  return q.eta * q.rounding_share;
}
template <class Kind>
[[nodiscard]] double rounding_square(const Kind& kind, const typename Kind::Posterior& q) {
  const std::vector<double>& rounding = kind.prior().rounding;
  double sum = 0.0;
  // scale^2 is half the mean precision.
  for (std::size_t i = 0; i < rounding.size(); ++i) sum += 2.0 * q.scale[i] * q.scale[i] * rounding[i];
  return sum;
}

}  // namespace coppice::internal
