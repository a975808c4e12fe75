// SPDX-License-Identifier: BSD-3-Clause
// Moves of single rows against brute force: every move of every row, judged by the labels alone.
#include "coppice/infer/single_moves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "coppice/family/diagonal.hpp"
#include "coppice/family/spherical.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

std::unique_ptr<Components> family_number(std::size_t which, std::size_t d) {
  const std::vector<double> m0(d, 0.0);
  if (which == 0) return plain_gaussian(d).clone();
  if (which == 1) {
    return std::make_unique<FamilyAdapter<DiagonalGaussian>>(
        DiagonalGaussian({m0, 0.1, 2.0, std::vector<double>(d, 1.0), {}}));
  }
  if (which == 2) {
    return std::make_unique<FamilyAdapter<SphericalGaussian>>(SphericalGaussian({m0, 0.1, 2.0, {1.0}, {}}));
  }
  return std::make_unique<FamilyAdapter<DiagonalGaussian>>(
      DiagonalGaussian({m0, 0.1, 2.0, std::vector<double>(d, 1.0), std::vector<double>(d, 0.1)}));
}
constexpr std::size_t n_families = 4;

// A small table with start labels, and what its objective is.
struct Example {
  Example(Dataset data, std::unique_ptr<Components> of_family, std::unique_ptr<PartitionPrior> of_partition)
      : rows(data, std::vector<double>(data.n_columns(), 0.0)),
        units(rows),
        family(std::move(of_family)),
        partition(std::move(of_partition)) {
    for (std::size_t row = 0; row < rows.size(); ++row) total += rows.weight(row);
  }

  [[nodiscard]] Problem problem() const { return {units, *family, *partition, total}; }
  [[nodiscard]] double objective(const LabelList& labels) {
    return labelling_objective(local.get(), rows, *family, *partition, labels);
  }
  // How much the best of all moves of a row to another cluster of these labels would gain.
  [[nodiscard]] double best_move(const LabelList& labels, bool may_die = true, double min_size = 0.0) {
    const double before = objective(labels);
    const std::set<std::int32_t> clusters(labels.begin(), labels.end());
    double best = 0.0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
      double left = -rows.weight(row);
      for (std::size_t i = 0; i < labels.size(); ++i) left += labels[i] == labels[row] ? rows.weight(i) : 0.0;
      const bool dies = left < 1e-9;
      if (dies ? !may_die : left < min_size) continue;
      LabelList moved = labels;
      for (const std::int32_t cluster : clusters) {
        moved[row] = cluster;
        best = std::max(best, before - objective(moved));
      }
    }
    return best;
  }

  LocalExecution local{1};
  Rows rows;
  Units units;
  std::unique_ptr<Components> family;
  std::unique_ptr<PartitionPrior> partition;
  double total = 0.0;
  Journal journal;
};

// Calls check(example, start labels, seed) for small random problems of all families under both partition priors.
template <class Check>
void for_examples(bool is_weighted, const Check& check) {
  for (std::size_t family = 0; family < n_families; ++family) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(testing::Message() << "family " << family << ", seed " << seed);
      const std::size_t d = 1 + seed % 3;
      Dataset data = scattered_rows(20, d, 3, seed, 2.0);
      if (is_weighted) data = data.with_weights(some_weights(20, seed));
      Example example(data, family_number(family, d), partition_number(seed / 3));
      check(example, random_labels(20, 3, seed), seed);
    }
  }
}

TEST(SingleMoves, TheObjectiveFallsByWhatIsReturned) {
  std::size_t n_moved = 0;
  for (const bool is_weighted : {false, true}) {
    for_examples(is_weighted, [&](Example& example, LabelList labels, std::uint64_t) {
      MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
      const State state = me.from_labels(labels);
      labels = state.labels.by_row();
      StatsArena stats = state.stats;
      const double before = example.objective(labels);
      const Subset all(example.units);
      const double gained =
          move_single_rows(example.local.get(), example.problem(), {.subset = all, .labels = labels, .stats = stats})
              .gained;
      EXPECT_NEAR(before - example.objective(labels), gained, 1e-8);
      EXPECT_EQ(gained > 0.0, before > example.objective(labels));
      n_moved += gained > 0.0 ? 1 : 0;
    });
  }
  EXPECT_GT(n_moved, 40U);
}

TEST(SingleMoves, NoMoveOfOneRowIsLeftThatHelps) {
  for_examples(false, [&](Example& example, const LabelList& labels, std::uint64_t) {
    MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
    State state = me.from_labels(labels);
    (void)move_single_rows(me, state, Deaths::allowed, 0.0);
    EXPECT_LT(example.best_move(state.labels.by_row()), 1e-6);
    EXPECT_NEAR(state.objective, example.objective(state.labels.by_row()), 1e-9 * std::abs(state.objective));
  });
}

// Four clusters far away stay as they are, three go on changing by and by.
TEST(SingleMoves, NorIsOneLeftWhereMostClustersHaveSettled) {
  constexpr std::size_t n_settled = 16;
  for (std::size_t family = 0; family < n_families; ++family) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      SCOPED_TRACE(testing::Message() << "family " << family << ", seed " << seed);
      const std::size_t d = 1 + seed % 3;
      std::vector<double> values;
      LabelList labels;
      for (std::size_t i = 0; i < n_settled; ++i) {
        values.insert(values.end(), d, 1000.0 * static_cast<double>(1 + i % 4) + static_cast<double>(i / 4));
        labels.push_back(static_cast<std::int32_t>(i % 4));
      }
      const Dataset others = scattered_rows(20, d, 3, seed, 2.0);
      values.insert(values.end(), others.doubles().begin(), others.doubles().end());
      for (const std::int32_t label : random_labels(20, 3, seed)) labels.push_back(4 + label);
      Example example(Dataset::from_rows(std::move(values), n_settled + 20, d), family_number(family, d),
                      partition_number(seed / 3));
      MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
      State state = me.from_labels(labels);
      (void)move_single_rows(me, state, Deaths::undone, 0.0);
      EXPECT_EQ(state.k(), 7U);
      EXPECT_LT(example.best_move(state.labels.by_row(), false), 1e-6);
    }
  }
}

// A row of weight w is w rows to the objective. Which rows to try is told by densities of one row.
TEST(SingleMoves, WithWeightsTheObjectiveNeverRises) {
  for_examples(true, [&](Example& example, const LabelList& labels, std::uint64_t) {
    MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
    State state = me.from_labels(labels);
    const double before = state.objective;
    const bool has_moved = move_single_rows(me, state, Deaths::allowed, 0.0);
    EXPECT_EQ(has_moved, state.objective < before);
    EXPECT_NEAR(state.objective, example.objective(state.labels.by_row()), 1e-9 * std::abs(state.objective));
    for (std::size_t c = 0; c < state.k(); ++c) EXPECT_GT(state.stats.weight(c), 0.0);
  });
}

TEST(SingleMoves, WhatTheyLeaveNoSweepChanges) {
  for_examples(false, [&](Example& example, const LabelList& labels, std::uint64_t) {
    MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
    State state = me.from_labels(labels);
    (void)move_single_rows(me, state, Deaths::allowed, 0.0);
    const LabelList before = state.labels.by_row();
    EXPECT_FALSE(me.sweep(state));
    EXPECT_EQ(state.labels.by_row(), before);
  });
}

TEST(SingleMoves, AFixedNumberOfClustersStays) {
  for (std::size_t family = 0; family < n_families; ++family) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Example example(scattered_rows(20, 2, 2, seed), family_number(family, 2), partition_number(seed));
      MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
      LabelList start(20, 0);
      for (std::int32_t i = 0; i < 6; ++i) start[static_cast<std::size_t>(i)] = i;  // five of them alone
      State state = me.from_labels(start);
      (void)move_single_rows(me, state, Deaths::undone, 0.0);
      EXPECT_EQ(state.k(), 6U);
      EXPECT_LT(example.best_move(state.labels.by_row(), false), 1e-6);
    }
  }
}

// One row, one cluster: those that join another cluster die.
TEST(SingleMoves, ClustersDieWhereThatHelps) {
  for (std::size_t family = 0; family < n_families; ++family) {
    for (const std::size_t partition : {0U, 1U}) {
      SCOPED_TRACE(testing::Message() << "family " << family << ", partition " << partition);
      Example example(scattered_rows(20, 2, 1, 5), family_number(family, 2), partition_number(partition));
      MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
      LabelList start(20, 0);
      for (std::int32_t i = 0; i < 4; ++i) start[static_cast<std::size_t>(i)] = 1 + i;
      State state = me.from_labels(start);
      (void)move_single_rows(me, state, Deaths::allowed, 0.0);
      EXPECT_LT(state.k(), 5U);
      EXPECT_LT(example.best_move(state.labels.by_row()), 1e-6);
    }
  }
}

TEST(SingleMoves, NoClusterBecomesLighterThanTheLeastSize) {
  for_examples(false, [&](Example& example, const LabelList& labels, std::uint64_t) {
    MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
    State state = me.from_labels(labels);
    StatsArena before = state.stats;
    (void)move_single_rows(me, state, Deaths::undone, 5.0);
    ASSERT_EQ(state.k(), before.size());
    for (std::size_t c = 0; c < state.k(); ++c) {
      EXPECT_GE(state.stats.weight(c), std::min(5.0, before.weight(c)));
    }
    EXPECT_LT(example.best_move(state.labels.by_row(), false, 5.0), 1e-6);
  });
}

// Rows of other clusters stay as they are, and count only through the sizes of those.
TEST(SingleMoves, InsideAPartTheOthersStay) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Example example(scattered_rows(30, 2, 3, seed, 2.0), family_number(seed % n_families, 2), partition_number(seed));
    LabelList labels = random_labels(30, 3, seed);
    std::vector<std::size_t> members;
    LabelList sides;
    for (std::size_t row = 0; row < 30; ++row) {
      if (labels[row] == 2) continue;
      members.push_back(row);
      sides.push_back(labels[row]);
    }
    const double before = example.objective(labels);
    MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
    const State state = me.from_labels(labels);
    StatsArena pair(0, state.stats.stats_size());
    for (const std::size_t c : {0U, 1U}) pair.append(std::vector<double>(state.stats[c].begin(), state.stats[c].end()));
    const Subset subset(example.units, members);
    const std::vector<double> others{state.stats.weight(2)};
    const double gained = move_single_rows(example.local.get(), example.problem(),
                                           {.subset = subset, .labels = sides, .stats = pair, .others = others})
                              .gained;
    for (std::size_t i = 0; i < members.size(); ++i) labels[members[i]] = sides[i];
    EXPECT_NEAR(before - example.objective(labels), gained, 1e-8);
    EXPECT_GT(gained, 0.0);
  }
}

TEST(SingleMoves, AreTheSameForAnyNumberOfThreads) {
  const Dataset data = scattered_rows(3000, 3, 6, 3, 2.0);
  const LabelList start = random_labels(3000, 6, 3);
  std::vector<LabelList> found;
  for (const std::size_t threads : {1U, 3U}) {
    LocalExecution local(threads);
    Example example(data, family_number(0, 3), partition_number(0));
    MaximizationExpectation me(local.get(), example.problem(), example.journal);
    State state = me.from_labels(start);
    EXPECT_TRUE(move_single_rows(me, state, Deaths::allowed, 0.0));
    found.push_back(state.labels.by_row());
  }
  EXPECT_EQ(found[0], found[1]);
}

// What rested is not looked at again, and what has changed since is: the labels are those of a search that remembers
// nothing.
TEST(SingleMoves, RememberWhatIsAtRest) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Dataset data = scattered_rows(300, 3, 6, seed, 1.5);
    Example example(data, family_number(0, 3), partition_number(0));
    MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
    State state = me.from_labels(random_labels(300, 6, seed));
    while (move_single_rows(me, state, Deaths::allowed, 0.0)) {
    }
    EXPECT_EQ(me.resting().clusters, state.stats);
    LabelList mixed = state.labels.by_row();
    for (std::size_t row = 0; row < 300; ++row) {
      if (mixed[row] < 2) mixed[row] = static_cast<std::int32_t>(row % 2);
    }
    State remembering = me.from_labels(mixed);
    EXPECT_TRUE(move_single_rows(me, remembering, Deaths::allowed, 0.0));
    EXPECT_LT(example.best_move(remembering.labels.by_row()), 1e-6);
    me.use(example.problem());
    EXPECT_EQ(me.resting().clusters.size(), 0U) << "another problem";
  }
}

TEST(SingleMoves, OneClusterHasNowhereToGo) {
  Example example(scattered_rows(20, 2, 1, 5), family_number(0, 2), partition_number(0));
  MaximizationExpectation me(example.local.get(), example.problem(), example.journal);
  State state = me.single_cluster();
  EXPECT_FALSE(move_single_rows(me, state, Deaths::allowed, 0.0));
}

}  // namespace
}  // namespace coppice::internal
