// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/kmeans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "unit/assign/tree_examples.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = k, .tau = 6.0, .seed = seed});
}

Dataset chosen_rows(const Dataset& data, const std::vector<std::size_t>& chosen) {
  std::vector<double> values;
  for (const std::size_t row : chosen) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
  }
  return Dataset::from_rows(std::move(values), chosen.size(), data.n_columns());
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random{seed, Purpose::test, 70};
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

Fit fit_by(const Dataset& data, KMeans method, const char* assign) {
  method.assign = assign;
  return fit(data, method, {.threads = 1});
}

TEST(KMeans, FindsSeparatedClusters) {
  const Generated made = separated(1000, 4, 1);
  for (const char* assign : {"naive", "kdtree", "bounds", "auto"}) {
    SCOPED_TRACE(assign);
    const Fit found = fit_by(made.data, {.k = {4, 4}, .restarts = 3}, assign);
    EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0);
    EXPECT_EQ(found.stop_reason, StopReason::converged);
  }
}

TEST(KMeans, TheScoreOfLabelsNeedsNoNumberOfClusters) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1.0, 3.0}, 2, 1);
  EXPECT_EQ(score(data, std::vector<std::int32_t>{0, 0}, KMeans{}), 2.0);
}

TEST(KMeans, SaysThatTheIterationLimitWasReached) {
  const Dataset data = scattered_rows(3000, 2, 10, 1);
  const Fit found = fit(data, KMeans{.max_iterations = 2});
  EXPECT_EQ(found.iterations, 2U);
  EXPECT_EQ(found.stop_reason, StopReason::iteration_limit);
  EXPECT_FALSE(found.converged);
  EXPECT_THAT(plain(found.warnings), Contains(HasSubstr("max_iterations")));
}

TEST(KMeans, SaysHowRowsFoundTheirCentre) {
  const Dataset data = scattered_rows(500, 2, 4, 2);
  for (const char* assign : {"naive", "kdtree", "bounds"}) EXPECT_EQ(fit_by(data, {}, assign).assign.used, assign);
}

// Powers of two scale every number and every sum without rounding.
TEST(KMeans, TheUnitOfMeasurementDoesNotMatter) {
  const Dataset data = separated(1000, 5, 3).data;
  const KMeans method{.k = {5, 5}};
  const Fit plain = fit(data, method);
  for (const int exponent : {-10, -20, -30, -60, 20, 100}) {
    const Dataset scaled = changed(data, [&](double value, std::size_t) { return std::ldexp(value, exponent); });
    const Fit found = fit(scaled, method);
    EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, plain.labels), 1.0) << "2^" << exponent;
    EXPECT_NEAR(std::ldexp(found.model.objective(), -2 * exponent), plain.model.objective(),
                1e-12 * plain.model.objective());
  }
}

// A cloud and its mirror image: rows in pairs at equal distances from the common mean. Which of a pair starts an empty
// cluster must not be left to the rounding of the mean, which depends on the order of sums.
Dataset mirrored(std::size_t n_columns, std::uint64_t seed) {
  const GaussianMixture half{.n_rows = 2500, .n_columns = n_columns, .k = 2, .tau = 4.0, .seed = seed};
  const Dataset data = rounded(generate(half).data, 0.1);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (const double value : data.doubles()) values.push_back(-value);
  const std::size_t n_rows = 2 * data.n_rows();
  return chosen_rows(Dataset::from_rows(std::move(values), n_rows, n_columns), shuffled(n_rows, seed));
}

// The first centre gets all rows, the others start anew.
KMeans from_far_centres(std::size_t n_columns) {
  Table centres{3, n_columns, std::vector<double>(3 * n_columns, 0.0)};
  centres.values[n_columns] = 1000.0;
  centres.values[2 * n_columns] = 2000.0;
  return {.k = {3, 3}, .init = centres};
}

TEST(KMeans, RowsThatAreEquallyFarStartTheSameClusterByAnyAssignment) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = mirrored(2 + seed % 2, seed);
    const KMeans method = from_far_centres(data.n_columns());
    const Fit naive = fit_by(data, method, "naive");
    ASSERT_EQ(naive.model.k(), 3U);
    for (const char* assign : {"kdtree", "bounds"}) {
      EXPECT_TRUE(fit_by(data, method, assign).labels == naive.labels) << assign << ", seed " << seed;
    }
  }
}

TEST(KMeans, RowsThatAreEquallyFarStartTheSameClusterInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = mirrored(2 + seed % 2, seed);
    const KMeans method = from_far_centres(data.n_columns());
    const std::vector<std::size_t> order = shuffled(data.n_rows(), seed + 100);
    const std::vector<std::int32_t> plain = fit_by(data, method, "naive").labels;
    const std::vector<std::int32_t> found = fit_by(chosen_rows(data, order), method, "naive").labels;
    std::vector<std::int32_t> expected;
    for (const std::size_t row : order) expected.push_back(plain[row]);
    EXPECT_EQ(evaluate::adjusted_rand_index(found, expected), 1.0) << "seed " << seed;
  }
}

// Whether the last sweep, which moves nothing but rows without weight, counts as a change is left to rounding.
TEST(KMeans, RowsWithoutWeightHaveTheSameLabelsByAnyAssignment) {
  for (const std::uint64_t seed : {7U, 5U, 6U}) {
    const GaussianMixture options{.n_rows = 5000, .n_columns = 1, .k = 8, .tau = 1.0, .seed = seed};
    const Dataset data = generate(options).data.with_weights(some_weights(5000, seed));
    const KMeans method{.k = {9, 9}, .seed = seed};
    const Fit naive = fit_by(data, method, "naive");
    for (const char* assign : {"kdtree", "bounds"}) {
      const Fit found = fit_by(data, method, assign);
      EXPECT_TRUE(found.labels == naive.labels) << assign << ", seed " << seed;
      EXPECT_TRUE(found.model == naive.model) << assign << ", seed " << seed;
    }
  }
}

// Two centres that nobody wants start anew at the rows that fit worst: copies of one row are one place, not two.
TEST(KMeans, CopiesOfARowStartOneClusterAsAWeightDoes) {
  const Table centres{3, 1, {0.0, 100.0, 200.0}};
  const KMeans method{.k = {3, 3}, .init = centres};
  const Dataset once = Dataset::from_rows(std::vector<double>{0.0, 0.1, 0.2, 0.3, 10.0}, 5, 1);
  const Dataset copies = Dataset::from_rows(std::vector<double>{0.0, 0.1, 0.2, 0.3, 10.0, 10.0}, 6, 1);
  const Fit weighted = fit(once.with_weights({1.0, 1.0, 1.0, 1.0, 2.0}), method);
  const Fit repeated = fit(copies, method);
  EXPECT_EQ(repeated.labels[4], repeated.labels[5]);
  EXPECT_NEAR(repeated.model.objective(), weighted.model.objective(), 1e-15);
}

}  // namespace
}  // namespace coppice::internal
