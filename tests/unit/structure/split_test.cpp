// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "coppice/structure/search.hpp"
#include "structure/split_starts.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

double rounding(double objective) { return 1e-11 * (1.0 + std::abs(objective)); }

std::optional<Split> split_of(ClusteringProblem& test, const State& state, std::size_t cluster,
                              const SplitOptions& options = {}) {
  const Problem problem = test.problem();
  const Members members(problem.units, state.labels, state.k());
  SplitWork work;
  return find_split(test.execution(), problem, state, cluster, members.of(cluster), options, work);
}

TEST(SplitGain, IsTheDifferenceOfTheObjectives) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Dataset data = scattered_rows(200, 2, 6, seed);
    if (seed % 3 == 1) data = data.with_weights(some_weights(200, seed));
    ClusteringProblem test(data, partition_number(seed));
    const State state = test.me().from_labels(random_labels(200, 3, seed));
    for (std::size_t cluster = 0; cluster < 3; ++cluster) {
      const std::optional<Split> split = split_of(test, state, cluster);
      ASSERT_TRUE(split);
      const double gain = split_gain(test.problem(), *split, state.k());
      State after = state;
      const Members members(test.problem().units, state.labels, 3);
      apply_split(test.execution(), test.problem(), *split, members.of(cluster), after);
      EXPECT_EQ(after.k(), 4U);
      EXPECT_NEAR(after.objective, state.objective + gain, rounding(state.objective));
      EXPECT_NEAR(test.objective(after.labels), state.objective + gain, rounding(state.objective));
      for (std::size_t unit = 0; unit < 200; ++unit) {
        if (state.labels.at(unit) == static_cast<std::int32_t>(cluster)) continue;
        EXPECT_EQ(after.labels.at(unit), state.labels.at(unit));
      }
    }
  }
}

// Two lines of points: along the first axis they are widest.
TEST(PrincipalPlane, CutsThroughTheMeanAcrossTheWidestDirection) {
  const std::vector<double> values = {-5, 0.1, -4, -0.1, -6, 0.2, 5, 0.1, 4, -0.2, 7, 0.0, 0.5, 0.3};
  ClusteringProblem test(Dataset::from_rows(values, 7, 2), make_dirichlet(2.0));
  const State state = test.me().single_cluster();
  const std::vector<std::size_t> members = {6, 0, 3, 1, 2, 4, 5};
  // The mean is 1.5 / 7 = 0.214: row 6 lies on the positive side, which is 0.
  const Problem problem = test.problem();
  const Plane plane = principal_plane(problem, state.stats[0], Subset(problem.units));
  const Assignment sides = divide(test.execution(), Subset(problem.units, members), problem.components, plane);
  EXPECT_EQ(sides.labels.by_row(), (std::vector<std::int32_t>{0, 1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(sides.stats.weight(0), 4.0);
  EXPECT_EQ(sides.stats.weight(1), 3.0);
}

TEST(PrincipalPlane, TakesSummariesByTheirMeans) {
  ClusteringProblem test(scattered_rows(50, 2, 2, 1), make_dirichlet(2.0));
  StatsArena summaries(50, test.components().stats_size());
  for (std::size_t row = 0; row < 50; ++row) {
    summaries[row][0] = 1.0;
    test.rows().copy_row(row, summaries[row].subspan(1, 2));
  }
  const Units units(summaries);
  const Problem problem = test.problem();
  const Problem of_summaries{units, problem.components, problem.partition, problem.total_weight};
  const State state = test.me().single_cluster();
  const auto sides = [&](const Problem& which) {
    return divide(test.execution(), Subset(which.units), which.components,
                  principal_plane(which, state.stats[0], Subset(which.units)));
  };
  const std::vector<std::int32_t> of_rows = sides(problem).labels.by_row();
  EXPECT_EQ(sides(of_summaries).labels.by_row(), of_rows);
  EXPECT_EQ((std::set<std::int32_t>(of_rows.begin(), of_rows.end())), (std::set<std::int32_t>{0, 1}));
}

// Widest along the first column; measured by the prior's scale, 1000 to 1, along the second.
TEST(SplitStarts, BeginAcrossTheWidestDirectionOnThePriorsScale) {
  NormalWishart prior = plain_prior(2);
  prior.b0[0] = 1e6;
  ClusteringProblem test(Dataset::from_rows(std::vector<double>{-100, 5, 100, 5, -100, -5, 100, -5}, 4, 2), prior,
                         make_dirichlet(2.0));
  const State state = test.me().single_cluster();
  const Problem problem = test.problem();
  const Plane first = split_starts(problem, state.stats[0], Subset(problem.units), {}).front();
  EXPECT_NEAR(first.normal[0], 0.0, 1e-12);
  EXPECT_NEAR(first.normal[1], 1.0, 1e-12);
  EXPECT_NEAR(principal_plane(problem, state.stats[0], Subset(problem.units)).normal[0], 1.0, 1e-12);
}

TEST(FindSplit, FindsAnObviousSplit) {
  RandomStream random{1, Purpose::test};
  std::vector<double> values;
  for (int row = 0; row < 100; ++row) {
    values.push_back((row % 2 == 0 ? 0.0 : 50.0) + random.normal());
    values.push_back(random.normal());
  }
  for (std::size_t which = 0; which < 2; ++which) {
    ClusteringProblem test(Dataset::from_rows(values, 100, 2), partition_number(which));
    const State state = test.me().single_cluster();
    const std::optional<Split> split = split_of(test, state, 0);
    ASSERT_TRUE(split);
    EXPECT_LT(split_gain(test.problem(), *split, 1), -50.0);
    for (std::size_t row = 2; row < 100; ++row) EXPECT_EQ(split->sides.at(row), split->sides.at(row % 2));
    EXPECT_NE(split->sides.at(0), split->sides.at(1));
    EXPECT_EQ(split->halves.weight(0), 50.0);
  }
}

// Three blobs in a row with a heavy middle: no plane through the mean helps at once, sweeps between the halves must.
TEST(FindSplit, IsNeverWorseThanThePrincipalAxisAlone) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    ClusteringProblem test(scattered_rows(300, 2, 5, seed), partition_number(seed));
    const State state = test.me().single_cluster();
    const std::optional<Split> axis_only = split_of(test, state, 0, {.n_seeded = 0});
    const std::optional<Split> split = split_of(test, state, 0, {.n_seeded = 4});
    ASSERT_TRUE(axis_only && split);
    EXPECT_LE(split->pair_gain, axis_only->pair_gain);
  }
}

TEST(FindSplit, RefusesWhatCannotBeSplit) {
  ClusteringProblem test(Dataset::from_rows(std::vector<double>{1, 1, 1, 1, 9}, 5, 1), make_dirichlet(2.0));
  const State state = test.me().from_labels(std::vector<std::int32_t>{0, 0, 0, 0, 1});
  EXPECT_FALSE(split_of(test, state, 0)) << "equal rows";
  EXPECT_FALSE(split_of(test, state, 1)) << "one row";
}

TEST(FindSplit, HasNoHalfLighterThanAsked) {
  std::vector<double> values = {100.0, 101.0};
  for (int row = 0; row < 50; ++row) values.push_back(0.1 * row);
  ClusteringProblem test(Dataset::from_rows(values, 52, 1), make_dirichlet(2.0));
  const State state = test.me().single_cluster();
  const std::optional<Split> light = split_of(test, state, 0);
  ASSERT_TRUE(light);
  EXPECT_EQ(std::min(light->halves.weight(0), light->halves.weight(1)), 2.0);
  const std::optional<Split> heavy = split_of(test, state, 0, {.min_weight = 3.0});
  EXPECT_TRUE(!heavy || std::min(heavy->halves.weight(0), heavy->halves.weight(1)) >= 3.0);
}

TEST(FindSplit, CountsDistances) {
  ClusteringProblem test(scattered_rows(300, 2, 2, 3), make_dirichlet(2.0));
  const State state = test.me().single_cluster();
  const Problem problem = test.problem();
  const Members members(problem.units, state.labels, 1);
  SplitWork work{.distances = 7};
  (void)find_split(test.execution(), problem, state, 0, members.of(0), {}, work);
  EXPECT_GT(work.distances, 7U);
  EXPECT_EQ((work.distances - 7U) % 600, 0U) << "two halves for each of 300 rows";
  EXPECT_EQ(work.nodes_visited, 0U) << "there is no tree";
}

// Pairs are drawn from the members unless others are named; which row comes first does not matter.
TEST(FindSplit, DrawsFromTheNamedMembers) {
  ClusteringProblem test(scattered_rows(300, 2, 6, 4), make_dirichlet(2.0));
  const State state = test.me().single_cluster();
  const auto sides_from = [&](std::span<const std::size_t> drawn_from) {
    return split_of(test, state, 0, {.n_seeded = 4, .drawn_from = drawn_from})->sides.by_row();
  };
  std::vector<std::size_t> all(300);
  std::iota(all.rbegin(), all.rend(), std::size_t{0});
  EXPECT_EQ(sides_from(all), sides_from({}));
  // Two equal places are no pair: what is left is the plane across the principal axis.
  EXPECT_EQ(sides_from(std::vector<std::size_t>{7}), split_of(test, state, 0, {.n_seeded = 0})->sides.by_row());
}

}  // namespace
}  // namespace coppice::internal
