// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/partition/background.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/model/model_examples.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;

Model beside(const Model& model, double weight) {
  return Model({.method = "bkm",
                .columns = model.columns(),
                .origin = {model.origin().begin(), model.origin().end()},
                .components = model.components().clone(),
                .partition = beside_background(model.partition().clone(), {4.0, weight}),
                .stats = model.stats(),
                .total_weight = model.total_weight() + weight,
                .objective = model.objective()});
}

// The log density of a cluster of its own statistics with the row, less that without it.
double log_predictive(const Model& model, ConstStatsRef stats, const Dataset& data, std::size_t row) {
  std::vector<double> with(stats.begin(), stats.end());
  std::vector<double> alone(stats.size(), 0.0);
  alone[0] = 1.0;
  for (std::size_t c = 0; c < model.n_columns(); ++c) alone[1 + c] = data.value(row, c) - model.origin()[c];
  model.components().merge(with, alone);
  return model.components().log_evidence(with) - model.components().log_evidence(stats);
}

// By Bayes' rule from evidences and the prior's shares, written out for both priors.
std::vector<double> by_hand(const Model& model, const Dataset& data, std::size_t row, double outside) {
  const bool is_process = model.partition().name() == "dp";
  const double parameter = model.partition().parameters().front().value;
  const auto k = static_cast<double>(model.k() + (outside > 0.0 ? 1 : 0));
  const double whole = model.total_weight() + (is_process ? parameter : k * parameter);
  std::vector<double> joint;
  for (std::size_t c = 0; c < model.k(); ++c) {
    const double share = (model.stats().weight(c) + (is_process ? 0.0 : parameter)) / whole;
    joint.push_back(share * std::exp(log_predictive(model, model.stats()[c], data, row)));
  }
  const std::vector<double> nobody(model.stats().stats_size(), 0.0);
  joint.push_back(is_process ? parameter / whole * std::exp(log_predictive(model, nobody, data, row)) : 0.0);
  if (model.partition().background() != nullptr) {
    joint.push_back(outside > 0.0 ? (outside + (is_process ? 0.0 : parameter)) / whole * std::exp(-4.0) : 0.0);
  }
  double sum = 0.0;
  for (const double value : joint) sum += value;
  for (double& value : joint) value /= sum;
  return joint;
}

TEST(AllProbabilities, FollowBayesRule) {
  for (std::size_t which = 0; which < 2; ++which) {
    const Model plain = example_model(2, which);
    const Dataset rows = scattered_rows(200, 2, 5, 50, 2.0);
    for (const double outside : {-1.0, 0.0, 7.0}) {
      const Model model = outside < 0.0 ? plain : beside(plain, outside);
      const std::vector<double> found = model.all_probabilities(rows);
      const std::size_t width = model.probability_names().size();
      ASSERT_EQ(found.size(), 200 * width);
      for (std::size_t row = 0; row < 200; ++row) {
        const std::vector<double> expected = by_hand(model, rows, row, outside);
        ASSERT_EQ(expected.size(), width);
        double sum = 0.0;
        for (std::size_t c = 0; c < width; ++c) {
          ASSERT_NEAR(found[row * width + c], expected[c], 1e-9) << row << ", " << c;
          sum += found[row * width + c];
        }
        ASSERT_NEAR(sum, 1.0, 1e-14);
      }
    }
  }
}

TEST(AllProbabilities, HoldThoseOfTheLabels) {
  for (const double outside : {0.0, 7.0}) {
    const Model model = beside(example_model(2, 1), outside);
    const Dataset rows = scattered_rows(300, 2, 5, 51, 6.0);
    const Predictions predictions = model.predict_with_probabilities(rows);
    const std::vector<double> all = model.all_probabilities(rows);
    for (std::size_t row = 0; row < 300; ++row) {
      const std::int32_t label = predictions.labels[row];
      const std::size_t column = label == background_label ? 4 : static_cast<std::size_t>(label);
      ASSERT_EQ(all[row * 5 + column], predictions.probabilities[row]);
    }
  }
}

TEST(AllProbabilities, HaveNames) {
  EXPECT_THAT(example_model(1, 0).probability_names(), ElementsAre("p0", "p1", "p2", "p_new"));
  EXPECT_THAT(beside(example_model(1, 1), 0.0).probability_names(),
              ElementsAre("p0", "p1", "p2", "p_new", "p_outlier"));
}

// Pieces follow one another, and are what all at once is; 4 numbers for 1,200,000 rows take two pieces.
TEST(AllProbabilities, ComeInPieces) {
  const Model model = example_model(1, 1);
  const Dataset rows = scattered_rows(1200000, 1, 5, 52, 3.0);
  std::vector<double> joined;
  std::size_t n_pieces = 0;
  model.all_probabilities(
      rows,
      [&](std::size_t first, std::span<const double> piece) {
        ASSERT_EQ(first * 4, joined.size());
        joined.insert(joined.end(), piece.begin(), piece.end());
        ++n_pieces;
      },
      3);
  EXPECT_EQ(n_pieces, 2U);
  EXPECT_EQ(joined, model.all_probabilities(rows, 1));
}

TEST(AllProbabilities, NameTheRowThatHasNone) {
  const Model model = example_model(1, 0);
  const Dataset rows = Dataset::from_rows(std::vector<double>{0.0, 1.0, 1e200}, 3, 1);
  EXPECT_THROW((void)model.all_probabilities(rows), DataError);
}

}  // namespace
}  // namespace coppice::internal
