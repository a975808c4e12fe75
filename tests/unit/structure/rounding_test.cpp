// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/rounding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/data/distinct_sample.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;

std::vector<double> variances_of(const Dataset& data) {
  LocalExecution local(2);
  return rounding_variances(local.get(), Rows(data, std::vector<double>(data.n_columns(), 0.0)));
}

template <class Value = double>
double variance_of(std::vector<Value> column) {
  const std::size_t n = column.size();
  return variances_of(Dataset::from_rows(std::move(column), n, 1))[0];
}

// n numbers from low to high, as `rounded` makes them.
template <class Value, class Rounded>
std::vector<Value> drawn(std::size_t n, double low, double high, const Rounded& rounded) {
  RandomStream random{n, Purpose::test, 33};
  std::vector<Value> values(n);
  for (Value& value : values) value = static_cast<Value>(rounded(random.uniform(low, high)));
  return values;
}
double whole(double value) { return std::round(value); }
double to_tenths(double value) { return std::round(10.0 * value) / 10.0; }

TEST(Rounding, OfWholeNumbersIsATwelfth) {
  EXPECT_DOUBLE_EQ(variance_of(drawn<double>(200, -20.0, 50.0, whole)), 1.0 / 12.0);
  EXPECT_DOUBLE_EQ(variance_of(drawn<float>(200, -20.0, 50.0, whole)), 1.0 / 12.0);
  EXPECT_DOUBLE_EQ(variance_of(drawn<double>(5000, 0.0, 1e6, whole)), 1.0 / 12.0);
}

TEST(Rounding, OfTenthsIsAHundredthOfThat) {
  EXPECT_THAT(variance_of(drawn<double>(500, -5.0, 5.0, to_tenths)), DoubleNear(0.01 / 12.0, 1e-12));
  EXPECT_THAT(variance_of(drawn<float>(500, -5.0, 5.0, to_tenths)), DoubleNear(0.01 / 12.0, 1e-6));
}

// Temperatures in Fahrenheit, say: thousands of steps of a float32's tenths, whose least gap is a little too small.
TEST(Rounding, OfTenthsInFloat32IsSeenOverAWideRange) {
  EXPECT_THAT(variance_of(drawn<float>(3000, 0.0, 400.0, to_tenths)), DoubleNear(0.01 / 12.0, 1e-6));
  EXPECT_THAT(variance_of(drawn<float>(3000, 900.0, 1100.0, to_tenths)), DoubleNear(0.01 / 12.0, 1e-5));
}

TEST(Rounding, AGridNeedNotBeginAtZero) {
  const auto odd = [](double x) { return 0.3 + 2.0 * std::round(x); };
  EXPECT_THAT(variance_of(drawn<double>(300, 0.0, 20.0, odd)), DoubleNear(4.0 / 12.0, 1e-12));
}

TEST(Rounding, RealNumbersHaveNone) {
  EXPECT_EQ(variance_of(drawn<double>(300, 0.0, 1.0, [](double x) { return x; })), 0.0);
  EXPECT_EQ(variance_of(drawn<float>(300, 0.0, 1.0, [](double x) { return x; })), 0.0);
  std::vector<double> one_off = drawn<double>(300, 0.0, 20.0, whole);
  one_off.back() += 0.37;
  EXPECT_EQ(variance_of(one_off), 0.0);
}

// Any two or three numbers lie on some grid.
TEST(Rounding, AFewDifferentNumbersShowNoGrid) {
  EXPECT_EQ(variance_of<double>({1.25, 7.5}), 0.0);
  EXPECT_EQ(variance_of<double>({1.0, 2.0, 3.0}), 0.0);
  EXPECT_EQ(variance_of<double>({4.0}), 0.0);
  EXPECT_GT(variance_of<double>({1.0, 2.0, 2.0, 3.0}), 0.0) << "values that come back do";
}

TEST(Rounding, AConstantColumnHasNone) { EXPECT_EQ(variance_of(std::vector<double>(50, 3.0)), 0.0); }

TEST(Rounding, IsToldColumnByColumn) {
  std::vector<double> values;
  const std::vector<double> wholes = drawn<double>(100, 0.0, 9.0, whole);
  const std::vector<double> reals = drawn<double>(100, 0.0, 9.0, [](double x) { return x; });
  for (std::size_t row = 0; row < 100; ++row) values.insert(values.end(), {wholes[row], reals[row]});
  EXPECT_THAT(variances_of(Dataset::from_rows(values, 100, 2)), ElementsAre(DoubleEq(1.0 / 12.0), 0.0));
}

TEST(Rounding, RowsWithoutWeightAreAbsent) {
  std::vector<double> values = drawn<double>(100, 0.0, 9.0, whole);
  values.push_back(0.123);
  std::vector<double> weights(100, 1.0);
  weights.push_back(0.0);
  EXPECT_DOUBLE_EQ(variances_of(Dataset::from_rows(values, 101, 1).with_weights(weights))[0], 1.0 / 12.0);
}

// A row of weight 3 is three rows: its values come back.
TEST(Rounding, RepeatedRowsMayBeWeightedOnesInstead) {
  LocalExecution local(1);
  const Dataset grades = Dataset::from_rows(std::vector<double>{1, 2, 3, 1, 2, 3, 1, 3}, 8, 1);
  EXPECT_DOUBLE_EQ(variances_of(grades)[0], 0.5);
  EXPECT_DOUBLE_EQ(variances_of(distinct_sample(local.get(), grades, 100))[0], 0.5);
}

TEST(Rounding, AFewAnswersHideTheirWholeRange) {
  EXPECT_DOUBLE_EQ(variance_of<double>({0, 1, 1, 0}), 1.0 / 8.0);
  EXPECT_DOUBLE_EQ(variance_of<double>({10, 20, 20, 10}), 100.0 / 8.0);
  EXPECT_DOUBLE_EQ(variance_of<double>({1, 2, 3, 4, 5, 1, 5}), 16.0 / 8.0);
  EXPECT_DOUBLE_EQ(variance_of<double>({1, 2, 3, 4, 5, 6, 1, 6}), 1.0 / 12.0) << "too many for answers";
  EXPECT_DOUBLE_EQ(variance_of<double>({0, 1, 100, 101, 0, 101}), 1.0 / 12.0) << "the gap says something";
}

// Two answers with shares p and 1 - p: apart, they save half the log of the variances' ratio per row, but the labels
// cost their entropy.
TEST(Rounding, TwoAnswersAreNoTwoClusters) {
  const double hidden = variance_of<double>({0, 1, 1, 0});
  for (double p = 0.001; p < 0.5; p += 0.001) {
    const double saved = 0.5 * std::log1p(p * (1.0 - p) / hidden);
    EXPECT_LT(saved, -p * std::log(p) - (1.0 - p) * std::log1p(-p)) << p;
  }
}

}  // namespace
}  // namespace coppice::internal
