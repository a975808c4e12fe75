// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/gaussian.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "coppice/family/normal_gamma.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "family/wishart_parts.hpp"

namespace coppice {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const double log_pi = std::log(std::numbers::pi);

MatrixXd square(std::span<const double> row_by_row, std::size_t d) {
  const auto n = static_cast<Eigen::Index>(d);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(row_by_row.data(), n,
                                                                                                  n);
}

// B = B0 + scatter + N R + (N xi0 / xi) (xbar - m0)(xbar - m0)'   ([L] Eq. 18)
MatrixXd posterior_matrix(const NormalWishart& prior, ConstStatsRef stats) {
  const std::size_t d = prior.m0.size();
  const auto [weight, mean, scatter] = gaussian_parts(stats, d);
  MatrixXd b = square(prior.b0, d);
  if (weight <= 0.0) return b;
  const VectorXd shift = as_vector(mean) - as_vector(prior.m0);
  b += unpack_symmetric(scatter, d);
  if (!prior.rounding.empty()) b.diagonal() += weight * as_vector(prior.rounding);
  b.noalias() += (weight * prior.xi0 / (prior.xi0 + weight)) * shift * shift.transpose();
  return b;
}

}  // namespace

Gaussian::Gaussian(NormalWishart prior) : WishartFamily(prior.m0.size()), prior_(std::move(prior)) {
  const std::size_t d = prior_.m0.size();
  if (!(prior_.xi0 > 0.0) || !std::isfinite(prior_.xi0))
    throw OptionError(fmt::format("--xi0 is {}, but must be positive and finite", prior_.xi0));
  if (!(prior_.eta0 > static_cast<double>(d) - 1.0) || !std::isfinite(prior_.eta0)) {
    throw OptionError(
        fmt::format("--eta0 is {}, but must exceed the number of columns less one, {}", prior_.eta0, d - 1));
  }
  if (prior_.b0.size() != d * d) {
    throw OptionError(fmt::format("--b0 has {} entries, but {} columns need {} x {}", prior_.b0.size(), d, d, d));
  }
  const MatrixXd b0 = square(prior_.b0, d);
  if (!b0.isApprox(b0.transpose(), 1e-12)) throw OptionError("--b0 is not symmetric");
  const Eigen::LLT<MatrixXd> factor(b0);
  if (factor.info() != Eigen::Success) throw OptionError("--b0 is not positive definite");
  check_rounding(prior_.rounding, d);
  log_det_b0_ = log_det(factor);
  log_multigamma0_ = kernels::log_multigamma(prior_.eta0 / 2.0, d);
}

std::vector<double> Gaussian::posterior_b(ConstStatsRef stats) const {
  const MatrixXd b = posterior_matrix(prior_, stats);  // symmetric: the order of storage does not matter
  return {b.data(), b.data() + b.size()};
}

WishartPosterior Gaussian::posterior(ConstStatsRef stats, double n_rows) const {
  const auto [weight, mean, scatter] = gaussian_parts(stats, n_columns());
  const double xi = prior_.xi0 + weight;
  std::vector<double> m(n_columns());
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = (weight * mean[i] + prior_.xi0 * prior_.m0[i]) / xi;
  return wishart_posterior(std::move(m), xi, prior_.eta0 + n_rows, posterior_matrix(prior_, stats), prior_.rounding);
}

double Gaussian::log_evidence(ConstStatsRef stats, double n_rows) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const double weight = stats[0];
  if (weight <= 0.0) return 0.0;
  const double xi = prior_.xi0 + weight;
  const double eta = prior_.eta0 + n_rows;
  const double log_det_b = log_det(factorize(posterior_matrix(prior_, stats), "the scatter matrix of a cluster"));
  // D / 2, not 1 / 2, before log(xi0 / xi): [S] Eq. 3.3 corrected, see docs/errata.md.
  return -dimension * n_rows / 2.0 * log_pi + dimension / 2.0 * std::log(prior_.xi0 / xi) +
         prior_.eta0 / 2.0 * log_det_b0_ - eta / 2.0 * log_det_b + kernels::log_multigamma(eta / 2.0, d) -
         log_multigamma0_;
}

double Gaussian::kl_to_prior(const Posterior& q) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const MatrixXd w = full_triangle(q.w);                                                  // B^-1 = (2 / eta) W' W
  const double trace = 2.0 / q.eta * (w * square(prior_.b0, d) * w.transpose()).trace();  // tr(B0 B^-1)
  const double shift =
      2.0 / q.eta * (w * (as_vector(q.m) - as_vector(prior_.m0))).squaredNorm();  // (m-m0)' B^-1 (m-m0)
  const double of_mean = (dimension * prior_.xi0 / q.xi + prior_.xi0 * q.eta * shift - dimension +
                          dimension * std::log(q.xi / prior_.xi0)) /
                         2.0;
  return of_mean + (q.eta - prior_.eta0) / 2.0 * expected_log_det(q) - q.eta / 2.0 * (dimension - trace) -
         log_wishart_normalizer(q.eta, q.log_det_b, d) + log_wishart_normalizer(prior_.eta0, log_det_b0_, d);
}

NamedArrays Gaussian::to_arrays() const {
  const std::size_t d = n_columns();
  NamedArrays arrays{{"m0", {{d}, prior_.m0}},
                     {"xi0", {{}, {prior_.xi0}}},
                     {"eta0", {{}, {prior_.eta0}}},
                     {"b0", {{d, d}, prior_.b0}}};
  if (!prior_.rounding.empty()) arrays["rounding"] = {{d}, prior_.rounding};
  return arrays;
}

Gaussian Gaussian::from_arrays(const NamedArrays& arrays) {
  const std::vector<double>& m0 = prior_array(arrays, "m0", "gaussian");
  return Gaussian({m0, prior_array(arrays, "xi0", "gaussian")[0], prior_array(arrays, "eta0", "gaussian")[0],
                   prior_array(arrays, "b0", "gaussian"), rounding_from(arrays, m0.size(), "gaussian")});
}

}  // namespace coppice
