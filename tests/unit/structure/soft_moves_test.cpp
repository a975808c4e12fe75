// SPDX-License-Identifier: BSD-3-Clause
#include "structure/soft_moves.hpp"

#include <gtest/gtest.h>

#include "unit/clustering_problem.hpp"
#include "unit/two_clusters.hpp"

namespace coppice::internal {
namespace {

double bound_of(ClusteringProblem& example, const StatsArena& clusters) {
  return soften(example.execution(), example.problem(), clusters).bound;
}

std::vector<SoftMove> moves_of(ClusteringProblem& example, const StatsArena& clusters,
                               const SearchLimits& limits = {}) {
  return improving(find_soft_moves(example.execution(), example.problem(), clusters, limits, 0), 0.01);
}

TEST(SoftMoves, SplitWhatOverlaps) {
  ClusteringProblem example(two_clusters(2000, 2.8, 1), plain_prior(2, 2.0), make_dirichlet(2.0));
  const StatsArena one = example.me().single_cluster().stats;
  const std::vector<SoftMove> moves = moves_of(example, one);
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_TRUE(moves.front().is_split());
  const StatsArena two = after_move(one, moves.front());
  EXPECT_EQ(two.size(), 2U);
  // All rows are those of the one cluster, so that the gain is that of the whole.
  EXPECT_NEAR(bound_of(example, two) - bound_of(example, one), moves.front().gain, 0.5);
}

TEST(SoftMoves, SplitNothingAtTheLimit) {
  ClusteringProblem example(two_clusters(2000, 2.8, 1), plain_prior(2, 2.0), make_dirichlet(2.0));
  EXPECT_TRUE(moves_of(example, example.me().single_cluster().stats, {.max_k = 1}).empty());
}

TEST(SoftMoves, MergePieces) {
  ClusteringProblem example(two_clusters(1000, 0.0, 3), plain_prior(2, 2.0), make_dirichlet(2.0));
  const StatsArena pieces = example.me().from_labels(random_labels(2000, 2, 4)).stats;
  const std::vector<SoftMove> moves = moves_of(example, pieces);
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_FALSE(moves.front().is_split());
  EXPECT_EQ(after_move(pieces, moves.front()).size(), 1U);
  EXPECT_LT(bound_of(example, after_move(pieces, moves.front())), bound_of(example, pieces));
}

TEST(SoftMoves, LeaveClustersAloneThatAreOne) {
  ClusteringProblem example(two_clusters(500, 12.0, 2), plain_prior(2, 2.0), make_dirichlet(2.0));
  std::vector<std::int32_t> labels(1000);
  for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = static_cast<std::int32_t>(row % 2);
  EXPECT_TRUE(moves_of(example, example.me().from_labels(labels).stats).empty());
}

// Beside clusters that have no share in its rows, a move gains what it gains in the whole.
TEST(SoftMoves, GainWhatTheWholeGains) {
  RandomStream random{5, Purpose::test};
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < 1500; ++row) {  // two that overlap, labelled as one, and one far away
    const std::size_t part = row % 3;
    values.push_back(random.normal() + (part == 0 ? 0.0 : part == 1 ? 2.8 : 60.0));
    values.push_back(random.normal());
    labels.push_back(part == 2 ? 1 : 0);
  }
  ClusteringProblem example(Dataset::from_rows(std::move(values), 1500, 2), plain_prior(2, 2.0), make_dirichlet(2.0));
  const StatsArena clusters = example.me().from_labels(labels).stats;
  const std::vector<SoftMove> moves = moves_of(example, clusters);
  ASSERT_FALSE(moves.empty());
  const double whole = bound_of(example, after_move(clusters, moves.front())) - bound_of(example, clusters);
  EXPECT_NEAR(whole, moves.front().gain, 0.5);
}

}  // namespace
}  // namespace coppice::internal
