// SPDX-License-Identifier: BSD-3-Clause
// Bayesian k-means with --outliers.
#include "coppice/partition/background.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "at_length.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/two_clusters.hpp"

namespace coppice::internal {
namespace {

// Three round clusters far apart, then uniform rows over a box that is much wider.
Dataset with_uniform_rows(std::size_t n_near, std::size_t n_far, std::uint64_t seed = 1) {
  RandomStream random{seed, Purpose::test, 8};
  std::vector<double> values;
  for (std::size_t i = 0; i < n_near; ++i) {
    const auto cluster = static_cast<double>(i % 3);
    values.push_back(12.0 * cluster + random.normal());
    values.push_back(12.0 * (cluster == 1.0 ? 1.0 : 0.0) + random.normal());
  }
  for (std::size_t i = 0; i < n_far; ++i) {
    values.push_back(random.uniform(-60.0, 90.0));
    values.push_back(random.uniform(-60.0, 90.0));
  }
  return Dataset::from_rows(std::move(values), n_near + n_far, 2);
}

std::size_t n_outliers(const Fit& fit, std::size_t first, std::size_t last) {
  return static_cast<std::size_t>(std::count(fit.labels.begin() + static_cast<std::ptrdiff_t>(first),
                                             fit.labels.begin() + static_cast<std::ptrdiff_t>(last), background_label));
}

void expect_whole(const Fit& found, const Dataset& data) {
  const Background* background = found.model.partition().background();
  ASSERT_NE(background, nullptr);
  std::vector<double> sizes(found.model.k(), 0.0);
  double outside = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    ASSERT_GE(found.labels[row], background_label);
    ASSERT_LT(found.labels[row], static_cast<std::int32_t>(found.model.k()));
    (found.labels[row] < 0 ? outside : sizes[static_cast<std::size_t>(found.labels[row])]) += data.weight(row);
    EXPECT_GT(found.probabilities[row], 0.0);
    EXPECT_LE(found.probabilities[row], 1.0);
  }
  EXPECT_TRUE(std::ranges::is_sorted(sizes, std::ranges::greater{}));
  EXPECT_NEAR(background->weight, outside, 1e-9);
  const double objective = found.model.objective();
  EXPECT_NEAR(found.model.score(data, found.labels), objective, 1e-9 * std::abs(objective));
}

TEST(Outliers, ClustersAreFoundBesideThem) {
  const Dataset data = with_uniform_rows(600, 60);
  for (const char* partition : {"dirichlet", "dp"}) {
    const BayesianKMeans method{.partition = partition, .outliers = true};
    const Fit found = fit(data, method);
    expect_whole(found, data);
    EXPECT_EQ(found.model.k(), 3U) << partition;
    EXPECT_LE(n_outliers(found, 0, 600), 6U) << partition;
    EXPECT_GE(n_outliers(found, 600, 660), 55U) << partition;
    EXPECT_TRUE(found.converged);
    EXPECT_LE(found.model.objective(), fit(data, BayesianKMeans{.partition = partition}).model.objective());
    EXPECT_EQ(found.model.predict(data), found.labels);
  }
}

TEST(Outliers, CleanTablesStayAsTheyAre) {
  const Dataset data = with_uniform_rows(600, 0);
  const Fit plain = fit(data, BayesianKMeans{});
  const Fit found = fit(data, BayesianKMeans{.outliers = true});
  expect_whole(found, data);
  EXPECT_EQ(found.model.k(), plain.model.k());
  EXPECT_LE(n_outliers(found, 0, 600), 3U);
}

// Copies of few rows are points of no width, beside which all else seems unlikely; a model has a cluster nevertheless.
// By the objective of hard labels these two are one cluster, and 16,000 rows of two that touch are three.
TEST(Outliers, WithoutAnyKIsThatOfRowsThatAreShared) {
  const Dataset data = two_clusters(3000, 2.6, 1);
  const Fit plain = fit(data, BayesianKMeans{.family = "gaussian"});
  const Fit found = fit(data, BayesianKMeans{.family = "gaussian", .outliers = true});
  EXPECT_EQ(n_outliers(found, 0, 6000), 0U);
  EXPECT_EQ(plain.model.k(), 2U);
  EXPECT_EQ(found.model.k(), 2U);
  EXPECT_TRUE(found.is_k_soft);
  const Fit by_one = fit(data, BayesianKMeans{.k = 1, .family = "gaussian", .outliers = true});
  EXPECT_EQ(by_one.model.k(), 1U) << "asked for";
}

TEST(Outliers, CopiesOfFewRowsHaveAModel) {
  const std::vector<std::vector<double>> points = {{1.0, 2.0}, {4.0, -3.0}, {9.5, 0.25}};
  for (const std::size_t n_points : {1U, 2U, 3U}) {
    for (const bool has_constant : {false, true}) {
      std::vector<double> values;
      for (std::size_t i = 0; i < 10 * n_points; ++i) {
        const std::vector<double>& point = points[i % n_points];
        values.insert(values.end(), {point[0], has_constant ? 7.0 : point[1]});
      }
      const Dataset data = Dataset::from_rows(std::move(values), 10 * n_points, 2);
      for (const char* partition : {"dirichlet", "dp"}) {
        for (const char* prior : {"auto", "grid", "paper"}) {
          SCOPED_TRACE(testing::Message() << n_points << has_constant << partition << prior);
          const Fit found = fit(data, BayesianKMeans{.partition = partition, .prior = prior, .outliers = true});
          expect_whole(found, data);
          EXPECT_GE(found.model.k(), 1U);
          EXPECT_LE(found.model.k(), n_points);
          EXPECT_EQ(n_outliers(found, 0, data.n_rows()), 0U);
          EXPECT_EQ(found.model.predict(data), found.labels);
        }
      }
    }
  }
}

TEST(Outliers, LimitsHold) {
  const Dataset data = with_uniform_rows(600, 60);
  const Fit five = fit(data, BayesianKMeans{.k = 5, .outliers = true});
  expect_whole(five, data);
  EXPECT_EQ(five.model.k(), 5U);
  const Fit two = fit(data, BayesianKMeans{.max_k = 2, .outliers = true});
  expect_whole(two, data);
  EXPECT_LE(two.model.k(), 2U);
  const Fit heavy = fit(data, BayesianKMeans{.min_size = 250.0, .outliers = true});
  expect_whole(heavy, data);
  for (std::size_t c = 0; c < heavy.model.k(); ++c) EXPECT_GE(heavy.model.stats().weight(c), 250.0);
}

TEST(Outliers, WeightsAreAsCopies) {
  const Dataset data = with_uniform_rows(300, 30);
  std::vector<double> twice(data.doubles().begin(), data.doubles().end());
  twice.insert(twice.end(), data.doubles().begin(), data.doubles().end());
  const Fit copies = fit(Dataset::from_rows(std::move(twice), 660, 2), BayesianKMeans{.outliers = true});
  const Dataset weighted = data.with_weights(std::vector<double>(330, 2.0));
  const Fit heavy = fit(weighted, BayesianKMeans{.outliers = true});
  expect_whole(heavy, weighted);
  EXPECT_EQ(heavy.labels, std::vector<std::int32_t>(copies.labels.begin(), copies.labels.begin() + 330));
}

TEST(Outliers, NeitherThreadsNorTheOrderOfRowsMatter) {
  const Dataset data = with_uniform_rows(600, 60);
  const BayesianKMeans method{.outliers = true};
  const Fit one = fit(data, method, {.threads = 1});
  EXPECT_EQ(fit(data, method, {.threads = 3}).labels, one.labels);
  std::vector<double> backwards;
  for (std::size_t row = data.n_rows(); row-- > 0;) {
    backwards.push_back(data.value(row, 0));
    backwards.push_back(data.value(row, 1));
  }
  std::vector<std::int32_t> labels = fit(Dataset::from_rows(std::move(backwards), 660, 2), method).labels;
  std::ranges::reverse(labels);
  EXPECT_EQ(labels, one.labels);
}

TEST(Outliers, LargeTablesAreLabelledThroughASample) {
  const auto n_seeds = n_cases<std::uint64_t>(2, 12);
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset data = with_uniform_rows(15000, 1000, seed);
    const Fit found = fit(data, BayesianKMeans{.outliers = true});
    expect_whole(found, data);
    EXPECT_EQ(found.model.k(), 3U);
    EXPECT_LE(n_outliers(found, 0, 15000), 100U);
    EXPECT_GE(n_outliers(found, 15000, 16000), 950U);
  }
}

TEST(Outliers, AStopLeavesAWholeFit) {
  const Dataset data = with_uniform_rows(600, 60);
  for (const std::size_t most : {1U, 10U, 60U, 150U}) {
    std::size_t n_seen = 0;
    const Fit found = fit(data, BayesianKMeans{.outliers = true},
                          {.observer = [&](const State&) { return ++n_seen < most ? Next::carry_on : Next::stop; }});
    expect_whole(found, data);
    EXPECT_FALSE(found.converged) << most;
  }
}

TEST(Outliers, TheModelKeepsThem) {
  const Dataset data = with_uniform_rows(300, 30);
  const Fit found = fit(data, BayesianKMeans{.outliers = true});
  const Model loaded = parse_model(model_bytes(found.model), "m");
  EXPECT_TRUE(loaded == found.model);
  EXPECT_EQ(loaded.predict(data), found.labels);
  EXPECT_EQ(loaded.score(data, found.labels), found.model.score(data, found.labels));
}

TEST(Outliers, AreForGaussianFamilies) {
  const Dataset bits = Dataset::from_rows(std::vector<double>{0, 1, 1, 0, 1, 1}, 3, 2);
  for (const char* family : {"bernoulli", "multinomial", "uninformative", "auto"}) {
    EXPECT_THROW(static_cast<void>(fit(bits, BayesianKMeans{.family = family, .outliers = true})), OptionError)
        << family;
  }
}

}  // namespace
}  // namespace coppice::internal
