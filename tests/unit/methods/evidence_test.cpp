// SPDX-License-Identifier: BSD-3-Clause
// What fits say beside their clusters: the evidence for every K, and why there are fewer clusters than asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/coppice.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

// Few different rows, measured, each `n_copies` times: bkm searches the different ones alone.
Dataset copies(std::size_t n_copies) {
  const Dataset rows = scattered_rows(60, 2, 3, 4, 6.0);
  std::vector<double> values;
  for (std::size_t copy = 0; copy < n_copies; ++copy) {
    values.insert(values.end(), rows.doubles().begin(), rows.doubles().end());
  }
  return Dataset::from_rows(std::move(values), 60 * n_copies, 2);
}

RunOptions stopping_after(std::size_t n_reports) {
  return {.threads = 1, .observer = [n = std::size_t{0}, n_reports](const State& /*state*/) mutable {
            return ++n < n_reports ? Next::carry_on : Next::stop;
          }};
}

void expect_like_with_like(const Fit& found, const Dataset& data, const BayesianKMeans& method) {
  EXPECT_EQ(found.k_evidence.at(found.model.k()), found.model.objective());
  const auto one = found.k_evidence.find(1);
  if (one == found.k_evidence.end() || found.model.k() == 1) return;
  const double least = score(data, std::vector<std::int32_t>(data.n_rows(), 0), method);
  EXPECT_GE(one->second, least - 0.5 - 1e-5 * std::abs(least)) << "all rows in one cluster cannot be better";
}

TEST(Evidence, IsOfTheWholeTableWhereDifferentRowsAreSearched) {
  for (const bool outliers : {false, true}) {
    const BayesianKMeans method{.outliers = outliers};
    for (const std::size_t n_copies : {1U, 5U, 20U}) {
      SCOPED_TRACE(n_copies);
      const Dataset data = copies(n_copies);
      const Fit found = fit(data, method, {.threads = 1});
      expect_like_with_like(found, data, method);
      // Beside a background, all rows are only settled: what the search saw is of rows that count once.
      const bool is_searched = !outliers || n_copies == 1;
      EXPECT_GE(found.k_evidence.size(), is_searched ? 2U : 1U) << "merges of the clusters at least";
    }
  }
}

TEST(Evidence, IsOfTheWholeTableWhereASampleIsSearched) {
  const Dataset data = scattered_rows(11000, 1, 3, 9, 8.0);
  const BayesianKMeans method{.family = "spherical", .restarts = 2};
  const Fit found = fit(data, method, {.threads = 1});
  expect_like_with_like(found, data, method);
  for (const auto& [k, objective] : found.k_evidence) EXPECT_GE(objective, found.model.objective()) << k;
}

TEST(Evidence, HoldsTheObjectiveWhereverAFitIsStopped) {
  const Dataset data = copies(5);
  for (const std::size_t n_reports : {1U, 2U, 5U, 20U}) {
    SCOPED_TRACE(n_reports);
    const BayesianKMeans method;
    expect_like_with_like(fit(data, method, stopping_after(n_reports)), data, method);
    const Fit mixture = fit(data, GaussianMixtureEm{.k = {1, 4}}, stopping_after(n_reports));
    EXPECT_EQ(mixture.k_evidence.at(mixture.model.k()), mixture.model.objective());
    const Fit means = fit(data, KMeans{.k = {1, 4}}, stopping_after(n_reports));
    EXPECT_EQ(means.k_evidence.at(means.model.k()), means.model.objective());
  }
}

// Three clusters in a row, so near that hard labels take them for fewer.
TEST(Evidence, IsNotMixedWithSoftBounds) {
  const BayesianKMeans method;
  std::size_t n_soft = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomStream random{seed, Purpose::test};
    std::vector<double> values;
    for (std::size_t row = 0; row < 900; ++row) values.push_back(random.normal() + 2.8 * static_cast<double>(row % 3));
    const Dataset data = Dataset::from_rows(std::move(values), 900, 1);
    const Fit found = fit(data, method, {.threads = 1});
    n_soft += found.is_k_soft ? 1U : 0U;
    expect_like_with_like(found, data, method);
  }
  EXPECT_GT(n_soft, 0U) << "else there is nothing to show";
}

TEST(FewerClusters, AStoppedFitDoesNotBlameTheRows) {
  const Dataset data = scattered_rows(400, 2, 8, 5, 5.0);
  const Fit bkm = fit(data, BayesianKMeans{.k = 25}, stopping_after(2));  // more would be there from the beginning
  ASSERT_LT(bkm.model.k(), 25U);
  EXPECT_THAT(plain(bkm.warnings), Contains(HasSubstr("not 25: the fit was stopped before there were more")));
  for (const Fit& found : {bkm, fit(data, KMeans{.k = {40, 40}}, stopping_after(1)),
                           fit(data, GaussianMixtureEm{.k = {40, 40}}, stopping_after(1)),
                           fit(data, KMeans{.k = {1, 40}}, stopping_after(1))}) {
    EXPECT_EQ(found.stop_reason, StopReason::cancelled);
    EXPECT_THAT(plain(found.warnings), Each(Not(HasSubstr("different row"))));
    EXPECT_THAT(plain(found.warnings), Each(Not(HasSubstr("wider range"))));
  }
}

TEST(FewerClusters, DifferentRowsAreCounted) {
  const Dataset data =
      Dataset::from_rows(std::vector<double>{1, 9, 5, 1, 9, 5, 7}, 7, 1).with_weights({1, 1, 1, 1, 1, 1, 0});
  for (const Fit& found : {fit(data, KMeans{.k = {6, 6}}), fit(data, GaussianMixtureEm{.k = {6, 6}})}) {
    ASSERT_EQ(found.model.k(), 3U);
    EXPECT_THAT(plain(found.warnings),
                Contains(HasSubstr("found 3 clusters, not 6: the table has no more than 3 different rows")));
  }
}

}  // namespace
}  // namespace coppice::internal
