// SPDX-License-Identifier: BSD-3-Clause
// The moves by themselves; what searches make of them is in search_test.cpp.
#include "structure/split_merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/structure/all_partitions.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

double rounding(double objective) { return 1e-10 * (1.0 + std::abs(objective)); }

// Rows about points of a line, n at each.
Generated groups_at(const std::vector<double>& centres, std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 3};
  std::vector<double> values;
  LabelList labels;
  for (std::size_t group = 0; group < centres.size(); ++group) {
    for (std::size_t i = 0; i < n; ++i) {
      values.insert(values.end(), {centres[group] + random.normal(), random.normal()});
      labels.push_back(static_cast<std::int32_t>(group));
    }
  }
  return {Dataset::from_rows(std::move(values), centres.size() * n, 2), std::move(labels)};
}

// Group g of the labels gets label as[g].
LabelList relabelled(const LabelList& labels, const std::vector<std::int32_t>& as) {
  LabelList result(labels.size());
  std::ranges::transform(labels, result.begin(),
                         [&](std::int32_t label) { return as[static_cast<std::size_t>(label)]; });
  return result;
}

// Clusters are about 1 wide; where they are hardly matters.
NormalWishart anywhere() { return plain_prior(2, 1.0, 0.001); }

double difference(const State& a, const State& b) {
  return 1.0 - evaluate::adjusted_rand_index(a.labels.by_row(), b.labels.by_row());
}

State with_labels(const LabelList& labels, std::size_t k) {
  State state;
  state.labels = Labels(labels);
  state.stats = StatsArena(k, 1);
  return state;
}

TEST(Resisting, GoesByMembersAndNotByNumbers) {
  ClusteringProblem test(scattered_rows(6, 1, 2, 1), make_dirichlet(2.0));
  const Problem problem = test.problem();
  Resisting resisting;
  resisting.see(problem.units, with_labels({0, 0, 1, 1, 2, 2}, 3));
  for (std::size_t c = 0; c < 3; ++c) EXPECT_FALSE(resisting.contains(c));
  resisting.insert(0);
  resisting.insert(1);
  resisting.see(problem.units, with_labels({2, 2, 0, 0, 1, 3}, 4));  // renumbered, and the last one split
  EXPECT_TRUE(resisting.contains(2));
  EXPECT_TRUE(resisting.contains(0));
  EXPECT_FALSE(resisting.contains(1));
  EXPECT_FALSE(resisting.contains(3));
  resisting.see(problem.units, with_labels({2, 2, 0, 1, 1, 3}, 4));  // a row has moved
  EXPECT_TRUE(resisting.contains(2));
  EXPECT_FALSE(resisting.contains(0));
  EXPECT_FALSE(resisting.contains(1));
}

// From one cluster and from single rows: never below the best of all partitions, and one of them there where groups are
// far apart. (From one cluster alone a search may end there: of three groups, no two may be worth a split.)
TEST(SplitMerge, FindsTheBestOfAllPartitions) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const bool has_groups = seed < 5;
    const Dataset data =
        has_groups ? groups_at({-40.0, 0.0, 30.0}, 3, seed).data.first_rows(8) : scattered_rows(8, 2, 3, seed);
    ClusteringProblem test(data, anywhere(), partition_number(seed));
    double least = std::numeric_limits<double>::infinity();
    for_each_partition(8, [&](const LabelList& labels) { least = std::min(least, test.objective(labels)); });
    MaximizationExpectation me = test.me();
    double best = std::numeric_limits<double>::infinity();
    for (const LabelList& start : {LabelList(8, 0), LabelList{0, 1, 2, 3, 4, 5, 6, 7}}) {
      State state = me.from_labels(start);
      EXPECT_TRUE(SplitMerge(me, {.moves_single_rows = true}).run_free(state));
      EXPECT_GE(state.objective, least - rounding(least)) << seed;
      best = std::min(best, state.objective);
    }
    if (has_groups) {
      EXPECT_NEAR(best, least, rounding(least)) << seed;
    }
  }
}

TEST(SplitMerge, SplitsComeTheBestFirstAndAreWorthWhatTheySay) {
  const Generated made = groups_at({-60.0, -50.0, 0.0, 200.0, 240.0}, 30, 1);
  ClusteringProblem test(made.data, anywhere(), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  const State state = me.from_labels(relabelled(made.labels, {0, 0, 1, 2, 2}));
  SplitMerge moves(me, {});
  const Members members(me.problem().units, state.labels, 3);
  const std::vector<Split> splits = moves.find_splits(state, members, false);
  ASSERT_EQ(splits.size(), 3U);
  EXPECT_EQ(splits[0].cluster, 2U);
  EXPECT_EQ(splits[1].cluster, 0U);
  EXPECT_EQ(splits[2].cluster, 1U);
  for (const Split& split : splits) {
    State after = state;
    apply_split(me.execution(), me.problem(), split, members.of(split.cluster), after);
    const double expected = test.objective(after.labels) - test.objective(state.labels);
    EXPECT_NEAR(split_gain(me.problem(), split, 3), expected, rounding(state.objective));
  }
  EXPECT_EQ(me.journal().counters().splits_tried, 3U);
}

TEST(SplitMerge, WhereThereIsRoomForOneMoreTheBestSplitIsMade) {
  const Generated made = groups_at({-60.0, -50.0, 0.0, 200.0, 240.0}, 30, 1);
  ClusteringProblem test(made.data, anywhere(), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.from_labels(relabelled(made.labels, {0, 0, 1, 2, 2}));
  SplitMerge(me, {.max_k = 4}).run_free(state);
  EXPECT_EQ(difference(state, me.from_labels(relabelled(made.labels, {0, 0, 1, 2, 3}))), 0.0);
  SplitMerge(me, {.max_k = 5}).run_free(state);
  EXPECT_EQ(difference(state, me.from_labels(made.labels)), 0.0);
}

TEST(SplitMerge, ClustersThatResistedAreTriedAgainOnlyWhenForgotten) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Generated made = groups_at({-40.0, 0.0, 30.0, 80.0}, 25, seed);
    ClusteringProblem test(made.data, anywhere(), make_dirichlet(2.0));
    MaximizationExpectation me = test.me();
    State state = me.from_labels(made.labels);
    SplitMerge moves(me, {});
    moves.run_free(state);
    ASSERT_EQ(state.k(), 4U);
    const std::uint64_t tried = me.journal().counters().splits_tried;
    const State before = state;
    moves.run_free(state);
    EXPECT_EQ(me.journal().counters().splits_tried, tried);
    moves.forget_failures();
    moves.run_free(state);
    EXPECT_EQ(me.journal().counters().splits_tried, tried + 4);
    EXPECT_EQ(state.labels, before.labels);
    const Members members(me.problem().units, state.labels, 4);
    EXPECT_TRUE(moves.find_splits(state, members, false).empty());
    EXPECT_EQ(moves.find_splits(state, members, true).size(), 4U);
  }
}

TEST(SplitMerge, PatienceIsAskedAfterEveryRoundWithWhatWasBeforeIt) {
  ClusteringProblem test(scattered_rows(500, 2, 12, 3, 8.0), make_dirichlet(2.0));
  std::vector<double> before;
  std::vector<double> after;
  MaximizationExpectation me = test.me();
  const State start = me.single_cluster();
  State state = start;
  EXPECT_TRUE(SplitMerge(me, {}).run_free(state, [&](double earlier, const State& now) {
    before.push_back(earlier);
    after.push_back(now.objective);
    return true;
  }));
  ASSERT_GE(after.size(), 3U);
  EXPECT_EQ(before.front(), start.objective);
  for (std::size_t round = 0; round < after.size(); ++round) {
    if (round > 0) {
      EXPECT_EQ(before[round], after[round - 1]);
    }
    EXPECT_LT(after[round], before[round]);
  }
  EXPECT_EQ(after.back(), state.objective);
  State early = start;
  std::size_t n_rounds = 0;
  EXPECT_FALSE(SplitMerge(me, {}).run_free(early, [&](double, const State&) { return ++n_rounds < 2; }));
  EXPECT_EQ(early.objective, after[1]);
}

// One group in two clusters, two groups in one: no sweep leads out of that.
TEST(SplitMerge, AnExchangeMendsWhatSweepsCannot) {
  const Generated made = groups_at({0.0, 8.0, 100.0, 300.0}, 40, 4);
  ClusteringProblem test(made.data, anywhere(), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  LabelList labels = relabelled(made.labels, {0, 0, 1, 2});
  for (std::size_t row = 120; row < 160; ++row) labels[row] = made.data.value(row, 0) < 300.0 ? 2 : 3;
  State state = me.from_labels(labels);
  me.converge(state, Deaths::undone);
  const State stuck = state;
  ASSERT_EQ(stuck.k(), 4U);
  ASSERT_GT(difference(stuck, me.from_labels(made.labels)), 0.1);
  SplitMerge(me, {.k = 4}).run_fixed(state, 4);
  EXPECT_EQ(difference(state, me.from_labels(made.labels)), 0.0);
  EXPECT_LT(state.objective, stuck.objective);
  EXPECT_EQ(std::ranges::count(me.journal().trace(), "exchange", &Progress::phase), 1);
}

// Four groups far from each other in eight clusters: every step divides one group more, and leaves the others alone.
TEST(SplitMerge, OnTheWayToKOnlyClustersThatHaveChangedAreTried) {
  const Generated made = groups_at({-400.0, 0.0, 300.0, 800.0}, 25, 1);
  ClusteringProblem test(made.data, anywhere(), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.from_labels(made.labels);
  SplitMerge moves(me, {.k = 8});
  std::size_t n_asked = 0;
  moves.run_fixed(state, 8, [&](double before, const State& now) {
    EXPECT_EQ(before, now.objective);
    EXPECT_EQ(now.k(), 8U);
    return ++n_asked > 1;
  });
  EXPECT_EQ(n_asked, 1U) << "and nothing is exchanged";
  EXPECT_EQ(std::ranges::count(me.journal().trace(), "exchange", &Progress::phase), 0);
  EXPECT_LE(me.journal().counters().splits_tried, 4U + 3U * 4U);
  EXPECT_GE(me.journal().counters().splits_tried, 4U + 3U * 2U);
}

// Of all moves of single rows, by brute force.
double least_after_one_move(ClusteringProblem& test, const State& state) {
  double least = state.objective;
  LabelList labels = state.labels.by_row();
  for (std::int32_t& label : labels) {
    const std::int32_t present = label;
    for (label = 0; label < static_cast<std::int32_t>(state.k()); ++label)
      least = std::min(least, test.objective(labels));
    label = present;
  }
  return least;
}

TEST(SplitMerge, SettlesWhereNoSingleRowWouldMove) {
  std::size_t n_better = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    ClusteringProblem test(scattered_rows(60, 2, 6, seed, 2.0), partition_number(seed));
    MaximizationExpectation me = test.me();
    State swept = me.from_labels(random_labels(60, 6, seed));
    State settled = swept;
    SplitMerge(me, {}).settle(swept);
    SplitMerge(me, {.moves_single_rows = true}).settle(settled);
    EXPECT_NEAR(least_after_one_move(test, settled), settled.objective, rounding(settled.objective)) << seed;
    if (settled.objective < swept.objective - 0.1) ++n_better;
  }
  EXPECT_GT(n_better, 0U) << "sweeps alone end there, too";
}

// Also where there are more clusters than the rows want, so that exchanges are tried that make it worse.
TEST(SplitMerge, EveryExchangeMakesItBetter) {
  std::size_t n_exchanges = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::size_t k = seed % 2 == 0 ? 5 : 12;
    ClusteringProblem test(scattered_rows(90, 2, 4, seed, 2.0), partition_number(seed / 2));
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(90, k, seed));
    SplitMerge moves(me, {.k = k});
    moves.settle(state, Deaths::undone);
    const double settled = state.objective;
    moves.run_fixed(state, k);
    EXPECT_EQ(state.k(), k);
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(settled));
    double best = settled;
    for (const Progress& step : me.journal().trace()) {
      if (step.phase != "exchange") continue;
      EXPECT_LT(step.objective, best) << seed;
      best = step.objective;
      ++n_exchanges;
    }
    EXPECT_EQ(state.objective, best) << seed;
  }
  EXPECT_GT(n_exchanges, 5U);
}

// One cluster is large enough for all threads to work on it, the others are split side by side.
TEST(SplitMerge, SplitsDoNotDependOnThreads) {
  RandomStream random{5, Purpose::test, 3};
  std::vector<double> values;
  LabelList labels;
  for (std::size_t row = 0; row < 66'000; ++row) {
    values.push_back(random.normal() + (row % 2 == 0 ? 4.0 : 0.0));
    labels.push_back(0);
  }
  for (std::int32_t cluster = 1; cluster < 5; ++cluster) {
    for (std::size_t row = 0; row < 50; ++row) {
      values.push_back(100.0 * cluster + 3.0 * random.normal());
      labels.push_back(cluster);
    }
  }
  const std::size_t n = labels.size();
  ClusteringProblem test(Dataset::from_rows(std::move(values), n, 1), make_dirichlet(2.0));
  const Problem problem = test.problem();
  std::vector<std::vector<Split>> found;
  for (const std::size_t threads : {1U, 2U}) {
    LocalExecution local(threads);
    Journal journal;
    MaximizationExpectation me(local.get(), problem, journal);
    const State state = me.from_labels(labels);
    found.push_back(SplitMerge(me, {}).find_splits(state, Members(problem.units, state.labels, 5), false));
  }
  ASSERT_EQ(found[0].size(), 5U);
  ASSERT_EQ(found[1].size(), 5U);
  EXPECT_EQ(found[0].front().cluster, 0U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(found[0][i].cluster, found[1][i].cluster);
    EXPECT_EQ(found[0][i].sides, found[1][i].sides);
    EXPECT_EQ(found[0][i].halves, found[1][i].halves);
    EXPECT_EQ(found[0][i].pair_gain, found[1][i].pair_gain);
  }
}

}  // namespace
}  // namespace coppice::internal
