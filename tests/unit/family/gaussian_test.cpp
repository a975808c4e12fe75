// SPDX-License-Identifier: BSD-3-Clause
// Evidence, costs and predictive densities of Gaussian clusters, by the identities that hold for every conjugate
// family.
#include "coppice/family/gaussian.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

// The identities are tried in these numbers of columns.
class GaussianIdentities : public testing::TestWithParam<std::size_t> {
 protected:
  const std::size_t d = GetParam();
  const std::size_t n = 15;
  const Gaussian family{random_prior(d, d)};
  const Rows rows = random_rows(n, d, d);
};
INSTANTIATE_TEST_SUITE_P(Columns, GaussianIdentities, testing::Values(1, 2, 3, 4, 5, 9));

// log evidence(X) = sum_n log predictive(x_n | x_1 .. x_{n-1})
TEST_P(GaussianIdentities, EvidenceIsTheProductOfPredictives) {
  double sum = 0.0;
  for (std::size_t row = 0; row < n; ++row) {
    const Gaussian::Posterior before = family.posterior(stats_of(family, rows, 0, row));
    sum += log_predictive_of(family, before, rows)[row];
  }
  EXPECT_NEAR(family.log_evidence(stats_of(family, rows)), sum, 1e-10 * std::abs(sum));
}

// log evidence(X) = - sum_n w_n cost(x_n) - KL(posterior || prior)
TEST_P(GaussianIdentities, EvidenceIsMinusCostsMinusDivergence) {
  for (const bool is_weighted : {false, true}) {
    const std::vector<double> weights = is_weighted ? random_weights(n, 3) : std::vector<double>(n, 1.0);
    const Stats stats = stats_of(family, rows, weights);
    const Gaussian::Posterior q = family.posterior(stats);
    double sum = -family.kl_to_prior(q);
    const std::vector<double> costs = costs_of(family, q, rows);
    for (std::size_t row = 0; row < n; ++row) sum -= weights[row] * costs[row];
    EXPECT_NEAR(family.log_evidence(stats), sum, 1e-10 * std::abs(sum));
  }
}

// -cost(x) = d/d eps log evidence(stats(X) + eps stats(x)) at eps = 0, here by a one-sided difference of second order.
TEST_P(GaussianIdentities, CostIsTheSlopeOfTheEvidence) {
  const Stats stats = stats_of(family, rows, random_weights(n, 5));
  const Rows query = random_rows(4, d, d + 50);
  const std::vector<double> costs = costs_of(family, family.posterior(stats), query);
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto evidence_with = [&](double eps) {
      Stats more = stats;
      const std::vector<double> weight(query.size(), eps);
      family.merge(more, stats_of(family, query, row, row + 1, weight));
      return family.log_evidence(more);
    };
    const double eps = 1e-4;
    const double slope =
        (4.0 * evidence_with(eps) - evidence_with(2.0 * eps) - 3.0 * family.log_evidence(stats)) / (2.0 * eps);
    EXPECT_NEAR(-costs[row], slope, 2e-5 * (1.0 + std::abs(slope)));
  }
}

TEST_P(GaussianIdentities, NodeCostIsTheSumOverRows) {
  const std::vector<double> weights = random_weights(n, 8);
  const Gaussian::Posterior q = family.posterior(stats_of(family, random_rows(20, d, d + 9)));
  const std::vector<double> costs = costs_of(family, q, rows);
  double sum = 0.0;
  for (std::size_t row = 0; row < n; ++row) sum += weights[row] * costs[row];
  EXPECT_NEAR(family.node_cost(q, stats_of(family, rows, weights)), sum, 1e-11 * std::abs(sum));
}

TEST_P(GaussianIdentities, DivergenceFromThePriorIsZeroWithoutRowsAndPositiveWithThem) {
  EXPECT_NEAR(family.kl_to_prior(family.posterior(Stats(family.stats_size(), 0.0))), 0.0, 1e-11);
  double before = 0.0;
  for (std::size_t last = 1; last <= n; ++last) {
    const double kl = family.kl_to_prior(family.posterior(stats_of(family, rows, 0, last)));
    EXPECT_GT(kl, 0.0) << last;
    before = std::max(before, kl);
  }
  EXPECT_GT(before, 0.1);
}

TEST_P(GaussianIdentities, TheTieScaleKeepsItsPromise) {
  const Gaussian::Posterior q = family.posterior(stats_of(family, rows));
  const TieScale promise = family.tie_scale(q);
  const Rows query = random_rows(200, d, d + 70);
  std::vector<double> row(d);
  for (std::size_t i = 0; i < query.size(); ++i) {
    query.copy_row(i, row);
    const ExactCost exact = family.exact_cost(q, row);
    EXPECT_NEAR(exact.value, costs_of(family, q, query)[i], 1e-12 * (1.0 + exact.scale));
    EXPECT_LE(exact.scale, promise.ratio * (exact.value - promise.floor) * (1.0 + 1e-9));
  }
}

TEST_P(GaussianIdentities, NoRowsNoEvidence) {
  const Stats nothing(family.stats_size(), 0.0);
  EXPECT_EQ(family.log_evidence(nothing), 0.0);
  const Gaussian::Posterior q = family.posterior(nothing);
  EXPECT_EQ(q.xi, family.prior().xi0);
  EXPECT_EQ(q.eta, family.prior().eta0);
  for (std::size_t c = 0; c < d; ++c) EXPECT_DOUBLE_EQ(q.m[c], family.prior().m0[c]);
  EXPECT_EQ(family.posterior_b(nothing), family.prior().b0);
}

// Integral over x = m + scale tan(u), which tames the heavy tails; midpoint rule.
double integral_of_predictive(const Gaussian& family, const Gaussian::Posterior& q, double scale) {
  constexpr std::size_t n = 20000;
  constexpr double step = std::numbers::pi / static_cast<double>(n);
  std::vector<double> x(n);
  std::vector<double> stretch(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = -std::numbers::pi / 2.0 + (static_cast<double>(i) + 0.5) * step;
    x[i] = q.m[0] + scale * std::tan(u);
    stretch[i] = scale / (std::cos(u) * std::cos(u));
  }
  const std::vector<double> log_density = log_predictive_of(family, q, make_rows(x, 1));
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += std::exp(log_density[i]) * stretch[i] * step;
  return sum;
}

TEST(Gaussian, PredictiveIntegratesToOne) {
  const Gaussian family({{0.4}, 0.1, 1.0, {2.5}});  // the prior's predictive is a Cauchy density
  const Gaussian::Posterior prior = family.posterior(Stats(family.stats_size(), 0.0));
  EXPECT_NEAR(integral_of_predictive(family, prior, 2.0), 1.0, 1e-6);
  const Gaussian::Posterior q = family.posterior(stats_of(family, random_rows(7, 1, 4)));
  EXPECT_NEAR(integral_of_predictive(family, q, 1.0), 1.0, 1e-6);
}

TEST(Gaussian, PlugInIsTheNormalDensityAtThePosteriorMeans) {
  const Gaussian family({{0.4}, 0.1, 1.5, {2.5}});
  const Stats stats = stats_of(family, random_rows(11, 1, 6));
  const Gaussian::Posterior q = family.posterior(stats);
  const Rows query = random_rows(9, 1, 7);
  const std::vector<double> got = costs_of(family, family.plug_in(q), query);
  const double variance = family.posterior_b(stats)[0] / q.eta;
  for (std::size_t row = 0; row < query.size(); ++row) {
    const double t = query.data().value(row, 0) - q.m[0];
    EXPECT_NEAR(-got[row], -0.5 * std::log(2.0 * std::numbers::pi * variance) - t * t / (2.0 * variance), 1e-12);
  }
}

TEST(Gaussian, SplitAxisIsTheWidestDirection) {
  const Gaussian family(random_prior(2, 1));
  // Along (3, -4) / 5 by +-5, across by +-1: variances 25 and 1; the entry of largest modulus is made positive.
  const Rows rows = make_rows({3.8, -3.4, 2.2, -4.6, -3.8, 3.4, -2.2, 4.6}, 2);
  const SplitAxis axis = family.split_axis(stats_of(family, rows));
  EXPECT_NEAR(axis.variance, 25.0, 1e-12);
  EXPECT_NEAR(axis.direction[0], -0.6, 1e-12);
  EXPECT_NEAR(axis.direction[1], 0.8, 1e-12);
}

TEST(Gaussian, SplitAxisOfColumnsDividedByLengths) {
  NormalWishart prior = random_prior(2, 1);
  prior.b0 = {9.0, 1.0, 1.0, 16.0};
  const Gaussian family(prior);
  EXPECT_EQ(family.column_lengths(), (std::vector<double>{3.0, 4.0}));
  // By +-6 in the first column and +-4 in the second: divided by 3 and 0.5 they are +-2 and +-8.
  const Rows rows = make_rows({6.0, 4.0, 6.0, -4.0, -6.0, 4.0, -6.0, -4.0}, 2);
  const auto stats = stats_of(family, rows);
  EXPECT_NEAR(family.split_axis(stats).direction[0], 1.0, 1e-12);
  const SplitAxis divided = family.split_axis(stats, std::vector<double>{3.0, 0.5});
  EXPECT_NEAR(divided.direction[1], 1.0, 1e-12);
  EXPECT_NEAR(divided.variance, 64.0, 1e-10);
}

// Two rows on either side of the origin along a direction, and some noise: with many columns it is found by iteration.
TEST(Gaussian, SplitAxisOfManyColumnsIsTheWidestDirectionToo) {
  constexpr std::size_t d = 150;
  const Gaussian family(random_prior(d, 1));
  std::vector<double> direction(d);
  for (std::size_t i = 0; i < d; ++i) direction[i] = (i % 3 == 0 ? -1.0 : 1.0) * static_cast<double>(i);
  std::vector<double> values;
  for (const double side : {-1.0, 1.0}) {
    for (std::size_t i = 0; i < d; ++i) values.push_back(side * direction[i]);
  }
  for (std::size_t row = 0; row < 20; ++row) {
    for (std::size_t i = 0; i < d; ++i) values.push_back(i == row ? 50.0 : i == row + 20 ? -50.0 : 0.0);
  }
  double squared_length = 0.0;
  for (const double entry : direction) squared_length += entry * entry;
  const SplitAxis axis = family.split_axis(stats_of(family, make_rows(values, d)));
  EXPECT_NEAR(axis.variance, 2.0 * squared_length / 22.0, 1e-3 * axis.variance);
  for (std::size_t i = 0; i < d; ++i) {
    EXPECT_NEAR(std::abs(axis.direction[i]), std::abs(direction[i]) / std::sqrt(squared_length), 2e-3) << i;
  }
  EXPECT_GT(*std::ranges::max_element(axis.direction), -*std::ranges::min_element(axis.direction));
}

TEST(Gaussian, SplitAxisOfEqualRowsHasNoVariance) {
  constexpr std::size_t d = 150;
  const Gaussian family(random_prior(d, 1));
  const SplitAxis axis = family.split_axis(stats_of(family, make_rows(std::vector<double>(3 * d, 7.0), d)));
  EXPECT_EQ(axis.variance, 0.0);
}

TEST(Gaussian, ColumnMoments) {
  const Gaussian family(random_prior(2, 1));
  const ColumnMoments moments = family.column_moments(stats_of(family, make_rows({1.0, 5.0, 3.0, 5.0, 8.0, 5.0}, 2)));
  EXPECT_DOUBLE_EQ(moments.mean[0], 4.0);
  EXPECT_NEAR(moments.variance[0], 26.0 / 3.0, 1e-13);
  EXPECT_DOUBLE_EQ(moments.mean[1], 5.0);
  EXPECT_EQ(moments.variance[1], 0.0);
}

}  // namespace
}  // namespace coppice::internal
