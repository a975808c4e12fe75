// SPDX-License-Identifier: BSD-3-Clause
// With B0 = c V, scaled by V^-1/2 on both sides, B is c I + S + (n xi0 / (n + xi0)) u u', u the scaled shift of the
// mean. A reflection turns u into the first axis before S is made tridiagonal by reflections that leave that axis where
// it is. So xi0, which only scales u u', changes one entry, the first of the diagonal, and c shifts the diagonal: any
// values of both take O(D).

#include "coppice/family/evidence_by_prior.hpp"

#include <array>
#include <cmath>

#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

// P A P for the reflection P that turns `u` into the direction of the first column: P = I - tau w w', and with
// p = tau A w and q = p - (tau / 2) (p'w) w, P A P = A - w q' - q w'.
void turn_to_first(kernels::SquareMatrix& a, std::vector<double> u) {
  const std::size_t d = u.size();
  const double length = std::sqrt(as_vector(u).squaredNorm());
  if (!(length > 0.0)) return;
  // The sign that does not cancel in u[0] - alpha.
  const double alpha = u[0] > 0.0 ? -length : length;
  const double tau = 1.0 / (alpha * (alpha - u[0]));
  std::vector<double>& w = u;
  w[0] -= alpha;
  std::vector<double> q(d);
  for (std::size_t i = 0; i < d; ++i) q[i] = tau * as_vector({a.row(i), d}).dot(as_vector(w));
  const double half = tau / 2.0 * as_vector(q).dot(as_vector(w));
  for (std::size_t i = 0; i < d; ++i) q[i] -= half * w[i];
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) a.row(i)[j] -= w[i] * q[j] + q[i] * w[j];
  }
}

}  // namespace

EvidenceByPrior::EvidenceByPrior(const NormalWishart& prior, std::span<const double> v, ConstStatsRef stats,
                                 double n_rows)
    : rows_{stats[0], n_rows} {
  const std::size_t d = v.size();
  const auto [weight, mean, scatter] = gaussian_parts(stats, d);
  if (!(weight > 0.0)) return;
  kernels::SquareMatrix scaled = unpack_square(scatter, d);
  std::vector<double> scale(d);
  std::vector<double> u(d);
  for (std::size_t i = 0; i < d; ++i) {
    scale[i] = 1.0 / std::sqrt(v[i]);
    log_det_v_ += std::log(v[i]);
    u[i] = scale[i] * (mean[i] - prior.m0[i]);
    squared_shift_ += u[i] * u[i];
    if (!prior.rounding.empty()) scaled.row(i)[i] += weight * prior.rounding[i];
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) scaled.row(i)[j] *= scale[i] * scale[j];
  }
  turn_to_first(scaled, std::move(u));
  t_ = kernels::tridiagonalize(scaled);
  first_ = t_.diagonal[0];
}

double EvidenceByPrior::log_evidence(const WishartEvidence& prior, double c) {
  const double weight = rows_.weight;
  if (!(weight > 0.0)) return 0.0;
  const double xi0 = prior.numbers().xi0;
  t_.diagonal[0] = first_ + weight * xi0 / (weight + xi0) * squared_shift_;
  const auto log_dets = [&](std::span<const double> multiples, double* out) {
    // As many as WishartEvidence asks for at once.
    std::array<double, 8> shifts{};
    for (std::size_t i = 0; i < multiples.size(); ++i) shifts[i] = c * multiples[i];
    kernels::shifted_log_dets(t_, std::span(shifts).first(multiples.size()), out);
    for (std::size_t i = 0; i < multiples.size(); ++i) out[i] += log_det_v_;
  };
  return prior.of_any_multiple(rows_) + prior.best(rows_.n, log_dets).value;
}

}  // namespace coppice::internal
