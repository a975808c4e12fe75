// SPDX-License-Identifier: BSD-3-Clause
// Where a search begins that is given clusters instead of labels.
#include <gtest/gtest.h>

#include "assign/tree_assigner.hpp"
#include "unit/infer/centroid_problem.hpp"

namespace coppice::internal {
namespace {

Dataset four_numbers() { return Dataset::from_rows(std::vector<double>{0.0, 1.0, 10.0, 12.0}, 4, 1); }

TEST(FromClusters, GivesUnitsToTheNearestCluster) {
  for (const Kind kind : {Kind::rows, Kind::tree, Kind::summaries}) {
    CentroidProblem test(four_numbers(), kind);
    MaximizationExpectation me = test.me();
    const State state = me.from_clusters(test.centres({9.0, 2.0}), Deaths::allowed);
    EXPECT_EQ(state.labels.by_row(), (LabelList{1, 1, 0, 0}));
    EXPECT_EQ(state.stats.weight(0), 2.0);
    EXPECT_EQ(state.stats[0][1], 10.75) << "the mean, less the origin, not the cluster it came from";
    EXPECT_EQ(state.objective, 0.5 + 2.0);
    EXPECT_EQ(me.journal().iterations(), 1U);
    EXPECT_EQ(me.journal().counters().distances, kind == Kind::tree ? 10U : 8U) << "the tree's root counts, too";
  }
}

// Distances of 2 and 1 from the one centre, of 1 and 3 from the other.
TEST(FromClusters, ReportsWhatTheGivenClustersCost) {
  CentroidProblem test(four_numbers());
  MaximizationExpectation me = test.me();
  (void)me.from_clusters(test.centres({9.0, 2.0}), Deaths::allowed);
  ASSERT_EQ(me.journal().trace().size(), 1U);
  EXPECT_EQ(me.journal().trace()[0].phase, "start");
  EXPECT_EQ(me.journal().trace()[0].objective, 4.0 + 1.0 + 1.0 + 9.0);
  EXPECT_EQ(me.journal().trace()[0].k, 2U);
  EXPECT_EQ(me.journal().trace()[0].iteration, 0U);
  EXPECT_EQ(me.journal().trace()[0].distances, 0U);
  EXPECT_TRUE(me.journal().k_evidence().empty()) << "the start is no clustering yet";
}

TEST(FromClusters, TheFirstOfEqualClustersWins) {
  CentroidProblem test(four_numbers());
  MaximizationExpectation me = test.me();
  const State state = me.from_clusters(test.centres({11.0, 3.0, 3.0, 11.0}), Deaths::allowed);
  EXPECT_EQ(state.labels.by_row(), (LabelList{1, 1, 0, 0}));
}

TEST(FromClusters, EmptyClustersVanishOrStartAnew) {
  CentroidProblem test(four_numbers());
  MaximizationExpectation me = test.me();
  const StatsArena centres = test.centres({1000.0, 9.0, 2000.0});
  const State without = me.from_clusters(centres, Deaths::allowed);
  EXPECT_EQ(without.labels.by_row(), (LabelList{0, 0, 0, 0}));
  EXPECT_EQ(without.k(), 1U);
  // The mean is 5.75: 12 costs most, then 0.
  const State anew = me.from_clusters(centres, Deaths::reseeded);
  EXPECT_EQ(anew.labels.by_row(), (LabelList{2, 1, 1, 0}));
  EXPECT_EQ(anew.objective, 2.0 * 4.5 * 4.5);
}

TEST(FromClusters, ClustersThatStayEmptyVanish) {
  CentroidProblem test(Dataset::from_rows(std::vector<double>(5, 0.3), 5, 1));
  MaximizationExpectation me = test.me();
  const State state = me.from_clusters(test.centres({1.0, 0.0, 2.0}), Deaths::reseeded);
  EXPECT_EQ(state.labels.by_row(), LabelList(5, 0));
  EXPECT_EQ(state.k(), 1U);
  EXPECT_EQ(state.objective, 0.0);
}

TEST(FromClusters, RowsAndTreesGiveTheSame) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Dataset data = rounded(scattered_rows(2000, 2, 6, seed), 0.25).with_weights(some_weights(2000, seed));
    CentroidProblem rows(data);
    CentroidProblem tree(data, Kind::tree);
    std::vector<double> centres(data.doubles().begin(), data.doubles().begin() + 40);
    centres[0] = 1e5;  // nobody's
    MaximizationExpectation by_rows = rows.me();
    TreeAssigner down_the_nodes(tree.problem().units, true);
    Journal journal;
    MaximizationExpectation by_tree(tree.execution(), tree.problem(), journal, down_the_nodes);
    const State expected = by_rows.from_clusters(rows.centres(centres), Deaths::reseeded);
    const State found = by_tree.from_clusters(tree.centres(centres), Deaths::reseeded);
    EXPECT_TRUE(found.labels.by_row() == expected.labels.by_row()) << "seed " << seed;
    EXPECT_NEAR(found.objective, expected.objective, 1e-13 * expected.objective);
    EXPECT_NEAR(by_tree.journal().trace()[0].objective, by_rows.journal().trace()[0].objective,
                1e-13 * by_rows.journal().trace()[0].objective);
  }
}

TEST(FromClusters, CountsAsAnIteration) {
  CentroidProblem test(scattered_rows(300, 2, 4, 1));
  MaximizationExpectation me = test.me({.max_iterations = 1});
  State state = me.from_clusters(test.centres({0.0, 0.0, 1.0, 1.0}), Deaths::allowed);
  try {
    me.converge(state, Deaths::reseeded);
    FAIL() << "no limit";
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.reason(), StopReason::iteration_limit);
  }
}

TEST(FromClusters, HeedsARequestToStop) {
  std::stop_source source;
  source.request_stop();
  CentroidProblem test(four_numbers(), Kind::rows, 1, StopSignal(source.get_token(), nullptr, std::nullopt));
  MaximizationExpectation me = test.me();
  EXPECT_THROW((void)me.from_clusters(test.centres({1.0}), Deaths::allowed), Stopped);
}

}  // namespace
}  // namespace coppice::internal
