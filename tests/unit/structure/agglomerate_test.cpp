// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/agglomerate.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "coppice/runtime/error.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// Objectives are right to about 1e-12 of their size.
double rounding(double objective) { return 1e-11 * (1.0 + std::abs(objective)); }

Agglomeration agglomerated(ClusteringProblem& test, const AgglomerationOptions& options = {}) {
  return agglomerate(test.execution(), test.components(), test.partition(),
                     row_statistics(test.execution(), test.components(), test.rows()), options);
}

std::vector<std::int32_t> joined(std::vector<std::int32_t> labels, std::int32_t a, std::int32_t b) {
  std::ranges::replace(labels, b, a);
  return labels;
}

// The least objective after every merge, by the objective of whole labellings.
std::vector<double> greedy_objectives(ClusteringProblem& test) {
  const auto n = static_cast<std::int32_t>(test.rows().size());
  std::vector<std::int32_t> labels(test.rows().size());
  for (std::int32_t i = 0; i < n; ++i) labels[static_cast<std::size_t>(i)] = i;
  std::vector<double> objectives{test.objective(labels)};
  for (std::int32_t left = n; left > 1; --left) {
    std::vector<std::int32_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::int32_t b = 0; b < n; ++b) {
      if (!std::ranges::count(labels, b)) continue;
      for (std::int32_t a = 0; a < b; ++a) {
        if (!std::ranges::count(labels, a)) continue;
        const double objective = test.objective(joined(labels, a, b));
        if (objective < least) {
          least = objective;
          best = joined(labels, a, b);
        }
      }
    }
    labels = best;
    objectives.push_back(least);
  }
  return objectives;
}

TEST(Agglomerate, FollowsTheObjectiveOfWholeLabellings) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Dataset data = scattered_rows(14, 2, 3, seed);
    if (seed >= 3) {
      std::vector<double> weights = some_weights(14, seed);
      for (double& weight : weights) weight += seed == 5 ? 1.0 : 0.2;  // none without weight
      if (seed == 5) std::ranges::transform(weights, weights.begin(), [](double w) { return std::floor(w); });
      data = data.with_weights(std::move(weights));
    }
    ClusteringProblem test(data, partition_number(seed));
    const Agglomeration found = agglomerated(test);
    const std::vector<double> expected = greedy_objectives(test);
    ASSERT_EQ(found.objective.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(found.objective[i], expected[i], rounding(expected[i])) << "seed " << seed << ", merge " << i;
    }
  }
}

TEST(Agglomerate, TheTreeAndTheObjectiveBelongTogether) {
  ClusteringProblem test(scattered_rows(60, 3, 4, 1), make_dirichlet(2.0));
  const Agglomeration found = agglomerated(test);
  ASSERT_EQ(found.tree.merges.size(), 59U);
  for (std::size_t k = 1; k <= 60; ++k) {
    const double objective = test.objective(cut(found.tree, k));
    EXPECT_NEAR(found.objective[60 - k], objective, rounding(objective));
  }
  EXPECT_EQ(found.tree.merges.back().size, 60.0);
}

TEST(Agglomerate, HeightsAreTheLargestChangeSoFar) {
  ClusteringProblem test(scattered_rows(80, 2, 4, 2), make_dirichlet(2.0));
  const Agglomeration found = agglomerated(test);
  std::vector<double> changes;
  for (std::size_t i = 1; i < found.objective.size(); ++i)
    changes.push_back(found.objective[i] - found.objective[i - 1]);
  const double smallest = *std::ranges::min_element(changes);
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    largest = std::max(largest, changes[i]);
    EXPECT_NEAR(found.tree.merges[i].height, largest - smallest, rounding(found.objective[i]));
    EXPECT_GE(found.tree.merges[i].height, i == 0 ? 0.0 : found.tree.merges[i - 1].height);
  }
}

TEST(Agglomerate, GoesOnFromClusters) {
  ClusteringProblem test(scattered_rows(200, 2, 5, 3), make_dirichlet(2.0));
  const State state = test.me().from_labels(random_labels(200, 9, 3));
  const Agglomeration found = agglomerate(test.execution(), test.components(), test.partition(), state.stats);
  EXPECT_EQ(found.tree.n_leaves, 9U);
  EXPECT_NEAR(found.objective.front(), state.objective, rounding(state.objective));
  const std::vector<std::int32_t> all(200, 0);
  EXPECT_NEAR(found.objective.back(), test.objective(all), rounding(state.objective));
}

TEST(Agglomerate, OneClusterIsATree) {
  ClusteringProblem test(scattered_rows(1, 2, 1, 1), make_dirichlet(2.0));
  const Agglomeration found = agglomerated(test);
  EXPECT_EQ(found.tree.n_leaves, 1U);
  EXPECT_TRUE(found.tree.merges.empty());
  EXPECT_EQ(found.objective.size(), 1U);
}

TEST(Agglomerate, KeepsWhatItHasWhenItIsStopped) {
  ClusteringProblem test(scattered_rows(200, 2, 5, 3), make_dirichlet(2.0));
  const Agglomeration whole = agglomerated(test);
  AgglomerationOptions options;
  options.observer = [](const Agglomeration& so_far) {
    return so_far.tree.merges.size() >= 100 ? Next::stop : Next::carry_on;
  };
  const Agglomeration found = agglomerated(test, options);
  EXPECT_EQ(found.stopped, StopReason::cancelled);
  EXPECT_GE(found.tree.merges.size(), 100U);
  EXPECT_LT(found.tree.merges.size(), 120U);
  for (std::size_t i = 0; i < found.objective.size(); ++i) EXPECT_EQ(found.objective[i], whole.objective[i]);
}

TEST(LookAhead, OfOneMergeIsTheGreedyChoice) {
  ClusteringProblem test(scattered_rows(40, 2, 4, 5), make_dirichlet(2.0));
  EXPECT_EQ(agglomerated(test, {.look_ahead = 1}).tree, agglomerated(test, {.pairs = "naive"}).tree);
}

// The best two merges in a row, over all pairs.
double best_after_two(ClusteringProblem& test) {
  const auto n = static_cast<std::int32_t>(test.rows().size());
  std::vector<std::int32_t> labels(test.rows().size());
  for (std::int32_t i = 0; i < n; ++i) labels[static_cast<std::size_t>(i)] = i;
  double least = std::numeric_limits<double>::infinity();
  for (std::int32_t b = 1; b < n; ++b) {
    for (std::int32_t a = 0; a < b; ++a) {
      const std::vector<std::int32_t> once = joined(labels, a, b);
      for (std::int32_t d = 1; d < n; ++d) {
        for (std::int32_t c = 0; c < d; ++c) {
          if (c != b && d != b) least = std::min(least, test.objective(joined(once, c, d)));
        }
      }
    }
  }
  return least;
}

// The best objective that one more merge can reach from here.
double best_after_one(ClusteringProblem& test, const std::vector<std::int32_t>& labels, std::int32_t k) {
  double least = std::numeric_limits<double>::infinity();
  for (std::int32_t b = 1; b < k; ++b) {
    for (std::int32_t a = 0; a < b; ++a) least = std::min(least, test.objective(joined(labels, a, b)));
  }
  return least;
}

// Only the first merge has to begin the best two: the second one looks ahead again, and may turn elsewhere.
TEST(LookAhead, BeginsTheBestTwoMerges) {
  std::size_t n_unlike_greedy = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ClusteringProblem test(scattered_rows(4, 1, 2, seed), partition_number(seed));  // 6 pairs, all followed up
    const double expected = best_after_two(test);
    const double found = best_after_one(test, cut(agglomerated(test, {.look_ahead = 2}).tree, 3), 3);
    EXPECT_NEAR(found, expected, rounding(expected)) << "seed " << seed;
    if (best_after_one(test, cut(agglomerated(test).tree, 3), 3) > expected + rounding(expected)) ++n_unlike_greedy;
  }
  EXPECT_GT(n_unlike_greedy, 0U);
}

TEST(LookAhead, KeepsTheBooks) {
  ClusteringProblem test(scattered_rows(30, 2, 4, 6), make_dirichlet_process(1.0));
  for (const std::size_t depth : {2U, 3U}) {
    const Agglomeration found = agglomerated(test, {.look_ahead = depth});
    ASSERT_EQ(found.tree.merges.size(), 29U);
    for (std::size_t k = 1; k <= 30; ++k) {
      const double objective = test.objective(cut(found.tree, k));
      EXPECT_NEAR(found.objective[30 - k], objective, rounding(objective));
    }
  }
}

TEST(LookAhead, IsRefusedForManyClusters) {
  ClusteringProblem test(scattered_rows(most_clusters_to_look_ahead + 1, 1, 4, 6), make_dirichlet(2.0));
  EXPECT_THROW((void)agglomerated(test, {.look_ahead = 2}), LimitError);
}

TEST(Levels, OfTheLeastObjectiveAndOfTheFirstRise) {
  const std::vector<double> objective{10.0, 8.0, 7.0, 7.5, 5.0, 5.0, 9.0};
  EXPECT_EQ(least_objective_k(objective, 7), 2U);  // of two equal ones the fewer clusters
  EXPECT_EQ(first_rise_k(objective, 7), 5U);
  const std::vector<double> falling{3.0, 2.0, 1.0};
  EXPECT_EQ(least_objective_k(falling, 3), 1U);
  EXPECT_EQ(first_rise_k(falling, 3), 1U);
  const std::vector<double> flat{3.0, 3.0};
  EXPECT_EQ(first_rise_k(flat, 2), 2U);
}

TEST(RowStatistics, CarryTheWeights) {
  ClusteringProblem test(scattered_rows(5, 2, 2, 1).with_weights({1.0, 2.0, 0.5, 3.0, 0.0}), make_dirichlet(2.0));
  const StatsArena stats = row_statistics(test.execution(), test.components(), test.rows());
  for (std::size_t row = 0; row < 5; ++row) EXPECT_EQ(stats.weight(row), test.rows().weight(row));
  std::vector<double> row(2);
  test.rows().copy_row(3, row);
  EXPECT_EQ(test.components().column_moments(stats[3]).mean, row);
}

}  // namespace
}  // namespace coppice::internal
