// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/merge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/structure/agglomerate.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// Gains are differences of objectives, which are right to about 1e-12 of their size.
double rounding(double objective) { return 1e-11 * (1.0 + std::abs(objective)); }

std::vector<std::int32_t> merged(std::vector<std::int32_t> labels, std::size_t a, std::size_t b) {
  for (std::int32_t& label : labels)
    label = label == static_cast<std::int32_t>(b) ? static_cast<std::int32_t>(a) : label;
  return labels;
}

struct BestPair {
  std::size_t a = 0;
  std::size_t b = 0;
  double gain = std::numeric_limits<double>::infinity();
};

// Objectives of all labellings with one pair merged; only pairs with `must` if that is a cluster.
BestPair brute_force(ClusteringProblem& test, const State& state, std::size_t must) {
  BestPair best;
  for (std::size_t a = 0; a < state.k(); ++a) {
    for (std::size_t b = a + 1; b < state.k(); ++b) {
      if (must < state.k() && a != must && b != must) continue;
      const double gain = test.objective(merged(state.labels.by_row(), a, b)) - test.objective(state.labels);
      if (gain < best.gain) best = {a, b, gain};
    }
  }
  return best;
}

TEST(MergeGains, BestIsThatOfBruteForce) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    ClusteringProblem test(scattered_rows(120, 2, 5, seed).with_weights(some_weights(120, seed)),
                           partition_number(seed));
    State state = test.me().from_labels(random_labels(120, 7, seed));
    const Problem problem = test.problem();
    const MergeGains gains(test.execution(), problem, state.stats);
    const BestPair expected = brute_force(test, state, state.k());
    const MergeGains::Pair best = gains.best();
    EXPECT_EQ(best.a, expected.a);
    EXPECT_EQ(best.b, expected.b);
    EXPECT_NEAR(best.gain, expected.gain, rounding(state.objective));
    for (std::size_t c = 0; c < state.k(); ++c) {
      const BestPair partner = brute_force(test, state, c);
      const MergeGains::Pair of_cluster = gains.best_of(c);
      EXPECT_EQ(of_cluster.a, partner.a);
      EXPECT_EQ(of_cluster.b, partner.b);
      EXPECT_NEAR(of_cluster.gain, partner.gain, rounding(state.objective));
    }
  }
}

// Where sums overflow no gain is a number: pairs are still of two clusters that are left.
TEST(MergeGains, WithoutGainsPairsAreOfTwoClustersAllTheSame) {
  ClusteringProblem test(scattered_rows(60, 2, 5, 1), partition_number(0));
  const FamilyAdapter<SphericalGaussian> round(SphericalGaussian({{0.0, 0.0}, 0.1, 2.0, {1.0}, {}}));
  StatsArena clusters(5, round.stats_size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    std::ranges::fill(clusters[c], std::numeric_limits<double>::quiet_NaN());
    clusters[c].front() = 12.0;
  }
  const Problem problem{test.problem().units, round, test.problem().partition, 60.0};
  MergeGains gains(test.execution(), problem, clusters);
  std::vector<bool> is_gone(clusters.size(), false);
  while (gains.n_left() > 1) {
    const MergeGains::Pair best = gains.best();
    ASSERT_NE(best.a, best.b);
    ASSERT_FALSE(is_gone[best.a] || is_gone[best.b]);
    is_gone[best.b] = true;
    gains.merge(best);
  }
}

// After every merge the kept gains are those of gains built afresh.
TEST(MergeGains, StayRightWhileClustersMerge) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    ClusteringProblem test(scattered_rows(150, 2, 5, seed), partition_number(seed));
    const State start = test.me().from_labels(random_labels(150, 9, seed));
    const Problem problem = test.problem();
    MergeGains gains(test.execution(), problem, start.stats);
    double objective = start.objective;
    while (gains.n_left() > 1) {
      const MergeGains::Pair best = gains.best();
      gains.merge(best);
      objective += best.gain;
      const std::vector<std::int32_t> number = gains.numbering();
      State state = start;
      for (std::int32_t& label : state.labels.list()) label = number[static_cast<std::size_t>(label)];
      ASSERT_EQ(gains.stats().size(), gains.n_left());
      EXPECT_NEAR(objective, test.objective(state.labels), rounding(objective));
      EXPECT_NEAR(problem.objective(gains.stats()), objective, rounding(objective));
      if (gains.n_left() < 2) break;
      state = test.me().from_labels(state.labels.by_row());
      EXPECT_NEAR(gains.best().gain, brute_force(test, state, state.k()).gain, rounding(objective));
    }
    for (const std::int32_t number : gains.numbering()) EXPECT_EQ(number, 0);
  }
}

TEST(MergeGains, EqualGainsGoToTheSmallestPair) {
  ClusteringProblem test(scattered_rows(10, 1, 1, 1), make_dirichlet(2.0));
  StatsArena stats(0, test.components().stats_size());
  const StatsArena one = test.me().single_cluster().stats;
  for (int copy = 0; copy < 4; ++copy) stats.append(one[0]);
  const Problem problem = test.problem();
  const MergeGains::Pair best = MergeGains(test.execution(), problem, stats).best();
  EXPECT_EQ(best.a, 0U);
  EXPECT_EQ(best.b, 1U);
}

// A row each of 12 x 12 clear groups of four: whom a cell should merge with is near.
Dataset grid_of_fours() {
  RandomStream random{1, Purpose::test, 3};
  std::vector<double> values;
  for (std::size_t row = 0; row < 576; ++row) {
    const std::size_t group = row % 144;
    values.push_back(static_cast<double>(group % 12) + 0.05 * random.normal());
    values.push_back(static_cast<double>(group / 12) + 0.05 * random.normal());
  }
  return Dataset::from_rows(std::move(values), 576, 2);
}

struct Merges {
  std::vector<std::int32_t> numbering;
  double gain = 0.0;
};

Merges merges_down_to(const Execution& execution, const Problem& problem, const StatsArena& start, std::size_t k,
                      std::size_t most_for_all_pairs) {
  MergeGains gains(execution, problem, start, most_for_all_pairs);
  const double objective = problem.objective(start);
  Merges merges;
  while (gains.n_left() > k) {
    const MergeGains::Pair best = gains.best();
    merges.gain += best.gain;
    gains.merge(best);
    EXPECT_NEAR(objective + merges.gain, problem.objective(gains.stats()), rounding(objective));
  }
  merges.numbering = gains.numbering();
  return merges;
}

// The squares of k-means, whose merges are those of Ward's rule.
TEST(MergeGains, OfNeighboursLeadWhereThoseOfAllPairsDo) {
  LocalExecution local(2);
  const Rows rows(grid_of_fours(), std::vector<double>(2, 0.0));
  const FamilyAdapter<Centroid> centroids{Centroid(2)};
  const std::unique_ptr<PartitionPrior> no_prior = make_no_partition_prior();
  const Units units(rows);
  const Problem problem{units, centroids, *no_prior, 576.0};
  const StatsArena each = row_statistics(local.get(), centroids, rows);
  const Merges near = merges_down_to(local.get(), problem, each, 144, 20);
  const Merges all = merges_down_to(local.get(), problem, each, 144, 1000);
  EXPECT_EQ(near.numbering, all.numbering);
  EXPECT_NEAR(near.gain, all.gain, 1e-9 * all.gain);
  for (std::size_t row = 144; row < 576; ++row) EXPECT_EQ(near.numbering[row], near.numbering[row - 144]);
}

// Also where one cluster swallows all others, and is near more than it can look at.
TEST(MergeGains, OfNeighboursGoDownToOneCluster) {
  ClusteringProblem test(scattered_rows(400, 2, 3, 5), plain_prior(2, 100.0), make_dirichlet_process(1.5));
  std::vector<std::int32_t> each(400);
  std::iota(each.begin(), each.end(), 0);
  const State start = test.me().from_labels(each);
  const Merges merges = merges_down_to(test.execution(), test.problem(), start.stats, 1, 10);
  EXPECT_EQ(std::set<std::int32_t>(merges.numbering.begin(), merges.numbering.end()).size(), 1U);
  EXPECT_NEAR(start.objective + merges.gain, test.me().single_cluster().objective, rounding(start.objective));
}

TEST(MergeGains, FewClustersLeftAreAllCompared) {
  ClusteringProblem test(scattered_rows(300, 2, 40, 6, 10.0), make_dirichlet(2.0));
  const State start = test.me().from_labels(random_labels(300, 80, 6));
  const Problem problem = test.problem();
  MergeGains near(test.execution(), problem, start.stats, 40);
  EXPECT_LT(near.n_first_pairs(), 80U * 24U);
  while (near.n_left() > 40) near.merge(near.best());
  MergeGains fresh(test.execution(), problem, near.stats(), 1000);
  EXPECT_EQ(fresh.n_first_pairs(), 40U * 39U / 2U);
  EXPECT_NEAR(near.best().gain, fresh.best().gain, rounding(start.objective));
  EXPECT_EQ(near.nearest(10000).size(), fresh.nearest(10000).size());
}

TEST(MergeWhileBetter, LowersTheObjectiveToWhereNoPairHelps) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    ClusteringProblem test(scattered_rows(120, 2, 3, seed), partition_number(seed));
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(120, 12, seed));  // clusters that all look alike
    const double before = state.objective;
    const std::size_t k = state.k();
    const std::size_t n_merged = merge_while_better(me, state);
    EXPECT_GT(n_merged, 0U);
    EXPECT_EQ(state.k(), k - n_merged);
    EXPECT_LT(state.objective, before);
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(before));
    EXPECT_EQ(me.journal().counters().merges_accepted, n_merged);
    EXPECT_EQ(me.journal().counters().merges_tried, k * (k - 1) / 2);
    if (state.k() > 1) {
      EXPECT_GE(brute_force(test, state, state.k()).gain, -1e-8 * (1.0 + std::abs(before)));
    }
    EXPECT_EQ(merge_while_better(me, state), 0U);
  }
}

TEST(MergeWhileBetter, LeavesClustersThatAreFarApart) {
  ClusteringProblem test(Dataset::from_rows(std::vector<double>{0, 0.1, 0.2, 0.1, 100, 100.1, 100.2, 100.1}, 8, 1),
                         make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.from_labels(std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_EQ(merge_while_better(me, state), 0U);
  EXPECT_EQ(state.k(), 2U);
  State one = me.single_cluster();
  EXPECT_EQ(merge_while_better(me, one), 0U);
}

TEST(MergeDownTo, LeavesThatMany) {
  ClusteringProblem test(scattered_rows(120, 2, 3, 4), make_dirichlet(2.0));
  for (const std::size_t k : {1U, 2U, 5U, 8U, 20U}) {
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(120, 8, 4));
    merge_down_to(me, state, k);
    EXPECT_EQ(state.k(), std::min<std::size_t>(k, 8));
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
    EXPECT_EQ(test.me().from_labels(state.labels.by_row()).labels, state.labels) << "numbered from 0";
  }
}

TEST(MergePair, JoinsTheTwoAndNumbersTheRest) {
  ClusteringProblem test(scattered_rows(6, 1, 2, 5), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.from_labels(std::vector<std::int32_t>{0, 1, 2, 3, 4, 2});
  merge_pair(me, state, 1, 2);
  EXPECT_EQ(state.labels.by_row(), (std::vector<std::int32_t>{0, 1, 1, 2, 3, 1}));
  EXPECT_EQ(state.stats.weight(1), 3.0);
  EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
}

TEST(MergeIntoBestPartner, TakesTheBestPairOfTheCluster) {
  ClusteringProblem test(scattered_rows(120, 2, 5, 6), make_dirichlet_process(1.0));
  for (std::size_t cluster = 0; cluster < 6; ++cluster) {
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(120, 6, 6));
    const BestPair expected = brute_force(test, state, cluster);
    const double before = state.objective;
    merge_into_best_partner(me, state, cluster);
    EXPECT_NEAR(state.objective - before, expected.gain, rounding(before));
  }
}

}  // namespace
}  // namespace coppice::internal
