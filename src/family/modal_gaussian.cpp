// SPDX-License-Identifier: BSD-3-Clause
// The mode of the posterior in place of its mean: [L] Eqs. 3 and 4, MAP estimates by EM. The mode of a Normal-Wishart
// posterior is a mean and a covariance B / (eta - D), so that PointGaussian, which knows clusters at point parameters,
// does the rest with the mode as statistics; the prior's density at the mode stands where others have a divergence.

#include "coppice/family/modal_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "coppice/kernels/moments.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

// eta - D of a cluster that is all but empty: its mode is as wide as can be.
constexpr double least_freedom_beyond = 1e-6;

// The prior keeps modes from being singular, and no floor is to change them. But one so small that it never does makes
// PointGaussian raise what rounding leaves of an axis beside one that is a hundred million times as long, where there
// would be no factor.
std::vector<double> floors_of(const NormalWishart& prior) {
  constexpr double next_to_nothing = 0x1p-100;
  // The checks are those of a full posterior's prior: its diagonal is positive.
  (void)Gaussian(prior);
  const std::size_t d = prior.m0.size();
  std::vector<double> floors;
  for (std::size_t i = 0; i < d; ++i) {
    floors.push_back(std::max(next_to_nothing * prior.b0[i * d + i], std::numeric_limits<double>::min()));
  }
  return floors;
}

}  // namespace

ModalGaussian::ModalGaussian(NormalWishart prior) : PointGaussian(floors_of(prior)), prior_(std::move(prior)) {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const Eigen::Map<const Eigen::MatrixXd> b0(prior_.b0.data(), static_cast<Eigen::Index>(d),
                                             static_cast<Eigen::Index>(d));
  log_normalizer_ = log_wishart_normalizer(prior_.eta0, log_det(factorize(b0, "the prior's B0")), d) -
                    dimension / 2.0 * std::log(prior_.xi0 / (2.0 * std::numbers::pi));
}

// As the statistics of one row's weight with that mean and covariance.
std::vector<double> ModalGaussian::mode(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const double n = stats[0];
  const double xi = prior_.xi0 + n;
  const double freedom = std::max(prior_.eta0 + n - static_cast<double>(d), least_freedom_beyond);
  std::vector<double> mode(stats_size());
  mode[0] = 1.0;
  for (std::size_t i = 0; i < d; ++i) mode[1 + i] = (n * stats[1 + i] + prior_.xi0 * prior_.m0[i]) / xi;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t at = 1 + d + kernels::packed_index(i, j);
      const double between = (stats[1 + i] - prior_.m0[i]) * (stats[1 + j] - prior_.m0[j]);
      mode[at] = (prior_.b0[i * d + j] + stats[at] + n * prior_.xi0 / xi * between) / freedom;
    }
  }
  return mode;
}

ModalGaussian::Posterior ModalGaussian::posterior(ConstStatsRef stats) const {
  return PointGaussian::posterior(mode(stats));
}

std::vector<double> ModalGaussian::covariance(ConstStatsRef stats) const {
  return PointGaussian::covariance(mode(stats));
}

// An empty cluster is at the prior's mode, and its parameters have their density there.
double ModalGaussian::log_evidence(ConstStatsRef stats) const {
  const Posterior q = posterior(stats);
  return -node_cost(q, stats) - kl_to_prior(q);
}

// Of N(mu | m0, (xi0 Omega)^-1) W(Omega | eta0, B0), with Omega = 2 A and a = (log |2 pi Omega^-1|) / 2.
double ModalGaussian::kl_to_prior(const Posterior& q) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const double log_det = dimension * std::log(2.0 * std::numbers::pi) - 2.0 * q.a;
  double shift = 0.0;  // (m - m0)' A (m - m0)
  double trace = 0.0;  // tr(B0 A)
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      const double entry = q.matrix[i * d + j];
      shift += entry * (q.m[i] - prior_.m0[i]) * (q.m[j] - prior_.m0[j]);
      trace += entry * prior_.b0[i * d + j];
    }
  }
  return log_normalizer_ - (prior_.eta0 - dimension) / 2.0 * log_det + prior_.xi0 * shift + trace;
}

ColumnMoments ModalGaussian::column_moments(ConstStatsRef stats) const {
  return PointGaussian::column_moments(mode(stats));
}

NamedArrays ModalGaussian::to_arrays() const { return Gaussian(prior_).to_arrays(); }

ModalGaussian ModalGaussian::from_arrays(const NamedArrays& arrays) {
  return ModalGaussian(Gaussian::from_arrays(arrays).prior());
}

}  // namespace coppice::internal
