// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/variational_mixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/family/discrete_examples.hpp"
#include "unit/plain_texts.hpp"
#include "unit/two_clusters.hpp"

namespace coppice::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;

double rounding(double bound) { return 1e-9 * (1.0 + std::abs(bound)); }

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed, double tau = 6.0) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = k, .tau = tau, .seed = seed});
}

// Everything that holds for any fit, finished or not.
void expect_whole(const Fit& found, const Dataset& data) {
  ASSERT_EQ(found.labels.size(), data.n_rows());
  ASSERT_EQ(found.probabilities.size(), data.n_rows());
  EXPECT_EQ(found.model.method(), "vbmg");
  EXPECT_EQ(found.converged, found.stop_reason == StopReason::converged);
  EXPECT_EQ(found.labels, found.model.predict(data));
  double total = 0.0;
  for (std::size_t c = 0; c < found.model.k(); ++c) {
    total += found.model.stats().weight(c);
    if (c > 0) {
      EXPECT_GE(found.model.stats().weight(c - 1), found.model.stats().weight(c));
    }
  }
  EXPECT_NEAR(total, found.model.total_weight(), 1e-9 * total);
  if (found.assign.used == "naive") {
    EXPECT_LE(found.model.objective(), found.model.score(data, found.labels) + rounding(found.model.objective()))
        << "labels cost their entropy";
  }
  EXPECT_EQ(found.k_evidence.at(found.model.k()), found.model.objective());
  for (const double density : found.model.log_density(data)) EXPECT_TRUE(std::isfinite(density));
}

// Round clusters of standard deviation 1 at the corners of a square.
Generated round_clusters(std::size_t n_rows) {
  RandomStream random{1, Purpose::test};
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < n_rows; ++row) {
    values.push_back((row % 4 < 2 ? 0.0 : 6.0) + random.normal());
    values.push_back((row % 2 == 0 ? 0.0 : 6.0) + random.normal());
    labels.push_back(static_cast<std::int32_t>(row % 4));
  }
  return {Dataset::from_rows(std::move(values), n_rows, 2), std::move(labels)};
}

TEST(VariationalMixture, FindsClustersOfEveryFamily) {
  const Generated made = round_clusters(600);
  for (const char* family : {"auto", "gaussian", "diagonal", "spherical"}) {
    for (const char* prior : {"auto", "grid"}) {
      SCOPED_TRACE(testing::Message() << family << ' ' << prior);
      const Fit found = fit(made.data, VariationalMixture{.family = family, .prior = prior});
      expect_whole(found, made.data);
      EXPECT_TRUE(found.converged);
      EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.9) << found.model.k();
    }
  }
  const Dataset bits = random_bits(400, 20, 3, 2);
  const Dataset counts = random_counts(400, 20, 3, 2, 40);
  for (const Dataset& data : {bits, sparse_as<double>(counts)}) {
    const Fit found = fit(data, VariationalMixture{});
    expect_whole(found, data);
    EXPECT_EQ(found.model.k(), 3U);
  }
  EXPECT_EQ(fit(counts, VariationalMixture{.family = "multinomial"}).labels,
            fit(sparse_as<double>(counts), VariationalMixture{}).labels);
}

// With every row sure of its cluster the bound is the objective of Bayesian k-means, of fits and of labellings.
TEST(VariationalMixture, IsBayesianKMeansWhereRowsAreSure) {
  const Generated made =
      generate(SeparatedGaussians{.n_rows = 300, .n_columns = 2, .k = 3, .separation = 40.0, .seed = 5});
  const Fit soft = fit(made.data, VariationalMixture{.prior = "paper"});
  const Fit hard = fit(made.data, BayesianKMeans{.family = "gaussian", .prior = "paper"});
  EXPECT_EQ(soft.labels, hard.labels);
  EXPECT_NEAR(soft.model.objective(), hard.model.objective(), rounding(hard.model.objective()));
  for (const std::string prior : {"auto", "paper"}) {
    const std::vector<std::int32_t> labels = random_labels(300, 4, 1);
    EXPECT_EQ(score(made.data, labels, VariationalMixture{.family = "gaussian", .prior = prior}),
              score(made.data, labels, BayesianKMeans{.family = "gaussian", .prior = prior}));
  }
}

// Hard labels take the two for one.
TEST(VariationalMixture, TellsOverlappingClustersApart) {
  const Dataset data = two_clusters(3000, 2.8, 1);
  const Fit found = fit(data, VariationalMixture{});
  expect_whole(found, data);
  EXPECT_EQ(found.model.k(), 2U);
  ASSERT_TRUE(found.k_evidence.contains(1) && found.k_evidence.contains(3));
  EXPECT_GT(found.k_evidence.at(1), found.model.objective());
  EXPECT_GT(found.k_evidence.at(3), found.model.objective());
}

// Over rows or tied leaves.
TEST(VariationalMixture, TheBoundGoesDownToTheResult) {
  const Dataset data = scattered_rows(2000, 3, 5, 3, 2.0).with_weights(some_weights(2000, 3));
  for (const char* assign : {"naive", "kdtree"}) {
    const Fit found = fit(data, VariationalMixture{.assign = assign});
    expect_whole(found, data);
    EXPECT_EQ(found.assign.used, assign);
    double last = std::numeric_limits<double>::infinity();
    for (const Progress& step : found.trace) {
      if (step.phase == "start") last = std::numeric_limits<double>::infinity();
      if (step.phase != "vb" || std::isinf(last)) {
        last = step.objective;
        continue;
      }
      EXPECT_LE(step.objective, last + rounding(last)) << step.iteration;
      last = step.objective;
    }
    EXPECT_THAT(found.trace, Contains(testing::Field(&Progress::objective, found.model.objective())));
  }
}

TEST(VariationalMixture, TiedLeavesComeClose) {
  const Dataset data = scattered_rows(12000, 2, 4, 3, 8.0);
  const Fit exact = fit(data, VariationalMixture{.family = "gaussian"});
  const Fit tied = fit(data, VariationalMixture{.family = "gaussian", .assign = "kdtree"});
  EXPECT_EQ(tied.model.k(), exact.model.k());
  EXPECT_GT(evaluate::adjusted_rand_index(tied.labels, exact.labels), 0.98);
  EXPECT_GE(tied.model.objective(), exact.model.objective() - 0.1) << "they are one more demand";
  EXPECT_LT(tied.model.objective(), exact.model.objective() + 0.1 * 12000.0);
  EXPECT_THAT(tied.assign.why.plain(), HasSubstr("leaves"));
}

TEST(VariationalMixture, KeepsToNumbersThatAreAskedFor) {
  const Generated made = separated(500, 6, 2);
  for (const std::uint64_t k : {1U, 2U, 4U, 6U, 9U}) {
    EXPECT_EQ(fit(made.data, VariationalMixture{.k = k}).model.k(), k);
  }
  const Fit limited = fit(made.data, VariationalMixture{.max_k = 3});
  EXPECT_EQ(limited.model.k(), 3U);
  EXPECT_THAT(plain(limited.warnings), Contains(HasSubstr("was reached; the data may hold more")));
  const Fit heavy = fit(made.data, VariationalMixture{.min_size = 100.0});
  for (std::size_t c = 0; c < heavy.model.k(); ++c) EXPECT_GE(heavy.model.stats().weight(c), 100.0);
}

// Exactly K clusters are no worse than those of Bayesian k-means, which are where the search begins.
TEST(VariationalMixture, OfAFixedNumberIsNoWorseThanHardLabels) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data = scattered_rows(300, 2, 6, seed, 3.0);
    const Fit soft = fit(data, VariationalMixture{.k = 4, .family = "gaussian", .prior = "paper"});
    const Fit hard = fit(data, BayesianKMeans{.k = 4, .family = "gaussian", .prior = "paper"});
    EXPECT_LE(soft.model.objective(), hard.model.objective() + rounding(hard.model.objective()));
  }
}

TEST(VariationalMixture, StartsFromLabelsOrCentres) {
  const Generated made = separated(400, 3, 4);
  Table labels{400, 1, {}};
  for (const std::int32_t label : made.labels) labels.values.push_back(label);
  const Fit from_labels = fit(made.data, VariationalMixture{.init = labels});
  expect_whole(from_labels, made.data);
  EXPECT_GT(evaluate::adjusted_rand_index(from_labels.labels, made.labels), 0.9);
  EXPECT_EQ(fit(made.data, VariationalMixture{.init = Table{2, 2, {0.0, 0.0, 5.0, 5.0}}}).labels.size(), 400U);
}

TEST(VariationalMixture, WeightsCountRows) {
  const Dataset data = scattered_rows(200, 2, 3, 6, 4.0);
  std::vector<double> values;
  std::vector<double> weights;
  for (std::size_t row = 0; row < 200; ++row) {
    weights.push_back(static_cast<double>(row % 3));
    for (std::size_t copy = 0; copy < row % 3; ++copy) {
      for (std::size_t c = 0; c < 2; ++c) values.push_back(data.value(row, c));
    }
  }
  const std::size_t n_copies = values.size() / 2;
  const VariationalMixture method{.family = "gaussian", .prior = "paper"};
  const Fit weighted = fit(data.with_weights(weights), method);
  const Fit copied = fit(Dataset::from_rows(values, n_copies, 2), method);
  EXPECT_EQ(weighted.model.k(), copied.model.k());
  EXPECT_NEAR(weighted.model.objective(), copied.model.objective(), 1e-6 * std::abs(copied.model.objective()));
}

TEST(VariationalMixture, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = separated(15000, 5, 3, 2.0).data;
  for (const char* assign : {"naive", "kdtree"}) {
    const Fit one = fit(data, VariationalMixture{.assign = assign}, {.threads = 1});
    expect_whole(one, data);  // found in a sample
    const Fit three = fit(data, VariationalMixture{.assign = assign}, {.threads = 3});
    EXPECT_TRUE(one.model == three.model);
    EXPECT_EQ(one.labels, three.labels);
    EXPECT_EQ(one.probabilities, three.probabilities);
    EXPECT_EQ(one.k_evidence, three.k_evidence);
  }
}

// Wherever it is stopped, there is a whole clustering, or none at all.
TEST(VariationalMixture, StoppedAnywhereItIsWhole) {
  const Dataset data = separated(400, 4, 5).data;
  const Fit whole = fit(data, VariationalMixture{});
  for (std::size_t n_reports = 1; n_reports < whole.trace.size(); n_reports += 1 + whole.trace.size() / 25) {
    std::size_t n_seen = 0;
    RunOptions run;
    run.progress = [&](const Progress&) { return ++n_seen < n_reports ? Next::carry_on : Next::stop; };
    try {
      const Fit found = fit(data, VariationalMixture{}, run);
      SCOPED_TRACE(n_reports);
      expect_whole(found, data);
      EXPECT_EQ(found.stop_reason, StopReason::cancelled);
      EXPECT_GE(found.model.objective(), whole.model.objective() - 1.0);
    } catch (const Stopped&) {
      EXPECT_LT(n_reports, 5U) << "there was a state to go by";
    }
  }
  EXPECT_EQ(fit(data, VariationalMixture{.max_iterations = 3}).stop_reason, StopReason::iteration_limit);
}

TEST(VariationalMixture, ModelsAreSavedAndLoaded) {
  const Generated made = separated(300, 3, 7);
  const Fit found = fit(made.data, VariationalMixture{});
  const TemporaryFile file("", ".coppice");
  save_model(found.model, file.path());
  const Model back = load_model(file.path());
  EXPECT_TRUE(back == found.model);
  EXPECT_EQ(back.log_density(made.data), found.model.log_density(made.data));
}

template <class Error>
std::string refusal(const Dataset& data, const VariationalMixture& method) {
  try {
    (void)fit(data, method);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(VariationalMixture, RefusesWhatItCannotDo) {
  const Dataset data = separated(60, 3, 8).data;
  EXPECT_THAT(refusal<OptionError>(data, {.k = 61}), HasSubstr("61"));
  EXPECT_THAT(refusal<OptionError>(data, {.k = 5, .max_k = 4}), HasSubstr("must not exceed"));
  EXPECT_THAT(refusal<OptionError>(data, {.family = "student"}), HasSubstr("choose one of"));
  EXPECT_THAT(refusal<OptionError>(sparse_as<double>(random_counts(30, 4, 2, 1)), {.assign = "kdtree"}),
              HasSubstr("dense rows"));
}

}  // namespace
}  // namespace coppice::internal
