// SPDX-License-Identifier: BSD-3-Clause
// One precision for all columns: a Normal-Gamma posterior to which every row adds D degrees of freedom. Distances are
// plain Euclidean ones, so all answers follow from |x - m|^2.

#include "coppice/family/spherical.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/kernels/log1p.hpp"
#include "coppice/kernels/special.hpp"
#include "family/gaussian_bounds.hpp"
#include "family/gaussian_samplers.hpp"
#include "family/log_constants.hpp"

namespace coppice::internal {

namespace {

constexpr double most_taken = 1.0 - 1e-12;  // a row takes less than all of b with it, but for rounding

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

}  // namespace

SphericalGaussian::SphericalGaussian(NormalGamma prior)
    : AxisCosts(prior.m0.size()),
      prior_(std::move(prior)),
      statistics_(n_columns()),
      summed_rounding_(std::accumulate(prior_.rounding.begin(), prior_.rounding.end(), 0.0)) {
  check_prior(prior_, 1);
}

double SphericalGaussian::posterior_b(ConstStatsRef stats) const {
  const double n = stats[0];
  if (n <= 0.0) return prior_.b0[0];
  const std::span<const double> squares = statistics_.squares(stats);
  return prior_.b0[0] + std::accumulate(squares.begin(), squares.end(), 0.0) + n * summed_rounding_ +
         n * prior_.xi0 / (prior_.xi0 + n) * squared_distance(statistics_.mean(stats), prior_.m0);
}

SphericalPosterior SphericalGaussian::posterior(ConstStatsRef stats, double n_rows) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const double n = stats[0];
  SphericalPosterior q;
  q.xi = prior_.xi0 + n;
  // Each column of a row tells of the one precision.
  q.eta = prior_.eta0 + n_rows * dimension;
  q.b = posterior_b(stats);
  q.m.resize(d);
  for (std::size_t i = 0; i < d; ++i) {
    q.m[i] = (n * statistics_.mean(stats)[i] + prior_.xi0 * prior_.m0[i]) / q.xi;
  }
  const double precision = q.eta / 2.0 / q.b;
  q.a = dimension / 2.0 * (log_pi + std::log(q.b) + 1.0 / q.xi - kernels::digamma(q.eta / 2.0)) +
        precision * summed_rounding_;
  set_precisions(q, std::vector<double>(d, precision));
  return q;
}

double SphericalGaussian::log_evidence(ConstStatsRef stats, double n_rows) const {
  const auto dimension = static_cast<double>(n_columns());
  const double n = stats[0];
  if (n <= 0.0) return 0.0;
  const double eta = prior_.eta0 + n_rows * dimension;
  return -n_rows * dimension / 2.0 * log_pi + dimension / 2.0 * std::log(prior_.xi0 / (prior_.xi0 + n)) +
         prior_.eta0 / 2.0 * std::log(prior_.b0[0]) - eta / 2.0 * std::log(posterior_b(stats)) +
         kernels::log_gamma(eta / 2.0) - kernels::log_gamma(prior_.eta0 / 2.0);
}

namespace {

// What one more row at x adds to the log evidence: with k = xi / (xi + 1) and r^2 = |x - m|^2, eta grows by D and b
// becomes (b + R) (1 + k r^2 / (b + R)), R summed over the columns. The form is (eta / 2) r^2 / b.
LogStudent log_student(const SphericalPosterior& q, double summed_rounding) {
  const auto dimension = static_cast<double>(q.m.size());
  const double k = q.xi / (q.xi + 1.0);
  const double next_eta = q.eta + dimension;
  const double next_b = q.b + summed_rounding;
  const double constant = kernels::log_gamma(next_eta / 2.0) - kernels::log_gamma(q.eta / 2.0) +
                          dimension / 2.0 * (std::log(k) - log_pi) + q.eta / 2.0 * std::log(q.b) -
                          next_eta / 2.0 * std::log(next_b);
  return {constant, next_eta / 2.0, k * 2.0 / q.eta * q.b / next_b};
}

}  // namespace

void SphericalGaussian::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const kernels::PanelView panel = rows.panel();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    const LogStudent density = log_student(q, summed_rounding_);
    const kernels::DiagonalForm form{q.m, q.scale, 0.0};
    double* of_cluster = out + c * kernels::panel_stride;
    kernels::diagonal_costs(panel, {&form, 1}, of_cluster);
    kernels::take_log1p({density.constant, -density.exponent, density.factor, 0.0}, of_cluster, rows.n_rows());
  }
}

std::unique_ptr<PredictionBounds> SphericalGaussian::prediction_bounds(std::span<const Posterior> clusters) const {
  std::vector<StudentBound> bounds;
  for (const Posterior& q : clusters) {
    bounds.push_back({[&q](const Box& box) { return least_form(std::span<const double>(q.scale), q.m, box); },
                      log_student(q, summed_rounding_)});
  }
  return bounds_of(std::move(bounds));
}

double SphericalGaussian::log_mass(const Posterior& q) const {
  return -q.eta / 2.0 * std::log1p(summed_rounding_ / q.b);
}

// A Student t of eta degrees of freedom, its scale (b + R) / (k eta) in every direction.
std::unique_ptr<RowSampler> SphericalGaussian::row_sampler(std::span<const Posterior> clusters) const {
  std::vector<EllipticalDraw> draws;
  for (const Posterior& q : clusters) {
    const double k = q.xi / (q.xi + 1.0);
    draws.push_back(
        {q.m, [](std::span<double> /*normals*/) {}, std::sqrt((q.b + summed_rounding_) / (k * q.eta)), q.eta});
  }
  return elliptical_sampler(std::move(draws));
}

// What the row has added to the log evidence: without it, eta is less by D and b is b - R - (xi / (xi - 1)) |x - m|^2.
void SphericalGaussian::log_held_out(const Posterior& q, RowBlock& rows, double* out) const {
  const auto dimension = static_cast<double>(n_columns());
  const double k = q.xi / (q.xi - 1.0);
  const double eta = q.eta - dimension;
  const double constant = kernels::log_gamma(q.eta / 2.0) - kernels::log_gamma(eta / 2.0) -
                          dimension / 2.0 * (std::log(k) + log_pi + std::log(q.b));
  const kernels::DiagonalForm form{q.m, q.scale, 0.0};
  kernels::diagonal_costs(rows.panel(), {&form, 1}, out);  // (eta / 2) |x - m|^2 / b
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    const double taken = summed_rounding_ / q.b + k * 2.0 / q.eta * out[row];
    // log1p of what is taken, as a share: no difference of nearly equal logarithms.
    out[row] = constant + eta / 2.0 * std::log1p(-std::min(most_taken, taken));
  }
}

SphericalPosterior SphericalGaussian::plug_in(Posterior q) const {
  q.a = static_cast<double>(n_columns()) / 2.0 * (std::log(q.b / q.eta) + log_2 + log_pi);
  return q;
}

double SphericalGaussian::kl_to_prior(const Posterior& q) const {
  const auto dimension = static_cast<double>(n_columns());
  const double expected_log = kernels::digamma(q.eta / 2.0) + log_2 - std::log(q.b);
  const double of_mean = (dimension * prior_.xi0 / q.xi + prior_.xi0 * q.eta / q.b * squared_distance(q.m, prior_.m0) -
                          dimension + dimension * std::log(q.xi / prior_.xi0)) /
                         2.0;
  return of_mean + (q.eta - prior_.eta0) / 2.0 * expected_log - q.eta / 2.0 * (1.0 - prior_.b0[0] / q.b) -
         log_normalizer(q.eta, q.b) + log_normalizer(prior_.eta0, prior_.b0[0]);
}

SphericalGaussian SphericalGaussian::from_arrays(const NamedArrays& arrays) {
  return SphericalGaussian(normal_gamma_from(arrays, "spherical"));
}

}  // namespace coppice::internal
