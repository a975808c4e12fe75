// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/uninformative.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "coppice/runtime/error.hpp"
#include "unit/family/gaussian_identities.hpp"

namespace coppice::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Uninformative : public testing::TestWithParam<std::size_t> {
 protected:
  const std::size_t d = GetParam();
  const UninformativeGaussian family{d, 1.25};
  const Rows rows = random_rows(d + 12, d, d);
};
INSTANTIATE_TEST_SUITE_P(Columns, Uninformative, testing::Values(1, 2, 3, 6));

// There is no predictive density of the first D + 1 rows; the others multiply.
TEST_P(Uninformative, EvidenceGrowsByThePredictives) {
  double sum = family.log_evidence(stats_of(family, rows, 0, d + 1));
  for (std::size_t row = d + 1; row < rows.size(); ++row) {
    sum += log_predictive_of(family, family.posterior(stats_of(family, rows, 0, row)), rows)[row];
  }
  EXPECT_NEAR(family.log_evidence(stats_of(family, rows)), sum, 1e-9 * std::abs(sum));
}

TEST_P(Uninformative, EvidenceIsMinusCostsMinusDivergence) {
  expect_evidence_is_minus_costs_minus_divergence(family, rows);
}

TEST_P(Uninformative, CostIsTheSlopeOfTheEvidence) { expect_cost_is_the_slope(family, rows); }

TEST_P(Uninformative, NodeCostIsTheSumOverRows) { expect_node_cost_is_the_sum(family, rows); }

TEST_P(Uninformative, SubtractUndoesMerge) { expect_subtract_undoes_merge(family, rows); }

TEST_P(Uninformative, HeldOutIsWhatAMemberAddedToTheEvidence) { EXPECT_LT(error_of_held_out(family, rows), 1e-9); }

TEST_P(Uninformative, TravelsThroughArrays) { expect_travels_through_arrays(family, rows); }

TEST_P(Uninformative, NeedsOneRowMoreThanColumns) {
  EXPECT_EQ(family.log_evidence(Stats(family.stats_size(), 0.0)), 0.0);
  for (std::size_t last = 1; last <= d; ++last) {
    const Stats stats = stats_of(family, rows, 0, last);
    EXPECT_EQ(family.log_evidence(stats), -infinity) << last;
    EXPECT_THROW((void)family.posterior(stats), NumericError) << last;
  }
  EXPECT_TRUE(std::isfinite(family.log_evidence(stats_of(family, rows, 0, d + 1))));
}

// Weights count, not rows.
TEST_P(Uninformative, LightRowsAreTooFew) {
  const std::vector<double> weights(rows.size(), (static_cast<double>(d) + 0.9) / static_cast<double>(rows.size()));
  EXPECT_EQ(family.log_evidence(stats_of(family, rows, weights)), -infinity);
}

TEST_P(Uninformative, RowsMustSpanAllColumns) {
  std::vector<double> values = random_values(20 * d, 3);
  for (std::size_t row = 0; row < 20; ++row) {  // the last column depends on the first, or is constant
    values[row * d + d - 1] = d == 1 ? 0.3 : 1.0 / 3.0 - 0.7 * values[row * d];
  }
  EXPECT_EQ(family.log_evidence(stats_of(family, make_rows(values, d))), -infinity);
}

// log evidence = -log V + what does not depend on V; rows twice as wide in every column, D (n - 1) log 2 less.
TEST_P(Uninformative, KnowsNoScaleButTheVolume) {
  const double evidence = family.log_evidence(stats_of(family, rows));
  EXPECT_NEAR(UninformativeGaussian(d, 3.25).log_evidence(stats_of(family, rows)), evidence - 2.0, 1e-10);
  std::vector<double> wide(rows.data().doubles().begin(), rows.data().doubles().end());
  for (double& value : wide) value *= 2.0;
  const double fewer = static_cast<double>(d * (rows.size() - 1)) * std::log(2.0);
  EXPECT_NEAR(family.log_evidence(stats_of(family, make_rows(wide, d))), evidence - fewer, 1e-9);
}

TEST(UninformativeGaussian, TheVolumeMustBeFinite) {
  for (const double log_volume : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(UninformativeGaussian(2, log_volume), OptionError);
  }
}

TEST(UninformativeGaussian, WrongArraysAreRefused) {
  for (const double columns : {0.0, -1.0, 1.5, infinity}) {
    NamedArrays arrays = UninformativeGaussian(2, 1.0).to_arrays();
    arrays["columns"] = {{}, {columns}};
    EXPECT_THROW((void)UninformativeGaussian::from_arrays(arrays), DataError) << columns;
  }
  for (const char* name : {"columns", "log_volume"}) {
    NamedArrays arrays = UninformativeGaussian(2, 1.0).to_arrays();
    arrays.erase(name);
    EXPECT_THROW((void)UninformativeGaussian::from_arrays(arrays), DataError) << name;
  }
}

}  // namespace
}  // namespace coppice::internal
