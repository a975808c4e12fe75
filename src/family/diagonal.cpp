// SPDX-License-Identifier: BSD-3-Clause
// Column by column a Normal-Gamma posterior: the Gaussian family of one column, D times, with one xi and one eta for
// all. Evidence is a sum of log b, predictive densities a product of Student t (kernels/diagonal.hpp takes its
// logarithm once), and rounding adds n R to every column's scatter (normal_gamma.hpp).

#include "coppice/family/diagonal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/kernels/special.hpp"
#include "family/gaussian_bounds.hpp"
#include "family/gaussian_samplers.hpp"
#include "family/log_constants.hpp"

namespace coppice::internal {

namespace {

constexpr double least_left = 1e-12;  // of b: a row takes less than all of it along, but for rounding

}  // namespace

DiagonalGaussian::DiagonalGaussian(NormalGamma prior)
    : AxisCosts(prior.m0.size()), prior_(std::move(prior)), statistics_(n_columns()) {
  check_prior(prior_, n_columns());
}

std::vector<double> DiagonalGaussian::column_lengths() const {
  std::vector<double> lengths = prior_.b0;
  for (double& length : lengths) length = std::sqrt(length);
  return lengths;
}

// b = b0 + scatter + n R + (n xi0 / xi) (xbar - m0)^2, column by column
std::vector<double> DiagonalGaussian::posterior_b(ConstStatsRef stats) const {
  std::vector<double> b = prior_.b0;
  const double n = stats[0];
  if (n <= 0.0) return b;
  for (std::size_t i = 0; i < n_columns(); ++i) {
    const double shift = statistics_.mean(stats)[i] - prior_.m0[i];
    b[i] += statistics_.squares(stats)[i] + n * rounding(i) + n * prior_.xi0 / (prior_.xi0 + n) * shift * shift;
  }
  return b;
}

DiagonalPosterior DiagonalGaussian::posterior(ConstStatsRef stats, double n_rows) const {
  const std::size_t d = n_columns();
  const double n = stats[0];
  DiagonalPosterior q;
  q.xi = prior_.xi0 + n;
  q.eta = prior_.eta0 + n_rows;
  q.b = posterior_b(stats);
  q.m.resize(d);
  q.b_and_rounding = q.b;
  std::vector<double> precisions(d);
  // One digamma and one log gamma serve all columns.
  const double psi = kernels::digamma(q.eta / 2.0);
  for (std::size_t i = 0; i < d; ++i) {
    q.m[i] = (n * statistics_.mean(stats)[i] + prior_.xi0 * prior_.m0[i]) / q.xi;
    precisions[i] = q.eta / 2.0 / q.b[i];
    const double log_b = std::log(q.b[i]);
    // The complete cost, pi included (docs/errata.md, 5), and the expected cost of what rounding hides.
    q.a += (log_pi + log_b + 1.0 / q.xi - psi) / 2.0 + precisions[i] * rounding(i);
    q.log_b += log_b;
    q.b_and_rounding[i] += rounding(i);
  }
  set_precisions(q, std::move(precisions));
  return q;
}

double DiagonalGaussian::log_evidence(ConstStatsRef stats, double n_rows) const {
  const double n = stats[0];
  // No rows: evidence 1, whatever the rounding.
  if (n <= 0.0) return 0.0;
  const double eta = prior_.eta0 + n_rows;
  const std::vector<double> b = posterior_b(stats);
  double of_scales = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    of_scales += prior_.eta0 / 2.0 * std::log(prior_.b0[i]) - eta / 2.0 * std::log(b[i]);
  }
  const double per_column = -n_rows / 2.0 * log_pi + std::log(prior_.xi0 / (prior_.xi0 + n)) / 2.0 +
                            kernels::log_gamma(eta / 2.0) - kernels::log_gamma(prior_.eta0 / 2.0);
  return of_scales + static_cast<double>(b.size()) * per_column;
}

namespace {

// Column by column a Student t: what one more row at x adds to the log evidence. b becomes b + R + k (x - m)^2, with k
// = xi / (xi + 1).
ColumnsBound log_students(const DiagonalPosterior& q) {
  const double k = q.xi / (q.xi + 1.0);
  const double per_column =
      kernels::log_gamma((q.eta + 1.0) / 2.0) - kernels::log_gamma(q.eta / 2.0) + (std::log(k) - log_pi) / 2.0;
  const double constant = static_cast<double>(q.m.size()) * per_column + q.eta / 2.0 * q.log_b;
  return {q.m, q.b_and_rounding, k, (q.eta + 1.0) / 2.0, constant};
}

}  // namespace

void DiagonalGaussian::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  std::vector<kernels::DiagonalProduct> products;
  std::vector<ColumnsBound> densities;
  for (const Posterior& q : clusters) {
    densities.push_back(log_students(q));
    products.push_back({q.m, q.b_and_rounding, densities.back().k, std::numeric_limits<double>::min()});
  }
  kernels::diagonal_log_products(rows.panel(), products, out);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    double* of_cluster = out + c * kernels::panel_stride;
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      of_cluster[row] = densities[c].constant - densities[c].exponent * of_cluster[row];
    }
  }
}

std::unique_ptr<PredictionBounds> DiagonalGaussian::prediction_bounds(std::span<const Posterior> clusters) const {
  std::vector<ColumnsBound> bounds;
  for (const Posterior& q : clusters) bounds.push_back(log_students(q));
  return bounds_of(std::move(bounds));
}

double DiagonalGaussian::log_mass(const Posterior& q) const {
  double sum = 0.0;
  // A row makes b into b + R even at the mean.
  for (std::size_t i = 0; i < n_columns(); ++i) sum -= q.eta / 2.0 * std::log1p(rounding(i) / q.b[i]);
  return sum;
}

std::unique_ptr<RowSampler> DiagonalGaussian::row_sampler(std::span<const Posterior> clusters) const {
  std::vector<ColumnsDraw> draws;
  for (const Posterior& q : clusters) draws.push_back({q.m, q.b_and_rounding, q.xi, q.eta});
  return columns_sampler(std::move(draws));
}

// What the row has added to the log evidence: without it, b is b - R - (xi / (xi - 1)) (x - m)^2.
void DiagonalGaussian::log_held_out(const Posterior& q, RowBlock& rows, double* out) const {
  const double k = q.xi / (q.xi - 1.0);
  std::vector<double> b = q.b;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= rounding(i);
  // Of the smallest b: one number for all columns, which the kernel takes as a floor of every factor.
  const double least = least_left * *std::ranges::min_element(q.b);
  const kernels::DiagonalProduct product{q.m, b, -k, least};
  kernels::diagonal_log_products(rows.panel(), {&product, 1}, out);
  const double per_column =
      kernels::log_gamma(q.eta / 2.0) - kernels::log_gamma((q.eta - 1.0) / 2.0) - (std::log(k) + log_pi) / 2.0;
  const double constant = static_cast<double>(n_columns()) * per_column - q.eta / 2.0 * q.log_b;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) out[row] = constant + (q.eta - 1.0) / 2.0 * out[row];
}

DiagonalPosterior DiagonalGaussian::plug_in(Posterior q) const {
  q.a = 0.0;
  for (const double b : q.b) q.a += (std::log(b / q.eta) + log_2 + log_pi) / 2.0;
  return q;
}

double DiagonalGaussian::kl_to_prior(const Posterior& q) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < n_columns(); ++i) {
    const double shift = q.m[i] - prior_.m0[i];
    const double expected_log = kernels::digamma(q.eta / 2.0) + log_2 - std::log(q.b[i]);
    const double of_mean =
        (prior_.xi0 / q.xi + prior_.xi0 * q.eta / q.b[i] * shift * shift - 1.0 + std::log(q.xi / prior_.xi0)) / 2.0;
    sum += of_mean + (q.eta - prior_.eta0) / 2.0 * expected_log - q.eta / 2.0 * (1.0 - prior_.b0[i] / q.b[i]) -
           log_normalizer(q.eta, q.b[i]) + log_normalizer(prior_.eta0, prior_.b0[i]);
  }
  return sum;
}

DiagonalGaussian DiagonalGaussian::from_arrays(const NamedArrays& arrays) {
  return DiagonalGaussian(normal_gamma_from(arrays, "diagonal"));
}

}  // namespace coppice::internal
