// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/bayesian_kmeans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/methods/without_result.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = k, .tau = 6.0, .seed = seed});
}

// Everything that holds for any fit, finished or not.
void expect_whole(const Fit& found, const Dataset& data, const BayesianKMeans& method) {
  const double objective = found.model.objective();
  ASSERT_EQ(found.labels.size(), data.n_rows());
  ASSERT_EQ(found.probabilities.size(), data.n_rows());
  std::vector<double> sizes(found.model.k(), 0.0);
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    ASSERT_GE(found.labels[row], 0);
    ASSERT_LT(static_cast<std::size_t>(found.labels[row]), found.model.k());
    sizes[static_cast<std::size_t>(found.labels[row])] += data.weight(row);
    EXPECT_GT(found.probabilities[row], 0.0);
    EXPECT_LE(found.probabilities[row], 1.0);
  }
  EXPECT_TRUE(std::ranges::is_sorted(sizes, std::ranges::greater{})) << "cluster 0 is the largest";
  for (std::size_t c = 0; c < sizes.size(); ++c) EXPECT_NEAR(found.model.stats().weight(c), sizes[c], 1e-9 * sizes[0]);
  EXPECT_NEAR(found.model.score(data, found.labels), objective, 1e-9 * std::abs(objective));
  // A fitted prior is fitted anew to the labels, from another start: up to what a fit of it must gain to be kept.
  const double tolerance = method.prior == "paper" ? 1e-9 * std::abs(objective) : 0.5 + 1e-5 * std::abs(objective);
  EXPECT_LE(score(data, found.labels, method), objective + tolerance);
  // Else the prior may not have been fitted yet, or the family is the best by the soft bound.
  if (found.converged && (method.family != "auto" || !found.soft_bound)) {
    EXPECT_GE(score(data, found.labels, method), objective - tolerance);
  }
  EXPECT_EQ(found.model.method(), "bkm");
  EXPECT_EQ(found.converged, found.stop_reason == StopReason::converged);
}

TEST(BayesianKMeans, FindsSeparatedClusters) {
  for (const char* search : {"auto", "paper"}) {
    for (const char* partition : {"dirichlet", "dp"}) {
      const Generated made = separated(1000, 5, 1);
      const BayesianKMeans method{.partition = partition, .search = search};
      const Fit found = fit(made.data, method);
      expect_whole(found, made.data, method);
      EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0) << search << ' ' << partition;
      EXPECT_TRUE(found.converged);
      EXPECT_THAT(found.warnings, IsEmpty());
      for (const auto& [k, objective] : found.k_evidence) EXPECT_GE(objective, found.k_evidence.at(5)) << k;
    }
  }
}

TEST(BayesianKMeans, ScoreIsTheObjectiveForAnyPrior) {
  const Dataset data = scattered_rows(400, 2, 4, 2).with_weights(some_weights(400, 2));
  const BayesianKMeans by_hand{.partition = "dp",
                               .alpha = 3.0,
                               .xi0 = 0.5,
                               .eta0 = 4.0,
                               .m0 = Table{1, 2, {1.0, -1.0}},
                               .b0 = Table{2, 2, {2.0, 0.5, 0.5, 1.0}}};
  expect_whole(fit(data, by_hand), data, by_hand);
  BayesianKMeans by_rule{.phi0 = 0.5};
  const Fit found = fit(data, by_rule);
  by_rule.family = found.model.components().family();  // which one wins is told by rows of less weight
  expect_whole(found, data, by_rule);
}

TEST(BayesianKMeans, GivesExactlyKClusters) {
  const Generated made = separated(500, 5, 3);
  for (const std::uint64_t k : {1U, 3U, 5U, 8U}) {
    const BayesianKMeans method{.k = k};
    const Fit found = fit(made.data, method);
    EXPECT_EQ(found.model.k(), k);
    expect_whole(found, made.data, method);
  }
}

// Labels to start from are kept where they have as many clusters as are asked for, even if fewer would be cheaper.
TEST(BayesianKMeans, AFixedNumberOfClustersStartsFromTheGivenLabels) {
  const Generated made = separated(500, 5, 3);
  Table start{500, 1, {}};
  for (const std::int32_t label : made.labels) start.values.push_back(label);
  const Fit found = fit(made.data, BayesianKMeans{.k = 5, .init = start});
  EXPECT_EQ(found.trace.front().k, 5U);
  for (const Progress& step : found.trace) EXPECT_GE(step.k, 4U) << "an exchange at most";
}

TEST(BayesianKMeans, SaysSoWhereKCannotBeReached) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 1, 1, 2, 2, 2}, 6, 1);
  const Fit found = fit(data, BayesianKMeans{.k = 4});
  EXPECT_LT(found.model.k(), 4U);
  EXPECT_THAT(plain(found.warnings), ElementsAre(HasSubstr("clusters, not 4")));
}

TEST(BayesianKMeans, RestartsNeverMakeItWorse) {
  const Dataset data = scattered_rows(800, 2, 12, 4, 4.0);
  const Fit once = fit(data, BayesianKMeans{});
  const Fit often = fit(data, BayesianKMeans{.restarts = 4});
  EXPECT_LE(often.model.objective(), once.model.objective());
  EXPECT_GT(often.iterations, once.iterations);
}

TEST(BayesianKMeans, NoClusterIsLighterThanTheLeastSize) {
  const Dataset data = scattered_rows(600, 2, 12, 5, 5.0);
  const Model free = fit(data, BayesianKMeans{}).model;
  ASSERT_LT(free.stats().weight(free.k() - 1), 130.0) << "no small cluster: nothing is tested";
  const BayesianKMeans method{.min_size = 130.0};
  const Fit found = fit(data, method);
  for (std::size_t c = 0; c < found.model.k(); ++c) EXPECT_GE(found.model.stats().weight(c), 130.0);
  expect_whole(found, data, method);
}

TEST(BayesianKMeans, OneRowIsOneCluster) {
  const Dataset data = Dataset::from_rows(std::vector<double>{3.0, 4.0}, 1, 2);
  const Fit found = fit(data, BayesianKMeans{});
  EXPECT_EQ(found.model.k(), 1U);
  EXPECT_EQ(found.model.mean(0), (std::vector<double>{3.0, 4.0}));
  EXPECT_TRUE(std::isfinite(found.model.objective()));
  EXPECT_THAT(found.warnings, IsEmpty());
}

TEST(BayesianKMeans, WarnsOfConstantColumns) {
  Dataset data = scattered_rows(200, 2, 2, 6);
  std::vector<double> values;
  for (std::size_t row = 0; row < 200; ++row) {
    values.insert(values.end(), {data.value(row, 0), 42.0, data.value(row, 1)});
  }
  data = Dataset::from_rows(values, 200, 3).with_names({"a", "same", "b"});
  const Fit found = fit(data, BayesianKMeans{});
  EXPECT_THAT(found.warnings, ElementsAre("column 'same' is constant: it tells no cluster from another"));
  EXPECT_TRUE(std::isfinite(found.model.objective()));
}

TEST(BayesianKMeans, WarnsThatTheLimitWasReached) {
  const Generated made = separated(1000, 5, 7);
  const Fit limited = fit(made.data, BayesianKMeans{.max_k = 3});
  EXPECT_EQ(limited.model.k(), 3U);
  EXPECT_THAT(plain(limited.warnings), ElementsAre("the limit max_k 3 was reached; the data may hold more clusters"));
  EXPECT_THAT(fit(made.data, BayesianKMeans{.max_k = 6}).warnings, IsEmpty());
  EXPECT_THAT(fit(made.data, BayesianKMeans{.k = 3, .max_k = 3}).warnings, IsEmpty()) << "asked for";
}

// Every row has its own word, ten times: more like itself than rows that share their words can be.
TEST(BayesianKMeans, RowsThatAreAllAloneAreToldOf) {
  std::vector<double> values(30 * 30, 0.0);
  for (std::size_t row = 0; row < 30; ++row) values[row * 31] = 10.0;
  const Fit found = fit(Dataset::from_rows(std::move(values), 30, 30), BayesianKMeans{.family = "multinomial"});
  ASSERT_EQ(found.model.k(), 30U);
  EXPECT_THAT(plain(found.warnings), ElementsAre(HasSubstr("30 of 30 rows are a cluster each")));
}

TEST(BayesianKMeans, ARequestToStopBeforeThereIsAClusteringEndsWithoutOne) {
  const Dataset data = separated(1000, 5, 8).data;
  std::stop_source source;
  source.request_stop();
  const std::atomic<bool> interrupted = true;
  for (const bool outliers : {false, true}) {
    const BayesianKMeans method{.outliers = outliers};
    EXPECT_EQ(without_result(data, method, {.stop = source.get_token()}), StopReason::cancelled);
    EXPECT_EQ(without_result(data, method, {.interrupted = &interrupted}), StopReason::cancelled);
    EXPECT_EQ(without_result(data, method, {.time_limit = 1e-9}), StopReason::time_limit);
  }
}

// From the moment on at which it says so, a fit that is asked to end has something to give back.
TEST(BayesianKMeans, ARequestToStopGivesTheBestSoFarOnceThereIsAResult) {
  for (const std::size_t n_rows : {1000U, 30000U}) {  // all rows searched, and a sample of them
    const Generated made = separated(n_rows, 5, 8);
    std::stop_source source;
    const RunOptions run{.stop = source.get_token(), .on_result = [&] { source.request_stop(); }};
    const Fit found = fit(made.data, BayesianKMeans{}, run);
    EXPECT_EQ(found.stop_reason, StopReason::cancelled);
    EXPECT_EQ(found.labels.size(), n_rows);
    expect_whole(found, made.data, BayesianKMeans{});
  }
}

// Whoever stops a fit knows that it has too few clusters: the data are not to blame.
TEST(BayesianKMeans, ARequestToStopIsNoFailureToSplit) {
  const RunOptions run{.observer = [](const State&) { return Next::stop; }};
  const Fit found = fit(separated(1000, 5, 8).data, BayesianKMeans{.k = 5}, run);
  ASSERT_LT(found.model.k(), 5U);
  for (const std::string& warning : plain(found.warnings)) EXPECT_THAT(warning, Not(HasSubstr("could be split")));
}

TEST(BayesianKMeans, TheObserverCanStopIt) {
  const Generated made = separated(1000, 5, 9);
  std::size_t n_seen = 0;
  double last = 0.0;
  const RunOptions run{.observer = [&](const State& state) {
    last = state.objective;
    return ++n_seen < 4 ? Next::carry_on : Next::stop;
  }};
  const Fit found = fit(made.data, BayesianKMeans{}, run);
  EXPECT_EQ(found.stop_reason, StopReason::cancelled);
  EXPECT_EQ(n_seen, 4U);
  EXPECT_EQ(found.trace.size(), 4U);
  EXPECT_NEAR(found.model.objective(), last, 1e-9 * std::abs(last));
  expect_whole(found, made.data, BayesianKMeans{});
}

TEST(BayesianKMeans, StopsAtTheIterationLimit) {
  const Dataset data = scattered_rows(1000, 2, 12, 4, 4.0);  // not settled by a single sweep after the last fit
  for (const char* prior : {"paper", "auto"}) {
    const BayesianKMeans method{.prior = prior, .max_iterations = 1};
    const Fit found = fit(data, method);
    EXPECT_EQ(found.stop_reason, StopReason::iteration_limit) << prior;
    if (method.prior == "paper") {
      EXPECT_EQ(found.iterations, 1U) << "the only start";
    }
    expect_whole(found, data, method);
  }
}

TEST(BayesianKMeans, StopsAtTheTimeLimit) {
  const Generated made = generate(GaussianMixture{.n_rows = 200000, .n_columns = 4, .k = 40, .tau = 1.0, .seed = 11});
  const auto start = std::chrono::steady_clock::now();
  constexpr double limit = 0.5;
  bool has_result = false;
  try {
    const Fit found = fit(made.data, BayesianKMeans{}, {.time_limit = limit, .on_result = [&] { has_result = true; }});
    EXPECT_EQ(found.stop_reason, StopReason::time_limit);
    EXPECT_FALSE(found.converged);
    EXPECT_EQ(found.labels.size(), 200000U);
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.reason(), StopReason::time_limit);
    EXPECT_FALSE(has_result);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), limit + 10.0) << "a whole fit takes many times as long";
}

// 10^12 seconds do not fit into 64 bits of nanoseconds.
TEST(BayesianKMeans, AVeryLongTimeLimitIsNone) {
  const Generated made = separated(300, 3, 12);
  for (const double seconds : {1e9, 1e12, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(fit(made.data, BayesianKMeans{}, {.time_limit = seconds}).stop_reason, StopReason::converged) << seconds;
  }
}

}  // namespace
}  // namespace coppice::internal
