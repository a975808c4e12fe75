// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/variational_dp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/data/choose_rows.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  return generate(SeparatedGaussians{.n_rows = n_rows, .n_columns = 3, .k = k, .separation = 4.0, .seed = seed});
}

// Everything that holds for any fit, finished or not.
void expect_whole(const Fit& found, const Dataset& data) {
  ASSERT_EQ(found.labels.size(), data.n_rows());
  ASSERT_EQ(found.probabilities.size(), data.n_rows());
  EXPECT_EQ(found.model.method(), "vdp");
  EXPECT_EQ(found.model.partition().name(), "sticks");
  EXPECT_EQ(found.labels, found.model.predict(data)) << "a row's label is what the model predicts";
  double total = 0.0;
  for (std::size_t c = 0; c < found.model.k(); ++c) total += found.model.stats().weight(c);
  EXPECT_LE(total, found.model.total_weight() * (1.0 + 1e-9)) << "the rest is what no component has";
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [k, objective] : found.k_evidence) least = std::min(least, objective);
  const double epsilon = std::max(1e-3, 1e-5 * found.model.total_weight());
  EXPECT_LT(found.model.objective(), least + epsilon) << "one more component would gain less than that";
}

TEST(VariationalDp, FindsSeparatedClusters) {
  const Generated made = separated(800, 6, 3);
  for (const char* family : {"gaussian", "diagonal", "spherical", "auto"}) {
    const Fit found = fit(made.data, VariationalDp{.family = family});
    expect_whole(found, made.data);
    EXPECT_EQ(found.model.k(), 6U) << family;
    EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.99) << family;
    EXPECT_TRUE(found.converged);
    EXPECT_THAT(found.warnings, IsEmpty());
  }
}

TEST(VariationalDp, FindsClustersOfCountsAndBits) {
  const Generated counts = generate(CountClusters{.n_rows = 400, .n_columns = 20, .k = 3, .seed = 2});
  const Generated bits = generate(BinaryClusters{.n_rows = 400, .n_columns = 30, .k = 3, .seed = 2});
  const Fit of_counts = fit(counts.data, VariationalDp{.family = "multinomial"});
  const Fit of_bits = fit(bits.data, VariationalDp{});
  expect_whole(of_counts, counts.data);
  expect_whole(of_bits, bits.data);
  EXPECT_EQ(of_bits.model.components().family(), "bernoulli");
  EXPECT_GT(evaluate::adjusted_rand_index(of_counts.labels, counts.labels), 0.8);
  EXPECT_GT(evaluate::adjusted_rand_index(of_bits.labels, bits.labels), 0.95);
}

TEST(VariationalDp, TheTraceNeverRisesUnderOnePrior) {
  const Dataset data = scattered_rows(500, 2, 5, 4, 2.0).with_weights(some_weights(500, 4));
  for (const char* rule : {"paper", "grid"}) {
    const Fit found = fit(data, VariationalDp{.family = "gaussian", .prior = rule});
    expect_whole(found, data);
    for (std::size_t i = 1; i < found.trace.size(); ++i) {
      if (found.trace[i].phase == "start") continue;  // under another prior
      EXPECT_LT(found.trace[i].objective, found.trace[i - 1].objective) << i;
    }
  }
}

// Ten drawn components miss what is left to cut where there are more of them.
TEST(VariationalDp, HaltsOnlyWhenEveryComponentHasFailed) {
  const Generated made = separated(1500, 14, 5);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const VariationalDp thorough{.family = "gaussian", .prior = "paper", .seed = seed};
    VariationalDp as_printed = thorough;
    as_printed.search = "paper";
    const Fit found = fit(made.data, thorough);
    EXPECT_LE(found.model.objective(), fit(made.data, as_printed).model.objective() + 1e-6);
    EXPECT_EQ(found.model.k(), 14U);
  }
}

TEST(VariationalDp, LimitsAreKept) {
  const Generated made = separated(400, 6, 3);
  const Fit few = fit(made.data, VariationalDp{.max_k = 3, .family = "gaussian"});
  expect_whole(few, made.data);
  EXPECT_EQ(few.model.k(), 3U);
  EXPECT_THAT(plain(few.warnings), testing::Contains(HasSubstr("limit")));
  const Fit many = fit(made.data, VariationalDp{.max_k = 9, .family = "gaussian", .epsilon = 0.0, .prior = "paper"});
  expect_whole(many, made.data);
  EXPECT_GT(many.k_evidence.rbegin()->first, 6U) << "goes on as long as cuts leave two parts";
  EXPECT_LE(many.k_evidence.rbegin()->first, 9U);
}

TEST(VariationalDp, ThreadsChangeNothing) {
  const Dataset data = separated(10000, 4, 6).data;
  const VariationalDp method{.family = "gaussian"};
  const Fit one = fit(data, method, {.threads = 1});
  for (const std::uint64_t threads : {2U, 3U}) {
    const Fit many = fit(data, method, {.threads = threads});
    EXPECT_EQ(many.model, one.model);
    EXPECT_EQ(many.labels, one.labels);
  }
}

TEST(VariationalDp, WeightsAreCopiesAndOrderDoesNotMatter) {
  const Dataset data = separated(300, 4, 7).data;
  std::vector<double> weights(300);
  std::vector<std::size_t> copies;
  std::vector<std::size_t> shuffled(300);
  std::iota(shuffled.begin(), shuffled.end(), std::size_t{0});
  for (std::size_t row = 0; row < 300; ++row) {
    weights[row] = static_cast<double>(1 + row % 3);
    std::swap(shuffled[row], shuffled[(row * 7919) % 300]);
    for (std::size_t i = 0; i <= row % 3; ++i) copies.push_back(row);
  }
  const VariationalDp method{.family = "diagonal", .prior = "grid"};
  const double weighted = fit(data.with_weights(weights), method).model.objective();
  const Fit copied = fit(choose_rows(data, copies), method);
  EXPECT_NEAR(weighted, copied.model.objective(), 1e-6 * std::abs(weighted));
  const double plain = fit(data, method).model.objective();
  EXPECT_NEAR(plain, fit(choose_rows(data, shuffled), method).model.objective(), 1e-6 * std::abs(plain));
}

TEST(VariationalDp, StartsFromLabels) {
  const Generated made = separated(400, 5, 8);
  std::vector<double> labels(made.labels.begin(), made.labels.end());
  const Fit found = fit(made.data, VariationalDp{.family = "gaussian", .init = Table{400, 1, std::move(labels)}});
  expect_whole(found, made.data);
  EXPECT_EQ(found.trace.front().k, 5U);
  EXPECT_EQ(found.model.k(), 5U);
}

TEST(VariationalDp, GivesWhatThereIsWhenItIsStopped) {
  const Dataset data = scattered_rows(2000, 3, 6, 9, 2.0);
  const Fit limited = fit(data, VariationalDp{.family = "gaussian", .max_iterations = 7});
  expect_whole(limited, data);
  EXPECT_EQ(limited.stop_reason, StopReason::iteration_limit);
  std::size_t n_seen = 0;
  const RunOptions stopping{.progress = [&](const Progress&) { return ++n_seen < 12 ? Next::carry_on : Next::stop; }};
  const Fit cancelled = fit(data, VariationalDp{.family = "gaussian"}, stopping);
  expect_whole(cancelled, data);
  EXPECT_EQ(cancelled.stop_reason, StopReason::cancelled);
}

TEST(VariationalDp, ModelsAreLoadedAgain) {
  const Dataset data = separated(300, 3, 2).data;
  const Fit found = fit(data, VariationalDp{.family = "spherical", .alpha2 = 3.0});
  const TemporaryFile file("", ".coppice");
  save_model(found.model, file.path());
  const Model loaded = load_model(file.path());
  EXPECT_EQ(loaded, found.model);
  EXPECT_EQ(loaded.log_density(data), found.model.log_density(data));
}

// Where clusters hardly differ from the prior it keeps a share of the rows for what has not come.
TEST(VariationalDp, ModelsWithAShareOfRowsLeftAreLoadedAgain) {
  const Dataset bits = generate(BinaryClusters{.n_rows = 400, .n_columns = 8, .k = 3, .seed = 1}).data;
  const Dataset points = scattered_rows(200, 3, 3, 5, 1.0);
  const auto expect_loaded = [](const Dataset& data, const VariationalDp& method) {
    const Fit found = fit(data, method);
    double total = 0.0;
    for (const double weight : found.model.stats().weights()) total += weight;
    EXPECT_LT(total, found.model.total_weight() * (1.0 - 1e-6));
    const TemporaryFile file("", ".coppice");
    save_model(found.model, file.path());
    EXPECT_EQ(load_model(file.path()), found.model);
  };
  expect_loaded(bits, {});
  expect_loaded(bits, {.alpha2 = 20.0});
  expect_loaded(points, {.family = "gaussian", .alpha2 = 5.0, .xi0 = 1.0});
}

TEST(VariationalDp, StartsKeepToTheLimit) {
  const Dataset data = separated(90, 3, 2).data;
  std::vector<double> labels(90);
  for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = static_cast<double>(row % 3);
  const VariationalDp method{.max_k = 2, .init = Table{90, 1, labels}};
  EXPECT_THAT([&] { (void)fit(data, method); }, testing::ThrowsMessage<OptionError>(HasSubstr("has 3 clusters")));
}

// A labelling of one cluster is what a single component has, but for its share of the stick.
TEST(VariationalDp, ScoresUnderTheNumbersThatItWouldFit) {
  const Dataset data = separated(200, 3, 2).data;
  const Fit found = fit(data, VariationalDp{.family = "gaussian"});
  const double fitted = score(data, found.labels, VariationalDp{.family = "gaussian"});
  for (const double alpha2 : {0.3, 1.0, 3.0}) {
    EXPECT_LE(fitted, score(data, found.labels, VariationalDp{.family = "gaussian", .alpha2 = alpha2}) + 1e-3);
  }
}

// The shares of all components and of what is not seen yet are one: far away the prior alone decides.
TEST(VariationalDp, FarRowsHaveTheDensityOfThePrior) {
  const Dataset data = separated(300, 3, 2).data;
  const Fit found = fit(data, VariationalDp{.family = "gaussian", .prior = "paper"});
  const Dataset far = Dataset::from_rows(std::vector<double>{1e6, 1e6, 1e6}, 1, 3);
  const auto prior = found.model.components().clone();
  prior->update(StatsArena(1, prior->stats_size()));
  const Rows rows(far, {found.model.origin().begin(), found.model.origin().end()});
  BlockBuffer buffer(3);
  RowBlock block(rows, 0, 1, buffer);
  std::vector<double> density(kernels::panel_stride);
  prior->log_predictive({}, block, density.data());
  const double rest = found.model.partition().log_remainder(found.model.stats().weights(), found.model.total_weight());
  EXPECT_LT(rest, std::log(0.05));
  EXPECT_NEAR(found.model.log_density(far)[0], rest + density[0], 1e-6);
}

TEST(VariationalDp, ScoresLabels) {
  const Generated made = separated(300, 3, 2);
  const VariationalDp method{.family = "gaussian", .prior = "paper"};
  const Fit found = fit(made.data, method);
  const double score_of_labels = score(made.data, found.labels, method);
  EXPECT_GE(score_of_labels, found.model.objective() - 1e-6) << "sharing rows can only be better";
  EXPECT_NEAR(score_of_labels, found.model.objective(), 1.0) << "these hardly overlap";
}

void expect_refusal(const Dataset& data, const VariationalDp& method, const char* what) {
  try {
    (void)fit(data, method);
    ADD_FAILURE() << "should have been refused: " << what;
  } catch (const OptionError& error) {
    EXPECT_THAT(error.what(), HasSubstr(what));
  }
}

TEST(VariationalDp, RefusesWhatMakesNoSense) {
  const Dataset data = scattered_rows(60, 2, 2, 1);
  expect_refusal(data, {.family = "student"}, "weigh every row by itself");
  expect_refusal(data, {.family = "student-spherical"}, "weigh every row by itself");
  expect_refusal(data, {.family = "uninformative"}, "no proper prior");
  expect_refusal(data, {.epsilon = 0.0}, "max_k");
  expect_refusal(data, {.alpha1 = 0.0}, "alpha1");
  expect_refusal(data, {.budget_nats = 0.5}, "budget_nats is of a front");
  expect_refusal(data, {.budget_nodes = 100}, "budget_nodes is of a front");
  expect_refusal(data, {.epsilon = -1.0}, "epsilon");
  expect_refusal(data, {.family = "diagonal", .prior = "paper"}, "rule for");
  expect_refusal(data, {.family = "diagonal", .b0 = Table{2, 2, {1.0, 0.0, 0.0, 1.0}}}, "b0");
}

}  // namespace
}  // namespace coppice::internal
