// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/gaussian_mixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/methods/without_result.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = k, .tau = 6.0, .seed = seed});
}

KRange exactly(std::uint64_t k) { return {k, k}; }

// Everything that holds for any fit, finished or not.
void expect_whole(const Fit& found, const Dataset& data, const GaussianMixtureEm& method) {
  ASSERT_EQ(found.labels.size(), data.n_rows());
  ASSERT_EQ(found.probabilities.size(), data.n_rows());
  EXPECT_EQ(found.model.method(), "gmm");
  EXPECT_EQ(found.converged, found.stop_reason == StopReason::converged);
  EXPECT_EQ(found.labels, found.model.predict(data)) << "a row's label is what the model predicts";
  for (const double probability : found.probabilities) {
    EXPECT_GE(probability, 1.0 / static_cast<double>(found.model.k()) - 1e-9) << "the label has the largest share";
    EXPECT_LE(probability, 1.0 + 1e-12);
  }
  double total = 0.0;
  for (std::size_t c = 0; c < found.model.k(); ++c) {
    total += found.model.stats().weight(c);
    if (c > 0) {
      EXPECT_GE(found.model.stats().weight(c - 1), found.model.stats().weight(c));
    }
  }
  EXPECT_NEAR(total, found.model.total_weight(), 1e-9 * total);
  const double objective = found.model.objective();
  if (method.hard) {
    EXPECT_NEAR(score(data, found.labels, method), objective, 1e-9 * std::abs(objective));
  } else if (method.assign != "kdtree") {
    const std::vector<double> log_density = found.model.log_density(data);
    double sum = 0.0;
    for (std::size_t row = 0; row < data.n_rows(); ++row) sum -= data.weight(row) * log_density[row];
    EXPECT_NEAR(sum, objective, 1e-9 * std::abs(objective)) << "the objective is minus the log-likelihood";
  }
}

TEST(GaussianMixtureEm, FindsSeparatedClusters) {
  const Generated made = separated(1000, 4, 1);
  for (const char* family : {"spherical", "diagonal", "gaussian"}) {
    for (const bool hard : {false, true}) {
      const GaussianMixtureEm method{.k = exactly(4), .family = family, .hard = hard, .restarts = 3};
      const Fit found = fit(made.data, method);
      expect_whole(found, made.data, method);
      EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.95) << family << hard;
      EXPECT_TRUE(found.converged);
      EXPECT_THAT(found.warnings, IsEmpty());
      EXPECT_EQ(found.trace.front().phase, "start");
      EXPECT_EQ(found.model.components().family(), std::string("point-") + family);
    }
  }
}

TEST(GaussianMixtureEm, EveryVariantIsWhole) {
  const Dataset data = scattered_rows(300, 3, 3, 2).with_weights(some_weights(300, 2));
  for (const char* family : {"spherical", "diagonal", "gaussian"}) {
    for (const bool shared_variance : {false, true}) {
      for (const bool equal_shares : {false, true}) {
        const GaussianMixtureEm method{
            .k = exactly(3), .family = family, .shared_variance = shared_variance, .equal_shares = equal_shares};
        const Fit found = fit(data, method);
        expect_whole(found, data, method);
        EXPECT_EQ(found.model.partition().name(), equal_shares ? "equal" : "shares");
        EXPECT_NEAR(found.model.total_weight(), std::accumulate(data.weights().begin(), data.weights().end(), 0.0),
                    1e-9);
      }
    }
  }
}

// Hard clusters over the tree have the labels of those row by row: it is exact.
TEST(GaussianMixtureEm, HardNaiveAndTreeAgree) {
  for (const char* family : {"spherical", "diagonal", "gaussian"}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const Dataset data = scattered_rows(6000, 2, 8, seed);
      GaussianMixtureEm method{.k = exactly(8), .family = family, .hard = true, .assign = "naive", .seed = seed};
      const Fit naive = fit(data, method);
      method.assign = "kdtree";
      const Fit tree = fit(data, method);
      EXPECT_EQ(naive.labels, tree.labels) << family;
      EXPECT_EQ(naive.model.objective(), tree.model.objective());
      EXPECT_EQ(tree.assign.used, "kdtree");
      EXPECT_LT(tree.counters.distances, naive.counters.distances);
      expect_whole(tree, data, method);
    }
  }
}

TEST(GaussianMixtureEm, TiedNodesComeCloseAndSaySo) {
  const Dataset data = scattered_rows(8000, 2, 4, 3, 6.0);
  const Fit exact = fit(data, GaussianMixtureEm{.k = exactly(4)});
  const GaussianMixtureEm method{.k = exactly(4), .assign = "kdtree"};
  const Fit tied = fit(data, method);
  expect_whole(tied, data, method);
  EXPECT_EQ(exact.assign.used, "naive");
  EXPECT_EQ(tied.assign.used, "kdtree");
  EXPECT_THAT(tied.assign.why.plain(), HasSubstr("approximate"));
  EXPECT_GT(tied.model.objective(), exact.model.objective()) << "a bound";
  EXPECT_GT(evaluate::adjusted_rand_index(tied.labels, exact.labels), 0.95);
  EXPECT_LT(tied.counters.distances * 10, exact.counters.distances);
}

TEST(GaussianMixtureEm, TheNumberOfThreadsChangesNothing) {
  const Dataset data = scattered_rows(9000, 3, 5, 4);
  for (const bool hard : {false, true}) {
    for (const char* assign : {"naive", "kdtree"}) {
      const GaussianMixtureEm method{.k = exactly(5), .hard = hard, .assign = assign, .max_iterations = 20};
      const Fit one = fit(data, method, {.threads = 1});
      for (const std::uint64_t threads : {2U, 5U}) {
        const Fit more = fit(data, method, {.threads = threads});
        EXPECT_EQ(more.labels, one.labels);
        EXPECT_TRUE(more.model == one.model);
        EXPECT_EQ(more.probabilities, one.probabilities);
      }
    }
  }
}

// Three blobs so far apart that nobody could take them for two or four.
TEST(GaussianMixtureEm, BicChoosesTheNumberOfClusters) {
  std::vector<double> values;
  RandomStream random{5, Purpose::test};
  for (std::size_t row = 0; row < 600; ++row) {
    const auto blob = static_cast<double>(row % 3);
    values.insert(values.end(), {20.0 * blob + random.normal(), (row % 3 == 1 ? 15.0 : 0.0) + random.normal()});
  }
  const Dataset data = Dataset::from_rows(values, 600, 2);
  for (const char* family : {"spherical", "diagonal", "gaussian"}) {
    for (const bool hard : {false, true}) {
      const Fit found = fit(data, GaussianMixtureEm{.k = {1, 6}, .family = family, .hard = hard, .restarts = 2});
      EXPECT_EQ(found.model.k(), 3U) << family;
      EXPECT_EQ(found.k_evidence.size(), 6U);
      EXPECT_THAT(found.warnings, IsEmpty());
    }
  }
}

TEST(GaussianMixtureEm, BicCountsItsParameters) {
  const Dataset data = scattered_rows(200, 3, 2, 6);
  const auto penalty = [&](const GaussianMixtureEm& method) {
    const Fit found = fit(data, method);
    return (found.criteria.at("bic") - found.model.objective()) / (0.5 * std::log(200.0));
  };
  EXPECT_NEAR(penalty({.k = exactly(2)}), 2 * 3 + 2 * 6 + 1, 1e-9);
  EXPECT_NEAR(penalty({.k = exactly(2), .family = "diagonal"}), 2 * 3 + 2 * 3 + 1, 1e-9);
  EXPECT_NEAR(penalty({.k = exactly(2), .family = "spherical"}), 2 * 3 + 2 + 1, 1e-9);
  EXPECT_NEAR(penalty({.k = exactly(2), .shared_variance = true, .equal_shares = true}), 2 * 3 + 6, 1e-9);
}

TEST(GaussianMixtureEm, BicCountsNothingInConstantColumns) {
  const Dataset data = beside_constants(scattered_rows(200, 3, 2, 6));
  for (const char* family : {"gaussian", "diagonal"}) {
    const Fit found = fit(data, GaussianMixtureEm{.k = exactly(2), .family = family});
    const double n_parameters = std::string_view(family) == "gaussian" ? 2 * 3 + 2 * 6 + 1 : 2 * 3 + 2 * 3 + 1;
    EXPECT_NEAR((found.criteria.at("bic") - found.model.objective()) / (0.5 * std::log(200.0)), n_parameters, 1e-9);
  }
}

TEST(GaussianMixtureEm, StartsFromLabelsOrCentres) {
  const Generated made = separated(400, 3, 7);
  Table labels{400, 1, {}};
  for (const std::int32_t label : made.labels) labels.values.push_back(10.0 * label - 5.0);
  const Fit from_labels = fit(made.data, GaussianMixtureEm{.k = exactly(3), .init = labels});
  EXPECT_GT(evaluate::adjusted_rand_index(from_labels.labels, made.labels), 0.98);
  const Fit again = fit(made.data, GaussianMixtureEm{.k = exactly(3), .init = labels});
  EXPECT_TRUE(again.model == from_labels.model);

  Table centres{3, 2, {}};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::vector<double> mean = from_labels.model.mean(c);
    centres.values.insert(centres.values.end(), mean.begin(), mean.end());
  }
  const Fit from_centres = fit(made.data, GaussianMixtureEm{.k = exactly(3), .init = centres});
  EXPECT_GT(evaluate::adjusted_rand_index(from_centres.labels, made.labels), 0.98);
  EXPECT_THROW((void)fit(made.data, GaussianMixtureEm{.k = {2, 3}, .init = centres}), OptionError);
  EXPECT_THROW((void)fit(made.data, GaussianMixtureEm{.k = exactly(3), .init = Table{2, 5, std::vector<double>(10)}}),
               OptionError);
}

TEST(GaussianMixtureEm, ScoreIsTheCompleteLikelihoodOfLabels) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0.0, 2.0, 10.0, 14.0}, 4, 1);
  const std::vector<std::int32_t> labels = {7, 7, 3, 3};
  // Variances 1 and 4, shares 1/2; pooled 2.5.
  const double constant = 4 * std::log(2.0) + 2.0 * std::log(2.0 * std::numbers::pi) + 2.0;
  EXPECT_NEAR(score(data, labels, GaussianMixtureEm{}), constant + std::log(1.0) + std::log(4.0), 1e-12);
  EXPECT_NEAR(score(data, labels, GaussianMixtureEm{.shared_variance = true}), constant + 2.0 * std::log(2.5), 1e-12);
  EXPECT_THROW((void)score(data, std::vector<std::int32_t>{1}, GaussianMixtureEm{}), DataError);
}

TEST(GaussianMixtureEm, OneRowAndAsManyClustersAsRows) {
  const Dataset one = Dataset::from_rows(std::vector<double>{3.0, 4.0}, 1, 2);
  const Dataset four = Dataset::from_rows(std::vector<double>{0.0, 5.0, 11.0, 18.0}, 4, 1);
  for (const bool hard : {false, true}) {
    const Fit found = fit(one, GaussianMixtureEm{.k = exactly(1), .hard = hard});
    EXPECT_EQ(found.model.k(), 1U);
    EXPECT_NEAR(found.model.objective(), std::log(2.0 * std::numbers::pi * 1e-6), 1e-9);
    EXPECT_EQ(found.model.mean(0), (std::vector<double>{3.0, 4.0}));
    const Fit all = fit(four, GaussianMixtureEm{.k = exactly(4), .hard = hard});
    EXPECT_EQ(all.model.k(), 4U);
    EXPECT_THAT(all.warnings, IsEmpty());
  }
  EXPECT_THROW((void)fit(four, GaussianMixtureEm{.k = exactly(5)}), OptionError);
}

TEST(GaussianMixtureEm, SaysSoWhereKCannotBeReached) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 1, 1, 2, 2, 2}, 6, 1);
  const Fit found = fit(data, GaussianMixtureEm{.k = exactly(4)});
  EXPECT_EQ(found.model.k(), 2U);
  EXPECT_THAT(plain(found.warnings), ElementsAre(HasSubstr("found 2 clusters, not 4")));
}

TEST(GaussianMixtureEm, WithoutAFloorASingularClusterIsAnError) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 1, 1, 2, 2, 2}, 6, 1);
  EXPECT_THAT(message_of<NumericError>([&] { (void)fit(data, GaussianMixtureEm{.k = exactly(2), .floor = 0.0}); }),
              HasSubstr("set floor above 0"));
}

TEST(GaussianMixtureEm, RefusesWhatDoesNotGoTogether) {
  const Dataset data = scattered_rows(50, 2, 2, 8);
  EXPECT_THAT(message_of<OptionError>(
                  [&] { (void)fit(data, GaussianMixtureEm{.k = exactly(2), .shared_variance = true, .hard = true}); }),
              HasSubstr("hard fits"));
  EXPECT_THROW((void)fit(data, GaussianMixtureEm{.family = "round"}), OptionError);
  const Table centres{2, 2, {0.0, 0.0, 1.0, 1.0}};
  EXPECT_THAT(message_of<OptionError>(
                  [&] { (void)fit(data, GaussianMixtureEm{.k = exactly(2), .init = centres, .restarts = 4}); }),
              HasSubstr("restarts is 4"));
  EXPECT_THAT(
      message_of<OptionError>([&] { (void)fit(data, KMeans{.k = exactly(2), .init = centres, .restarts = 4}); }),
      HasSubstr("restarts is 4"));
  EXPECT_THROW((void)fit(data, GaussianMixtureEm{.floor = -1.0}), OptionError);
}

TEST(GaussianMixtureEm, WarnsOfManyPairs) {
  const Dataset data = scattered_rows(400000, 1, 3, 8);
  const GaussianMixtureEm method{.k = exactly(30), .family = "spherical", .max_iterations = 1};
  EXPECT_THAT(plain(fit(data, method).warnings), testing::Contains(HasSubstr("assign kdtree")));
}

TEST(GaussianMixtureEm, Float32) {
  const Generated made = separated(500, 3, 9);
  const GaussianMixtureEm method{.k = exactly(3), .restarts = 2};
  const Fit found = fit(as_float32(made.data), method);
  expect_whole(found, as_float32(made.data), method);
  EXPECT_GT(evaluate::adjusted_rand_index(found.labels, made.labels), 0.98);
}

TEST(GaussianMixtureEm, ShuffledRowsGiveTheSameClusters) {
  const Dataset data = scattered_rows(500, 2, 3, 10);
  std::vector<double> values;
  for (std::size_t row = 500; row-- > 0;) values.insert(values.end(), {data.value(row, 0), data.value(row, 1)});
  const GaussianMixtureEm method{.k = exactly(3), .seed = 4};
  const Fit forwards = fit(data, method);
  const Fit backwards = fit(Dataset::from_rows(values, 500, 2), method);
  EXPECT_NEAR(backwards.model.objective(), forwards.model.objective(), 1e-9 * std::abs(forwards.model.objective()));
  EXPECT_EQ(evaluate::adjusted_rand_index(std::vector<std::int32_t>(backwards.labels.rbegin(), backwards.labels.rend()),
                                          forwards.labels),
            1.0);
}

TEST(GaussianMixtureEm, ARequestToStopIsAnsweredWithAResultOnceThereIsOne) {
  const Generated made = separated(5000, 5, 11);
  for (const bool hard : {false, true}) {
    for (const char* assign : {"naive", "kdtree"}) {
      const GaussianMixtureEm method{.k = exactly(5), .hard = hard, .assign = assign};
      std::stop_source source;
      const Fit found =
          fit(made.data, method, {.stop = source.get_token(), .on_result = [&] { source.request_stop(); }});
      EXPECT_EQ(found.stop_reason, StopReason::cancelled);
      EXPECT_EQ(found.labels.size(), 5000U);
      EXPECT_TRUE(std::isfinite(found.model.objective()));
      EXPECT_EQ(without_result(made.data, method, {.stop = source.get_token()}), StopReason::cancelled);
    }
  }
}

TEST(GaussianMixtureEm, TheObserverCanStopIt) {
  const Generated made = separated(1000, 5, 12);
  for (const bool hard : {false, true}) {
    std::size_t n_seen = 0;
    double last = 0.0;
    const RunOptions run{.observer = [&](const State& state) {
      last = state.objective;
      return ++n_seen < 3 ? Next::carry_on : Next::stop;
    }};
    const GaussianMixtureEm method{.k = exactly(5), .hard = hard, .seed = 3};
    const Fit found = fit(made.data, method, run);
    EXPECT_EQ(found.stop_reason, StopReason::cancelled);
    EXPECT_EQ(found.trace.size(), 3U);
    EXPECT_NEAR(found.model.objective(), last, 1e-9 * std::abs(last));
  }
}

TEST(GaussianMixtureEm, StopsAtTheIterationLimit) {
  const Dataset data = scattered_rows(1000, 2, 4, 13);
  const GaussianMixtureEm method{.k = exactly(4), .max_iterations = 2};
  const Fit found = fit(data, method);
  EXPECT_EQ(found.stop_reason, StopReason::iteration_limit);
  EXPECT_EQ(found.iterations, 2U);
  EXPECT_THAT(plain(found.warnings), ElementsAre(HasSubstr("max_iterations")));
  expect_whole(found, data, method);
}

TEST(GaussianMixtureEm, TheModelComesBackFromItsFile) {
  const Dataset data = scattered_rows(300, 3, 3, 14);
  for (const char* family : {"spherical", "diagonal", "gaussian"}) {
    for (const bool equal_shares : {false, true}) {
      const Fit found = fit(data, GaussianMixtureEm{.k = exactly(3), .family = family, .equal_shares = equal_shares});
      const TemporaryFile file("", ".coppice");
      save_model(found.model, file.path());
      const Model back = load_model(file.path());
      EXPECT_TRUE(back == found.model);
      EXPECT_EQ(back.log_density(data), found.model.log_density(data));
    }
  }
}

// -log p(rows | parameters) - log p(parameters), of rows that share clusters or not.
double minus_log_posterior(const Fit& found, const Dataset& data, double phi0) {
  const Model& model = found.model;
  const auto k = static_cast<double>(model.k());
  double sum = 0.0;
  for (const double log_density : model.log_density(data)) sum -= log_density;
  for (std::size_t c = 0; c < model.k(); ++c) sum += model.components().kl_to_prior(c) + std::lgamma(phi0);
  for (const double log_share : log_shares_of(model.partition(), model.stats().weights(), model.total_weight())) {
    if (phi0 > 1.0) sum -= (phi0 - 1.0) * log_share;
  }
  return sum - std::lgamma(k * phi0);
}

TEST(ModalMixture, ItsObjectiveIsThePosteriorOfItsParameters) {
  const Dataset data = scattered_rows(200, 2, 3, 4, 2.0);
  for (const double phi0 : {1.0, 3.0}) {
    const Fit found = fit(data, GaussianMixtureEm{.k = exactly(3), .map = true, .phi0 = phi0});
    const double expected = minus_log_posterior(found, data, phi0);
    EXPECT_NEAR(found.model.objective(), expected, 1e-9 * std::abs(expected));
    EXPECT_EQ(found.labels, found.model.predict(data));
    EXPECT_TRUE(found.criteria.empty());
    EXPECT_EQ(found.model.components().family(), "modal-gaussian");
  }
}

// Soft or hard, over rows or leaves; and as many clusters as were asked for, however few rows they have.
TEST(ModalMixture, ThePosteriorNeverFalls) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data = scattered_rows(400, 3, 4, seed, 1.5);
    for (const bool hard : {false, true}) {
      for (const char* assign : {"naive", "kdtree"}) {
        const GaussianMixtureEm method{.k = exactly(6), .hard = hard, .map = true, .assign = assign, .seed = seed};
        const Fit found = fit(data, method);
        EXPECT_EQ(found.model.k(), 6U) << hard << assign;
        double last = found.trace.front().objective;
        for (const Progress& step : found.trace) {
          EXPECT_LE(step.objective, last + 1e-9 * std::abs(last)) << step.phase << step.iteration;
          last = step.objective;
        }
        EXPECT_LT(last, found.trace.front().objective);
        if (!hard) continue;
        EXPECT_NEAR(score(data, found.labels, method), found.model.objective(), 1e-9 * std::abs(last));
      }
    }
  }
}

// Where likelihood has no limit, the posterior has a mode.
TEST(ModalMixture, NeedsNoFloor) {
  std::vector<double> line;
  for (std::size_t row = 0; row < 30; ++row)
    line.insert(line.end(), {static_cast<double>(row), 2.0 * static_cast<double>(row)});
  const Dataset data = Dataset::from_rows(line, 30, 2);
  for (const bool hard : {false, true}) {
    const Fit found = fit(data, GaussianMixtureEm{.k = exactly(4), .hard = hard, .map = true});
    EXPECT_TRUE(std::isfinite(found.model.objective()));
    EXPECT_TRUE(found.converged);
  }
}

// Fewer rows than columns, where most clusters lose theirs: as many clusters as were asked for, one objective for all
// of the trace, labels that the model gives again, and a model that can be saved.
TEST(ModalMixture, KeepsClustersWithoutRows) {
  const Dataset data = scattered_rows(16, 30, 1, 3);
  const Dataset two_rows = Dataset::from_rows(std::vector<double>{1, 1, 1, 2, 2, 2}, 6, 1);
  for (const bool hard : {false, true}) {
    for (const double phi0 : {1.0, 2.0}) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const GaussianMixtureEm method{.k = exactly(4), .hard = hard, .map = true, .phi0 = phi0, .seed = seed};
        for (const Dataset* rows : {&data, &two_rows}) {
          const Fit found = fit(*rows, method);
          EXPECT_EQ(found.model.k(), 4U) << hard << phi0 << seed;
          EXPECT_EQ(found.labels, found.model.predict(*rows)) << hard << phi0 << seed;
          double last = found.trace.front().objective;
          for (const Progress& step : found.trace) {
            EXPECT_EQ(step.k, 4U);
            EXPECT_LE(step.objective, last + 1e-9 * std::abs(last));
            last = step.objective;
          }
          if (!hard) {
            EXPECT_NEAR(found.model.objective(), minus_log_posterior(found, *rows, phi0), 1e-9 * std::abs(last));
          }
          const TemporaryFile file("", ".coppice");
          save_model(found.model, file.path());
          EXPECT_TRUE(load_model(file.path()) == found.model);
        }
      }
    }
  }
}

TEST(ModalMixture, TakesRowsHoweverFarAway) {
  std::vector<double> values;
  RandomStream random{1, Purpose::test};
  for (std::size_t i = 0; i < 360; ++i) values.push_back(random.normal() + (i < 120 ? 10.0 : 0.0));
  values.insert(values.end(), {1e8, 1e8});
  const Dataset data = Dataset::from_rows(values, 181, 2);
  for (const bool hard : {false, true}) {
    const Fit found = fit(data, GaussianMixtureEm{.k = exactly(3), .hard = hard, .map = true});
    EXPECT_EQ(found.model.k(), 3U);
    EXPECT_TRUE(std::isfinite(found.model.objective()));
  }
}

TEST(ModalMixture, IsLoadedAsItWasSaved) {
  const Dataset data = scattered_rows(120, 2, 3, 5);
  const Fit found = fit(data, GaussianMixtureEm{.k = exactly(3), .map = true});
  const TemporaryFile file("", ".coppice");
  save_model(found.model, file.path());
  EXPECT_TRUE(load_model(file.path()) == found.model);
}

TEST(ModalMixture, RefusesWhatItCannotDo) {
  const Dataset data = scattered_rows(60, 2, 3, 5);
  const auto refusal = [&](const GaussianMixtureEm& method) -> std::string {
    try {
      (void)fit(data, method);
    } catch (const OptionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({.xi0 = 1.0}), HasSubstr("numbers of a prior"));
  EXPECT_THAT(refusal({.k = {2, 3}, .map = true}), HasSubstr("takes one"));
  EXPECT_THAT(refusal({.family = "diagonal", .map = true}), HasSubstr("covariance for every cluster"));
  EXPECT_THAT(refusal({.map = true, .m0 = Table{1, 1, {0.0}}}), HasSubstr("ask for 2"));
  EXPECT_THAT(refusal({.map = true, .phi0 = 0.5}), HasSubstr("phi0"));
  EXPECT_THAT(refusal({.map = true, .floor = 1e-3}), HasSubstr("floor is for"));
  EXPECT_THAT(refusal({.equal_shares = true, .map = true, .phi0 = 3.0}), HasSubstr("leave out one"));
  EXPECT_THAT(refusal({.hard = true, .tolerance = 1e-3}), HasSubstr("no label changes"));
  EXPECT_EQ(refusal({.equal_shares = true, .hard = true, .map = true, .floor = 1e-6, .tolerance = 1e-6}), "");
}

}  // namespace
}  // namespace coppice::internal
