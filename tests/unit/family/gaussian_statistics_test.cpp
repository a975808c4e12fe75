// SPDX-License-Identifier: BSD-3-Clause
// How the statistics of Gaussian clusters add up.
#include <gtest/gtest.h>

#include "coppice/family/gaussian.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

void expect_close(const Stats& a, const Stats& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1.0 + std::abs(b[i]))) << i;
}

Stats merged(const Gaussian& family, Stats a, const Stats& b) {
  family.merge(a, b);
  return a;
}

TEST(GaussianStatistics, HandComputed) {
  const Gaussian family(random_prior(2, 1));
  // Weight, means, scatter (1,1), (2,1), (2,2)
  expect_close(stats_of(family, make_rows({0.0, 1.0, 2.0, 5.0}, 2)), {2.0, 1.0, 3.0, 2.0, 4.0, 8.0}, 1e-15);
}

TEST(GaussianStatistics, MergeEqualsAddingAllRows) {
  for (const std::size_t d : {1U, 2U, 3U, 7U}) {
    const Gaussian family(random_prior(d, d));
    const Rows rows = random_rows(700, d, d);  // three blocks
    const Stats all = stats_of(family, rows);
    const Stats a = stats_of(family, rows, 0, 13);
    const Stats b = stats_of(family, rows, 13, 400);
    const Stats c = stats_of(family, rows, 400, 700);
    expect_close(merged(family, merged(family, a, b), c), all, 1e-12);
    expect_close(merged(family, a, merged(family, b, c)), all, 1e-12);  // associative
    expect_close(merged(family, b, a), merged(family, a, b), 1e-13);    // commutative
  }
}

TEST(GaussianStatistics, NothingIsNeutral) {
  const Gaussian family(random_prior(3, 3));
  const Stats some = stats_of(family, random_rows(9, 3, 1));
  const Stats nothing(family.stats_size(), 0.0);
  EXPECT_EQ(merged(family, some, nothing), some);
  EXPECT_EQ(merged(family, nothing, some), some);
}

TEST(GaussianStatistics, WeightsEqualRepeatedRows) {
  const Gaussian family(random_prior(2, 2));
  const std::vector<double> values = random_values(10, 4);
  const std::vector<double> weights = {1.0, 3.0, 2.0, 1.0, 5.0};
  std::vector<double> repeated;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    for (double copy = 0.0; copy < weights[row]; ++copy) {
      repeated.insert(repeated.end(), {values[2 * row], values[2 * row + 1]});
    }
  }
  const Stats weighted = stats_of(family, make_rows(values, 2), weights);
  const Stats plain = stats_of(family, make_rows(repeated, 2));
  expect_close(weighted, plain, 1e-13);
  EXPECT_NEAR(family.log_evidence(weighted), family.log_evidence(plain), 1e-11);
}

TEST(GaussianStatistics, RowsOfWeightZeroChangeNothing) {
  const Gaussian family(random_prior(2, 2));
  std::vector<double> values = random_values(12, 5);
  const Stats without = stats_of(family, make_rows(values, 2));
  values.insert(values.end(), {1e8, -3e8, 17.0, 0.0});
  std::vector<double> weights(8, 1.0);
  weights[6] = weights[7] = 0.0;
  const Stats with = stats_of(family, make_rows(values, 2), weights);
  expect_close(with, without, 1e-13);
  EXPECT_NEAR(family.log_evidence(with), family.log_evidence(without), 1e-11);
}

TEST(GaussianStatistics, ABlockWithoutWeightLeavesTheStatisticsAsTheyWere) {
  const Gaussian family(random_prior(2, 2));
  Stats stats = stats_of(family, random_rows(5, 2, 1));
  const Stats before = stats;
  const Rows rows = random_rows(3, 2, 2);
  family.merge(stats, stats_of(family, rows, std::vector<double>(3, 0.0)));
  EXPECT_EQ(stats, before);
}

// The same rows far out, with an origin that brings them back.
TEST(GaussianStatistics, TheOriginKeepsTheDigits) {
  const Gaussian family(random_prior(2, 2));
  const std::vector<double> near = {0.5, 1.0, -0.25, 2.0, 1.75, -3.0, 0.125, 0.5};
  std::vector<double> far = near;
  for (double& value : far) value += 0x1p30;
  const Rows moved(Dataset::from_rows(far, 4, 2), {0x1p30, 0x1p30});
  EXPECT_EQ(stats_of(family, moved), stats_of(family, make_rows(near, 2)));
}

TEST(GaussianStatistics, FloatsAreTheSameRows) {
  const Gaussian family(random_prior(1, 2));
  const std::vector<float> floats = {0.5F, 1.25F, -3.0F};
  const Rows rows(Dataset::from_rows(floats, 3, 1), {0.0});
  EXPECT_EQ(stats_of(family, rows), stats_of(family, make_rows({0.5, 1.25, -3.0}, 1)));
}

}  // namespace
}  // namespace coppice::internal
