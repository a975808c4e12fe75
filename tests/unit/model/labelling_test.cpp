// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/labelling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using Labels = std::vector<std::int32_t>;

TEST(NumberedFromZero, KeepsTheOrderOfTheValues) {
  std::size_t k = 0;
  EXPECT_EQ(numbered_from_zero(Labels{7, -3, 7, 100, -3}, k), (Labels{1, 0, 1, 2, 0}));
  EXPECT_EQ(k, 3U);
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(numbered_from_zero(Labels{most, least, 0}, k), (Labels{2, 0, 1}));
  EXPECT_EQ(numbered_from_zero(Labels{0, 1, 1}, k), (Labels{0, 1, 1}));
  EXPECT_EQ(k, 2U);
  EXPECT_TRUE(numbered_from_zero(Labels{}, k).empty());
  EXPECT_EQ(k, 0U);
}

// By a table where values lie close together, and by search where they do not.
TEST(NumberedFromZero, NumbersCloseAndFarValuesAlike) {
  for (const std::int32_t step : {1, 3, 1000, 100'000}) {
    Labels labels = random_labels(500, 40, 3);
    const std::set<std::int32_t> different(labels.begin(), labels.end());
    Labels expected;
    for (std::int32_t& label : labels) {
      expected.push_back(static_cast<std::int32_t>(std::distance(different.begin(), different.find(label))));
      label = (label - 20) * step;
    }
    std::size_t k = 0;
    EXPECT_EQ(numbered_from_zero(labels, k), expected) << step;
    EXPECT_EQ(k, different.size()) << step;
  }
}

// Statistics of one column: weight, mean, scatter.
StatsArena clusters(const std::vector<std::pair<double, double>>& weight_and_mean) {
  StatsArena stats(0, 3);
  for (const auto& [weight, mean] : weight_and_mean) stats.append(std::vector<double>{weight, mean, 1.0});
  return stats;
}

TEST(OrderBySize, PutsTheLargestFirst) {
  EXPECT_EQ(order_by_size(plain_gaussian(1), clusters({{2, 0}, {5, 0}, {3.5, 0}})), (Labels{2, 0, 1}));
  EXPECT_TRUE(order_by_size(plain_gaussian(1), StatsArena(0, 3)).empty());
}

TEST(OrderBySize, EqualSizesGoByTheirMeans) {
  EXPECT_EQ(order_by_size(plain_gaussian(1), clusters({{2, 4}, {2, -1}, {9, 8}, {2, 3}})), (Labels{3, 1, 0, 2}));
}

TEST(OrderBySize, TheFirstColumnThatDiffersDecides) {
  StatsArena stats(0, 6);
  stats.append(std::vector<double>{2, 1, 9, 0, 0, 0});
  stats.append(std::vector<double>{2, 1, -9, 0, 0, 0});
  stats.append(std::vector<double>{2, 0, 50, 0, 0, 0});
  EXPECT_EQ(order_by_size(plain_gaussian(2), stats), (Labels{2, 1, 0}));
}

TEST(OrderBySize, EqualClustersKeepTheirOrder) {
  EXPECT_EQ(order_by_size(plain_gaussian(1), clusters({{2, 1}, {3, 0}, {2, 1}})), (Labels{1, 0, 2}));
}

// log p(labels) and log p(rows | labels) one row after the other: each row given the rows before it, by evidence ratios
// and the urn scheme of the prior.
TEST(LabellingObjective, IsTheProductOfPredictions) {
  const Dataset data = scattered_rows(40, 2, 3, 1);
  const Labels labels = random_labels(40, 3, 1);
  ClusteringProblem test(data, make_dirichlet_process(1.5));
  const FamilyAdapter<Gaussian>& components = test.components();
  StatsArena seen(3, components.stats_size());
  double log_p = 0.0;
  for (std::size_t row = 0; row < 40; ++row) {
    const auto c = static_cast<std::size_t>(labels[row]);
    const double before = seen.weight(c);
    log_p +=
        std::log((before > 0.0 ? before : 1.5) / (static_cast<double>(row) + 1.5)) - components.log_evidence(seen[c]);
    const std::vector<double> alone = {1.0, data.value(row, 0), data.value(row, 1), 0.0, 0.0, 0.0};
    components.merge(seen[c], alone);
    log_p += components.log_evidence(seen[c]);
  }
  EXPECT_NEAR(test.objective(labels), -log_p, 1e-9 * std::abs(log_p));
}

TEST(LabellingObjective, NamesOfLabelsDoNotMatter) {
  ClusteringProblem test(scattered_rows(40, 2, 3, 2), make_dirichlet(2.0));
  const Labels labels = random_labels(40, 3, 2);
  Labels renamed = labels;
  for (std::int32_t& label : renamed) label = 1000 - 700 * label;
  const double objective = test.objective(labels);
  EXPECT_NEAR(test.objective(renamed), objective, 1e-12 * std::abs(objective));
}

TEST(LabellingObjective, RowsOfWeightZeroAreNoCluster) {
  const Dataset data = scattered_rows(40, 2, 3, 3);
  Labels labels = random_labels(40, 3, 3);
  std::vector<double> weights(40, 1.0);
  weights[11] = 0.0;
  ClusteringProblem test(data.with_weights(weights), make_dirichlet(2.0));
  const double objective = test.objective(labels);
  labels[11] = 99;
  EXPECT_NEAR(test.objective(labels), objective, 1e-12 * std::abs(objective));
}

}  // namespace
}  // namespace coppice::internal
