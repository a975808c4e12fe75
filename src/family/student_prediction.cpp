// SPDX-License-Identifier: BSD-3-Clause
#include "family/student_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "coppice/kernels/log1p.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/kernels/special.hpp"
#include "family/gaussian_bounds.hpp"
#include "family/gaussian_samplers.hpp"
#include "family/log_constants.hpp"
#include "family/student_kinds.hpp"

namespace coppice::internal {

namespace {

// The kind's own density, a Student t: its scale is (xi + 1) / (xi own) times a matrix of this log determinant, and
// 2 / eta times what `out` has at first are squared distances by that matrix.
struct KindsDensity {
  double xi;
  double eta;
  double own;
  double log_det;

  [[nodiscard]] double widening() const noexcept { return (xi + 1.0) / (xi * own); }
  [[nodiscard]] double freedom(double nu) const noexcept { return 1.0 / (1.0 / nu + 1.0 / own); }
};

KindsDensity density_of(const Gaussian& kind, const WishartPosterior& q) {
  const double own = q.eta - static_cast<double>(kind.n_columns()) + 1.0;
  return {q.xi, q.eta, own, q.is_rounded() ? q.log_det_next_b : q.log_det_b};
}

double next_b(const SphericalGaussian& kind, const SphericalPosterior& q) {
  double next = q.b;
  for (const double rounding : kind.prior().rounding) next += rounding;
  return next;
}

KindsDensity density_of(const SphericalGaussian& kind, const SphericalPosterior& q) {
  return {q.xi, q.eta, q.eta, static_cast<double>(kind.n_columns()) * std::log(next_b(kind, q))};
}

// As a function of what `out` has at first.
LogStudent log_student(const KindsDensity& of, double nu, std::size_t n_columns) {
  const auto dimension = static_cast<double>(n_columns);
  const double freedom = of.freedom(nu);
  const double widening = of.widening();
  const double log_det = of.log_det + dimension * std::log(widening);
  const double constant = kernels::log_gamma((freedom + dimension) / 2.0) - kernels::log_gamma(freedom / 2.0) -
                          (dimension * (std::log(freedom) + log_pi) + log_det) / 2.0;
  return {constant, (freedom + dimension) / 2.0, 2.0 / (of.eta * widening * freedom)};
}

void widen(const KindsDensity& of, double nu, std::size_t n_columns, std::span<double> out) {
  const LogStudent density = log_student(of, nu, n_columns);
  kernels::take_log1p({density.constant, -density.exponent, density.factor, 0.0}, out.data(), out.size());
}

// s - e^s + 1 without loss where s is small.
double below_top(double s) { return std::abs(s) < 1e-4 ? -s * s / 2.0 * (1.0 + s / 3.0) : s - std::expm1(s); }

// Values of u for sums in place of integrals over it, and the logarithms of their probabilities. Given a row, log u has
// a density that is nowhere narrower than that of Gamma((nu + D) / 2, .): equal steps of 1.25 times its deviation give
// the integral to five digits. The values reach from where no row has its factor to where the density of u is too small
// for a double, or to a millionth: rows a thousand deviations away.
struct Factors {
  std::vector<double> u;
  std::vector<double> log_probability;
};

Factors factors_for(double nu, std::size_t n_columns) {
  constexpr double steps_per_deviation = 0.8;
  constexpr double least_log_factor = -14.0;
  constexpr double least_log_density = -700.0;
  constexpr double least_log_share = -40.0;
  const double a = (nu + static_cast<double>(n_columns)) / 2.0;
  const double step = 1.0 / (steps_per_deviation * std::sqrt(a));
  const double top = std::log(2.0 * a / nu);  // the factor of a row at the cluster's mean is about here, or below
  const auto log_density = [&](double s) { return nu / 2.0 * below_top(s); };
  const auto log_share = [&](double s) { return a * below_top(s - top); };  // of a row at the mean
  Factors factors;
  const auto append = [&](double s) {
    factors.u.push_back(std::exp(s));
    factors.log_probability.push_back(log_density(s));
  };
  for (double s = top; log_share(s) >= least_log_share; s += step) append(s);
  for (double s = top - step; s >= least_log_factor && (s > 0.0 || log_density(s) >= least_log_density); s -= step) {
    append(s);
  }
  const double sum = kernels::log_sum_exp(factors.log_probability);
  for (double& value : factors.log_probability) value -= sum;
  return factors;
}

}  // namespace

void log_prediction(const Gaussian& kind, const WishartPosterior& q, double nu, const kernels::PanelView& panel,
                    double* out) {
  (q.is_rounded() ? q.next_w : q.w).costs(panel, q.m, 0.0, out);
  widen(density_of(kind, q), nu, kind.n_columns(), {out, panel.n_rows});
}

void log_prediction(const SphericalGaussian& kind, const SphericalPosterior& q, double nu,
                    const kernels::PanelView& panel, double* out) {
  half_squares(q, panel, out);
  // Costs go by b, the next row by b + R.
  const double share = q.b / next_b(kind, q);
  for (std::size_t row = 0; row < panel.n_rows; ++row) out[row] *= share;
  widen(density_of(kind, q), nu, kind.n_columns(), {out, panel.n_rows});
}

// Given u, column by column as in diagonal.cpp with k = 1 / (1 / u + 1 / xi) in the place of xi / (xi + 1).
void log_prediction(const DiagonalGaussian& kind, const DiagonalPosterior& q, double nu,
                    const kernels::PanelView& panel, double* out) {
  const auto dimension = static_cast<double>(kind.n_columns());
  const Factors factors = factors_for(nu, kind.n_columns());
  const std::size_t n = factors.u.size();
  std::vector<kernels::DiagonalProduct> products;
  std::vector<double> constants;
  for (std::size_t i = 0; i < n; ++i) {
    const double k = 1.0 / (1.0 / factors.u[i] + 1.0 / q.xi);
    products.push_back({q.m, q.b_and_rounding, k, std::numeric_limits<double>::min()});
    const double per_column =
        kernels::log_gamma((q.eta + 1.0) / 2.0) - kernels::log_gamma(q.eta / 2.0) + (std::log(k) - log_pi) / 2.0;
    constants.push_back(factors.log_probability[i] + dimension * per_column + q.eta / 2.0 * q.log_b);
  }
  thread_local std::vector<double> logs;
  logs.resize(n * kernels::panel_stride);
  kernels::diagonal_log_products(panel, products, logs.data());
  std::vector<double> terms(n);
  for (std::size_t row = 0; row < panel.n_rows; ++row) {
    for (std::size_t i = 0; i < n; ++i) {
      terms[i] = constants[i] - (q.eta + 1.0) / 2.0 * logs[i * kernels::panel_stride + row];
    }
    out[row] = kernels::log_sum_exp(terms);
  }
}

std::unique_ptr<PredictionBounds> prediction_bounds(const Gaussian& kind,
                                                    std::span<const WishartPosterior* const> clusters, double nu) {
  std::vector<StudentBound> bounds;
  for (const WishartPosterior* q : clusters) {
    const PrecisionRoot& root = q->is_rounded() ? q->next_w : q->w;
    bounds.push_back({[q, &root](const Box& box) { return least_form(root, q->m, box); },
                      log_student(density_of(kind, *q), nu, kind.n_columns())});
  }
  return bounds_of(std::move(bounds));
}

std::unique_ptr<PredictionBounds> prediction_bounds(const SphericalGaussian& kind,
                                                    std::span<const SphericalPosterior* const> clusters, double nu) {
  std::vector<StudentBound> bounds;
  for (const SphericalPosterior* q : clusters) {
    LogStudent density = log_student(density_of(kind, *q), nu, kind.n_columns());
    density.factor *= q->b / next_b(kind, *q);
    bounds.push_back(
        {[q](const Box& box) { return least_form(std::span<const double>(q->scale), q->m, box); }, density});
  }
  return bounds_of(std::move(bounds));
}

std::unique_ptr<PredictionBounds> prediction_bounds(const DiagonalGaussian& /*kind*/,
                                                    std::span<const DiagonalPosterior* const> /*clusters*/,
                                                    double /*nu*/) {
  return nullptr;
}

std::unique_ptr<RowSampler> prediction_sampler(const Gaussian& kind, std::span<const WishartPosterior* const> clusters,
                                               double nu) {
  std::vector<EllipticalDraw> draws;
  for (const WishartPosterior* q : clusters) {
    const KindsDensity density = density_of(kind, *q);
    const PrecisionRoot& root = q->is_rounded() ? q->next_w : q->w;
    draws.push_back({q->m, [&root](std::span<double> normals) { root.colour(normals); },
                     std::sqrt(q->eta / 2.0 * density.widening()), density.freedom(nu)});
  }
  return elliptical_sampler(std::move(draws));
}

std::unique_ptr<RowSampler> prediction_sampler(const SphericalGaussian& kind,
                                               std::span<const SphericalPosterior* const> clusters, double nu) {
  std::vector<EllipticalDraw> draws;
  for (const SphericalPosterior* q : clusters) {
    const KindsDensity density = density_of(kind, *q);
    draws.push_back({q->m, [](std::span<double> /*normals*/) {}, std::sqrt(next_b(kind, *q) * density.widening()),
                     density.freedom(nu)});
  }
  return elliptical_sampler(std::move(draws));
}

std::unique_ptr<RowSampler> prediction_sampler(const DiagonalGaussian& /*kind*/,
                                               std::span<const DiagonalPosterior* const> clusters, double nu) {
  std::vector<ColumnsDraw> draws;
  for (const DiagonalPosterior* q : clusters) draws.push_back({q->m, q->b_and_rounding, q->xi, q->eta, nu});
  return columns_sampler(std::move(draws));
}

}  // namespace coppice::internal
