// SPDX-License-Identifier: BSD-3-Clause
// Gaussian clusters without correlations, diagonal and spherical, by the identities that hold for every conjugate
// family and by those that tie them to Gaussian clusters of any shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "coppice/family/adapter.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/family/axis_examples.hpp"
#include "unit/family/gaussian_identities.hpp"

namespace coppice::internal {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t columns[] = {1, 2, 3, 5, 9};
constexpr std::size_t n = 15;

template <class F>
class AxisGaussian : public testing::Test {
 protected:
  // Calls check(family, rows) in several numbers of columns.
  template <class Check>
  void in_all_columns(const Check& check) {
    for (const std::size_t d : columns) {
      SCOPED_TRACE(testing::Message() << d << " columns");
      check(random_family<F>(d, d, false), random_rows(n, d, d));
    }
  }
};
using Families = testing::Types<DiagonalGaussian, SphericalGaussian>;
TYPED_TEST_SUITE(AxisGaussian, Families);

TYPED_TEST(AxisGaussian, EvidenceIsTheProductOfPredictives) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_chain_rule(family, rows); });
}

TYPED_TEST(AxisGaussian, EvidenceIsMinusCostsMinusDivergence) {
  this->in_all_columns(
      [](const auto& family, const Rows& rows) { expect_evidence_is_minus_costs_minus_divergence(family, rows); });
}

TYPED_TEST(AxisGaussian, CostIsTheSlopeOfTheEvidence) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_cost_is_the_slope(family, rows); });
}

TYPED_TEST(AxisGaussian, NodeCostIsTheSumOverRows) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_node_cost_is_the_sum(family, rows); });
}

TYPED_TEST(AxisGaussian, HeldOutIsWhatAMemberAddedToTheEvidence) {
  this->in_all_columns([](const auto& family, const Rows& rows) { EXPECT_LT(error_of_held_out(family, rows), 1e-10); });
}

TYPED_TEST(AxisGaussian, TheOnlyMemberIsHeldOutAgainstThePrior) {
  const TypeParam family = random_family<TypeParam>(3, 3, false);
  EXPECT_LT(error_of_held_out(family, random_rows(1, 3, 4)), 1e-10);
}

TYPED_TEST(AxisGaussian, SubtractUndoesMerge) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_subtract_undoes_merge(family, rows); });
}

TYPED_TEST(AxisGaussian, ExactCostsAreCostsAndKeepTheirPromise) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_exact_costs(family, rows); });
}

TYPED_TEST(AxisGaussian, ThePriorTravelsThroughArrays) {
  this->in_all_columns([](const auto& family, const Rows& rows) { expect_travels_through_arrays(family, rows); });
}

TYPED_TEST(AxisGaussian, NoRowsNoEvidenceAndNoDivergence) {
  const TypeParam family = random_family<TypeParam>(4, 1, false);
  const Stats nothing(family.stats_size(), 0.0);
  EXPECT_EQ(family.log_evidence(nothing), 0.0);
  EXPECT_NEAR(family.kl_to_prior(family.posterior(nothing)), 0.0, 1e-11);
  EXPECT_GT(family.kl_to_prior(family.posterior(stats_of(family, random_rows(5, 4, 2)))), 0.1);
}

// Rows in one block or in many, in runs or picked one by one, weighted or repeated.
TYPED_TEST(AxisGaussian, StatisticsDoNotDependOnHowRowsAreTakenIn) {
  for (const std::size_t d : {2U, 9U, 20U}) {
    const TypeParam family = random_family<TypeParam>(d, d, false);
    const Rows rows = random_rows(600, d, d);
    const Stats at_once = stats_of(family, rows);
    Stats one_by_one(family.stats_size(), 0.0);
    BlockBuffer buffer(d);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      RowBlock block(rows, {&row, 1}, buffer);
      family.add(one_by_one, block, {});
    }
    for (std::size_t i = 0; i < at_once.size(); ++i) {
      EXPECT_NEAR(one_by_one[i], at_once[i], 1e-10 * (1.0 + std::abs(at_once[i]))) << i;
    }
  }
}

TYPED_TEST(AxisGaussian, ColumnMomentsAreMeansAndVariances) {
  const TypeParam family = random_family<TypeParam>(2, 1, false);
  const ColumnMoments moments = family.column_moments(stats_of(family, make_rows({1.0, 5.0, 3.0, 5.0, 8.0, 5.0}, 2)));
  EXPECT_THAT(moments.mean, testing::ElementsAre(4.0, 5.0));
  EXPECT_NEAR(moments.variance[0], 26.0 / 3.0, 1e-13);
  EXPECT_EQ(moments.variance[1], 0.0);
}

// In one column all shapes are one.
TYPED_TEST(AxisGaussian, OfOneColumnIsTheGaussianOfOneColumn) {
  const TypeParam family = random_family<TypeParam>(1, 6, false);
  const NormalGamma& prior = family.prior();
  const Gaussian full({prior.m0, prior.xi0, prior.eta0, prior.b0});
  const Rows rows = random_rows(12, 1, 7);
  const Rows query = random_rows(20, 1, 8);
  const std::vector<double> weights = random_weights(12, 2);
  const Stats stats = stats_of(family, rows, weights);
  const Stats full_stats = stats_of(full, rows, weights);
  const auto q = family.posterior(stats);
  const auto full_q = full.posterior(full_stats);
  EXPECT_NEAR(family.log_evidence(stats), full.log_evidence(full_stats), 1e-11);
  EXPECT_NEAR(family.kl_to_prior(q), full.kl_to_prior(full_q), 1e-11);
  for (std::size_t i = 0; i < query.size(); ++i) {
    EXPECT_NEAR(costs_of(family, q, query)[i], costs_of(full, full_q, query)[i], 1e-11);
    EXPECT_NEAR(costs_of(family, family.plug_in(q), query)[i], costs_of(full, full.plug_in(full_q), query)[i], 1e-11);
    EXPECT_NEAR(log_predictive_of(family, q, query)[i], log_predictive_of(full, full_q, query)[i], 1e-11);
    EXPECT_NEAR(log_held_out_of(family, q, query)[i], log_held_out_of(full, full_q, query)[i], 1e-9);
  }
}

TEST(DiagonalGaussian, IsTheSumOverItsColumns) {
  const std::size_t d = 4;
  const DiagonalGaussian family = random_family<DiagonalGaussian>(d, 9, false);
  const Rows rows = random_rows(12, d, 10);
  const Rows query = random_rows(6, d, 11);
  double evidence = 0.0;
  std::vector<double> costs(query.size(), 0.0);
  std::vector<double> densities(query.size(), 0.0);
  for (std::size_t c = 0; c < d; ++c) {
    const Gaussian column({{family.prior().m0[c]}, family.prior().xi0, family.prior().eta0, {family.prior().b0[c]}});
    const auto only = [&](const Rows& of) {
      std::vector<double> values;
      for (std::size_t row = 0; row < of.size(); ++row) values.push_back(of.data().value(row, c));
      return make_rows(values, 1);
    };
    const Stats stats = stats_of(column, only(rows));
    evidence += column.log_evidence(stats);
    for (std::size_t i = 0; i < query.size(); ++i) {
      costs[i] += costs_of(column, column.posterior(stats), only(query))[i];
      densities[i] += log_predictive_of(column, column.posterior(stats), only(query))[i];
    }
  }
  const Stats stats = stats_of(family, rows);
  EXPECT_NEAR(family.log_evidence(stats), evidence, 1e-10);
  for (std::size_t i = 0; i < query.size(); ++i) {
    EXPECT_NEAR(costs_of(family, family.posterior(stats), query)[i], costs[i], 1e-10);
    EXPECT_NEAR(log_predictive_of(family, family.posterior(stats), query)[i], densities[i], 1e-10);
  }
}

// A row far out in very many columns: the product of what its columns say neither overflows nor vanishes.
TEST(DiagonalGaussian, DensitiesOfManyColumnsStayFinite) {
  const std::size_t d = 400;
  const DiagonalGaussian family = random_family<DiagonalGaussian>(d, 9, false);
  const Rows rows = random_rows(3, d, 10);
  const Rows far = make_rows(std::vector<double>(d, 1e6), d);
  const DiagonalPosterior q = family.posterior(stats_of(family, rows));
  EXPECT_TRUE(std::isfinite(log_predictive_of(family, q, far)[0]));
  EXPECT_LT(error_of_held_out(family, rows), 1e-10);
}

TEST(SphericalGaussian, PlugInIsTheNormalDensityAtThePosteriorMeans) {
  const SphericalGaussian family = random_family<SphericalGaussian>(3, 4, false);
  const SphericalPosterior q = family.posterior(stats_of(family, random_rows(9, 3, 5)));
  const double variance = q.b / q.eta;
  double expected = 1.5 * std::log(2.0 * std::numbers::pi * variance);
  const Rows query = random_rows(1, 3, 6);
  for (std::size_t c = 0; c < 3; ++c) expected += std::pow(query.data().value(0, c) - q.m[c], 2) / (2.0 * variance);
  EXPECT_NEAR(costs_of(family, family.plug_in(q), query)[0], expected, 1e-11);
}

// Turning all rows about the prior's mean changes nothing for round clusters.
TEST(SphericalGaussian, KnowsNoDirection) {
  const SphericalGaussian family({{0.0, 0.0}, 0.2, 1.5, {2.0}, {}});
  const Rows rows = random_rows(8, 2, 3);
  std::vector<double> turned;
  for (std::size_t row = 0; row < 8; ++row) {
    const double x = rows.data().value(row, 0);
    const double y = rows.data().value(row, 1);
    turned.insert(turned.end(), {0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y});
  }
  EXPECT_NEAR(family.log_evidence(stats_of(family, rows)), family.log_evidence(stats_of(family, make_rows(turned, 2))),
              1e-11);
}

NormalGamma good(std::size_t n_scales) { return {{0.0, 1.0}, 0.1, 0.5, std::vector<double>(n_scales, 2.0), {}}; }

template <class F>
void expect_refused(const NormalGamma& prior) {
  EXPECT_THROW(F{prior}, OptionError);
}

TYPED_TEST(AxisGaussian, ImproperPriorsAreRefused) {
  const std::size_t n_scales = std::same_as<TypeParam, DiagonalGaussian> ? 2 : 1;
  EXPECT_NO_THROW(TypeParam{good(n_scales)});
  for (const double wrong : {0.0, -1.0, nan, infinity}) {
    NormalGamma prior = good(n_scales);
    prior.xi0 = wrong;
    expect_refused<TypeParam>(prior);
    prior = good(n_scales);
    prior.eta0 = wrong;
    expect_refused<TypeParam>(prior);
    prior = good(n_scales);
    prior.b0.back() = wrong;
    expect_refused<TypeParam>(prior);
  }
  expect_refused<TypeParam>(good(3 - n_scales));
  NormalGamma prior = good(n_scales);
  prior.rounding = {0.1};
  expect_refused<TypeParam>(prior);
  for (const double wrong : {-0.1, nan, infinity}) {
    prior.rounding = {0.1, wrong};
    expect_refused<TypeParam>(prior);
  }
}

TYPED_TEST(AxisGaussian, AMissingArrayIsNamed) {
  for (const char* name : {"m0", "xi0", "eta0", "b0"}) {
    NamedArrays arrays = random_family<TypeParam>(2, 1, false).to_arrays();
    arrays.erase(name);
    try {
      (void)TypeParam::from_arrays(arrays);
      ADD_FAILURE() << name;
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(name));
    }
  }
}

}  // namespace
}  // namespace coppice::internal
