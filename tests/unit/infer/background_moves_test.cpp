// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/background_moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/model/rows_outside.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// Three clusters and, at the end, `n_far` rows over a wide square.
Dataset rows_and_far(std::size_t n_far, bool are_weighted) {
  const Dataset near = scattered_rows(150, 2, 3, 4, 6.0);
  std::vector<double> values(near.doubles().begin(), near.doubles().end());
  RandomStream random{5, Purpose::test, 8};
  for (std::size_t i = 0; i < 2 * n_far; ++i) values.push_back(random.uniform(-60.0, 60.0));
  const Dataset all = Dataset::from_rows(std::move(values), 150 + n_far, 2);
  return are_weighted ? all.with_weights(some_weights(all.n_rows(), 6)) : all;
}

struct Ground {
  Ground(std::size_t which_partition, bool are_weighted, std::size_t n_far = 20)
      : Ground(which_partition, rows_and_far(n_far, are_weighted)) {}
  Ground(std::size_t which_partition, const Dataset& data)
      : local(1),
        rows(data, {0.0, 0.0}),
        components(plain_gaussian(2)),
        clusters(partition_number(which_partition)),
        log_volume(log_spanned_volume(rows)) {}

  [[nodiscard]] BackgroundProblem problem() const { return {rows, components, *clusters, log_volume}; }
  [[nodiscard]] double from_labels(const BackgroundState& state) {
    return labelling_objective(local.get(), rows, components, *clusters, log_volume, state.labels);
  }
  void expect_exact(const BackgroundState& state) {
    EXPECT_NEAR(state.objective, from_labels(state), 1e-8 * std::abs(state.objective));
    double outside = 0.0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (state.labels[row] == background_label) outside += rows.weight(row);
    }
    EXPECT_NEAR(state.weight_outside, outside, 1e-9 * (1.0 + outside));
  }

  LocalExecution local;
  Rows rows;
  FamilyAdapter<Gaussian> components;
  std::unique_ptr<PartitionPrior> clusters;
  double log_volume;
};

TEST(BackgroundMoves, StatesAreWorthWhatTheirLabelsAre) {
  for (const bool are_weighted : {false, true}) {
    for (std::size_t which = 0; which < 2; ++which) {
      Ground ground(which, are_weighted);
      std::vector<std::int32_t> labels = random_labels(ground.rows.size(), 5, 2);
      for (std::int32_t& label : labels) label -= 1;  // -1 among them
      ground.expect_exact(state_of(ground.local.get(), ground.problem(), labels));
    }
  }
}

TEST(BackgroundMoves, BroadClustersDissolve) {
  for (const bool are_weighted : {false, true}) {
    for (std::size_t which = 0; which < 2; ++which) {
      Ground ground(which, are_weighted, 60);
      std::vector<std::int32_t> labels(ground.rows.size(), 0);
      std::fill(labels.begin() + 150, labels.end(), 1);
      BackgroundState state = state_of(ground.local.get(), ground.problem(), labels);
      const double before = state.objective;
      EXPECT_TRUE(dissolve_clusters(ground.local.get(), ground.problem(), state));
      EXPECT_EQ(state.k(), 1U);
      EXPECT_TRUE(std::all_of(state.labels.begin() + 150, state.labels.end(), [](auto label) { return label == -1; }));
      EXPECT_LT(state.objective, before);
      ground.expect_exact(state);
      EXPECT_FALSE(dissolve_clusters(ground.local.get(), ground.problem(), state)) << "the last cluster stays";
    }
  }
}

// Two of the uniform rows' clusters on either side of a line: each is denser than all of the background would be.
TEST(BackgroundMoves, PiecesOfOneBackgroundDissolveTogether) {
  Ground ground(0, false, 400);
  std::vector<std::int32_t> labels(ground.rows.size(), 0);
  std::vector<double> row(2);
  for (std::size_t i = 150; i < labels.size(); ++i) {
    ground.rows.copy_row(i, row);
    labels[i] = row[0] < 0.0 ? 1 : 2;
  }
  BackgroundState state = state_of(ground.local.get(), ground.problem(), labels);
  for (const std::int32_t piece : {1, 2}) {
    std::vector<std::int32_t> without = labels;
    std::ranges::replace(without, piece, background_label);
    EXPECT_GT(state_of(ground.local.get(), ground.problem(), without).objective, state.objective) << piece;
  }
  EXPECT_TRUE(dissolve_clusters(ground.local.get(), ground.problem(), state));
  EXPECT_EQ(state.k(), 1U);
  ground.expect_exact(state);
}

// Whatever single row is moved between clusters and background, F does not fall: brute force.
TEST(BackgroundMoves, NoSingleRowIsLeftThatWouldGain) {
  for (const bool are_weighted : {false, true}) {
    for (std::size_t which = 0; which < 2; ++which) {
      Ground ground(which, are_weighted, 100);  // some of them near the clusters, so that little decides
      std::vector<std::int32_t> labels(ground.rows.size(), 0);
      for (std::size_t row = 150; row < labels.size(); row += 2) labels[row] = background_label;
      BackgroundState state = state_of(ground.local.get(), ground.problem(), labels);
      const double before = state.objective;
      EXPECT_TRUE(move_rows(ground.local.get(), ground.problem(), state, 0.0));
      EXPECT_LT(state.objective, before);
      EXPECT_GT(std::count(state.labels.begin() + 150, state.labels.end(), background_label), 60);
      ground.expect_exact(state);
      for (std::size_t row = 0; row < ground.rows.size(); ++row) {
        if (!are_weighted || ground.rows.weight(row) == 1.0) {
          BackgroundState other = state;
          other.labels[row] = state.labels[row] == background_label ? 0 : background_label;
          EXPECT_GT(ground.from_labels(other), state.objective - 1e-6) << row;
        }
      }
      BackgroundState again = state;
      EXPECT_FALSE(move_rows(ground.local.get(), ground.problem(), again, 0.0));
    }
  }
}

// Nor between clusters, while rows go out and come back.
TEST(BackgroundMoves, NorOneBetweenClusters) {
  for (std::size_t which = 0; which < 2; ++which) {
    Ground ground(which, false, 60);
    std::vector<std::int32_t> labels = random_labels(ground.rows.size(), 3, 7);
    std::fill(labels.begin() + 150, labels.end(), background_label);
    BackgroundState state = state_of(ground.local.get(), ground.problem(), labels);
    EXPECT_TRUE(move_rows(ground.local.get(), ground.problem(), state, 0.0));
    EXPECT_EQ(state.k(), 3U);
    ground.expect_exact(state);
    std::size_t n_between = 0;
    for (std::size_t row = 0; row < ground.rows.size(); ++row) {
      if (labels[row] >= 0 && state.labels[row] >= 0 && labels[row] != state.labels[row]) ++n_between;
      for (std::int32_t to = background_label; to < 3; ++to) {
        BackgroundState other = state;
        other.labels[row] = to;
        EXPECT_GT(ground.from_labels(other), state.objective - 1e-6) << row << " to " << to;
      }
    }
    EXPECT_GT(n_between, 40U);
  }
}

// All rows outside are one group: when the last of them comes back, its group is gone, and the objective exact.
TEST(BackgroundMoves, TheBackgroundMayLoseAllRows) {
  const Dataset near = scattered_rows(60, 2, 1, 1, 0.0);
  for (std::size_t which = 0; which < 2; ++which) {
    Ground ground(which, near);
    std::vector<std::int32_t> labels(60, 0);
    labels[7] = labels[20] = background_label;
    BackgroundState state = state_of(ground.local.get(), ground.problem(), labels);
    EXPECT_TRUE(move_rows(ground.local.get(), ground.problem(), state, 0.0));
    EXPECT_EQ(state.labels, std::vector<std::int32_t>(60, 0));
    EXPECT_EQ(state.weight_outside, 0.0);
    ground.expect_exact(state);
  }
}

TEST(BackgroundMoves, RowsComeBack) {
  Ground ground(0, false);
  std::vector<std::int32_t> labels(ground.rows.size(), 0);
  for (std::size_t row = 0; row < ground.rows.size(); row += 3) labels[row] = background_label;
  BackgroundState state = state_of(ground.local.get(), ground.problem(), labels);
  EXPECT_TRUE(move_rows(ground.local.get(), ground.problem(), state, 0.0));
  EXPECT_LT(std::count(state.labels.begin(), state.labels.begin() + 150, background_label), 5);
  ground.expect_exact(state);
}

// The row of a cluster of its own would like to leave most of all, but no cluster dies; nor does it keep others inside.
TEST(BackgroundMoves, ARowThatMustStayDoesNotHoldOthersBack) {
  const Dataset near = scattered_rows(40, 2, 1, 1, 0.0);
  std::vector<double> values(near.doubles().begin(), near.doubles().end());
  values.insert(values.end(), {30.0, 30.0, -14.0, 15.0});
  for (std::size_t which = 0; which < 2; ++which) {
    Ground ground(which, Dataset::from_rows(values, 42, 2));
    std::vector<std::int32_t> labels(42, 0);
    labels[40] = 1;
    BackgroundState state = state_of(ground.local.get(), ground.problem(), labels);
    EXPECT_TRUE(move_rows(ground.local.get(), ground.problem(), state, 0.0));
    labels[41] = background_label;
    EXPECT_EQ(state.labels, labels);
    ground.expect_exact(state);
  }
}

TEST(BackgroundMoves, NoClusterBecomesTooLight) {
  Ground ground(0, false);
  BackgroundState state =
      state_of(ground.local.get(), ground.problem(), std::vector<std::int32_t>(ground.rows.size(), 0));
  move_rows(ground.local.get(), ground.problem(), state, 165.0);
  EXPECT_GE(state.stats.weight(0), 165.0);
}

}  // namespace
}  // namespace coppice::internal
