// SPDX-License-Identifier: BSD-3-Clause
#include "structure/known_splits.hpp"

#include <gtest/gtest.h>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

State labelled(const std::vector<std::int32_t>& labels, std::size_t k) {
  State state;
  state.labels = Labels(labels);
  state.stats = StatsArena(k, 1);
  return state;
}

TEST(KnownSplits, GoByMembersAndNotByNumbers) {
  ClusteringProblem test(scattered_rows(6, 1, 2, 1), make_dirichlet(2.0));
  const Problem problem = test.problem();
  const auto split_of = [](std::size_t cluster, double gain) {
    Split split;
    split.cluster = cluster;
    split.pair_gain = gain;
    return split;
  };
  KnownSplits known;
  known.see(problem.units, labelled({0, 0, 1, 1, 2, 2}, 3));
  for (std::size_t c = 0; c < 3; ++c) EXPECT_FALSE(known.has_tried(c));
  const std::vector<std::size_t> tried = {0, 1, 2};
  known.learn(tried, {split_of(2, -1.0), split_of(0, 3.0)});  // none of the second
  known.see(problem.units, labelled({1, 1, 2, 2, 0, 3}, 4));  // renumbered, and the last one divided
  EXPECT_FALSE(known.has_tried(0));
  EXPECT_TRUE(known.has_tried(1));
  EXPECT_TRUE(known.has_tried(2));
  EXPECT_FALSE(known.has_tried(3));
  ASSERT_EQ(known.all().size(), 1U);
  EXPECT_EQ(known.all()[0].cluster, 1U);
  EXPECT_EQ(known.all()[0].pair_gain, 3.0);
  const std::vector<std::size_t> also = {3};
  known.learn(also, {split_of(3, 2.0)});
  ASSERT_EQ(known.all().size(), 2U);
  EXPECT_EQ(known.all()[0].cluster, 3U) << "the best comes first";
}

}  // namespace
}  // namespace coppice::internal
