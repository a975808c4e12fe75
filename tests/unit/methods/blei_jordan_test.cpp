// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/blei_jordan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "coppice/data/choose_rows.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/variational_dp.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/methods/bound_of_rows.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  return generate(SeparatedGaussians{.n_rows = n_rows, .n_columns = 3, .k = k, .separation = 4.0, .seed = seed});
}

TEST(BleiJordan, FindsSeparatedClusters) {
  const Generated made = separated(400, 4, 3);
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    const Fit found = fit(made.data, BleiJordan{.truncation = 8, .family = family, .restarts = 5});
    EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.8) << family;
    EXPECT_LE(found.model.k(), 8U);
    EXPECT_EQ(found.model.partition().name(), "truncated-sticks");
    EXPECT_EQ(found.labels, found.model.predict(made.data));
    EXPECT_LE(*found.k_in_use, found.model.k());
  }
}

// Every start from its first report on, with one prior.
TEST(BleiJordan, TheFreeEnergyNeverRises) {
  const Dataset data = scattered_rows(300, 2, 4, 4, 1.5).with_weights(some_weights(300, 4));
  const Fit found = fit(data, BleiJordan{.truncation = {2, 5}, .family = "gaussian", .prior = "paper", .restarts = 3});
  double least = std::numeric_limits<double>::infinity();
  std::size_t n_starts = 0;
  for (std::size_t i = 0; i < found.trace.size(); ++i) {
    least = std::min(least, found.trace[i].objective);
    if (found.trace[i].phase == "start") {
      ++n_starts;
    } else {
      EXPECT_LT(found.trace[i].objective, found.trace[i - 1].objective);
    }
  }
  EXPECT_EQ(n_starts, 12U) << "four truncations, three starts each";
  EXPECT_EQ(found.model.objective(), least);
}

// One component has all rows, and its free energy is what the labels are worth.
TEST(BleiJordan, ScoresAreOfTheTruncatedStick) {
  const Dataset data = scattered_rows(120, 2, 3, 4, 1.5);
  const BleiJordan one{.truncation = 1, .family = "gaussian", .prior = "paper"};
  const std::vector<std::int32_t> together(120, 0);
  EXPECT_NEAR(score(data, together, one), fit(data, one).model.objective(), 1e-9 * 120);
  std::vector<std::int32_t> apart(120, 0);
  for (std::size_t row = 0; row < apart.size(); ++row) apart[row] = static_cast<std::int32_t>(row % 4);
  EXPECT_THAT([&] { (void)score(data, apart, one); }, testing::ThrowsMessage<OptionError>(HasSubstr("4 clusters")));
  const auto at = [&](KRange truncation) {
    return score(data, apart, BleiJordan{.truncation = truncation, .family = "gaussian", .prior = "paper"});
  };
  EXPECT_EQ(at({2, 6}), std::min({at(4), at(5), at(6)}));
}

// What VDP finds is a mixture of the infinite family; this one is never better where nothing is left for a tail.
TEST(BleiJordan, DoesNoBetterThanGreedyReleases) {
  const Generated made = separated(500, 5, 6);
  const Fit truncated =
      fit(made.data, BleiJordan{.truncation = 10, .family = "gaussian", .prior = "paper", .restarts = 5});
  const Fit released = fit(made.data, VariationalDp{.family = "gaussian", .prior = "paper"});
  EXPECT_LE(released.model.objective(), truncated.model.objective() + 1.0);
}

TEST(BleiJordan, OrderAndThreadsDoNotMatter) {
  const Dataset data = separated(5000, 3, 7).data;
  const BleiJordan method{.truncation = 4, .family = "diagonal", .restarts = 2};
  const Fit one = fit(data, method, {.threads = 1});
  EXPECT_EQ(fit(data, method, {.threads = 3}).model, one.model);
  const Dataset few = separated(200, 3, 8).data;
  std::vector<std::size_t> backwards(200);
  std::iota(backwards.rbegin(), backwards.rend(), std::size_t{0});
  const double objective = fit(few, method).model.objective();
  EXPECT_NEAR(fit(choose_rows(few, backwards), method).model.objective(), objective, 1e-6 * std::abs(objective));
}

TEST(BleiJordan, SharesRowsByTheLeavesOfATree) {
  const Dataset data = scattered_rows(6000, 2, 5, 3, 4.0).with_weights(some_weights(6000, 5));
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    BleiJordan method{.truncation = 8, .family = family, .prior = "paper", .restarts = 3};
    if (family != std::string("gaussian")) method.prior = "auto";
    const Fit exact = fit(data, method);
    method.assign = "kdtree";
    const Fit tied = fit(data, method);
    EXPECT_EQ(exact.assign.used, "naive");
    EXPECT_EQ(tied.assign.used, "kdtree");
    EXPECT_THAT(tied.assign.why.plain(), HasSubstr("approximate"));
    EXPECT_EQ(tied.labels, tied.model.predict(data)) << "every row by itself";
    const double rounding = 1e-9 * std::abs(tied.model.objective());
    EXPECT_NEAR(bound_of_rows(exact, data), exact.model.objective(), rounding);
    EXPECT_GT(tied.model.objective(), bound_of_rows(tied, data) + rounding) << family;
    EXPECT_LT(tied.counters.distances * 5, exact.counters.distances);
    for (std::size_t i = 1; i < tied.trace.size(); ++i) {
      if (tied.trace[i].phase == "start") continue;
      EXPECT_LT(tied.trace[i].objective, tied.trace[i - 1].objective);
    }
  }
}

TEST(BleiJordan, ThreadsDoNotMatterOverLeaves) {
  const Dataset data = scattered_rows(40000, 2, 5, 3, 4.0);  // leaves for several blocks
  const BleiJordan method{.truncation = 6, .family = "gaussian", .assign = "kdtree", .restarts = 2};
  const Fit one = fit(data, method, {.threads = 1});
  for (const std::uint64_t threads : {2U, 3U}) {
    const Fit more = fit(data, method, {.threads = threads});
    EXPECT_EQ(more.model, one.model);
    EXPECT_EQ(more.labels, one.labels);
    EXPECT_EQ(more.probabilities, one.probabilities);
  }
}

TEST(BleiJordan, GivesWhatThereIsWhenItIsStopped) {
  const Dataset data = scattered_rows(500, 2, 4, 9);
  std::size_t n_seen = 0;
  const RunOptions run{.progress = [&](const Progress&) { return ++n_seen < 9 ? Next::carry_on : Next::stop; }};
  for (const char* assign : {"naive", "kdtree"}) {
    n_seen = 0;
    const Fit found = fit(data, BleiJordan{.truncation = 5, .family = "gaussian", .assign = assign}, run);
    EXPECT_EQ(found.stop_reason, StopReason::cancelled);
    EXPECT_EQ(found.labels.size(), 500U);
  }
}

TEST(BleiJordan, RefusesWhatMakesNoSense) {
  const Dataset data = scattered_rows(30, 2, 2, 1);
  const auto refusal = [&](const BleiJordan& method) -> std::string {
    try {
      (void)fit(data, method);
    } catch (const OptionError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(refusal({.family = "student"}), HasSubstr("weigh every row by itself"));
  EXPECT_THAT(refusal({.family = "uninformative"}), HasSubstr("no proper prior"));
  EXPECT_THAT(refusal({.truncation = 0}), HasSubstr("truncation"));
  const Dataset sparse = Dataset::from_sparse_rows({{0, 1, 2}, {0, 1}, std::vector<double>{1.0, 2.0}, 2});
  EXPECT_THROW((void)fit(sparse, BleiJordan{.assign = "kdtree"}), OptionError);
  std::vector<double> labels(30);
  std::iota(labels.begin(), labels.end(), 0.0);
  EXPECT_THAT(refusal({.truncation = 3, .init = Table{30, 1, labels}}), HasSubstr("30 clusters"));
  EXPECT_THAT(refusal({.truncation = {3, 5}, .init = Table{30, 1, labels}}), HasSubstr("one start"));
  EXPECT_THAT(refusal({.truncation = 30, .init = Table{30, 1, labels}, .restarts = 5}), HasSubstr("restarts is 5"));
}

}  // namespace
}  // namespace coppice::internal
