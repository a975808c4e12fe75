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
