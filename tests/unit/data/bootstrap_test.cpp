// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/bootstrap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

Dataset numbers(std::size_t n_rows) {
  std::vector<double> values(n_rows);
  std::iota(values.begin(), values.end(), 0.0);
  return Dataset::from_rows(std::move(values), n_rows, 1);
}

std::vector<double> drawn(const Dataset& data, std::uint64_t seed, std::uint64_t resample, std::size_t threads = 1) {
  LocalExecution local(threads);
  return Bootstrap(local.get(), data).weights(seed, resample);
}

TEST(Bootstrap, KeepsTheShareOfRowsThatABootstrapSampleHolds) {
  constexpr std::size_t n = 20000;
  std::size_t n_kept = 0;
  for (const double weight : drawn(numbers(n), 1, 0)) {
    EXPECT_TRUE(weight == 0.0 || weight == 1.0) << weight << ": no more than in the table";
    if (weight == 1.0) ++n_kept;
  }
  const double rows = n;
  EXPECT_NEAR(static_cast<double>(n_kept) / rows, 1.0 - std::exp(-1.0), 5.0 * 0.5 / std::sqrt(rows));
}

TEST(Bootstrap, EverySeedAndResampleIsAnotherOne) {
  const Dataset data = numbers(200);
  EXPECT_EQ(drawn(data, 1, 0), drawn(data, 1, 0));
  EXPECT_NE(drawn(data, 1, 0), drawn(data, 1, 1));
  EXPECT_NE(drawn(data, 1, 0), drawn(data, 2, 0));
}

TEST(Bootstrap, DoesNotDependOnThreadsNorOnRowOrder) {
  constexpr std::size_t n = 3 * rows_per_block;
  const Dataset data = numbers(n);
  const std::vector<double> weights = drawn(data, 1, 0);
  EXPECT_EQ(drawn(data, 1, 0, 4), weights);
  std::vector<double> backwards(n);
  for (std::size_t row = 0; row < n; ++row) backwards[row] = data.value(n - 1 - row, 0);
  std::vector<double> again = drawn(Dataset::from_rows(std::move(backwards), n, 1), 1, 0);
  std::ranges::reverse(again);
  EXPECT_EQ(again, weights);
}

// Ten rows of weight 1 to 10, and the same as 55 rows of weight 1.
TEST(Bootstrap, AWeightIsThatManyCopies) {
  std::vector<double> weights;
  std::vector<double> copies;
  for (int value = 0; value < 10; ++value) {
    weights.push_back(value + 1.0);
    copies.insert(copies.end(), static_cast<std::size_t>(value) + 1, value);
  }
  const Dataset repeated = Dataset::from_rows(copies, copies.size(), 1);
  for (std::uint64_t resample = 0; resample < 5; ++resample) {
    const std::vector<double> of_weights = drawn(numbers(10).with_weights(weights), 3, resample);
    const std::vector<double> of_copies = drawn(repeated, 3, resample);
    std::vector<double> sums(10, 0.0);
    for (std::size_t row = 0; row < copies.size(); ++row) sums[static_cast<std::size_t>(copies[row])] += of_copies[row];
    for (std::size_t value = 0; value < 10; ++value) EXPECT_NEAR(sums[value], of_weights[value], 1e-12);
  }
}

TEST(Bootstrap, TakesFractionsOfAWeightAsOneRow) {
  const std::vector<double> given = {0.25, 0.25, 2.5, 0.0};
  const Dataset data = numbers(4).with_weights(given);
  std::vector<double> means(4, 0.0);
  constexpr int n_resamples = 4000;
  for (int resample = 0; resample < n_resamples; ++resample) {
    const std::vector<double> weights = drawn(data, 4, static_cast<std::uint64_t>(resample));
    EXPECT_EQ(weights[0] * 4.0, std::floor(weights[0] * 4.0)) << "a row of a quarter, so many times";
    EXPECT_EQ(weights[2] * 2.0, std::floor(weights[2] * 2.0));
    EXPECT_EQ(weights[3], 0.0);
    for (std::size_t row = 0; row < 4; ++row) means[row] += weights[row] / n_resamples;
  }
  // min(Poisson(1), 1) has the mean 1 - 1/e, min(Poisson(2), 2) the mean 2 - 4/e^2. Resamples without any row are drawn
  // again: that adds e^-5 / (1 - e^-5) of that at most.
  const double one = 1.0 - std::exp(-1.0);
  const std::vector<double> expected = {0.25 * one, 0.25 * one, 2.0 - 4.0 * std::exp(-2.0) + 0.5 * one, 0.0};
  for (std::size_t row = 0; row < 4; ++row) {
    EXPECT_NEAR(means[row], expected[row], 5.0 / std::sqrt(n_resamples) + 0.015);
  }
}

TEST(Bootstrap, NeverDrawsNothing) {
  const Dataset one = numbers(1);
  for (std::uint64_t resample = 0; resample < 50; ++resample) EXPECT_GE(drawn(one, 5, resample)[0], 1.0);
}

}  // namespace
}  // namespace coppice::internal
