// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/auto_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

constexpr const char* families[] = {"gaussian", "diagonal", "spherical"};

// Everything that a search needs, kept alive together.
class Example {
 public:
  Example(const Dataset& data, const char* family, AutoSearchOptions options = {}, std::size_t threads = 1,
          Observer observer = {})
      : local_(threads),
        rows_(data, std::vector<double>(data.n_columns(), 0.0)),
        assigner_(make_assigner(Units(rows_))),
        partition_(make_dirichlet(2.0)),
        prior_(make_gaussian_prior(family, gaussian_shape(local_.get(), rows_))),
        first_(prior_->at(prior_->starts().front())),
        total_(std::accumulate(data.weights().begin(), data.weights().end(), 0.0)),
        journal_({.observer = std::move(observer)}) {
    if (data.weights().empty()) total_ = static_cast<double>(data.n_rows());
    me_.emplace(local_.get(), Problem{assigner_->units(), *first_, *partition_, total_}, journal_, *assigner_);
    options.limits.moves_single_rows = true;
    search_.emplace(*me_, SearchGround{*assigner_, *partition_, total_, gaussian_shape(local_.get(), rows_).variance},
                    *prior_, options, leader_);
  }

  [[nodiscard]] AutoSearch& search() { return *search_; }
  [[nodiscard]] const Found& found() const { return *search_->best(); }
  [[nodiscard]] const AdjustablePrior& prior() const { return *prior_; }
  [[nodiscard]] const std::vector<Progress>& trace() const { return journal_.trace(); }
  [[nodiscard]] const Counters& counters() { return journal_.counters(); }
  [[nodiscard]] Leader& leader() { return leader_; }
  [[nodiscard]] LabelList labels() const { return found().state.labels.by_row(); }
  // The objective of what was found, from its labels and the values of its prior alone.
  [[nodiscard]] double objective() {
    return labelling_objective(local_.get(), rows_, *prior_->at(found().values), *partition_, labels());
  }

 private:
  LocalExecution local_;
  Rows rows_;
  std::unique_ptr<Assigner> assigner_;
  std::unique_ptr<PartitionPrior> partition_;
  std::unique_ptr<AdjustablePrior> prior_;
  std::unique_ptr<Components> first_;
  double total_;
  Journal journal_;
  Leader leader_;
  std::optional<MaximizationExpectation> me_;
  std::optional<AutoSearch> search_;
};

Generated separated(std::size_t k, std::uint64_t seed, std::size_t n_rows = 300) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = k, .tau = 6.0, .seed = seed});
}

void expect_consistent(Example& example) {
  const Found& found = example.found();
  EXPECT_NEAR(found.state.objective, example.objective(), 1e-9 * std::abs(found.state.objective));
  EXPECT_EQ(found.components->prior_arrays(), example.prior().at(found.values)->prior_arrays());
  for (std::size_t c = 0; c < found.state.k(); ++c) EXPECT_GT(found.state.stats.weight(c), 0.0);
}

TEST(AutoSearch, FindsSeparatedClustersAndTheirObjective) {
  for (const char* family : families) {
    const Generated made = separated(4, 1);
    Example example(made.data, family);
    example.search().run();
    example.search().polish();
    expect_consistent(example);
    EXPECT_EQ(example.found().reason, StopReason::converged);
    EXPECT_EQ(example.leader().objective, example.found().state.objective);
    EXPECT_EQ(example.leader().k, example.found().state.k());
    if (std::string(family) == "gaussian") {
      EXPECT_EQ(evaluate::adjusted_rand_index(example.labels(), made.labels), 1.0);
    }
  }
}

TEST(AutoSearch, WeightedRowsToo) {
  const Dataset data = scattered_rows(200, 2, 4, 2, 4.0).with_weights(some_weights(200, 2));
  for (const char* family : families) {
    Example example(data, family);
    example.search().run();
    expect_consistent(example);
  }
}

// From one start every state is better than the one before, also where the prior changes.
TEST(AutoSearch, TheObjectiveNeverRisesOnTheWay) {
  for (const char* family : families) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const Dataset data = scattered_rows(200, 3, 5, seed);
      Example example(data, family);
      example.search().run_from(random_labels(200, 8, seed));
      ASSERT_GT(example.trace().size(), 2U);
      for (std::size_t i = 1; i < example.trace().size(); ++i) {
        const Progress& now = example.trace()[i];
        EXPECT_LE(now.objective, example.trace()[i - 1].objective + 1e-9 * std::abs(now.objective)) << now.phase;
      }
      expect_consistent(example);
    }
  }
}

TEST(AutoSearch, PolishingNeverMakesItWorse) {
  for (const char* family : families) {
    Example example(scattered_rows(200, 2, 8, 3), family);
    example.search().run();
    const double before = example.found().state.objective;
    example.search().polish();
    EXPECT_LE(example.found().state.objective, before);
    expect_consistent(example);
  }
}

TEST(AutoSearch, NeverMoreClustersThanTheLimit) {
  for (const std::size_t max_k : {1U, 3U}) {
    Example example(separated(6, 4).data, "gaussian", {.limits = {.max_k = max_k}});
    example.search().run();
    example.search().polish();
    EXPECT_EQ(example.found().state.k(), max_k);
    expect_consistent(example);
  }
}

TEST(AutoSearch, ExactlyAsManyClustersAsAskedFor) {
  for (const char* family : families) {
    for (const std::size_t k : {1U, 2U, 4U, 7U}) {
      Example example(separated(4, 5).data, family, {.limits = {.k = k}});
      example.search().run();
      example.search().polish();
      EXPECT_EQ(example.found().state.k(), k);
      expect_consistent(example);
    }
  }
}

TEST(AutoSearch, NoClusterIsLighterThanTheLeastSize) {
  Example example(scattered_rows(300, 2, 10, 5, 5.0), "gaussian", {.limits = {.min_size = 60.0}});
  example.search().run();
  example.search().polish();
  for (std::size_t c = 0; c < example.found().state.k(); ++c) {
    EXPECT_GE(example.found().state.stats.weight(c), 60.0);
  }
  expect_consistent(example);
}

TEST(AutoSearch, ThePriorStaysWhereItIsNotToBeFitted) {
  Example example(separated(4, 6).data, "gaussian", {.prior_fit = PriorFit::as_started});
  example.search().run();
  example.search().polish();
  EXPECT_NE(std::ranges::find(example.prior().starts(), example.found().values), example.prior().starts().end());
  for (const Progress& progress : example.trace()) EXPECT_NE(progress.phase, "prior");
}

// Beside other families, clusters of any shape need a row per column on average.
TEST(AutoSearch, RivalsAreGivenNoMoreClustersThanRowsCanCarry) {
  Example example(scattered_rows(40, 8, 10, 7, 6.0), "gaussian", {.has_rivals = true});
  example.search().run();
  EXPECT_LE(example.found().state.k(), 5U);
}

// The first start and the one from above tell that a leader is out of reach, or the first alone; else there is a second
// one from below.
TEST(AutoSearch, StartsEndWhereTheLeaderIsOutOfReach) {
  const Dataset data = separated(4, 1).data;
  struct Starts {
    std::size_t from_below = 0;
    std::size_t others = 0;  // from above; and all once more after a fit of the prior
  };
  const auto starts = [&](double ahead) {
    Starts n;
    Example alone(data, "spherical");
    alone.search().run();
    Example example(data, "spherical", {.has_rivals = true}, 1, [&](const State& state) {
      if (state.progress.phase == "start") ++(state.k() == 1 ? n.from_below : n.others);
      return Next::carry_on;
    });
    example.leader() = {alone.found().state.objective - ahead * static_cast<double>(data.n_rows()), 4};
    example.search().run();
    return n;
  };
  EXPECT_EQ(starts(0.5).from_below, 2U);
  EXPECT_EQ(starts(2.0).from_below, 1U);
  EXPECT_EQ(starts(4.0).from_below, 1U);
  EXPECT_LT(starts(4.0).others, starts(2.0).others) << "not even from above";
}

TEST(AutoSearch, WhereTheBestStartHasEndedNothingIsTriedAgain) {
  Example example(separated(4, 1).data, "gaussian");
  example.search().run();
  const double objective = example.found().state.objective;
  const std::uint64_t n_splits = example.counters().splits_tried;
  ASSERT_GT(n_splits, 0U);
  example.search().run_from(example.labels());
  EXPECT_EQ(example.counters().splits_tried, n_splits);
  EXPECT_LE(example.found().state.objective, objective);
}

TEST(AutoSearch, DoesNotDependOnTheThreads) {
  const Dataset data = scattered_rows(400, 3, 6, 8);
  Example one(data, "diagonal");
  Example two(data, "diagonal", {}, 2);
  for (Example* example : {&one, &two}) {
    example->search().run();
    example->search().polish();
  }
  EXPECT_EQ(one.labels(), two.labels());
  EXPECT_EQ(one.found().state.objective, two.found().state.objective);
  EXPECT_EQ(one.found().values, two.found().values);
}

TEST(AutoSearch, DoesNotDependOnTheOrderOfTheRows) {
  for (const char* family : families) {
    const Dataset data = scattered_rows(250, 2, 5, 9, 4.0);
    std::vector<double> reversed;
    for (std::size_t row = 250; row-- > 0;) reversed.insert(reversed.end(), {data.value(row, 0), data.value(row, 1)});
    Example there(data, family);
    Example back(Dataset::from_rows(reversed, 250, 2), family);
    for (Example* example : {&there, &back}) {
      example->search().run();
      example->search().polish();
    }
    LabelList labels = back.labels();
    std::ranges::reverse(labels);
    EXPECT_EQ(evaluate::adjusted_rand_index(labels, there.labels()), 1.0) << family;
    EXPECT_NEAR(back.found().state.objective, there.found().state.objective, 1e-6) << family;
  }
}

TEST(AutoSearch, GoesOnFromWhatWasFound) {
  const Dataset data = scattered_rows(300, 2, 5, 10);
  Example first(data, "gaussian");
  first.search().run();
  Example second(data, "gaussian");
  second.search().continue_from(first.found(), first.labels());
  EXPECT_LE(second.found().state.objective, first.found().state.objective + 1e-9);
  expect_consistent(second);
  Example third(scattered_rows(300, 2, 5, 10), "gaussian");
  third.search().continue_from(first.found());
  expect_consistent(third);
}

// Searches until the observer says stop at the nth call; false if the search ended before.
template <class Search>
bool stopped_at(std::size_t n, const Dataset& data, const char* family, const Search& search) {
  std::size_t n_seen = 0;
  double lowest = std::numeric_limits<double>::infinity();
  Example example(data, family, {}, 1, [&](const State& state) {
    lowest = std::min(lowest, state.objective);
    return ++n_seen < n ? Next::carry_on : Next::stop;
  });
  try {
    search(example.search());
    return false;
  } catch (const Stopped&) {
  }
  EXPECT_TRUE(example.search().best().has_value());
  if (!example.search().best()) return true;
  EXPECT_LE(example.found().state.objective, lowest + 1e-9 * std::abs(lowest)) << "stopped at call " << n;
  expect_consistent(example);
  return true;
}

TEST(AutoSearch, AStopAtAnyTimeGivesTheBestSoFar) {
  const auto all = [](AutoSearch& search) {
    search.run();
    search.polish();
  };
  std::size_t n = 1;
  while (stopped_at(n, scattered_rows(120, 2, 4, 11), "spherical", all)) n += 1 + n / 20;
  EXPECT_GT(n, 10U);
}

// As soon as one start has ended with as many clusters as asked for, fewer are no result, however low their objective.
TEST(AutoSearch, AStopKeepsTheNumberOfClusters) {
  const Dataset data = scattered_rows(50, 2, 1, 12);  // which want to be one
  bool is_stopped = true;
  std::size_t n_late = 0;
  for (std::size_t stop_at = 1; is_stopped; stop_at += 1 + stop_at / 20) {
    std::size_t n_seen = 0;
    std::size_t n_starts = 0;
    Example example(data, "gaussian", {.limits = {.k = 4}}, 1, [&](const State& state) {
      if (state.progress.phase == "start") ++n_starts;
      return ++n_seen < stop_at ? Next::carry_on : Next::stop;
    });
    is_stopped = false;
    try {
      example.search().run();
    } catch (const Stopped&) {
      is_stopped = true;
    }
    if (n_starts < 2) continue;
    EXPECT_EQ(example.found().state.k(), 4U) << "stopped at call " << stop_at;
    ++n_late;
  }
  EXPECT_GT(n_late, 5U);
}

// Moves that are made where nothing else helps any more are not lost.
TEST(AutoSearch, AStopWhilePolishingGivesTheBestSoFar) {
  std::size_t n_stops = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset data = scattered_rows(120, 2, 10, seed, 3.0);
    const auto from_labels = [&](AutoSearch& search) { search.run_from(random_labels(120, 2, seed)); };
    const auto and_polish = [&](AutoSearch& search) {
      from_labels(search);
      search.polish();
    };
    Example before(data, "gaussian");
    from_labels(before.search());
    for (std::size_t n = before.trace().size() + 1; stopped_at(n, data, "gaussian", and_polish); ++n) ++n_stops;
  }
  EXPECT_GT(n_stops, 10U) << "polishing hardly reports anything, so nothing was stopped";
}

}  // namespace
}  // namespace coppice::internal
