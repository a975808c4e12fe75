// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/soft_choice.hpp"

#include <gtest/gtest.h>

#include "coppice/infer/soft_bound.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// Two round clusters of n rows each, `gap` standard deviations apart.
Dataset two_clusters(std::size_t n, double gap, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test};
  std::vector<double> values;
  for (std::size_t row = 0; row < 2 * n; ++row) {
    values.push_back(random.normal() + (row % 2 == 0 ? 0.0 : gap));
    values.push_back(random.normal());
  }
  return Dataset::from_rows(std::move(values), 2 * n, 2);
}

NormalWishart unit_prior() { return plain_prior(2, 2.0); }

TEST(SoftChoice, TellsOverlappingClustersApartThatHardLabelsTakeForOne) {
  ClusteringProblem example(two_clusters(3000, 2.8, 1), unit_prior(), make_dirichlet(2.0));
  MaximizationExpectation me = example.me();
  State state = me.single_cluster();
  search_split_merge(me, state, {});
  ASSERT_EQ(state.k(), 1U) << "else there is nothing to show";
  const std::optional<SoftChoice> choice = choose_softly(me, state, {});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->stats.size(), 2U);
  const auto bound = [&](const StatsArena& clusters) { return soften(me.execution(), me.problem(), clusters).bound; };
  EXPECT_LT(bound(choice->stats), bound(state.stats));
}

TEST(SoftChoice, LeavesSeparatedClustersAlone) {
  ClusteringProblem example(two_clusters(300, 12.0, 2), unit_prior(), make_dirichlet(2.0));
  MaximizationExpectation me = example.me();
  State state = me.single_cluster();
  search_split_merge(me, state, {});
  ASSERT_EQ(state.k(), 2U);
  EXPECT_FALSE(choose_softly(me, state, {}));
}

TEST(SoftChoice, KeepsToTheLimit) {
  ClusteringProblem example(two_clusters(3000, 2.8, 1), unit_prior(), make_dirichlet(2.0));
  MaximizationExpectation me = example.me();
  State state = me.single_cluster();
  EXPECT_FALSE(choose_softly(me, state, {.max_k = 1}));
}

// Pieces of one cluster become one again.
TEST(SoftChoice, MergesPieces) {
  ClusteringProblem example(two_clusters(1000, 0.0, 3), unit_prior(), make_dirichlet(2.0));
  MaximizationExpectation me = example.me();
  State state = me.from_labels(random_labels(2000, 3, 4));
  const std::optional<SoftChoice> choice = choose_softly(me, state, {});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->stats.size(), 1U);
}

}  // namespace
}  // namespace coppice::internal
