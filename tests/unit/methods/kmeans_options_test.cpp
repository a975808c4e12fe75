// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of k-means, and what happens at the edges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/evaluate/silhouette.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/assign/tree_examples.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/methods/without_result.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Values = std::vector<double>;

// The corners of a square, farther from each other than they are wide.
Generated four_blobs() { return generate(BirchGrid{.side = 2, .rows_per_cluster = 200, .spacing = 20.0, .seed = 1}); }

Table as_table(const LabelList& labels) { return {labels.size(), 1, {labels.begin(), labels.end()}}; }

// Everything that holds for any fit, finished or not.
void expect_whole(const Fit& found, const Dataset& data) {
  ASSERT_EQ(found.labels.size(), data.n_rows());
  Values sizes(found.model.k(), 0.0);
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    ASSERT_GE(found.labels[row], 0);
    ASSERT_LT(static_cast<std::size_t>(found.labels[row]), found.model.k());
    sizes[static_cast<std::size_t>(found.labels[row])] += data.weight(row);
  }
  EXPECT_TRUE(std::ranges::is_sorted(sizes, std::ranges::greater{})) << "cluster 0 is the largest";
  EXPECT_EQ(score(data, found.labels, KMeans{}), found.model.objective());
  EXPECT_EQ(found.converged, found.stop_reason == StopReason::converged);
  EXPECT_EQ(found.model.method(), "kmeans");
  EXPECT_TRUE(found.probabilities.empty()) << "centres have no density";
}

// -log likelihood of the mixture behind k-means, row by row, and half the parameters times log N.
double plain_bic(const Dataset& data, const Fit& found) {
  const auto n = static_cast<double>(data.n_rows());
  const auto d = static_cast<double>(data.n_columns());
  const auto k = static_cast<double>(found.model.k());
  const double variance = found.model.objective() / (n * d);
  double sum = ((k - 1.0) + k * d + 1.0) / 2.0 * std::log(n);
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    const auto cluster = static_cast<std::size_t>(found.labels[row]);
    const Values mean = found.model.mean(cluster);
    sum -= std::log(found.model.stats().weight(cluster) / n);
    for (std::size_t c = 0; c < data.n_columns(); ++c) {
      const double t = data.value(row, c) - mean[c];
      sum += 0.5 * (std::log(2.0 * std::numbers::pi * variance) + t * t / variance);
    }
  }
  return sum;
}

TEST(KMeansRange, BicFindsFourBlobs) {
  const Generated made = four_blobs();
  const Fit found = fit(made.data, KMeans{.k = {1, 9}, .restarts = 3});
  expect_whole(found, made.data);
  EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0);
  ASSERT_EQ(found.criteria.count("bic"), 1U);
  EXPECT_NEAR(found.criteria.at("bic"), plain_bic(made.data, found), 1e-10 * std::abs(found.criteria.at("bic")));
  EXPECT_THAT(found.warnings, IsEmpty());
  ASSERT_EQ(found.k_evidence.size(), 9U) << "every number was tried";
  for (std::size_t k = 2; k <= 9; ++k) EXPECT_LT(found.k_evidence.at(k), found.k_evidence.at(k - 1));
}

TEST(KMeansRange, BicLeavesConstantColumnsOut) {
  const Generated made = four_blobs();
  const KMeans method{.k = {1, 6}, .restarts = 3};
  const double without = fit(made.data, method).criteria.at("bic");
  EXPECT_NEAR(fit(beside_constants(made.data), method).criteria.at("bic"), without, 1e-10 * std::abs(without));
}

TEST(KMeansRange, SilhouetteFindsFourBlobs) {
  const Generated made = four_blobs();
  const Fit found = fit(made.data, KMeans{.k = {2, 7}, .criterion = "silhouette", .restarts = 3});
  expect_whole(found, made.data);
  EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0);
  EXPECT_NEAR(found.criteria.at("silhouette"), evaluate::silhouette(made.data, found.labels), 1e-12);
}

TEST(KMeansRange, TheEndOfTheRangeIsWorthAWarning) {
  const Generated made = four_blobs();
  for (const KRange range : {KRange{2, 3}, KRange{2, 4}}) {
    const Fit found = fit(made.data, KMeans{.k = range, .restarts = 3});
    EXPECT_EQ(found.model.k(), range.high);
    EXPECT_THAT(plain(found.warnings), ElementsAre(HasSubstr("lies at the end of the range " + range.to_string())));
  }
}

TEST(KMeansRange, OneNumberHasNoCriterion) { EXPECT_THAT(fit(four_blobs().data, KMeans{}).criteria, IsEmpty()); }

TEST(KMeansRange, SilhouettesNeedTwoClustersAndFewRows) {
  EXPECT_THAT(message_of<OptionError>([] {
                (void)fit(four_blobs().data, KMeans{.k = {1, 4}, .criterion = "silhouette"});
              }),
              HasSubstr("start k at 2"));
  const Dataset many = Dataset::from_rows(Values(20001, 1.0), 20001, 1);
  EXPECT_THAT(message_of<OptionError>([&] {
                (void)fit(many, KMeans{.k = {2, 4}, .criterion = "silhouette"});
              }),
              HasSubstr("there are 20001"));
}

TEST(KMeansInit, CentresAndTheLabelsTheyGiveMakeTheSameFit) {
  // Far away: centres are in the coordinates of the data.
  const Dataset data = changed(scattered_rows(500, 2, 4, 11), [](double value, std::size_t) { return value + 1000.0; });
  const Table centres{3, 2, {997, 1000, 1003, 1000, 1000, 1003}};
  LabelList labels;
  for (std::size_t row = 0; row < 500; ++row) {
    Values distances;
    for (std::size_t k = 0; k < 3; ++k) {
      distances.push_back(std::pow(data.value(row, 0) - centres.values[2 * k], 2.0) +
                          std::pow(data.value(row, 1) - centres.values[2 * k + 1], 2.0));
    }
    labels.push_back(static_cast<std::int32_t>(std::ranges::min_element(distances) - distances.begin()));
  }
  const Fit from_centres = fit(data, KMeans{.k = {3, 3}, .init = centres});
  const Fit from_labels = fit(data, KMeans{.k = {3, 3}, .init = as_table(labels)});
  expect_whole(from_centres, data);
  EXPECT_EQ(from_centres.labels, from_labels.labels);
  EXPECT_TRUE(from_centres.model == from_labels.model);
  EXPECT_EQ(from_centres.iterations, from_labels.iterations + 1) << "to give every row its label is one";
  EXPECT_EQ(from_labels.trace[0].objective, score(data, labels, KMeans{}));
}

TEST(KMeansInit, ARunFromItsOwnResultStaysThere) {
  const Dataset data = scattered_rows(1000, 3, 6, 12);
  const Fit once = fit(data, KMeans{.k = {6, 6}});
  const Fit from_labels = fit(data, KMeans{.k = {6, 6}, .init = as_table(once.labels)});
  EXPECT_EQ(from_labels.iterations, 1U);
  EXPECT_TRUE(from_labels.model == once.model);
  Table centres{6, 3, {}};
  for (std::size_t k = 0; k < 6; ++k) {
    for (const double value : once.model.mean(k)) centres.values.push_back(value);
  }
  const Fit from_centres = fit(data, KMeans{.k = {6, 6}, .init = centres});
  EXPECT_EQ(from_centres.labels, once.labels);
}

TEST(KMeansInit, TheNumberOfClustersIsThatOfTheStart) {
  const Dataset data = scattered_rows(100, 2, 3, 13);
  const Table centres{2, 2, {-1, 0, 1, 0}};
  const Fit asked_otherwise = fit(data, KMeans{.k = {5, 5}, .init = centres});
  EXPECT_EQ(asked_otherwise.model.k(), 2U);
  EXPECT_THAT(plain(asked_otherwise.warnings), ElementsAre("init holds 2 clusters; k 5 was not used"));
  EXPECT_THAT(fit(data, KMeans{.init = centres}).warnings, IsEmpty()) << "nobody asked for eight";
}

TEST(KMeansInit, DoesNotGoWithARange) {
  const Table centres{2, 2, {-1, 0, 1, 0}};
  EXPECT_THROW((void)fit(scattered_rows(100, 2, 3, 13), KMeans{.k = {2, 5}, .init = centres}), OptionError);
  EXPECT_THROW((void)fit(scattered_rows(100, 3, 3, 13), KMeans{.init = centres}), OptionError) << "another shape";
}

TEST(KMeansSeeding, EveryRuleMakesAFit) {
  const Generated made = four_blobs();
  for (const char* seeding : {"kmeans++", "afk-mc2", "uniform", "farthest"}) {
    SCOPED_TRACE(seeding);
    const Fit found = fit(made.data, KMeans{.k = {4, 4}, .seeding = seeding});
    expect_whole(found, made.data);
    EXPECT_EQ(found.model.k(), 4U);
    const Fit again = fit(made.data, KMeans{.k = {4, 4}, .seeding = seeding});
    EXPECT_TRUE(again.model == found.model) << "the same seed, the same result";
    const Fit best = fit(made.data, KMeans{.k = {4, 4}, .seeding = seeding, .restarts = 20});
    EXPECT_EQ(evaluate::adjusted_rand_index(best.labels, made.labels), 1.0);
  }
}

// The farthest row is always in a cluster without a centre.
TEST(KMeansSeeding, FarthestFindsSeparatedBlobsAtOnce) {
  const Generated made = four_blobs();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Fit found = fit(made.data, KMeans{.k = {4, 4}, .seeding = "farthest", .seed = seed});
    EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0) << seed;
  }
}

TEST(KMeansSeeding, OptionsReachTheRule) {
  const Dataset data = scattered_rows(2000, 2, 30, 14);
  const auto start_of = [&](KMeans method) {
    method.k = {30, 30};
    return fit(data, method).trace[0].objective;
  };
  EXPECT_NE(start_of({.seeding_candidates = 1}), start_of({.seeding_candidates = 5}));
  EXPECT_EQ(start_of({.seeding_candidates = 0}), start_of({.seeding_candidates = 5})) << "2 + ln 30 = 5.4";
  EXPECT_NE(start_of({.seeding = "afk-mc2", .chain_length = 1}), start_of({.seeding = "afk-mc2", .chain_length = 50}));
  EXPECT_NE(start_of({.seed = 1}), start_of({.seed = 2}));
}

TEST(KMeansRestarts, NeverMakeItWorse) {
  const Dataset data = scattered_rows(1000, 2, 20, 15);
  double before = std::numeric_limits<double>::infinity();
  std::size_t n_better = 0;
  for (const std::uint64_t restarts : {1U, 2U, 4U, 8U, 16U}) {
    const Fit found = fit(data, KMeans{.k = {20, 20}, .seeding = "uniform", .restarts = restarts});
    EXPECT_LE(found.model.objective(), before);
    n_better += found.model.objective() < before ? 1 : 0;
    before = found.model.objective();
    EXPECT_EQ(std::ranges::count(found.trace, "start", &Progress::phase), static_cast<std::ptrdiff_t>(restarts));
  }
  EXPECT_GT(n_better, 1U);
}

// The limit is one for every run: all of them reach it.
TEST(KMeansRestarts, EveryRunHasItsOwnIterations) {
  const Dataset data = scattered_rows(1000, 2, 20, 15);
  const Fit found = fit(data, KMeans{.k = {20, 20}, .restarts = 3, .max_iterations = 2});
  EXPECT_EQ(found.iterations, 6U);
  EXPECT_EQ(found.stop_reason, StopReason::iteration_limit);
}

TEST(KMeansEdges, FewerDifferentRowsThanClusters) {
  const Dataset data = Dataset::from_rows(Values{1, 2, 1, 2, 1, 2, 1}, 7, 1);
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    for (const char* seeding : {"kmeans++", "afk-mc2", "uniform", "farthest"}) {
      SCOPED_TRACE(std::string(assign) + ", " + seeding);
      const Fit found = fit(data, KMeans{.k = {4, 4}, .seeding = seeding, .assign = assign});
      expect_whole(found, data);
      EXPECT_EQ(found.labels, (LabelList{0, 1, 0, 1, 0, 1, 0}));
      EXPECT_EQ(found.model.objective(), 0.0);
      EXPECT_THAT(found.warnings, ElementsAre("found 2 clusters, not 4: the table has no more than 2 different rows"));
    }
  }
}

TEST(KMeansEdges, AsManyClustersAsRows) {
  const Dataset data = scattered_rows(50, 2, 3, 16);
  const Fit found = fit(data, KMeans{.k = {50, 50}});
  expect_whole(found, data);
  EXPECT_EQ(found.model.k(), 50U);
  EXPECT_EQ(found.model.objective(), 0.0);
  EXPECT_THROW((void)fit(data, KMeans{.k = {51, 51}}), OptionError);
  EXPECT_THROW((void)fit(data, KMeans{.k = {0, 3}}), OptionError);
}

TEST(KMeansEdges, OneRow) {
  const Dataset data = Dataset::from_rows(Values{3.0, 4.0}, 1, 2);
  for (const char* assign : {"naive", "kdtree", "bounds", "auto"}) {
    const Fit found = fit(data, KMeans{.k = {1, 1}, .assign = assign});
    EXPECT_EQ(found.labels, LabelList{0});
    EXPECT_EQ(found.model.mean(0), (Values{3.0, 4.0}));
    EXPECT_EQ(found.model.objective(), 0.0);
    EXPECT_EQ(found.stop_reason, StopReason::converged);
    EXPECT_THAT(found.warnings, IsEmpty());
  }
}

TEST(KMeansEdges, ConstantData) {
  const Dataset data = Dataset::from_rows(Values(2 * 300, 0.1), 300, 2);
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    for (const KRange range : {KRange{3, 3}, KRange{1, 4}}) {
      const Fit found = fit(data, KMeans{.k = range, .assign = assign});
      expect_whole(found, data);
      EXPECT_EQ(found.model.k(), 1U);
      EXPECT_EQ(found.model.mean(0), (Values{0.1, 0.1}));
      EXPECT_EQ(found.model.objective(), 0.0);
      EXPECT_THAT(plain(found.warnings), testing::Contains(HasSubstr("2 columns are constant")));
    }
  }
}

TEST(KMeansEdges, OneClusterIsTheMean) {
  const Dataset data = Dataset::from_rows(Values{0, 0, 4, 0, 0, 8}, 3, 2).with_weights({1.0, 1.0, 2.0});
  const Fit found = fit(data, KMeans{.k = {1, 1}});
  EXPECT_EQ(found.model.mean(0), (Values{1.0, 4.0}));
  EXPECT_EQ(found.model.objective(), 12.0 + 64.0);
}

TEST(KMeansEdges, AWeightIsAsManyCopies) {
  const Dataset data = scattered_rows(300, 2, 5, 17);
  Values weights;
  std::vector<double> copies;
  for (std::size_t row = 0; row < 300; ++row) {
    weights.push_back(static_cast<double>(row % 4));
    for (std::size_t copy = 0; copy < row % 4; ++copy) {
      copies.insert(copies.end(), {data.value(row, 0), data.value(row, 1)});
    }
  }
  const std::size_t n_copies = copies.size() / 2;
  const Dataset repeated = Dataset::from_rows(std::move(copies), n_copies, 2);
  for (const char* seeding : {"kmeans++", "afk-mc2", "uniform", "farthest"}) {
    const KMeans method{.k = {5, 5}, .seeding = seeding};
    const Fit by_weight = fit(data.with_weights(weights), method);
    const Fit by_copies = fit(repeated, method);
    LabelList expected;
    for (std::size_t row = 0; row < 300; ++row) expected.insert(expected.end(), row % 4, by_weight.labels[row]);
    EXPECT_TRUE(by_copies.labels == expected) << seeding;
    EXPECT_NEAR(by_copies.model.objective(), by_weight.model.objective(), 1e-13 * by_weight.model.objective());
  }
}

// They have no say in the fit, but a place: even where it ends before any row was looked at.
TEST(KMeansEdges, RowsWithoutWeightAreAtTheNearestCentre) {
  const Dataset data = Dataset::from_rows(Values{0, 1, 10, 11, 12, 8}, 6, 1).with_weights({1, 1, 1, 1, 1, 0});
  const KMeans method{.k = {2, 2}, .init = as_table({0, 0, 1, 1, 1, 0})};
  const Fit stopped = fit(data, method, {.observer = [](const State&) { return Next::stop; }});
  EXPECT_EQ(stopped.labels, (LabelList{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(fit(data, method).labels, stopped.labels);
  EXPECT_EQ(stopped.model.objective(), 0.5 + 2.0);
}

TEST(KMeansScore, IsTheObjectiveOfAFit) {
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    const Dataset data = scattered_rows(6000, 2, 10, 18).with_weights(some_weights(6000, 18));
    const Fit found = fit(data, KMeans{.k = {12, 12}, .assign = assign});
    expect_whole(found, data);
    EXPECT_EQ(found.model.score(data, found.labels), found.model.objective());
  }
}

TEST(KMeansScore, WantsALabelForEveryRow) {
  EXPECT_THROW((void)score(scattered_rows(5, 1, 1, 1), LabelList{0, 1}, KMeans{}), DataError);
}

TEST(KMeansStop, BeforeTheStartThereIsNoResult) {
  const Generated made = four_blobs();
  std::stop_source source;
  source.request_stop();
  const std::atomic<bool> interrupted = true;
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    const KMeans method{.k = {4, 4}, .assign = assign};
    for (const RunOptions& run : {RunOptions{.stop = source.get_token()}, RunOptions{.interrupted = &interrupted}}) {
      EXPECT_EQ(without_result(made.data, method, run), StopReason::cancelled);
    }
    EXPECT_EQ(without_result(made.data, method, {.time_limit = 1e-9}), StopReason::time_limit);
  }
}

TEST(KMeansStop, FromTheFirstLabelsOnThereIsOne) {
  const Generated made = four_blobs();
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    std::stop_source source;
    const RunOptions run{.stop = source.get_token(), .on_result = [&] { source.request_stop(); }};
    const Fit found = fit(made.data, KMeans{.k = {4, 4}, .assign = assign}, run);
    expect_whole(found, made.data);
    EXPECT_EQ(found.stop_reason, StopReason::cancelled);
    EXPECT_EQ(found.model.k(), 4U);
  }
}

TEST(KMeansStop, OnTheWayThereIsTheLastState) {
  const Dataset data = scattered_rows(3000, 2, 10, 19);
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    for (const bool by_token : {false, true}) {
      std::stop_source source;
      std::size_t n_seen = 0;
      double last = 0.0;
      const RunOptions run{.observer =
                               [&](const State& state) {
                                 last = state.objective;
                                 if (++n_seen < 3) return Next::carry_on;
                                 source.request_stop();
                                 return by_token ? Next::carry_on : Next::stop;
                               },
                           .stop = by_token ? source.get_token() : std::stop_token()};
      const Fit found = fit(data, KMeans{.k = {20, 20}, .assign = assign, .restarts = 5}, run);
      expect_whole(found, data);
      EXPECT_EQ(found.stop_reason, StopReason::cancelled);
      EXPECT_EQ(n_seen, 3U) << "no other run begins";
      EXPECT_EQ(found.model.k(), 20U);
      EXPECT_NEAR(found.model.objective(), last, 1e-12 * last);
    }
  }
}

// A second run that is stopped early must not replace the first, which was better.
TEST(KMeansStop, TheBestRunIsKept) {
  const Dataset data = scattered_rows(1000, 2, 10, 20);
  const KMeans method{.k = {10, 10}, .restarts = 2};
  KMeans once = method;
  once.restarts = 1;
  const Fit first = fit(data, once);
  std::size_t n_seen = 0;
  const RunOptions run{
      .observer = [&](const State&) { return ++n_seen <= first.trace.size() - 1 ? Next::carry_on : Next::stop; }};
  const Fit found = fit(data, method, run);
  EXPECT_EQ(found.stop_reason, StopReason::cancelled);
  EXPECT_TRUE(found.model == first.model);
}

TEST(KMeansChecks, WordsAndEmptyTablesAreRefused) {
  const Dataset data = scattered_rows(20, 2, 2, 21);
  EXPECT_THROW((void)fit(data, KMeans{.criterion = "aic"}), OptionError);
  EXPECT_THROW((void)fit(data, KMeans{.seeding = "best"}), OptionError);
  EXPECT_THROW((void)fit(data, KMeans{.assign = "fast"}), OptionError);
  EXPECT_THROW((void)fit(data, KMeans{.restarts = 0}), OptionError);
  EXPECT_THROW((void)fit(data, KMeans{.max_iterations = 0}), OptionError);
  EXPECT_THROW((void)fit(data.with_weights(Values(20, 0.0)), KMeans{}), DataError);
}

// A number by itself is a range of one; one that runs backwards is refused, not read as something else.
TEST(KMeansRange, OneNumberMeansThatNumber) {
  EXPECT_EQ(KMeans{.k = 10}.k, (KRange{10, 10}));
  const Dataset rows = Dataset::from_rows(std::vector<double>{0.0, 1.0, 2.0, 10.0, 11.0, 12.0}, 6, 1);
  EXPECT_EQ(fit(rows, KMeans{.k = 2}).model.k(), 2U);
  EXPECT_THROW((void)fit(rows, KMeans{.k = {5, 3}}), OptionError);
}

}  // namespace
}  // namespace coppice::internal
