// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/empty_clusters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "unit/infer/centroid_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

Dataset numbers(std::vector<double> values) {
  const std::size_t n = values.size();
  return Dataset::from_rows(std::move(values), n, 1);
}

LabelList filled(CentroidProblem& test, const LabelList& labels, std::size_t k) {
  State state = test.state(labels, k);
  fill_empty_clusters(test.execution(), test.problem(), state);
  return state.labels.by_row();
}

// The mean of 0, 1, 2, 10 is 3.25: 10 costs most, then 0, then 1.
TEST(FillEmptyClusters, TheRowsThatFitWorstStartAnew) {
  CentroidProblem test(numbers({0.0, 10.0, 1.0, 2.0}));
  EXPECT_EQ(filled(test, {0, 0, 0, 0}, 2), (LabelList{0, 1, 0, 0}));
  EXPECT_EQ(filled(test, {1, 1, 1, 1}, 2), (LabelList{1, 0, 1, 1})) << "whichever cluster is empty";
  EXPECT_EQ(filled(test, {0, 0, 0, 0}, 4), (LabelList{2, 1, 3, 0}));
}

// Between two clusters, the row that lies farthest from its own mean.
TEST(FillEmptyClusters, CostsAreThoseOfThePresentCluster) {
  CentroidProblem test(numbers({0.0, 1.0, 100.0, 106.0, 100.0}));
  EXPECT_EQ(filled(test, {0, 0, 1, 1, 1}, 3), (LabelList{0, 0, 1, 2, 1}));
}

// Mean 1.5 / 7: the rows of weight 3 cost more altogether, the one of weight 1 costs more per weight.
TEST(FillEmptyClusters, CostsAreTakenPerWeight) {
  CentroidProblem test(numbers({-1.0, 1.0, 1.5}).with_weights({3.0, 3.0, 1.0}));
  EXPECT_EQ(filled(test, {0, 0, 0}, 2), (LabelList{0, 0, 1}));
}

TEST(FillEmptyClusters, RowsWithoutWeightStartNothing) {
  CentroidProblem test(numbers({0.0, 1.0, 1e6, 4.0}).with_weights({1.0, 1.0, 0.0, 1.0}));
  EXPECT_EQ(filled(test, {0, 0, 0, 0}, 2), (LabelList{0, 0, 0, 1}));
}

// Two rows of one weighted member each: the one without weight does not count as what is left of a cluster.
TEST(FillEmptyClusters, ARowWithoutWeightKeepsNoClusterAlive) {
  CentroidProblem test(numbers({0.0, 2.0, 5.0}).with_weights({1.0, 1.0, 0.0}));
  const LabelList labels = filled(test, {0, 0, 0}, 3);
  EXPECT_NE(labels[0], labels[1]);
  EXPECT_TRUE(labels[0] == 0 || labels[1] == 0) << "never all that a cluster has";
}

TEST(FillEmptyClusters, CopiesMoveTogether) {
  CentroidProblem test(numbers({10.0, 0.0, 10.0, 0.1, 0.2, 0.3, 0.4, 10.0, 0.5, 0.6}));
  EXPECT_EQ(filled(test, LabelList(10, 0), 2), (LabelList{1, 0, 1, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(FillEmptyClusters, AClusterNeverLosesAllItHas) {
  CentroidProblem test(numbers({0.0, 2.0, 10.0}));
  State state = test.state({0, 0, 1}, 5);
  fill_empty_clusters(test.execution(), test.problem(), state);
  std::vector<double> weights(5);
  for (std::size_t c = 0; c < 5; ++c) weights[c] = state.stats.weight(c);
  EXPECT_EQ(weights, (std::vector<double>{1.0, 1.0, 1.0, 0.0, 0.0})) << "three rows, three clusters";
}

// Costs -1 and 1 have in common; which row is taken must depend on its content alone.
TEST(FillEmptyClusters, OfEqualCostsTheOrderOfRowsDoesNotDecide) {
  std::vector<double> values{-1.0, 1.0, -0.5, 0.5, 0.25, -0.25};
  CentroidProblem first(numbers(values));
  const LabelList once = filled(first, LabelList(6, 0), 2);
  const double taken = values[static_cast<std::size_t>(std::ranges::find(once, 1) - once.begin())];
  EXPECT_EQ(std::abs(taken), 1.0);
  for (std::size_t shift = 1; shift < 6; ++shift) {
    std::rotate(values.begin(), values.begin() + 1, values.end());
    CentroidProblem other(numbers(values));
    const LabelList labels = filled(other, LabelList(6, 0), 2);
    ASSERT_EQ(std::ranges::count(labels, 1), 1);
    EXPECT_EQ(values[static_cast<std::size_t>(std::ranges::find(labels, 1) - labels.begin())], taken) << shift;
  }
}

TEST(FillEmptyClusters, WhereNothingCostsAnythingClustersStayEmpty) {
  CentroidProblem same(Dataset::from_rows(std::vector<double>(3 * 500, 0.1), 500, 3));
  EXPECT_EQ(filled(same, LabelList(500, 1), 3), LabelList(500, 1));
  CentroidProblem two(numbers({0.1, 0.1, 0.7, 0.7}));
  EXPECT_EQ(filled(two, {0, 0, 2, 2}, 3), (LabelList{0, 0, 2, 2}));
}

// Copies of one row in two clusters, of which it is all that one has but for the row at -1.
TEST(FillEmptyClusters, CopiesInSeveralClustersEmptyNoneOfThem) {
  CentroidProblem test(numbers({1.0, 3.0, 1.0, 3.0, 1.0, -1.0}));
  State state = test.state(LabelList{1, 1, 1, 1, 0, 0}, 5);
  fill_empty_clusters(test.execution(), test.problem(), state);
  for (const std::size_t c : {0U, 1U}) EXPECT_GT(state.stats.weight(c), 0.0) << c;
}

TEST(FillEmptyClusters, WithoutEmptyClustersNothingChanges) {
  CentroidProblem test(scattered_rows(100, 2, 3, 1));
  const LabelList labels = random_labels(100, 4, 1);
  EXPECT_EQ(filled(test, labels, 4), labels);
}

// Random labels for half of the clusters; the other half starts anew.
TEST(FillEmptyClusters, TheObjectiveFalls) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Dataset data = scattered_rows(400, 1 + seed % 6, 5, seed);
    if (seed % 2 == 1) data = data.with_weights(some_weights(400, seed));
    CentroidProblem test(data);
    const std::size_t k = 2 + seed;
    State state = test.state(random_labels(400, k, seed), 2 * k);
    const double before = test.problem().objective(state.stats);
    fill_empty_clusters(test.execution(), test.problem(), state);
    for (std::size_t c = 0; c < 2 * k; ++c) EXPECT_GT(state.stats.weight(c), 0.0);
    EXPECT_LT(test.problem().objective(state.stats), before);
    EXPECT_TRUE(state.stats == test.state(state.labels.by_row(), 2 * k).stats) << "statistics are those of the labels";
  }
}

TEST(FillEmptyClusters, RowsAndTreesGiveTheSame) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Dataset data = rounded(scattered_rows(3000, 1 + seed % 3, 5, seed), seed % 2 == 0 ? 0.5 : 1e-6);
    if (seed % 3 == 0) data = data.with_weights(some_weights(3000, seed));
    CentroidProblem rows(data);
    CentroidProblem tree(data, Kind::tree);
    const LabelList labels = random_labels(3000, 4, seed);
    EXPECT_TRUE(filled(rows, labels, 20) == filled(tree, labels, 20)) << "seed " << seed;
  }
}

TEST(FillEmptyClusters, SummariesWithoutScatterAreRows) {
  const Dataset data = scattered_rows(200, 2, 5, 3).with_weights(some_weights(200, 3));
  CentroidProblem rows(data);
  CentroidProblem summaries(data, Kind::summaries);
  const LabelList labels = random_labels(200, 3, 3);
  EXPECT_EQ(filled(rows, labels, 10), filled(summaries, labels, 10));
}

TEST(FillEmptyClusters, ThreadsDoNotMatter) {
  const Dataset data = scattered_rows(5 * rows_per_block + 1, 3, 5, 4);
  const LabelList labels = random_labels(data.n_rows(), 4, 4);
  CentroidProblem one(data, Kind::rows, 1);
  CentroidProblem five(data, Kind::rows, 5);
  EXPECT_TRUE(filled(one, labels, 30) == filled(five, labels, 30));
}

}  // namespace
}  // namespace coppice::internal
