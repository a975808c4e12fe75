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

// Rows along one line through the middle of a broad body: every plane has both on both sides.
TEST(SoftMoves, SplitAThinClusterOffTheBodyAroundIt) {
  std::size_t n_found = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    RandomStream random{seed, Purpose::test};
    std::vector<double> values;
    for (std::size_t row = 0; row < 600; ++row) {
      const double along = random.normal();
      const double across = (row % 6 == 0 ? 0.01 : 1.0) * random.normal();
      values.push_back(along + across);
      values.push_back(0.3 * along - across);
    }
    ClusteringProblem example(Dataset::from_rows(std::move(values), 600, 2), plain_prior(2, 0.1), make_dirichlet(2.0));
    const StatsArena one = example.me().single_cluster().stats;
    const std::vector<SoftMove> moves = moves_of(example, one);
    if (!moves.empty() && moves.front().gain < -50.0) ++n_found;
  }
  EXPECT_GE(n_found, 5U);
}

// Two long clusters that cross, cut where they cross.
TEST(SoftMoves, DivideHalvesAnew) {
  RandomStream random{7, Purpose::test};
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < 600; ++row) {
    const double along = random.normal();
    const double across = 0.1 * random.normal();
    values.push_back(row % 2 == 0 ? along : across);
    values.push_back(row % 2 == 0 ? across : along);
    labels.push_back(values[2 * row] + values[2 * row + 1] > 0.0 ? 1 : 0);
  }
  ClusteringProblem example(Dataset::from_rows(std::move(values), 600, 2), plain_prior(2, 0.1), make_dirichlet(2.0));
  const StatsArena halves = example.me().from_labels(labels).stats;
  const std::vector<SoftMove> moves =
      improving(find_soft_redivisions(example.execution(), example.problem(), halves, {}, 0), 0.01);
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_TRUE(moves.front().is_redivision());
  const StatsArena after = after_move(halves, moves.front());
  EXPECT_EQ(after.size(), 2U);
  EXPECT_LT(bound_of(example, after), bound_of(example, halves) - 100.0) << "shares alone do not find the way";
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
