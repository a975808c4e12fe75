// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/gaussian_priors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/runtime/error.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;

const GaussianShape shape{{1.0, 2.0}, {4.0, 9.0}, {}};
const std::vector<double> values = {0.5, 3.0, 0.2};  // gamma, nu, xi0

NamedArrays arrays_of(const char* family, const GaussianShape& of_shape, const std::vector<double>& at) {
  return make_gaussian_prior(family, of_shape)->at(at)->prior_arrays();
}

TEST(GaussianPriors, GaussianHasItsScaleFromTheVariancesAlone) {
  const NamedArrays arrays = arrays_of("gaussian", shape, values);
  EXPECT_THAT(arrays.at("m0").values, ElementsAre(1.0, 2.0));
  EXPECT_THAT(arrays.at("eta0").values, ElementsAre(4.0));  // D - 1 + nu
  EXPECT_THAT(arrays.at("xi0").values, ElementsAre(0.2));
  EXPECT_THAT(arrays.at("b0").values, ElementsAre(8.0, 0.0, 0.0, 18.0));
}

TEST(GaussianPriors, GaussianMayBeTheSameAlongAllAxes) {
  GaussianShape round = shape;
  round.is_round = true;
  EXPECT_THAT(arrays_of("gaussian", round, values).at("b0").values, ElementsAre(13.0, 0.0, 0.0, 13.0));
  EXPECT_EQ(arrays_of("diagonal", round, values), arrays_of("diagonal", shape, values));
  EXPECT_EQ(arrays_of("spherical", round, values), arrays_of("spherical", shape, values));
}

TEST(GaussianPriors, ColumnsVaryAlikeUnlessSomeVaryMuchMore) {
  EXPECT_TRUE(vary_alike(std::vector<double>{3.0}));
  EXPECT_TRUE(vary_alike(std::vector<double>{1.0, 4.0, 1.0})) << "four times the median";
  EXPECT_FALSE(vary_alike(std::vector<double>{1.0, 4.1, 1.0}));
  EXPECT_TRUE(vary_alike(std::vector<double>{1.0, 1e-9, 1.2})) << "some may vary much less";
  EXPECT_FALSE(vary_alike(std::vector<double>{1.0, 1e6})) << "or the larger half would be all";
}

TEST(GaussianPriors, DiagonalIsThatColumnByColumn) {
  const NamedArrays arrays = arrays_of("diagonal", shape, values);
  EXPECT_THAT(arrays.at("eta0").values, ElementsAre(3.0));
  EXPECT_THAT(arrays.at("b0").values, ElementsAre(6.0, 13.5));
}

TEST(GaussianPriors, SphericalHasTheMeanVariance) {
  const NamedArrays arrays = arrays_of("spherical", shape, values);
  EXPECT_THAT(arrays.at("eta0").values, ElementsAre(3.0));
  EXPECT_THAT(arrays.at("b0").values, ElementsAre(9.75));
}

TEST(GaussianPriors, WhatIsGivenByHandIsKept) {
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    GaussianShape given = shape;
    given.xi0 = 0.7;
    given.eta0 = 5.5;
    const auto prior = make_gaussian_prior(family, given);
    for (const std::vector<double>& start : prior->starts()) {
      const NamedArrays arrays = prior->at(start)->prior_arrays();
      EXPECT_THAT(arrays.at("xi0").values, ElementsAre(0.7));
      EXPECT_THAT(arrays.at("eta0").values, ElementsAre(5.5));
    }
    EXPECT_EQ(prior->numbers()[1].low, prior->numbers()[1].high);
    EXPECT_EQ(prior->numbers()[2].low, prior->numbers()[2].high);
  }
  GaussianShape given = shape;
  given.b0 = {2.0, 0.5, 0.5, 1.0};
  const auto prior = make_gaussian_prior("gaussian", given);
  EXPECT_EQ(prior->starts().size(), 1U) << "there is no scale to try";
  EXPECT_EQ(prior->numbers()[0].low, prior->numbers()[0].high);
  EXPECT_EQ(prior->at(prior->starts().front())->prior_arrays().at("b0").values, given.b0);
}

TEST(GaussianPriors, AnImproperEta0IsRefused) {
  GaussianShape given = shape;
  given.eta0 = 1.0;  // must exceed D - 1
  const auto prior = make_gaussian_prior("gaussian", given);
  EXPECT_THROW((void)prior->at(prior->starts().front()), OptionError);
}

TEST(GaussianPriors, RoundingIsPassedOnUnlessThereIsNone) {
  GaussianShape rounded = shape;
  rounded.rounding = {0.25, 0.0};
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    EXPECT_THAT(arrays_of(family, rounded, values).at("rounding").values, ElementsAre(0.25, 0.0));
    GaussianShape plain = shape;
    plain.rounding = {0.0, 0.0};
    EXPECT_FALSE(arrays_of(family, plain, values).contains("rounding"));
  }
}

TEST(GaussianPriors, StartsLieInTheirBounds) {
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    const auto prior = make_gaussian_prior(family, shape);
    EXPECT_EQ(prior->family(), family);
    for (const std::vector<double>& start : prior->starts()) {
      ASSERT_EQ(start.size(), prior->numbers().size());
      for (std::size_t i = 0; i < start.size(); ++i) {
        EXPECT_GE(start[i], prior->numbers()[i].low);
        EXPECT_LE(start[i], prior->numbers()[i].high);
      }
    }
  }
}

TEST(GaussianPriors, OnlyClustersOfAnyShapeNeedARowPerColumn) {
  EXPECT_EQ(make_gaussian_prior("gaussian", shape)->most_clusters(21.0), 10U);
  EXPECT_EQ(make_gaussian_prior("gaussian", shape)->most_clusters(1.0), 1U);
  EXPECT_GT(make_gaussian_prior("diagonal", shape)->most_clusters(21.0), 21U);
  EXPECT_GT(make_gaussian_prior("spherical", shape)->most_clusters(21.0), 21U);
}

// With fewer rows than columns a cluster may do without a mean and a scale of its own.
TEST(GaussianPriors, NumbersHaveWiderLimitsWhereRowsAreFewerThanColumns) {
  const auto high = [](const char* family, std::size_t n_different, std::size_t number) {
    GaussianShape of_rows = shape;
    of_rows.n_different = n_different;
    return make_gaussian_prior(family, of_rows)->numbers()[number].high;
  };
  for (const char* family : {"diagonal", "spherical", "student-diagonal", "student-spherical"}) {
    for (const std::size_t enough : {0U, 2U, 100U}) {
      EXPECT_EQ(high(family, enough, 1), 200.0) << family;
      EXPECT_EQ(high(family, enough, 2), 1.0) << family;
    }
    EXPECT_GT(high(family, 1, 1), 1e5) << family;
    EXPECT_GT(high(family, 1, 2), 1e5) << family;
  }
  EXPECT_EQ(high("gaussian", 1, 2), 1.0);
}

// Rows about their mean, and priors that expect them to be closer and closer together.
double gain_of_smaller_scale(std::size_t n_rows, std::size_t n_columns) {
  LocalExecution local(1);
  const Dataset data = scattered_rows(n_rows, n_columns, 1, 3);
  Rows rows(data, std::vector<double>(n_columns, 0.0));
  const GaussianShape of_rows = gaussian_shape(local.get(), rows);
  const auto prior = make_gaussian_prior("gaussian", of_rows);
  const std::vector<std::int32_t> one(n_rows, 0);
  const auto evidence = [&](double gamma) {
    const std::unique_ptr<Components> family = prior->at(std::vector<double>{gamma, 1.0, 1.0});
    return family->log_evidence(labelling_statistics(local.get(), rows, *family, one)[0]);
  };
  return evidence(1e-6) - evidence(1e-5);
}

TEST(GaussianPriors, TheMeanIsWhatFewRowsSayOfManyColumns) {
  const double per_step = std::log(10.0) / 2.0;
  for (const auto& [n, d] : {std::pair(5U, 12U), std::pair(4U, 11U), std::pair(4U, 14U), std::pair(3U, 30U)}) {
    EXPECT_NEAR(gain_of_smaller_scale(n, d), -per_step * (n * (n - 1.0) - d), 0.01) << n << " x " << d;
  }
  GaussianShape of_rows{std::vector<double>(10, 0.0), std::vector<double>(10, 1.0), {}};
  EXPECT_FALSE(is_mean_much_of_evidence(of_rows)) << "rows are not counted";
  of_rows.n_different = 7;
  EXPECT_FALSE(is_mean_much_of_evidence(of_rows)) << "42 against 10: less than a quarter";
  of_rows.n_different = 6;
  EXPECT_TRUE(is_mean_much_of_evidence(of_rows)) << "30 against 10";
}

TEST(GaussianPriors, OtherNamesAreRefused) { EXPECT_THROW((void)make_gaussian_prior("round", shape), OptionError); }

// A column in other units: densities are per unit, so that N log 1000 comes on top, and nothing else changes.
TEST(GaussianPriors, UnitsOfAColumnDoNotMatter) {
  LocalExecution local(1);
  const std::size_t n = 200;
  const Dataset data = scattered_rows(n, 3, 4, 1).with_weights(some_weights(n, 1));
  std::vector<double> scaled(data.doubles().begin(), data.doubles().end());
  for (std::size_t i = 1; i < scaled.size(); i += 3) scaled[i] *= 1000.0;
  const Rows rows(data, {0.0, 0.0, 0.0});
  const Rows other(Dataset::from_rows(scaled, n, 3).with_weights(data.weights()), {0.0, 0.0, 0.0});
  double total = 0.0;
  for (std::size_t row = 0; row < n; ++row) total += rows.weight(row);
  const std::unique_ptr<PartitionPrior> partition = make_dirichlet(2.0);
  const std::vector<std::int32_t> labels = random_labels(n, 4, 2);
  for (const char* family : {"gaussian", "diagonal"}) {
    const auto objective_of = [&](const Rows& of) {
      const auto prior = make_gaussian_prior(family, gaussian_shape(local.get(), of));
      return labelling_objective(local.get(), of, *prior->at(values), *partition, labels);
    };
    EXPECT_NEAR(objective_of(other), objective_of(rows) + total * std::log(1000.0), 1e-7) << family;
  }
}

TEST(GaussianShape, IsMeanAndVarianceOfTheWeightedRows) {
  LocalExecution local(1);
  const Dataset data = Dataset::from_rows(std::vector<double>{1.0, 5.0, 3.0, 5.0, 99.0, 5.0}, 3, 2);
  const GaussianShape found =
      gaussian_shape(local.get(), Rows(data.with_weights({1.0, 3.0, 0.0}), std::vector<double>{1.0, 0.0}));
  EXPECT_THAT(found.mean, ElementsAre(1.5, 5.0));  // less the origin
  EXPECT_NEAR(found.variance[0], 0.75, 1e-14);
  EXPECT_EQ(found.variance[1], 1.0) << "constant: nothing to go by";
}

TEST(GaussianShape, SquaresThatOverflowAreNamed) {
  LocalExecution local(1);
  const Dataset data = Dataset::from_rows(std::vector<double>{1.0, 1e200, 2.0, -1e200}, 2, 2).with_names({"a", "b"});
  try {
    (void)gaussian_shape(local.get(), Rows(data, {0.0, 0.0}));
    ADD_FAILURE();
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("column 'b'"));
  }
}

}  // namespace
}  // namespace coppice::internal
