// SPDX-License-Identifier: BSD-3-Clause
// Gaussian clusters of rounded values: the same identities, and what rounding is for.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "coppice/runtime/error.hpp"
#include "unit/family/axis_examples.hpp"
#include "unit/family/gaussian_identities.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t columns[] = {1, 2, 3, 6};
constexpr std::size_t n = 12;

template <class F>
class RoundedGaussian : public testing::Test {
 protected:
  // Calls check(family, rows) in several numbers of columns.
  template <class Check>
  void in_all_columns(const Check& check) {
    for (const std::size_t d : columns) {
      SCOPED_TRACE(testing::Message() << d << " columns");
      check(random_family<F>(d, d, true), random_rows(n, d, d));
    }
  }
};
using Families = testing::Types<Gaussian, DiagonalGaussian, SphericalGaussian>;
TYPED_TEST_SUITE(RoundedGaussian, Families);

TYPED_TEST(RoundedGaussian, EvidenceIsTheProductOfPredictives) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_chain_rule(family, rows); });
}

TYPED_TEST(RoundedGaussian, EvidenceIsMinusCostsMinusDivergence) {
  this->in_all_columns(
      [](const auto& family, const Rows& rows) { expect_evidence_is_minus_costs_minus_divergence(family, rows); });
}

TYPED_TEST(RoundedGaussian, CostIsTheSlopeOfTheEvidence) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_cost_is_the_slope(family, rows); });
}

TYPED_TEST(RoundedGaussian, NodeCostIsTheSumOverRows) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_node_cost_is_the_sum(family, rows); });
}

TYPED_TEST(RoundedGaussian, SubtractUndoesMerge) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_subtract_undoes_merge(family, rows); });
}

TYPED_TEST(RoundedGaussian, ExactCostsAreCosts) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_exact_costs(family, rows); });
}

TYPED_TEST(RoundedGaussian, ThePriorTravelsThroughArrays) {
  this->in_all_columns([](const auto& family, const Rows& rows) {
    expect_travels_through_arrays(family, rows);
    EXPECT_EQ(family.to_arrays().at("rounding").values, family.prior().rounding);
  });
}

TYPED_TEST(RoundedGaussian, RoundingErrorsOfAModelFileMustBeVariances) {
  for (const std::vector<double>& wrong : {std::vector<double>{0.1}, {0.1, -0.1}, {0.1, 0.1, 0.1}, {0.1, INFINITY}}) {
    NamedArrays arrays = random_family<TypeParam>(2, 1, true).to_arrays();
    arrays["rounding"] = {{wrong.size()}, wrong};
    EXPECT_THROW((void)TypeParam::from_arrays(arrays), DataError) << testing::PrintToString(wrong);
  }
}

// n R more scatter, and nothing else.
TYPED_TEST(RoundedGaussian, RoundingAddsToTheScatter) {
  const std::size_t d = 3;
  const TypeParam rounded = random_family<TypeParam>(d, 4, true);
  const TypeParam plain = random_family<TypeParam>(d, 4, false);
  const Stats stats = stats_of(rounded, random_rows(n, d, 5), random_weights(n, 1));
  Stats wider = stats;
  for (std::size_t c = 0; c < d; ++c) {
    const std::size_t of_column = std::same_as<TypeParam, Gaussian> ? c * (c + 3) / 2 : c;  // packed, or the diagonal
    wider[1 + d + of_column] += stats[0] * rounded.prior().rounding[c];
  }
  EXPECT_NEAR(rounded.log_evidence(stats), plain.log_evidence(wider), 1e-10);
}

// Rows that are all the same have a density all the same: more copies add ever less scatter, but never none.
TYPED_TEST(RoundedGaussian, EqualRowsHaveABoundedDensity) {
  const TypeParam family = random_family<TypeParam>(1, 2, true);
  const Rows same = make_rows(std::vector<double>(4000, 0.5), 1);
  const double normal_at_its_mean = -0.5 * std::log(2.0 * std::numbers::pi * family.prior().rounding[0]);
  EXPECT_NEAR(family.log_evidence(stats_of(family, same)) / 4000.0, normal_at_its_mean - 0.5, 0.01);
}

TEST(RoundedAxisGaussian, HeldOutIsWhatAMemberAddedToTheEvidence) {
  for (const std::size_t d : columns) {
    const Rows rows = random_rows(n, d, d);
    EXPECT_LT(error_of_held_out(random_family<DiagonalGaussian>(d, d, true), rows), 1e-10);
    EXPECT_LT(error_of_held_out(random_family<SphericalGaussian>(d, d, true), rows), 1e-10);
  }
}

// For clusters of any shape exactly without rounding, and nearly with it: ten times as many rows, a tenth of the error.
TEST(RoundedFullGaussian, HeldOutIsNearlyWhatAMemberAddedToTheEvidence) {
  for (const std::size_t d : columns) {
    const auto error_with = [&](double rounding, std::size_t n_rows) {
      NormalWishart prior = random_prior(d, d);
      if (rounding > 0.0) prior.rounding.assign(d, rounding);
      return error_of_held_out(Gaussian(prior), random_rows(n_rows, d, d));
    };
    EXPECT_LT(error_with(0.0, 30), 1e-10);
    EXPECT_LT(error_with(0.01, 30), 1e-3);
    EXPECT_LT(error_with(0.01, 300), 0.3 * error_with(0.01, 30));
  }
}

TEST(RoundedFullGaussian, RoundingErrorsMustBeVariances) {
  for (const std::vector<double>& wrong : {std::vector<double>{0.1}, {0.1, -0.1}, {0.1, 0.1, 0.1}, {0.1, INFINITY}}) {
    NormalWishart prior = random_prior(2, 1);
    prior.rounding = wrong;
    EXPECT_THROW(Gaussian{prior}, OptionError) << testing::PrintToString(wrong);
  }
}

TYPED_TEST(RoundedGaussian, OfOneColumnAllShapesAreOne) {
  const NormalGamma prior{{0.3}, 0.2, 1.5, {0.7}, {0.05}};
  const Gaussian full({prior.m0, prior.xi0, prior.eta0, prior.b0, prior.rounding});
  const auto family = [&] {
    if constexpr (std::same_as<TypeParam, Gaussian>) {
      return full;
    } else {
      return TypeParam(prior);
    }
  }();
  const Rows rows = random_rows(n, 1, 3);
  const Rows query = random_rows(10, 1, 4);
  const auto q = family.posterior(stats_of(family, rows));
  const auto full_q = full.posterior(stats_of(full, rows));
  EXPECT_NEAR(family.log_evidence(stats_of(family, rows)), full.log_evidence(stats_of(full, rows)), 1e-11);
  for (std::size_t i = 0; i < query.size(); ++i) {
    EXPECT_NEAR(costs_of(family, q, query)[i], costs_of(full, full_q, query)[i], 1e-11);
    EXPECT_NEAR(log_predictive_of(family, q, query)[i], log_predictive_of(full, full_q, query)[i], 1e-11);
  }
}

}  // namespace
}  // namespace coppice::internal
