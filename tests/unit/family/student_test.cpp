// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/student.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/family/axis_examples.hpp"
#include "unit/family/gaussian_identities.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_own_stats = 3;  // before those of the weighted rows

Student random_student(std::size_t d, double freedom, bool is_rounded) {
  return {random_family<Gaussian>(d, d, is_rounded).prior(), freedom};
}

Stats member_stats(const Student& family, const Student::Posterior& q, const Rows& rows, Weights weights = {}) {
  Stats stats(family.stats_size(), 0.0);
  BlockBuffer buffer(rows.n_columns());
  for (std::size_t at = 0; at < rows.size(); at += kernels::panel_rows) {
    RowBlock block(rows, at, std::min(kernels::panel_rows, rows.size() - at), buffer);
    family.add_members(q, stats, block, weights.empty() ? weights : weights.subspan(at, block.n_rows()));
  }
  return stats;
}

// Members weighed by the cluster that they make up.
Stats settled_stats(const Student& family, const Rows& rows, Weights weights = {}) {
  Stats stats = stats_of(family, rows, weights);
  for (int step = 0; step < 300; ++step) stats = member_stats(family, family.posterior(stats), rows, weights);
  return stats;
}

class StudentClusters : public testing::TestWithParam<std::tuple<std::size_t, double, bool>> {
 protected:
  const std::size_t d = std::get<0>(GetParam());
  const Student family = random_student(d, std::get<1>(GetParam()), std::get<2>(GetParam()));
  const Rows rows = random_rows(30, d, d);
};
INSTANTIATE_TEST_SUITE_P(Shapes, StudentClusters,
                         testing::Combine(testing::Values(1, 2, 5), testing::Values(1.5, 6.0), testing::Bool()));

// The bound = -(expected costs) - KL, whatever the members weigh.
TEST_P(StudentClusters, EvidenceIsMinusNodeCostMinusDivergence) {
  const Student::Posterior other = family.posterior(stats_of(family, random_rows(20, d, 9)));
  for (const Stats& stats : {stats_of(family, rows), member_stats(family, other, rows), settled_stats(family, rows)}) {
    const Student::Posterior q = family.posterior(stats);
    const double expected = -family.node_cost(q, stats) - family.kl_to_prior(q);
    EXPECT_NEAR(family.log_evidence(stats), expected, 1e-10 * std::abs(expected));
  }
}

// The cost has the factors at their best: it is the sum over members of q, and less than for any other weights.
TEST_P(StudentClusters, CostsAreThoseOfMembersAndLeast) {
  const std::vector<double> weights = random_weights(rows.size(), 8);
  const Student::Posterior q = family.posterior(stats_of(family, random_rows(20, d, 9)));
  const std::vector<double> costs = costs_of(family, q, rows);
  double sum = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) sum += weights[row] * costs[row];
  EXPECT_NEAR(family.node_cost(q, member_stats(family, q, rows, weights)), sum, 1e-11 * std::abs(sum));
  EXPECT_GT(family.node_cost(q, stats_of(family, rows, weights)), sum);
}

TEST_P(StudentClusters, EveryStepOfWeighingGains) {
  Stats stats = stats_of(family, rows);
  for (int step = 0; step < 20; ++step) {
    const double before = family.log_evidence(stats);
    stats = member_stats(family, family.posterior(stats), rows);
    EXPECT_GE(family.log_evidence(stats), before - 1e-10 * std::abs(before)) << step;
  }
}

TEST_P(StudentClusters, ExactCostsAreTheCosts) { expect_exact_costs(family, rows); }

TEST_P(StudentClusters, TravelsThroughArrays) { expect_travels_through_arrays(family, rows); }

TEST_P(StudentClusters, MergedBlocksAreOneBlock) {
  const Student::Posterior q = family.posterior(stats_of(family, rows));
  const Rows many = random_rows(600, d, 3);  // several blocks
  const std::vector<double> weights = random_weights(600, 4);
  Stats sum(family.stats_size(), 0.0);
  for (std::size_t row = 0; row < many.size(); ++row) {
    std::vector<double> values(d);
    many.copy_row(row, values);
    const std::vector<double> weight{weights[row]};
    family.merge(sum, member_stats(family, q, make_rows(values, d), weight));
  }
  const Stats at_once = member_stats(family, q, many, weights);
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(at_once[i], sum[i], 1e-9 * (1.0 + std::abs(sum[i]))) << i;
}

// As the degrees of freedom grow, all is as in a Gaussian cluster.
TEST(Student, WithoutTailsItIsGaussian) {
  for (const bool is_rounded : {false, true}) {
    const Gaussian gaussian = random_family<Gaussian>(3, 3, is_rounded);
    const Student student(gaussian.prior(), 1e7);
    const Rows rows = random_rows(40, 3, 5);
    const Stats of_student = settled_stats(student, rows);
    const Stats of_gaussian = stats_of(gaussian, rows);
    EXPECT_NEAR(student.log_evidence(of_student), gaussian.log_evidence(of_gaussian), 1e-3);
    const Student::Posterior q = student.posterior(of_student);
    const WishartPosterior p = gaussian.posterior(of_gaussian);
    const std::vector<double> costs = costs_of(student, q, rows);
    const std::vector<double> gaussian_costs = costs_of(gaussian, p, rows);
    const std::vector<double> log_predictive = log_predictive_of(student, q, rows);
    const std::vector<double> gaussian_predictive = log_predictive_of(gaussian, p, rows);
    const std::vector<double> plugged = costs_of(student, student.plug_in(q), rows);
    const std::vector<double> gaussian_plugged = costs_of(gaussian, gaussian.plug_in(p), rows);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_NEAR(costs[row], gaussian_costs[row], 1e-4);
      // rounding is exact in the Gaussian's prediction alone: there the evidence of one more row is in closed form
      EXPECT_NEAR(log_predictive[row], gaussian_predictive[row], is_rounded ? 0.1 : 1e-4);
      EXPECT_NEAR(plugged[row], gaussian_plugged[row], 1e-4);
    }
  }
}

// One column: log of the integral over mean and precision of the prior times Student t densities, on a fine grid.
double exact_log_evidence(const NormalWishart& prior, double nu, const Rows& rows) {
  const double eta = prior.eta0;
  const double b = prior.b0[0];
  const double log_t =
      kernels::log_gamma((nu + 1.0) / 2.0) - kernels::log_gamma(nu / 2.0) - 0.5 * std::log(nu * std::numbers::pi);
  double sum = 0.0;
  double shift = -std::numeric_limits<double>::infinity();
  constexpr double step = 0.02;
  for (double log_omega = -8.0; log_omega < 6.0; log_omega += step) {
    for (double m = -12.0; m < 12.0; m += step) {
      const double omega = std::exp(log_omega);
      double log_p = eta / 2.0 * std::log(b / 2.0) - kernels::log_gamma(eta / 2.0) + eta / 2.0 * log_omega -
                     b * omega / 2.0;  // with the Jacobian of the logarithm
      log_p += 0.5 * (std::log(prior.xi0 * omega / (2.0 * std::numbers::pi)) -
                      prior.xi0 * omega * (m - prior.m0[0]) * (m - prior.m0[0]));
      for (std::size_t row = 0; row < rows.size(); ++row) {
        double x = 0.0;
        rows.copy_row(row, std::span(&x, 1));
        log_p += log_t + 0.5 * log_omega - (nu + 1.0) / 2.0 * std::log1p(omega * (x - m) * (x - m) / nu);
      }
      if (log_p > shift) {
        sum *= std::exp(shift - log_p);
        shift = log_p;
      }
      sum += std::exp(log_p - shift) * step * step;
    }
  }
  return shift + std::log(sum);
}

TEST(Student, TheBoundIsBelowTheEvidenceAndCloseToIt) {
  const NormalWishart prior{{0.5}, 0.3, 2.0, {1.5}};
  const Rows rows = make_rows({0.1, -0.4, 0.8, 1.1, 0.3, 6.5}, 1);
  for (const double nu : {2.0, 5.0}) {
    const Student family(prior, nu);
    const double exact = exact_log_evidence(prior, nu, rows);
    const double bound = family.log_evidence(settled_stats(family, rows));
    EXPECT_LT(bound, exact) << nu;
    EXPECT_GT(bound, exact - 0.6) << nu;
  }
}

// Densities integrate to one.
TEST(Student, PredictionsAreDensities) {
  const Student family({{0.5}, 0.3, 2.0, {1.5}, {}}, 4.0);
  const Student::Posterior q = family.posterior(settled_stats(family, make_rows({0.1, -0.4, 0.8, 1.1, 0.3, 6.5}, 1)));
  std::vector<double> grid;
  constexpr double step = 0.05;
  for (double x = -2000.0; x < 2000.0; x += step) grid.push_back(x);
  const Rows rows = make_rows(grid, 1);
  double predictive = 0.0;
  for (const double value : log_predictive_of(family, q, rows)) predictive += step * std::exp(value);
  double plugged = 0.0;
  for (const double value : costs_of(family, family.plug_in(q), rows)) plugged += step * std::exp(-value);
  EXPECT_NEAR(predictive, 1.0, 2e-3);
  EXPECT_NEAR(plugged, 1.0, 1e-4);
}

// A row far away counts for little, and moves the mean less than among Gaussians.
TEST(Student, RowsFarAwayWeighLess) {
  const Rows rows = make_rows({0.1, -0.4, 0.8, 1.1, 0.3, 60.0}, 1);
  const Student family({{0.5}, 0.3, 2.0, {1.5}, {}}, 3.0);
  const Stats stats = settled_stats(family, rows);
  EXPECT_EQ(stats[0], 6.0);
  EXPECT_LT(stats[n_own_stats], 6.0);
  EXPECT_LT(family.column_moments(stats).mean[0], 1.0);
  EXPECT_NEAR(family.column_moments(stats_of(family, rows)).mean[0], 61.9 / 6.0, 1e-12);
}

TEST(Student, NothingSeenIsThePrior) {
  const Student family = random_student(2, 3.0, false);
  const Stats nothing(family.stats_size(), 0.0);
  EXPECT_EQ(family.log_evidence(nothing), 0.0);
  EXPECT_NEAR(family.kl_to_prior(family.posterior(nothing)), 0.0, 1e-12);
}

TEST(Student, WrongNumbersAreRefused) {
  for (const double freedom : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(Student(random_prior(2, 1), freedom), OptionError) << freedom;
  }
  NamedArrays arrays = random_student(2, 3.0, false).to_arrays();
  arrays.erase("freedom");
  EXPECT_THROW((void)Student::from_arrays(arrays), DataError);
}

}  // namespace
}  // namespace coppice::internal
