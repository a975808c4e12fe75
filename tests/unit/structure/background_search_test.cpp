// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/background_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "coppice/model/rows_outside.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/structure/all_partitions.hpp"
#include "unit/structure/given_prior.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

double rounding(double objective) { return 1e-9 * (1.0 + std::abs(objective)); }

MixtureSpec with_background(MixtureSpec spec) {
  spec.has_background = true;
  return spec;
}

MixtureSpec by_partition(std::size_t which) {
  MixtureSpec spec;
  if (which % 2 == 1) spec.partition = {.name = "dp", .alpha = 1.5};
  return spec;
}

// Gaussian clusters whose prior is the same whatever rows are inside.
MixtureSpec given_prior(std::size_t which_partition) {
  return with_given_prior(by_partition(which_partition), plain_prior(2));
}

// Everything that a search needs, kept alive together.
class Example {
 public:
  explicit Example(const Dataset& data, const MixtureSpec& spec = {}, Observer observer = {},
                   std::function<void()> on_result = {})
      : local_(1),
        plan_(
            make_plan(local_.get(), with_background(spec), ready_rows(local_.get(), with_background(spec), data).rows)),
        journal_({.observer = std::move(observer), .on_result = std::move(on_result)}),
        search_(plan_, local_, journal_) {}

  // What is found, from beginning to end.
  [[nodiscard]] BackgroundState found() {
    search_.run();
    return search_.finish();
  }
  [[nodiscard]] const BackgroundSearch& search() const { return search_; }
  [[nodiscard]] const Rows& rows() const { return plan_.rows; }
  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] BackgroundProblem problem() const {
    return {plan_.rows, search_.components(), *plan_.partition, log_spanned_volume(plan_.rows)};
  }
  // The objective of any labels, -1 for the background, under the prior that was found.
  [[nodiscard]] double objective_of(const LabelList& labels) {
    return labelling_objective(local_.get(), plan_.rows, search_.components(), *plan_.partition,
                               log_spanned_volume(plan_.rows), labels);
  }
  // Of what is found in the same rows without a background.
  [[nodiscard]] double without_background() {
    Journal unread;
    MixtureSearch search(plan_, local_, unread);
    search.run();
    return search.state().objective;
  }

 private:
  LocalExecution local_;
  MixturePlan plan_;
  Journal journal_;
  BackgroundSearch search_;
};

// Labels, statistics, weights and objective say the same, and clusters go by size.
void expect_whole(Example& example, const BackgroundState& state) {
  ASSERT_EQ(state.labels.size(), example.rows().size());
  ASSERT_GT(state.k(), 0U);
  std::vector<double> sizes(state.k(), 0.0);
  double outside = 0.0;
  for (std::size_t row = 0; row < state.labels.size(); ++row) {
    const std::int32_t label = state.labels[row];
    ASSERT_GE(label, background_label);
    ASSERT_LT(label, static_cast<std::int32_t>(state.k()));
    (label == background_label ? outside : sizes[static_cast<std::size_t>(label)]) += example.rows().weight(row);
  }
  EXPECT_NEAR(state.weight_outside, outside, 1e-9 * (1.0 + outside));
  for (std::size_t c = 0; c < state.k(); ++c) {
    EXPECT_NEAR(state.stats.weight(c), sizes[c], 1e-9 * sizes[c]);
    if (c > 0) {
      EXPECT_LE(sizes[c], sizes[c - 1]);
    }
  }
  EXPECT_NEAR(state.objective, example.objective_of(state.labels), rounding(state.objective));
}

// Clusters about the corners of a triangle, then rows all over a box.
struct Mixed {
  std::size_t n_near;
  std::size_t n_far;
  double distance = 12.0;    // of the corners
  double half_width = 60.0;  // of the box
};
Dataset rows_and_far(const Mixed& mixed, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 3};
  std::vector<double> values;
  for (std::size_t i = 0; i < mixed.n_near; ++i) {
    values.push_back((i % 3 == 0 ? mixed.distance : 0.0) + random.normal());
    values.push_back((i % 3 == 1 ? mixed.distance : 0.0) + random.normal());
  }
  for (std::size_t i = 0; i < 2 * mixed.n_far; ++i) {
    values.push_back(random.uniform(-mixed.half_width, mixed.half_width));
  }
  return Dataset::from_rows(std::move(values), mixed.n_near + mixed.n_far, 2);
}

// Two tight groups of three, and one row far from all.
Dataset seven_rows(std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 3};
  std::vector<double> values;
  for (const double centre : {0.0, 0.0, 0.0, 8.0, 8.0, 8.0}) {
    values.insert(values.end(), {centre + 0.5 * random.normal(), 0.5 * random.normal()});
  }
  values.insert(values.end(), {-300.0, 400.0});
  return Dataset::from_rows(std::move(values), 7, 2);
}

TEST(BackgroundSearch, FindsTheBestOfAllLabellings) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const bool has_groups = seed < 4;
    Example example(has_groups ? seven_rows(seed) : scattered_rows(7, 2, 3, seed, 20.0), given_prior(seed));
    const BackgroundState state = example.found();
    expect_whole(example, state);
    double least = infinity;
    for_each_partition_beside_background(
        7, [&](const LabelList& labels) { least = std::min(least, example.objective_of(labels)); });
    EXPECT_GE(state.objective, least - rounding(least)) << seed;
    if (!has_groups) continue;
    EXPECT_NEAR(state.objective, least, rounding(least)) << seed;
    EXPECT_EQ(state.labels.back(), background_label) << seed;
    EXPECT_EQ(state.weight_outside, 1.0) << seed;
  }
}

TEST(BackgroundSearch, IsNeverWorseThanWithoutABackground) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    for (const std::size_t n_far : {0U, 15U}) {
      Dataset data = rows_and_far({90, n_far}, seed);
      if (seed == 1) data = data.with_weights(some_weights(data.n_rows(), seed));
      Example example(data, by_partition(seed));
      const BackgroundState state = example.found();
      expect_whole(example, state);
      const double without = example.without_background();
      EXPECT_LE(state.objective, without + rounding(without)) << seed;
      if (n_far > 0) {
        EXPECT_LT(state.objective, without - 5.0) << seed;
      }
    }
  }
}

// By brute force: no row would rather be elsewhere, and no cluster in the background.
void expect_nothing_to_move(Example& example, const BackgroundState& state) {
  LabelList labels = state.labels;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    for (std::int32_t label = -1; label < static_cast<std::int32_t>(state.k()); ++label) {
      labels[row] = label;
      EXPECT_GE(example.objective_of(labels), state.objective - 1e-6) << "row " << row << " to " << label;
    }
    labels[row] = state.labels[row];
  }
  for (std::int32_t cluster = 0; cluster < static_cast<std::int32_t>(state.k()); ++cluster) {
    labels = state.labels;
    std::ranges::replace(labels, cluster, background_label);
    EXPECT_GE(example.objective_of(labels), state.objective - 1e-6) << cluster;
  }
}

TEST(BackgroundSearch, EndsWhereNoRowAndNoClusterWouldMove) {
  Example fitted(rows_and_far({90, 20}, 1));
  expect_nothing_to_move(fitted, fitted.found());
  // Rows that are not so far hide in clusters, and some of them are clusters.
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Mixed mixed = seed < 6 ? Mixed{60, 16, 5.0, 10.0} : Mixed{60, 2, 12.0, 10.0};
    Example example(rows_and_far(mixed, seed % 6), given_prior(seed));
    expect_nothing_to_move(example, example.found());
  }
}

TEST(BackgroundSearch, KeepsToTheNumberOfClusters) {
  for (const std::size_t k : {1U, 3U, 5U}) {
    MixtureSpec spec = given_prior(0);
    spec.k = k;
    Example example(rows_and_far({90, 15}, 1), spec);
    const BackgroundState state = example.found();
    expect_whole(example, state);
    EXPECT_EQ(state.k(), k);
    const double without = example.without_background();
    EXPECT_LE(state.objective, without + rounding(without));
  }
}

// Whatever was seen on the way, also within a step that the stop has cut short.
TEST(BackgroundSearch, AStopAtAnyReportGivesTheBestSoFar) {
  const Dataset data = rows_and_far({60, 12}, 2);
  bool is_stopped = true;
  std::size_t n_beside_outliers = 0;
  for (std::size_t stop_at = 1; is_stopped; ++stop_at) {
    std::size_t n_seen = 0;
    double lowest = infinity;
    Example example(data, given_prior(0), [&](const State& state) {
      lowest = std::min(lowest, state.objective);
      return ++n_seen < stop_at ? Next::carry_on : Next::stop;
    });
    const BackgroundState state = example.found();
    is_stopped = example.search().reason() != StopReason::converged;
    expect_whole(example, state);
    EXPECT_LE(state.objective, lowest + rounding(lowest)) << "stopped at report " << stop_at;
    if (is_stopped && state.weight_outside > 0.0) ++n_beside_outliers;
  }
  EXPECT_GT(n_beside_outliers, 10U);
}

// As soon as there are as many clusters as asked for, fewer are no result, however low their objective.
TEST(BackgroundSearch, AStopKeepsTheNumberOfClusters) {
  const Dataset data = rows_and_far({60, 12}, 2);
  MixtureSpec spec = given_prior(0);
  spec.k = 4;
  bool is_stopped = true;
  std::size_t n_late = 0;
  for (std::size_t stop_at = 1; is_stopped; stop_at += 1 + stop_at / 10) {
    std::size_t n_seen = 0;
    bool has_result = false;
    bool had_result = false;
    const auto see = [&](const State&) {
      had_result = has_result;
      return ++n_seen < stop_at ? Next::carry_on : Next::stop;
    };
    Example example(data, spec, see, [&] { has_result = true; });
    const BackgroundState state = example.found();
    is_stopped = example.search().reason() != StopReason::converged;
    if (!had_result) continue;
    EXPECT_EQ(state.k(), 4U) << "stopped at report " << stop_at;
    ++n_late;
  }
  EXPECT_GT(n_late, 5U);
}

// More rows than structure is searched in: the others are given to what was found, and sweeps go on over all of them.
TEST(BackgroundSearch, OfALargeTableNoSweepIsLeftThatWouldGain) {
  Example example(rows_and_far({24'000, 800, 4.0, 30.0}, 3), given_prior(0));
  const BackgroundState state = example.found();
  expect_whole(example, state);
  EXPECT_EQ(state.k(), 3U);
  EXPECT_NEAR(state.weight_outside, 800.0, 80.0);
  const std::unique_ptr<PartitionPrior> partition = example.search().partition_beside(state);
  const BackgroundState next =
      state_of(example.execution(), example.problem(),
               cheapest_labels(example.execution(), example.rows(),
                               {example.search().components(), state.stats, *partition}, state.labels));
  EXPECT_GE(next.objective, state.objective - rounding(state.objective));
  EXPECT_EQ(example.search().assign().used, "naive");
}

// In the rows that are searched every cluster is heavy enough for their number; sweeps over all rows leave one too
// light.
TEST(BackgroundSearch, OfALargeTableNoClusterIsTooLight) {
  MixtureSpec spec = given_prior(0);
  spec.min_size = 4032.0;
  Example example(rows_and_far({12'000, 600, 6.0, 40.0}, 4), spec);
  const BackgroundState state = example.found();
  expect_whole(example, state);
  for (std::size_t c = 0; c < state.k(); ++c) EXPECT_GE(state.stats.weight(c), spec.min_size);
}

// They weigh nothing, and are told where they would be, whether or not structure is searched among different rows.
TEST(BackgroundSearch, RowsWithoutWeightGetTheLabelOfTheirPlace) {
  const Dataset data = rows_and_far({90, 15}, 5);
  const Dataset more = rows_and_far({0, 60, 0.0, 30.0}, 6);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  values.insert(values.end(), more.doubles().begin(), more.doubles().end());
  std::vector<double> weights(105, 1.0);
  weights.resize(165, 0.0);
  const Dataset with_more = Dataset::from_rows(std::move(values), 165, 2).with_weights(std::move(weights));
  for (const PriorRule rule : {PriorRule::fitted, PriorRule::paper}) {
    MixtureSpec spec;
    spec.prior.rule = rule;
    Example example(with_more, spec);
    Example without_them(data, spec);
    const BackgroundState state = example.found();
    expect_whole(example, state);
    EXPECT_EQ(LabelList(state.labels.begin(), state.labels.begin() + 105), without_them.found().labels);
    const std::unique_ptr<PartitionPrior> partition = example.search().partition_beside(state);
    const LabelList cheapest =
        cheapest_labels(example.execution(), example.rows(), {example.search().components(), state.stats, *partition},
                        LabelList(165, background_label));
    EXPECT_EQ(LabelList(state.labels.begin() + 105, state.labels.end()),
              LabelList(cheapest.begin() + 105, cheapest.end()));
  }
}

}  // namespace
}  // namespace coppice::internal
