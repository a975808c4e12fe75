// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/me.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/assign/naive.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// An objective is a sum of about as many terms as there are rows: 1e-10 of it covers their rounding.
double rounding(double objective) { return 1e-10 * (1.0 + std::abs(objective)); }

// Sweeps one by one; the objective must not rise, must be that of the labels, and no cluster may be empty.
void expect_descent(ClusteringProblem& test, std::span<const std::int32_t> start) {
  MaximizationExpectation me = test.me();
  State state = me.from_labels(start);
  double before = state.objective;
  EXPECT_NEAR(before, test.objective(start), rounding(before));
  while (me.sweep(state)) {
    ASSERT_LT(state.objective, before);
    ASSERT_NEAR(state.objective, test.objective(state.labels), rounding(before));
    for (std::size_t c = 0; c < state.k(); ++c) ASSERT_GT(state.stats.weight(c), 0.0);
    for (const std::int32_t label : state.labels.by_row()) ASSERT_LT(static_cast<std::size_t>(label), state.k());
    before = state.objective;
  }
}

TEST(MaximizationExpectation, DescendsFromRandomStarts) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t n = 60 + 10 * seed;
    Dataset data = scattered_rows(n, 1 + seed % 4, 4, seed);
    if (seed % 3 == 0) data = data.with_weights(some_weights(n, seed));
    ClusteringProblem test(data, partition_number(seed));
    expect_descent(test, random_labels(n, 2 + seed % 11, seed));
  }
}

TEST(MaximizationExpectation, DescendsWithALargeMassOfTheProcess) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ClusteringProblem test(scattered_rows(40, 2, 4, seed), make_dirichlet_process(50.0));
    expect_descent(test, random_labels(40, 15, seed));
  }
}

// What the plain batch sweep of [L] Eq. 24 would give: every unit to its cheapest cluster, the dead buried.
double plain_sweep_objective(ClusteringProblem& test, const State& state) {
  const Problem problem = test.problem();
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(state.stats);
  const std::vector<double> offsets = problem.offsets(state.stats);
  return test.objective(
      assign_naive(test.execution(), Subset(problem.units), *clusters, offsets, state.labels.list()).labels);
}

// Under the Dirichlet process the death of a cluster can raise the objective (docs/errata.md, 8).
TEST(MaximizationExpectation, RepairsDeathsThatWouldRaiseTheObjective) {
  std::size_t n_found = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    ClusteringProblem test(scattered_rows(12, 1, 2, seed, 0.3), plain_prior(1, 0.3), make_dirichlet_process(50.0));
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(12, 5, seed));
    const double before = state.objective;
    if (plain_sweep_objective(test, state) <= before + rounding(before)) continue;
    ++n_found;
    const std::size_t k = state.k();
    (void)me.sweep(state);
    EXPECT_LE(state.objective, before) << "seed " << seed;
    EXPECT_EQ(state.k(), k) << "the dead live on";
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(before));
  }
  EXPECT_GT(n_found, 0U) << "no example: the repair was not tested";
}

// Also where all units of another cluster come from the one that was emptied: once they are back, that one is empty.
TEST(MaximizationExpectation, ClustersThatMustNotDieLiveOn) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t k = 5 + seed % 3;
    ClusteringProblem test(scattered_rows(60, 2, 3, seed, 2.0), partition_number(seed));
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(60, k, seed));
    me.converge(state, Deaths::undone);
    EXPECT_EQ(state.k(), k) << "seed " << seed;
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
  }
}

TEST(MaximizationExpectation, StartsFromAnyIntegers) {
  ClusteringProblem test(scattered_rows(6, 2, 2, 1).with_weights({1, 1, 0, 1, 1, 1}), make_dirichlet(2.0));
  const MaximizationExpectation me = test.me();
  const State state = me.from_labels(std::vector<std::int32_t>{-5, 100, 7, 100, -5, 2000000000});
  EXPECT_EQ(state.labels.by_row(), (std::vector<std::int32_t>{0, 1, 0, 1, 0, 2}))
      << "the row of weight 0 is no cluster";
  EXPECT_EQ(state.k(), 3U);
  EXPECT_EQ(state.stats.weight(1), 2.0);
}

TEST(MaximizationExpectation, OneClusterHoldsEverything) {
  ClusteringProblem test(scattered_rows(50, 2, 2, 2), make_dirichlet(2.0));
  const State state = test.me().single_cluster();
  EXPECT_EQ(state.k(), 1U);
  EXPECT_EQ(state.labels.by_row(), std::vector<std::int32_t>(50, 0));
  EXPECT_EQ(state.stats.weight(0), 50.0);
  EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
}

TEST(MaximizationExpectation, ConvergedMeansNothingMoves) {
  ClusteringProblem test(scattered_rows(500, 2, 4, 3), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  State state = me.from_labels(random_labels(500, 6, 3));
  me.converge(state);
  const State before = state;
  EXPECT_FALSE(me.sweep(state));
  EXPECT_EQ(state.labels.by_row(), before.labels.by_row());
  EXPECT_EQ(me.journal().counters().distances % 500, 0U);
  EXPECT_GE(me.journal().counters().distances, me.journal().iterations() * 500 * state.k());
}

TEST(MaximizationExpectation, TheObserverSeesEveryStateAndCanStop) {
  ClusteringProblem test(scattered_rows(500, 2, 4, 4), make_dirichlet(2.0));
  std::vector<double> seen;
  std::size_t most = 1000;
  MaximizationExpectation me = test.me({.observer = [&](const State& state) {
    EXPECT_EQ(state.progress.phase, "sweep");
    EXPECT_EQ(state.progress.k, state.k());
    EXPECT_EQ(state.progress.iteration, seen.size() + 1);
    EXPECT_EQ(state.progress.objective, state.objective);
    EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(state.objective));
    seen.push_back(state.objective);
    return seen.size() < most ? Next::carry_on : Next::stop;
  }});
  State state = me.from_labels(random_labels(500, 6, 4));
  const State start = state;
  me.converge(state);
  ASSERT_GT(seen.size(), 2U);
  ASSERT_EQ(me.journal().trace().size(), seen.size());
  EXPECT_EQ(me.journal().iterations(), seen.size());
  EXPECT_EQ(seen[seen.size() - 1], seen[seen.size() - 2]) << "the last sweep changes nothing";
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(me.journal().trace()[i].objective, seen[i]);
  EXPECT_EQ(me.journal().k_evidence().at(state.k()), state.objective);

  const double second = seen[1];
  seen.clear();
  most = 2;
  MaximizationExpectation stopped = test.me({.observer = [&](const State& shown) {
    seen.push_back(shown.objective);
    return seen.size() < most ? Next::carry_on : Next::stop;
  }});
  state = start;
  EXPECT_THROW(stopped.converge(state), Stopped);
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_EQ(state.objective, second) << "the state is whole";
}

TEST(MaximizationExpectation, StopsAtTheIterationLimit) {
  ClusteringProblem test(scattered_rows(500, 2, 4, 5), make_dirichlet(2.0));
  MaximizationExpectation me = test.me({.max_iterations = 2});
  State state = me.from_labels(random_labels(500, 6, 5));
  const double start = state.objective;
  try {
    me.converge(state);
    FAIL() << "no limit";
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.reason(), StopReason::iteration_limit);
  }
  EXPECT_EQ(me.journal().iterations(), 2U);
  EXPECT_LT(state.objective, start);
  EXPECT_NEAR(state.objective, test.objective(state.labels), rounding(start));
}

TEST(MaximizationExpectation, AStopSignalLeavesTheStateWhole) {
  std::stop_source source;
  ClusteringProblem test(scattered_rows(300, 2, 3, 6), plain_prior(2), make_dirichlet(2.0),
                         StopSignal(source.get_token(), nullptr, std::nullopt));
  MaximizationExpectation me = test.me();
  State state = me.from_labels(random_labels(300, 5, 6));
  const State before = state;
  source.request_stop();
  EXPECT_THROW(me.converge(state), Stopped);
  EXPECT_EQ(state.labels.by_row(), before.labels.by_row());
}

// Summaries (w, x, no scatter) of exact duplicates are rows with weights in another dress.
TEST(MaximizationExpectation, SummariesOfDuplicatesAreWeightedRows) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::size_t n = 300;
    std::vector<double> weights = some_weights(n, seed);
    for (double& weight : weights) weight = 1.0 + std::floor(weight);
    ClusteringProblem test(scattered_rows(n, 2, 4, seed).with_weights(weights), partition_number(seed));
    StatsArena summaries(n, test.components().stats_size());
    for (std::size_t row = 0; row < n; ++row) {
      summaries[row][0] = weights[row];
      test.rows().copy_row(row, summaries[row].subspan(1, 2));
    }
    const Units units(summaries);
    const Problem problem = test.problem();
    MaximizationExpectation me = test.me();
    Journal journal;
    MaximizationExpectation of_summaries(test.execution(),
                                         {units, problem.components, problem.partition, problem.total_weight}, journal);
    const std::vector<std::int32_t> start = random_labels(n, 6, seed);
    State rows = me.from_labels(start);
    State nodes = of_summaries.from_labels(start);
    EXPECT_NEAR(nodes.objective, rows.objective, rounding(rows.objective));
    me.converge(rows);
    of_summaries.converge(nodes);
    EXPECT_EQ(nodes.labels.by_row(), rows.labels.by_row());
    EXPECT_NEAR(nodes.objective, rows.objective, rounding(rows.objective));
  }
}

TEST(NoteEvidence, KeepsTheLeast) {
  ClusteringProblem test(scattered_rows(10, 1, 1, 7), make_dirichlet(2.0));
  MaximizationExpectation me = test.me();
  me.journal().note_evidence(3, 5.0);
  me.journal().note_evidence(3, 4.0);
  me.journal().note_evidence(3, 6.0);
  EXPECT_EQ(me.journal().k_evidence(), (std::map<std::size_t, double>{{3, 4.0}}));
}

TEST(Negligible, GoesByTheWeightOfTheRowsAndTheRoundingOfTheObjective) {
  EXPECT_DOUBLE_EQ(negligible(0.0, 0.0), 1e-9);
  EXPECT_DOUBLE_EQ(negligible(0.0, 1e6), 1e-9 * (1.0 + 1e6));
  EXPECT_DOUBLE_EQ(negligible(-1e8, 0.0), 1e-9 + 1e-5);
  ClusteringProblem test(scattered_rows(30, 2, 2, 1), make_dirichlet(2.0));
  const State state = test.me().single_cluster();
  EXPECT_DOUBLE_EQ(negligible(state), negligible(state.objective, 30.0));
}

TEST(DropEmptyClusters, NumbersTheOthersInOrder) {
  State state;
  state.labels = Labels(std::vector<std::int32_t>{2, 0, 4, 2, 3});
  state.stats = StatsArena(std::vector<double>{1, 0, 2, 0, 1}, 1);
  drop_empty_clusters(state);
  EXPECT_EQ(state.labels.by_row(), (std::vector<std::int32_t>{1, 0, 2, 1, 0}));
  EXPECT_EQ(state.stats.values(), (std::vector<double>{1, 2, 1}));
}

}  // namespace
}  // namespace coppice::internal
