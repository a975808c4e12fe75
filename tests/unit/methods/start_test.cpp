// SPDX-License-Identifier: BSD-3-Clause
#include "methods/start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using Labels = std::vector<std::int32_t>;

// The origin must not matter: centres are in the coordinates of the data.
Rows four_rows() {
  return {Dataset::from_rows(std::vector<double>{0, 0, 10, 0, 0, 10, 9, 1}, 4, 2), std::vector<double>{5.0, 5.0}};
}

TEST(StartLabels, TakesLabelsAsTheyAre) {
  EXPECT_EQ(start_labels(LocalExecution(1).get(), {4, 1, {3, -1, 3, 2000000000}}, four_rows()),
            (Labels{3, -1, 3, 2000000000}));
}

TEST(StartLabels, GivesRowsToTheirNearestCentre) {
  EXPECT_EQ(start_labels(LocalExecution(1).get(), {3, 2, {10, 1, 1, 1, -1, 8}}, four_rows()), (Labels{1, 0, 2, 0}));
  EXPECT_EQ(start_labels(LocalExecution(1).get(), {1, 2, {10, 1}}, four_rows()), (Labels{0, 0, 0, 0}));
  EXPECT_EQ(start_labels(LocalExecution(1).get(), {2, 2, {5, 5, 5, 5}}, four_rows()), (Labels{0, 0, 0, 0}))
      << "the first of equals";
}

TEST(StartLabels, RefusesLabelsThatAreNotWhole) {
  for (const double bad : {0.5, std::nan(""), 1e10, -std::numeric_limits<double>::infinity()}) {
    const std::string message = message_of<OptionError>([&] {
      (void)start_labels(LocalExecution(1).get(), {4, 1, {0, 0, bad, 0}}, four_rows());
    });
    EXPECT_TRUE(message.starts_with("init: the label of row 3 (counted from 1) is ")) << message;
  }
}

TEST(StartLabels, RefusesOtherShapes) {
  EXPECT_EQ(message_of<OptionError>([] {
              (void)start_labels(LocalExecution(1).get(), {3, 1, {0, 0, 1}}, four_rows());
            }),
            "init is a table of 3 x 1; expected a label for every row (4 rows), or centres with 2 columns");
  EXPECT_THROW((void)start_labels(LocalExecution(1).get(), {2, 3, {0, 0, 0, 1, 1, 1}}, four_rows()), OptionError);
  EXPECT_THROW((void)start_labels(LocalExecution(1).get(), {0, 2, {}}, four_rows()), OptionError);
  EXPECT_THROW((void)start_labels(LocalExecution(1).get(), {1, 4, {0, 0, 0, 0}}, four_rows()), OptionError);
}

Table as_table(const Labels& labels) { return {labels.size(), 1, {labels.begin(), labels.end()}}; }

// One sweep from the true labels stays near them; from one cluster it cannot get there.
TEST(Init, AFitStartsFromTheLabels) {
  const Generated made = generate(GaussianMixture{.n_rows = 400, .n_columns = 2, .k = 4, .tau = 6.0, .seed = 3});
  std::size_t first_k = 0;
  const RunOptions run{.observer = [&](const State& state) {
    if (first_k == 0) first_k = state.k();
    return Next::carry_on;
  }};
  const Fit found = fit(made.data, BayesianKMeans{.k = 4, .init = as_table(made.labels)}, run);
  EXPECT_EQ(first_k, 4U);
  EXPECT_EQ(found.model.k(), 4U);
  EXPECT_TRUE(found.converged);
  const double of_truth = score(made.data, made.labels, BayesianKMeans{});
  EXPECT_LE(found.model.objective(), of_truth + 1e-9 * std::abs(of_truth));
}

TEST(Init, CentresAndTheirLabelsGiveTheSameFit) {
  const Dataset data = scattered_rows(500, 2, 4, 11);
  const Table centres{3, 2, {-3, 0, 3, 0, 0, 3}};
  const Labels labels = start_labels(LocalExecution(1).get(), centres, Rows(data, {0.0, 0.0}));
  const Fit from_centres = fit(data, BayesianKMeans{.init = centres});
  const Fit from_labels = fit(data, BayesianKMeans{.init = as_table(labels)});
  EXPECT_EQ(from_centres.labels, from_labels.labels);
  EXPECT_TRUE(from_centres.model == from_labels.model);
}

TEST(Init, AFitRefusesAWrongShape) {
  const Dataset data = scattered_rows(20, 2, 2, 12);
  EXPECT_THROW((void)fit(data, BayesianKMeans{.init = Table{19, 1, std::vector<double>(19, 0.0)}}), OptionError);
  EXPECT_THROW((void)fit(data, BayesianKMeans{.init = Table{3, 3, std::vector<double>(9, 0.0)}}), OptionError);
}

// A start with more clusters than allowed must not let them through.
TEST(Init, TheLimitHoldsForTheStartToo) {
  const Generated made = generate(GaussianMixture{.n_rows = 400, .n_columns = 2, .k = 6, .tau = 6.0, .seed = 4});
  EXPECT_LE(fit(made.data, BayesianKMeans{.max_k = 3, .init = as_table(made.labels)}).model.k(), 3U);
  EXPECT_EQ(fit(made.data, BayesianKMeans{.k = 2, .init = as_table(made.labels)}).model.k(), 2U);
  EXPECT_LE(fit(made.data, BayesianKMeans{.max_k = 3, .search = "paper", .init = as_table(made.labels)}).model.k(), 3U);
}

}  // namespace
}  // namespace coppice::internal
