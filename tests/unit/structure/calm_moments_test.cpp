// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/calm_moments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;

// One column, at no origin.
ColumnMoments moments_of(std::vector<double> values, std::vector<double> weights = {}) {
  const std::size_t n = values.size();
  Dataset data = Dataset::from_rows(std::move(values), n, 1);
  if (!weights.empty()) data = data.with_weights(std::move(weights));
  LocalExecution local(1);
  return calm_moments(local.get(), Rows(data, {0.0}));
}

std::vector<double> from_zero_to(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i);
  return values;
}

TEST(CalmMoments, OneWildValueIsTakenToLieAtTheEndOfTheRest) {
  std::vector<double> values = from_zero_to(50);  // 0 .. 49
  values.push_back(1e7);
  std::vector<double> pulled_in = from_zero_to(50);
  pulled_in.push_back(49.0);
  const ColumnMoments plain = moments_of(pulled_in);
  const ColumnMoments calm = moments_of(values);
  EXPECT_NEAR(calm.mean[0], plain.mean[0], 1e-12);
  EXPECT_NEAR(calm.variance[0], plain.variance[0], 1e-10);
  values.back() = -1e30;
  EXPECT_NEAR(moments_of(values).variance[0], plain.variance[0], 1e-10) << "the other end is as far from the middle";
}

TEST(CalmMoments, FarMeansThreeTimesTheLengthOfTheRest) {
  std::vector<double> values = from_zero_to(41);  // the core is 0 .. 40
  values.push_back(160.0);
  const double at_border = moments_of(values).variance[0];
  values.back() = 161.0;
  EXPECT_LT(moments_of(values).variance[0], 0.5 * at_border);
}

TEST(CalmMoments, AClusterOfMoreThanAHundredthIsNotWild) {
  std::vector<double> values = from_zero_to(100);
  for (std::size_t i = 0; i < 300; ++i) values.push_back(static_cast<double>(i % 100));
  values.insert(values.end(), 4, 1e4);
  EXPECT_LT(moments_of(values).variance[0], 1e3) << "four of 404 rows";
  values.push_back(1e4);
  EXPECT_GT(moments_of(values).variance[0], 1e6) << "five of 405";
}

TEST(CalmMoments, UpToAFifthIsWildAtAGreatDistance) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 360; ++i) values.push_back(static_cast<double>(i % 60));  // the core is 0 .. 59
  values.insert(values.end(), 90, 59.0 + 300.0 * 59.0);
  EXPECT_GT(moments_of(values).variance[0], 1e7);
  values.resize(360);
  values.insert(values.end(), 90, 60.0 + 300.0 * 59.0);
  EXPECT_LT(moments_of(values).variance[0], 400.0);
  values.push_back(values.back());
  EXPECT_GT(moments_of(values).variance[0], 1e7) << "91 of 451";
}

TEST(CalmMoments, TablesWithoutWildValuesKeepTheirPlainMoments) {
  const Dataset data = scattered_rows(400, 2, 3, 5, 50.0);
  const Rows rows(data, {0.0, 0.0});
  double mean = 0.0;
  for (std::size_t row = 0; row < 400; ++row) mean += data.value(row, 1) / 400.0;
  double variance = 0.0;
  for (std::size_t row = 0; row < 400; ++row)
    variance += (data.value(row, 1) - mean) * (data.value(row, 1) - mean) / 400.0;
  LocalExecution local(2);
  EXPECT_NEAR(calm_moments(local.get(), rows).mean[1], mean, 1e-10);
  EXPECT_NEAR(calm_moments(local.get(), rows).variance[1], variance, 1e-9 * variance);
}

TEST(CalmMoments, WhereOneValueIsMoreThanHalfNothingIsWild) {
  std::vector<double> counts(200, 0.0);
  counts[3] = 1000.0;
  counts[7] = 1.0;
  EXPECT_GT(moments_of(counts).variance[0], 4000.0);
}

TEST(CalmMoments, SmallTablesAreTakenAsTheyAre) {
  std::vector<double> values = from_zero_to(18);
  values.push_back(1e6);
  EXPECT_GT(moments_of(values).variance[0], 1e9);
  values.push_back(18.0);
  EXPECT_LT(moments_of(values).variance[0], 100.0) << "with twenty rows, one is few";
}

TEST(CalmMoments, AWeightIsThatManyRows) {
  std::vector<double> values = from_zero_to(60);
  values.push_back(-1e9);
  std::vector<double> weights(61, 1.0);
  std::vector<double> repeated = values;
  for (std::size_t i = 0; i < 60; i += 2) {
    weights[i] = 3.0;
    repeated.insert(repeated.begin(), 2, values[i]);
  }
  const ColumnMoments weighted = moments_of(values, weights);
  const ColumnMoments copied = moments_of(repeated);
  EXPECT_LT(copied.variance[0], 1e3);
  EXPECT_EQ(weighted.mean, copied.mean);
  EXPECT_EQ(weighted.variance, copied.variance);
}

TEST(CalmMoments, EveryColumnHasItsOwn) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 200; ++i)
    values.insert(values.end(), {static_cast<double>(i), static_cast<double>(i) / 7.0});
  values[2 * 9] = 1e7;
  values[2 * 120 + 1] = -1e7;
  LocalExecution local(1);
  const ColumnMoments calm = calm_moments(local.get(), Rows(Dataset::from_rows(std::move(values), 200, 2), {0.0, 0.0}));
  EXPECT_NEAR(calm.variance[0], 200.0 * 200.0 / 12.0, 100.0);
  EXPECT_NEAR(calm.variance[1], 200.0 * 200.0 / 12.0 / 49.0, 2.0);
}

TEST(RowsAtCalmOrigin, AreNotDrawnAwayByOneCell) {
  std::vector<double> values = from_zero_to(200);
  LocalExecution local(1);
  const Rows plain = rows_at_calm_origin(local.get(), Dataset::from_rows(values, 200, 1));
  EXPECT_THAT(plain.origin(), ElementsAre(99.5));
  values[0] = 1e30;
  const Rows calm = rows_at_calm_origin(local.get(), Dataset::from_rows(values, 200, 1));
  EXPECT_NEAR(calm.origin()[0], 100.5, 0.6);
}

}  // namespace
}  // namespace coppice::internal
