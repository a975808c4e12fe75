// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/modal_gaussian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "coppice/kernels/special.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

NormalWishart some_prior() { return {{0.5, -1.0}, 0.4, 4.5, {2.0, 0.3, 0.3, 1.0}}; }

struct Parameters {
  VectorXd mean;
  MatrixXd precision;
};

// log p(rows, mean, precision), from the definitions of the densities.
double log_joint(const Dataset& data, const NormalWishart& prior, const Parameters& at) {
  const auto d = static_cast<double>(data.n_columns());
  const double log_det = std::log(at.precision.determinant());
  const VectorXd m0 = Eigen::Map<const VectorXd>(prior.m0.data(), 2);
  const MatrixXd b0 = Eigen::Map<const MatrixXd>(prior.b0.data(), 2, 2);
  const auto log_normal = [&](const VectorXd& x, const VectorXd& mean, double factor) {
    const VectorXd t = x - mean;
    return 0.5 * (d * std::log(factor / (2.0 * std::numbers::pi)) + log_det - factor * t.dot(at.precision * t));
  };
  double sum = log_normal(at.mean, m0, prior.xi0);
  const double log_gammas = d * (d - 1.0) / 4.0 * std::log(std::numbers::pi) + kernels::log_gamma(prior.eta0 / 2.0) +
                            kernels::log_gamma((prior.eta0 - 1.0) / 2.0);
  const double log_z =
      prior.eta0 * d / 2.0 * std::log(2.0) + log_gammas - prior.eta0 / 2.0 * std::log(b0.determinant());
  sum += (prior.eta0 - d - 1.0) / 2.0 * log_det - (b0 * at.precision).trace() / 2.0 - log_z;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    VectorXd x(2);
    for (std::size_t c = 0; c < 2; ++c) x(static_cast<Eigen::Index>(c)) = data.value(row, c);
    sum += data.weight(row) * log_normal(x, at.mean, 1.0);
  }
  return sum;
}

StatsArena statistics(const ModalGaussian& family, const Dataset& data) {
  const Rows rows(data, {0.0, 0.0});
  StatsArena stats(1, family.stats_size());
  BlockBuffer buffer(2);
  RowBlock block(rows, 0, data.n_rows(), buffer);
  family.add(stats[0], block, data.weights());
  return stats;
}

Parameters mode_of(const ModalGaussian& family, ConstStatsRef stats) {
  const ModalGaussian::Posterior q = family.posterior(stats);
  const std::vector<double> covariance = family.covariance(stats);
  return {Eigen::Map<const VectorXd>(q.m.data(), 2), Eigen::Map<const MatrixXd>(covariance.data(), 2, 2).inverse()};
}

TEST(ModalGaussian, ItsEvidenceIsTheJointDensityAtTheMode) {
  for (const std::size_t n : {1U, 5U, 40U}) {
    const Dataset data = scattered_rows(n, 2, 2, n).with_weights(std::vector<double>(n, 1.5));
    const ModalGaussian family(some_prior());
    const StatsArena stats = statistics(family, data);
    const double expected = log_joint(data, some_prior(), mode_of(family, stats[0]));
    EXPECT_NEAR(family.log_evidence(stats[0]), expected, 1e-9 * (1.0 + std::abs(expected))) << n;
  }
}

TEST(ModalGaussian, NoOtherParametersAreDenser) {
  RandomStream random{3, Purpose::test};
  for (const std::size_t n : {1U, 4U, 30U}) {
    const Dataset data = scattered_rows(n, 2, 2, n);
    const ModalGaussian family(some_prior());
    const StatsArena stats = statistics(family, data);
    const Parameters mode = mode_of(family, stats[0]);
    const double best = log_joint(data, some_prior(), mode);
    const MatrixXd root = mode.precision.llt().matrixL();
    for (std::size_t i = 0; i < 200; ++i) {
      Parameters near = mode;
      const double step = std::pow(10.0, random.uniform(-3.0, 0.0));
      MatrixXd turn = MatrixXd::Identity(2, 2);
      for (Eigen::Index a = 0; a < 2; ++a) {
        near.mean(a) += step * random.normal();
        for (Eigen::Index b = 0; b <= a; ++b) turn(a, b) += step * random.normal();
      }
      near.precision = root * turn * turn.transpose() * root.transpose();
      if (!(near.precision.determinant() > 0.0)) continue;
      EXPECT_LE(log_joint(data, some_prior(), near), best + 1e-9 * std::abs(best));
    }
  }
}

TEST(ModalGaussian, ManyRowsOutweighThePrior) {
  const Dataset data = scattered_rows(20000, 2, 1, 2);
  const ModalGaussian modal(some_prior());
  const PointGaussian plain(2, 0.0);
  const StatsArena stats = statistics(modal, data);
  const std::vector<double> a = modal.covariance(stats[0]);
  const std::vector<double> b = plain.covariance(stats[0]);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a[i], b[i], 2e-3);
}

TEST(ModalGaussian, IsTheSameFromItsArrays) {
  const ModalGaussian family(some_prior());
  const StatsArena stats = statistics(family, scattered_rows(9, 2, 2, 1));
  EXPECT_EQ(ModalGaussian::from_arrays(family.to_arrays()).log_evidence(stats[0]), family.log_evidence(stats[0]));
}

}  // namespace
}  // namespace coppice::internal
