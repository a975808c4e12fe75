// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/stability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "coppice/data/generate.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dataset separated(std::size_t n_rows = 400, std::size_t k = 4) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = k, .tau = 8.0, .seed = 1}).data;
}

Dataset uniform(std::size_t n_rows) {
  RandomStream random{21, Purpose::test};
  std::vector<double> values(2 * n_rows);
  for (double& value : values) value = random.uniform();
  return Dataset::from_rows(std::move(values), n_rows, 2);
}

template <class Method>
Stability stability_of(const Dataset& data, const Method& method, std::uint64_t resamples, std::size_t threads = 1) {
  const RunOptions run{.threads = threads};
  return stability(
      data, fit(data, method, run), [&](const Dataset& rows) { return fit(rows, method, run); },
      {.resamples = resamples, .seed = method.seed}, run);
}

void expect_equal(const Stability& a, const Stability& b) {
  EXPECT_EQ(a.resamples, b.resamples);
  EXPECT_EQ(a.k_counts, b.k_counts);
  EXPECT_EQ(a.ari, b.ari);
  EXPECT_EQ(a.together, b.together);
  ASSERT_EQ(a.clusters.size(), b.clusters.size());
  for (std::size_t c = 0; c < a.clusters.size(); ++c) {
    EXPECT_EQ(a.clusters[c].recurrence, b.clusters[c].recurrence);
    EXPECT_EQ(a.clusters[c].found, b.clusters[c].found);
  }
}

// The figures up to the order of sums.
void expect_near(const Stability& a, const Stability& b) {
  EXPECT_EQ(a.k_counts, b.k_counts);
  EXPECT_NEAR(a.ari, b.ari, 1e-9);
  ASSERT_EQ(a.clusters.size(), b.clusters.size());
  for (std::size_t c = 0; c < a.clusters.size(); ++c) {
    EXPECT_NEAR(a.clusters[c].recurrence, b.clusters[c].recurrence, 1e-9);
    for (std::size_t d = 0; d < a.clusters.size(); ++d) EXPECT_NEAR(a.together_of(c, d), b.together_of(c, d), 1e-9);
  }
}

TEST(Stability, SeparatedClustersComeBack) {
  const Stability result = stability_of(separated(), BayesianKMeans{}, 10);
  EXPECT_EQ(result.resamples, 10U);
  EXPECT_EQ(result.k_counts, (std::map<std::size_t, std::size_t>{{4, 10}}));
  EXPECT_GT(result.ari, 0.98);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_GT(result.clusters[c].recurrence, 0.98);
    EXPECT_EQ(result.clusters[c].found, 1.0);
    EXPECT_GT(result.together_of(c, c), 0.98);
    EXPECT_LT(result.together_of(c, (c + 1) % 4), 0.02);
  }
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_THAT(result.warnings, testing::IsEmpty());
}

// Five clusters are always found in a square, each time elsewhere.
TEST(Stability, ArbitraryClustersDoNot) {
  const Stability result = stability_of(uniform(500), KMeans{.k = 5}, 20);
  EXPECT_EQ(result.k_counts, (std::map<std::size_t, std::size_t>{{5, 20}}));
  EXPECT_LT(result.ari, 0.8);
  double recurrence = 0.0;
  double found = 0.0;
  for (const ClusterStability& cluster : result.clusters) {
    recurrence += cluster.recurrence / 5.0;
    found += cluster.found / 5.0;
  }
  EXPECT_LT(recurrence, 0.8);
  EXPECT_GT(recurrence, 0.2);
  EXPECT_LT(found, 0.7);
}

TEST(Stability, OneClusterIsAlwaysTheSame) {
  const Stability result = stability_of(separated(50, 1), KMeans{.k = 1}, 3);
  EXPECT_EQ(result.clusters.at(0).recurrence, 1.0);
  EXPECT_EQ(result.ari, 1.0);
  EXPECT_EQ(result.together, std::vector<double>{1.0});
}

TEST(Stability, DoesNotDependOnThreads) {
  const Dataset data = uniform(10000);
  expect_equal(stability_of(data, KMeans{.k = 5}, 3, 1), stability_of(data, KMeans{.k = 5}, 3, 4));
}

TEST(Stability, DoesNotDependOnRowOrder) {
  const Dataset data = separated(300, 3);
  std::vector<double> values;
  for (std::size_t row = data.n_rows(); row-- > 0;)
    values.insert(values.end(), {data.value(row, 0), data.value(row, 1)});
  const Dataset backwards = Dataset::from_rows(std::move(values), data.n_rows(), 2);
  const KMeans method{.k = 5, .seed = 2};
  expect_near(stability_of(data, method, 5), stability_of(backwards, method, 5));
}

TEST(Stability, AWeightIsThatManyRows) {
  const Dataset data = uniform(120);
  std::vector<double> weights;
  std::vector<double> values;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    weights.push_back(static_cast<double>(1 + row % 3));
    for (std::size_t copy = 0; copy <= row % 3; ++copy)
      values.insert(values.end(), {data.value(row, 0), data.value(row, 1)});
  }
  const std::size_t n_copies = values.size() / 2;
  const Dataset repeated = Dataset::from_rows(std::move(values), n_copies, 2);
  const KMeans method{.k = 3, .seed = 1};
  expect_near(stability_of(data.with_weights(weights), method, 5), stability_of(repeated, method, 5));
}

TEST(Stability, EverySeedDrawsOtherResamples) {
  const Dataset data = uniform(200);
  const KMeans method{.k = 4};
  const Fit found = fit(data, method);
  const Refit refit = [&](const Dataset& rows) { return fit(rows, method); };
  EXPECT_NE(stability(data, found, refit, {.resamples = 3, .seed = 0}).ari,
            stability(data, found, refit, {.resamples = 3, .seed = 1}).ari);
}

// What stability relies on: rows that were not drawn are labelled by the refitted model.
template <class Method>
void expect_predicted_labels(const Method& method) {
  const Dataset data = separated(300, 3);
  std::vector<double> weights(300, 1.0);
  for (std::size_t row = 0; row < 300; row += 3) weights[row] = 0.0;
  const Fit found = fit(data.with_weights(weights), method);
  const std::vector<std::int32_t> predicted = found.model.predict(data);
  for (std::size_t row = 0; row < 300; row += 3) EXPECT_EQ(found.labels[row], predicted[row]) << Method::name;
}

TEST(Stability, RowsThatWereNotDrawnHaveThePredictedLabel) {
  expect_predicted_labels(BayesianKMeans{});
  expect_predicted_labels(KMeans{.k = 3});
  expect_predicted_labels(GaussianMixtureEm{.k = 3});
  expect_predicted_labels(GaussianMixtureEm{.k = 3, .hard = true});
}

TEST(Stability, NeedsAResample) {
  const Dataset data = separated(50, 2);
  EXPECT_THROW(static_cast<void>(stability_of(data, KMeans{.k = 2}, 0)), OptionError);
}

TEST(Stability, AStopKeepsTheResamplesBeforeIt) {
  const Dataset data = separated(100, 2);
  const KMeans method{.k = 2};
  std::stop_source source;
  std::vector<std::size_t> begun;
  const StabilityOptions options{.resamples = 10, .progress = [&](std::size_t resample) {
                                   begun.push_back(resample);
                                   if (resample == 2) source.request_stop();
                                 }};
  // The third fit does not notice the stop, and counts; a fourth is not begun.
  const Stability result = stability(data, fit(data, method), [&](const Dataset& rows) { return fit(rows, method); },
                                     options, {.stop = source.get_token()});
  EXPECT_THAT(begun, ElementsAre(0U, 1U, 2U));
  EXPECT_EQ(result.resamples, 3U);
  EXPECT_EQ(result.clusters[0].recurrence, 1.0);
  EXPECT_EQ(result.stop_reason, StopReason::cancelled);
  EXPECT_THAT(plain(result.warnings), ElementsAre(HasSubstr("3 of 10")));
}

TEST(Stability, AFitThatWasCutShortDoesNotCount) {
  const Dataset data = separated(100, 2);
  const KMeans method{.k = 2};
  int n_fits = 0;
  const Refit refit = [&](const Dataset& rows) {
    Fit again = fit(rows, method);
    if (++n_fits == 2) again.stop_reason = StopReason::time_limit;
    return again;
  };
  const Stability result = stability(data, fit(data, method), refit, {.resamples = 5});
  EXPECT_EQ(n_fits, 2);
  EXPECT_EQ(result.resamples, 1U);
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
}

TEST(Stability, SaysWhyAResampleCouldNotBeFitted) {
  const Dataset data = separated(100, 2);
  const KMeans method{.k = 2};
  int n_fits = 0;
  const Refit refit = [&](const Dataset& rows) {
    if (++n_fits == 2) throw NumericError("a matrix is singular");
    return fit(rows, method);
  };
  const Stability result = stability(data, fit(data, method), refit, {.resamples = 4});
  EXPECT_EQ(result.resamples, 3U);
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_THAT(plain(result.warnings),
              ElementsAre(HasSubstr("1 of 4 resamples could not be fitted (resample 2: a matrix")));
}

}  // namespace
}  // namespace coppice::internal
