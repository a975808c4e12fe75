// SPDX-License-Identifier: BSD-3-Clause
// Bayesian k-means of clusters with heavy tails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/student_rows.hpp"

namespace coppice::internal {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

TEST(BkmHeavyTails, StudentClustersAreFoundAndTheModelIsWhole) {
  const Generated made = student_rows(900, 3, 3, 3.0, 7);
  const Fit found = fit(made.data, BayesianKMeans{});
  EXPECT_EQ(found.model.k(), 3U);
  EXPECT_TRUE(found.model.components().weighs_members()) << found.model.components().family();
  EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.97);
  EXPECT_THAT(found.families, Contains(Field(&FamilyResult::family, "student")));
  EXPECT_THAT(found.families, Contains(Field(&FamilyResult::family, "gaussian")));
  const double objective = found.model.objective();
  EXPECT_NEAR(found.model.score(made.data, found.labels), objective, 1e-9 * std::abs(objective));
  EXPECT_NEAR(score(made.data, found.labels, BayesianKMeans{}), objective, 0.5 + 1e-4 * std::abs(objective));
  EXPECT_GT(evaluate::adjusted_rand_index(found.model.predict(made.data), found.labels), 0.995);
  EXPECT_EQ(found.assign.used, "naive");
  for (const double probability : found.probabilities) {
    EXPECT_GT(probability, 0.0);
    EXPECT_LE(probability, 1.0);
  }
  const TemporaryFile file("", ".coppice");
  save_model(found.model, file.path());
  const Model back = load_model(file.path());
  EXPECT_TRUE(back == found.model);
  EXPECT_EQ(back.log_density(made.data), found.model.log_density(made.data));
}

TEST(BkmHeavyTails, GaussianClustersStayGaussian) {
  const Generated made = generate(GaussianMixture{.n_rows = 1000, .n_columns = 2, .k = 4, .tau = 4.0, .seed = 3});
  EXPECT_FALSE(fit(made.data, BayesianKMeans{}).model.components().weighs_members());
}

TEST(BkmHeavyTails, StudentCanBeAskedFor) {
  const Generated made = generate(GaussianMixture{.n_rows = 600, .n_columns = 2, .k = 3, .tau = 6.0, .seed = 3});
  const Fit found = fit(made.data, BayesianKMeans{.family = "student"});
  EXPECT_EQ(found.model.components().family(), "student");
  EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0);
  EXPECT_EQ(fit(made.data, BayesianKMeans{.k = 5, .family = "student"}).model.k(), 5U);
}

TEST(BkmHeavyTails, ManyRowsAreClusteredByASample) {
  const Generated made = student_rows(24000, 2, 3, 3.0, 8);
  const Fit found = fit(made.data, BayesianKMeans{});
  EXPECT_EQ(found.model.k(), 3U);
  EXPECT_TRUE(found.model.components().weighs_members()) << found.model.components().family();
  EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.97);
}

TEST(BkmHeavyTails, TheResultDoesNotDependOnThreads) {
  const Generated made = student_rows(3000, 2, 3, 4.0, 9);
  const Fit one = fit(made.data, BayesianKMeans{}, {.threads = 1});
  const Fit three = fit(made.data, BayesianKMeans{}, {.threads = 3});
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.model.objective(), three.model.objective());
}

TEST(BkmHeavyTails, WhatDoesNotGoTogetherIsRefused) {
  const Dataset data = scattered_rows(50, 2, 2, 1);
  const auto message_of = [&](const BayesianKMeans& method) {
    try {
      (void)fit(data, method);
    } catch (const OptionError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message_of({.family = "student", .prior = "paper"}), HasSubstr("prior paper"));
  EXPECT_THAT(message_of({.family = "student", .search = "paper"}), HasSubstr("search paper"));
  EXPECT_THAT(message_of({.family = "student", .assign = "kdtree"}), HasSubstr("assign kdtree"));
  EXPECT_THAT(message_of({.family = "student", .outliers = true}), HasSubstr("outliers is for family gaussian"));
}

}  // namespace
}  // namespace coppice::internal
