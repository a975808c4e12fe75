// SPDX-License-Identifier: BSD-3-Clause
// A fit that several ranks make together gives the bits of one process: k-means from given centres, rows one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "coppice/coppice.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/runtime/in_process_ranks.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t block = 4096;
constexpr std::size_t n_rows = 6 * block + 1234;

// Rows of each rank: whole blocks, the last one short; some ranks have none.
const std::vector<std::vector<std::size_t>>& divisions() {
  static const std::vector<std::vector<std::size_t>> all = {
      {n_rows},
      {2 * block, n_rows - 2 * block},
      {3 * block, 0, n_rows - 3 * block},
      {block, block, n_rows - 2 * block},
      {0, block, 4 * block, n_rows - 5 * block, 0},
  };
  return all;
}

// Groups that overlap, far from the origin, with weights that are no whole numbers; some rows weigh nothing.
struct Example {
  Example(std::size_t d, std::size_t k) : n_columns(d) {
    RandomStream random{7, Purpose::test, d};
    const double spread = d > 4 ? 0.6 : 3.0;  // groups overlap however many columns there are
    for (std::size_t i = 0; i < k * d; ++i) middles.push_back(1000.0 + spread * random.normal());
    for (std::size_t row = 0; row < n_rows; ++row) {
      const std::size_t group = random.below(k);
      for (std::size_t c = 0; c < d; ++c) values.push_back(middles[group * d + c] + random.normal());
      weights.push_back(random.below(50) == 0 ? 0.0 : random.uniform(0.1, 3.0));
    }
    // Starting away from the middles, so that it takes some iterations.
    for (double& value : middles) value += 2.0 * random.normal();
  }

  [[nodiscard]] Dataset rows(std::size_t first, std::size_t count) const {
    const auto part = [&](const std::vector<double>& all, std::size_t width) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * width);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count * width));
    };
    std::vector<double> mine = part(values, n_columns);
    const Dataset data = is_single ? Dataset::from_rows(std::vector<float>(mine.begin(), mine.end()), count, n_columns)
                                   : Dataset::from_rows(std::move(mine), count, n_columns);
    return is_weighted ? data.with_weights(part(weights, 1)) : data;
  }

  [[nodiscard]] KMeans method() const {
    return {.init = Table{middles.size() / n_columns, n_columns, middles}, .assign = "naive", .max_iterations = 12};
  }

  std::size_t n_columns;
  std::vector<double> middles;
  std::vector<double> values;
  std::vector<double> weights;
  bool is_weighted = true;
  bool is_single = false;
};

std::vector<double> objectives(const Fit& fit) {
  std::vector<double> all;
  for (const Progress& step : fit.trace) all.push_back(step.objective);
  return all;
}

void expect_same_on_ranks(const Example& example, const char* what) {
  const Fit expected = fit(example.rows(0, n_rows), example.method(), {.threads = 2});
  EXPECT_GT(expected.iterations, 3U) << what;
  for (const std::vector<std::size_t>& rows : divisions()) {
    std::vector<std::int32_t> labels(n_rows);
    on_ranks(rows.size(), [&](const Communicator& ranks) {
      std::size_t first = 0;
      for (std::size_t rank = 0; rank < ranks.rank(); ++rank) first += rows[rank];
      const Dataset mine = example.rows(first, rows[ranks.rank()]);
      const Fit found = fit(mine, example.method(), {.threads = 1 + ranks.rank() % 2, .ranks = &ranks});
      ASSERT_EQ(found.labels.size(), rows[ranks.rank()]);
      std::ranges::copy(found.labels, labels.begin() + static_cast<std::ptrdiff_t>(first));
      EXPECT_EQ(found.model.stats(), expected.model.stats()) << what;
      EXPECT_EQ(found.model.objective(), expected.model.objective()) << what;
      EXPECT_EQ(found.model.total_weight(), expected.model.total_weight()) << what;
      EXPECT_EQ(found.model.columns(), expected.model.columns()) << what;
      EXPECT_EQ(objectives(found), objectives(expected)) << what;
      EXPECT_EQ(found.warnings, expected.warnings) << what;
      EXPECT_EQ(found.stop_reason, expected.stop_reason) << what;
    });
    EXPECT_EQ(labels, expected.labels) << what << ", " << rows.size() << " ranks";
  }
}

TEST(Ranks, KMeansGivesTheBitsOfOneProcess) {
  for (const std::size_t d : {2U, 19U}) {  // columns: few, and so many that single precision goes first
    Example example(d, 9);
    expect_same_on_ranks(example, "weighted doubles");
    example.is_single = true;
    example.is_weighted = false;
    expect_same_on_ranks(example, "floats");
  }
}

// One centre far from all rows, and two in the same place: clusters without rows start anew where rows fit worst.
TEST(Ranks, EmptyClustersStartAnewAtTheSameRows) {
  Example example(3, 6);
  for (std::size_t c = 0; c < 3; ++c) {
    example.middles[c] = 1e5;
    example.middles[3 + c] = example.middles[6 + c];
  }
  // The row that fits worst has copies on several ranks.
  for (const std::size_t row : {std::size_t{17}, 3 * block + 5, n_rows - 1}) {
    for (std::size_t c = 0; c < 3; ++c) example.values[row * 3 + c] = 1050.0;
    example.weights[row] = 1.5;
  }
  expect_same_on_ranks(example, "empty clusters");
}

TEST(Ranks, AColumnIsConstantIfItIsSoOnAllRanks) {
  Example example(3, 4);
  for (std::size_t row = 0; row < n_rows; ++row) {
    example.values[row * 3 + 1] = 7.0;                                // everywhere
    example.values[row * 3 + 2] = row < 3 * block ? 1000.0 : 1001.0;  // on every rank of some divisions
  }
  expect_same_on_ranks(example, "constant columns");
  std::size_t n_constant = 0;
  for (const Text& warning : fit(example.rows(0, n_rows), example.method()).warnings) {
    if (warning.plain().find("is constant") != std::string::npos) ++n_constant;
  }
  EXPECT_EQ(n_constant, 1U);
}

TEST(Ranks, AnObserverOfOneRankEndsTheFitOnAll) {
  const Example example(2, 9);
  std::mutex mutex;
  std::vector<StatsArena> found;
  on_ranks(3, [&](const Communicator& ranks) {
    RunOptions run{.threads = 1, .ranks = &ranks};
    if (ranks.rank() == 1) {
      run.observer = [](const State& state) { return state.progress.iteration < 3 ? Next::carry_on : Next::stop; };
    }
    const Fit stopped = fit(example.rows(ranks.rank() * block, block), example.method(), run);
    EXPECT_EQ(stopped.stop_reason, StopReason::cancelled);
    EXPECT_EQ(stopped.iterations, 3U);
    const std::lock_guard lock(mutex);
    found.push_back(stopped.model.stats());
  });
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(Ranks, AStopOfOneRankEndsTheFitOnAll) {
  const Example example(2, 9);
  on_ranks(3, [&](const Communicator& ranks) {
    std::stop_source source;
    RunOptions run{.threads = 1, .stop = source.get_token(), .ranks = &ranks};
    if (ranks.rank() == 2) {
      run.progress = [&](const Progress& progress) {
        if (progress.iteration == 2) source.request_stop();
        return Next::carry_on;
      };
    }
    const Fit stopped = fit(example.rows(ranks.rank() * block, block), example.method(), run);
    EXPECT_EQ(stopped.stop_reason, StopReason::cancelled);
    EXPECT_EQ(stopped.iterations, 2U);
  });
}

TEST(Ranks, AFailureOnOneRankEndsTheFitOnAll) {
  const Example example(2, 9);
  std::atomic<int> n_others = 0;
  on_ranks(3, [&](const Communicator& ranks) {
    RunOptions run{.threads = 1, .ranks = &ranks};
    if (ranks.rank() == 0) run.progress = [](const Progress&) -> Next { throw IoError("the terminal is gone"); };
    try {
      (void)fit(example.rows(ranks.rank() * block, block), example.method(), run);
      ADD_FAILURE() << "no error";
    } catch (const RankError& error) {
      EXPECT_EQ(error.what(), std::string("rank 0: the terminal is gone"));
      ++n_others;
    } catch (const IoError&) {
      EXPECT_EQ(ranks.rank(), 0U);
    }
  });
  EXPECT_EQ(n_others, 2);
}

std::string refusal(const Communicator& ranks, const Dataset& data, const KMeans& method) {
  try {
    (void)fit(data, method, {.threads = 1, .ranks = &ranks});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Ranks, WhatDoesNotRunOnSeveralIsRefused) {
  const Example example(2, 3);
  on_ranks(2, [&](const Communicator& ranks) {
    const Dataset mine = example.rows(ranks.rank() * block, block);
    KMeans seeded = example.method();
    seeded.init.reset();
    const std::string centres = "on several ranks, kmeans needs centres with 2 columns as init, and assign naive";
    EXPECT_NE(refusal(ranks, mine, seeded).find(centres), std::string::npos);
  });
  on_ranks(2, [&](const Communicator& ranks) {
    const RunOptions run{.threads = 1, .ranks = &ranks};
    EXPECT_THROW((void)fit(example.rows(0, 100), BayesianKMeans{}, run), OptionError);
    EXPECT_THROW((void)fit(example.rows(0, 100), GaussianMixtureEm{}, run), OptionError);
    EXPECT_THROW((void)fit(example.rows(0, 100), WardLinkage{}, run), OptionError);
  });
  on_ranks(2, [&](const Communicator& ranks) {  // ends within a block
    const std::string message = refusal(ranks, example.rows(0, 100), example.method());
    EXPECT_NE(message.find("needs a multiple of 4096 rows"), std::string::npos) << message;
  });
  on_ranks(2, [&](const Communicator& ranks) {  // harmless on every rank, too wide on both together
    const std::vector<double> values(2 * block, ranks.rank() == 0 ? 1e149 : -1e149);
    const std::string message =
        refusal(ranks, Dataset::from_rows(values, block, 2), {.init = Table{1, 2, {0.0, 0.0}}, .assign = "naive"});
    EXPECT_NE(message.find("overflow"), std::string::npos) << message;
  });
}

}  // namespace
}  // namespace coppice::internal
