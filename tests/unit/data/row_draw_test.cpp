// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/row_draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stop_token>

#include "coppice/runtime/local_execution.hpp"

namespace coppice::internal {
namespace {

std::vector<std::size_t> all_rows(const Dataset& data) {
  std::vector<std::size_t> rows(data.n_rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

Dataset random_data(std::size_t n_rows, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test};
  std::vector<double> values(n_rows * 2);
  for (double& value : values) value = random.normal();
  return Dataset::from_rows(std::move(values), n_rows, 2);
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 1};
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

Dataset reordered(const Dataset& data, const std::vector<std::size_t>& order) {
  std::vector<double> values;
  for (const std::size_t row : order) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
  }
  return Dataset::from_rows(std::move(values), order.size(), data.n_columns());
}

TEST(RowHash, TakesMinusZeroAsZero) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0.0, 1.0, -0.0, 1.0, 1.0, 0.0}, 3, 2);
  EXPECT_EQ(row_hash(data, 0), row_hash(data, 1));
  EXPECT_NE(row_hash(data, 0), row_hash(data, 2)) << "the place of a value counts";
  EXPECT_FALSE(content_less(data, 0, 1));
  EXPECT_FALSE(content_less(data, 1, 0));
  EXPECT_NE(content_less(data, 0, 2), content_less(data, 2, 0));
}

TEST(RowHash, IsThatOfTheValuesAsDoubles) {
  const Dataset floats = Dataset::from_rows(std::vector<float>{0.1F, 2.0F}, 1, 2);
  const Dataset doubles = Dataset::from_rows(std::vector<double>{static_cast<double>(0.1F), 2.0}, 1, 2);
  EXPECT_EQ(row_hash(floats, 0), row_hash(doubles, 0));
}

TEST(UnitFreeHash, DoesNotSeePowersOfTwo) {
  const Dataset data = Dataset::from_rows(
      std::vector<double>{3.7, -1.2, 0x1p40 * 3.7, -0x1p-9 * 1.2, 3.7, 1.2, 0.0, 1.2, 1.0, 1.2}, 5, 2);
  EXPECT_EQ(unit_free_hash(data, 0), unit_free_hash(data, 1));
  EXPECT_NE(unit_free_less(data, 0, 1), unit_free_less(data, 1, 0)) << "they are different rows";
  EXPECT_NE(unit_free_hash(data, 0), unit_free_hash(data, 2)) << "signs count";
  EXPECT_NE(unit_free_hash(data, 3), unit_free_hash(data, 4)) << "zero is not one";
}

TEST(RowHash, SpreadsOverTheBuckets) {
  const Dataset data = random_data(1000, 8);
  std::set<std::uint64_t> buckets;
  for (std::size_t row = 0; row < 1000; ++row) buckets.insert(row_hash(data, row) >> 48U);
  // 1000 balls in 65,536 urns: 7.6 collisions expected, more than 30 with a chance below 1e-9.
  EXPECT_GT(buckets.size(), 970U);
}

// Rows of few whole numbers, so that most of them have copies; about a tenth weigh nothing.
Dataset with_copies(std::size_t n_rows, std::size_t n_values, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 2};
  std::vector<double> values(n_rows * 2);
  for (double& value : values) value = static_cast<double>(random.below(n_values));
  std::vector<double> weights(n_rows);
  for (double& weight : weights) weight = random.below(10) == 0 ? 0.0 : random.uniform(0.5, 2.0);
  return Dataset::from_rows(std::move(values), n_rows, 2).with_weights(std::move(weights));
}

std::vector<std::size_t> sample_of(const Dataset& data, std::size_t n, std::size_t threads = 1) {
  LocalExecution local(threads);
  return content_sample(local.get(), data, n);
}

bool is_same_content(const Dataset& data, std::size_t a, std::size_t b) {
  return data.value(a, 0) == data.value(b, 0) && data.value(a, 1) == data.value(b, 1);
}

// All rows with weight in content order, cut where the content changes for the n-th time.
std::vector<std::size_t> lowest_contents(const Dataset& data, std::size_t n) {
  std::vector<std::size_t> rows = all_rows(data);
  std::erase_if(rows, [&](std::size_t row) { return data.weight(row) <= 0.0; });
  std::ranges::sort(rows, [&](std::size_t a, std::size_t b) { return unit_free_less(data, a, b); });
  std::vector<std::size_t> lowest;
  std::size_t n_contents = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    n_contents += i == 0 || !is_same_content(data, rows[i - 1], rows[i]) ? 1 : 0;
    if (n_contents <= n) lowest.push_back(rows[i]);
  }
  std::ranges::sort(lowest);
  return lowest;
}

TEST(ContentSample, HoldsTheLowestContentsWithAllTheirCopies) {
  for (const std::size_t n_values : {2U, 5U, 40U, 1000000U}) {
    const Dataset data = with_copies(2000, n_values, n_values);
    for (const std::size_t n : {1U, 2U, 3U, 10U, 24U, 100U, 1500U, 1999U, 2000U}) {
      EXPECT_EQ(sample_of(data, n), lowest_contents(data, n)) << n << " of " << n_values;
    }
  }
}

TEST(ContentSample, HoldsEveryRowWithWeightIfThereAreFewerContents) {
  const Dataset data = with_copies(300, 3, 1);
  std::vector<std::size_t> rows = all_rows(data);
  std::erase_if(rows, [&](std::size_t row) { return data.weight(row) <= 0.0; });
  ASSERT_LT(rows.size(), 300U);
  for (const std::size_t n : {9U, 10U, 300U, 1000000U}) EXPECT_EQ(sample_of(data, n), rows) << n;
}

TEST(ContentSample, DoesNotDependOnTheOrderOfRows) {
  const Dataset data = with_copies(2000, 20, 2);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const std::vector<std::size_t> order = shuffled(2000, seed);
    std::vector<double> weights;
    for (const std::size_t row : order) weights.push_back(data.weight(row));
    const Dataset other = reordered(data, order).with_weights(std::move(weights));
    for (const std::size_t n : {1U, 17U, 150U}) {
      std::vector<std::size_t> rows;
      for (const std::size_t row : sample_of(other, n)) rows.push_back(order[row]);
      std::ranges::sort(rows);
      EXPECT_EQ(rows, sample_of(data, n)) << n;
    }
  }
}

// A content that nobody weighs is no content: the next one takes its place.
TEST(ContentSample, RowsOfWeightZeroAreAbsent) {
  const Dataset data = random_data(100, 9);
  const std::vector<std::size_t> before = sample_of(data, 10);
  ASSERT_EQ(before.size(), 10U);
  std::vector<double> weights(100, 1.0);
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < 100; ++row) {
    if (std::ranges::binary_search(before, row)) {
      weights[row] = 0.0;
    } else {
      kept.push_back(row);
    }
  }
  std::vector<std::size_t> expected;
  for (const std::size_t row : sample_of(reordered(data, kept), 10)) expected.push_back(kept[row]);
  EXPECT_EQ(sample_of(data.with_weights(weights), 10), expected);
  EXPECT_TRUE(sample_of(data.with_weights(std::vector<double>(100, 0.0)), 10).empty());
}

// So many copies that the lowest hashes of distinct rows would lie far too low.
TEST(ContentSample, ManagesManyCopiesOfFewRows) {
  const Dataset data = with_copies(100000, 3, 3);
  for (const std::size_t n : {1U, 2U, 8U, 9U, 100U}) EXPECT_EQ(sample_of(data, n), lowest_contents(data, n)) << n;
  const Dataset equal = Dataset::from_rows(std::vector<double>(10000, 4.0), 5000, 2);
  for (const std::size_t n : {1U, 2U, 5000U}) EXPECT_EQ(sample_of(equal, n), all_rows(equal)) << n;
}

// Three blocks of 16 * 4096 rows.
TEST(ContentSample, DoesNotDependOnThreads) {
  const Dataset data = with_copies(150000, 300, 4);
  for (const std::size_t n : {10U, 5000U}) {
    const std::vector<std::size_t> expected = sample_of(data, n);
    EXPECT_EQ(expected, lowest_contents(data, n));
    for (const std::size_t threads : {2U, 5U}) EXPECT_EQ(sample_of(data, n, threads), expected);
  }
}

TEST(ContentSample, CanBeStopped) {
  std::stop_source source;
  source.request_stop();
  LocalExecution stopped(1, StopSignal(source.get_token(), nullptr, std::nullopt));
  EXPECT_THROW((void)content_sample(stopped.get(), random_data(10, 10), 3), Stopped);
}

TEST(DrawRow, ShuffledRowsGiveTheSameDraw) {
  const Dataset data = random_data(500, 1);
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    const std::vector<std::size_t> order = shuffled(500, trial);
    const Dataset other = reordered(data, order);
    std::vector<double> masses(500);
    std::vector<double> other_masses(500);
    for (std::size_t i = 0; i < 500; ++i) masses[i] = std::abs(data.value(i, 0));
    for (std::size_t i = 0; i < 500; ++i) other_masses[i] = masses[order[i]];
    RandomStream random{trial, Purpose::seeding};
    RandomStream again{trial, Purpose::seeding};
    const std::size_t drawn = draw_row(data, all_rows(data), masses, random);
    EXPECT_EQ(order[draw_row(other, all_rows(other), other_masses, again)], drawn);
  }
}

TEST(DrawRow, CandidatesAreNamedByRow) {
  const Dataset data = random_data(100, 2);
  const std::vector<std::size_t> candidates = {90, 3, 41};
  std::set<std::size_t> drawn;
  RandomStream random{1, Purpose::seeding};
  for (int i = 0; i < 200; ++i) drawn.insert(draw_row(data, candidates, std::vector<double>{1.0, 1.0, 1.0}, random));
  // Missing one of three in 200 draws: 3 (2/3)^200 < 1e-34.
  EXPECT_EQ(drawn, (std::set<std::size_t>{3, 41, 90}));
}

// How often each of the distinct contents was drawn, against its share of the mass. Under the law the statistic is
// chi-square with n - 1 degrees of freedom; Wilson and Hilferty's approximation gives its quantile at level 1e-6.
double chi_square(const std::vector<std::size_t>& counts, const std::vector<double>& masses) {
  const double total_mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  const double n_draws = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n_draws * masses[i] / total_mass;
    sum += std::pow(static_cast<double>(counts[i]) - expected, 2) / expected;
  }
  return sum;
}
double chi_square_limit(std::size_t n_values) {
  const double z = 4.7534;  // level 1e-6
  const double freedom = static_cast<double>(n_values - 1);
  return freedom * std::pow(1.0 - 2.0 / (9.0 * freedom) + z * std::sqrt(2.0 / (9.0 * freedom)), 3);
}

TEST(DrawRow, AWeightIsAsGoodAsCopies) {
  const std::vector<double> weights = {1, 2, 3, 4, 5, 1, 2, 10};
  const Dataset data = random_data(weights.size(), 3);
  std::vector<std::size_t> copies;
  for (std::size_t row = 0; row < weights.size(); ++row)
    copies.insert(copies.end(), static_cast<std::size_t>(weights[row]), row);
  const Dataset repeated = reordered(data, copies);
  const std::vector<double> ones(copies.size(), 1.0);

  std::vector<std::size_t> by_weight(weights.size(), 0);
  std::vector<std::size_t> by_copies(weights.size(), 0);
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    RandomStream random{trial, Purpose::seeding};
    RandomStream again{trial, Purpose::seeding};
    const std::size_t drawn = draw_row(data, all_rows(data), weights, random);
    const std::size_t copy = copies[draw_row(repeated, all_rows(repeated), ones, again)];
    EXPECT_EQ(drawn, copy) << "whole weights: not only in law";
    ++by_weight[drawn];
    ++by_copies[copy];
  }
  EXPECT_LT(chi_square(by_weight, weights), chi_square_limit(weights.size()));
  EXPECT_LT(chi_square(by_copies, weights), chi_square_limit(weights.size()));
}

TEST(DrawRow, MassZeroIsNeverDrawn) {
  const Dataset data = random_data(20, 5);
  std::vector<double> masses(20, 0.0);
  masses[7] = 1e-300;
  masses[12] = 2e-300;
  RandomStream random{1, Purpose::seeding};
  std::set<std::size_t> drawn;
  for (int i = 0; i < 300; ++i) drawn.insert(draw_row(data, all_rows(data), masses, random));
  EXPECT_EQ(drawn, (std::set<std::size_t>{7, 12}));
}

TEST(DrawRow, WithoutAnyMassTheFirstInContentOrder) {
  const Dataset data = random_data(20, 6);
  const std::vector<std::size_t> rows = all_rows(data);
  const std::size_t first =
      *std::ranges::min_element(rows, [&](std::size_t a, std::size_t b) { return unit_free_less(data, a, b); });
  RandomStream random{1, Purpose::seeding};
  EXPECT_EQ(draw_row(data, rows, std::vector<double>(20, 0.0), random), first);
}

// A zero that is stored makes no other row.
TEST(ContentLess, OfSparseRowsGoesByTheirValues) {
  const Dataset data =
      Dataset::from_sparse_rows(SparseEntries<double>{{0, 2, 5, 6}, {0, 3, 0, 1, 3, 3}, {2, 1, 2, 0, 1, 4}, 5});
  EXPECT_FALSE(content_less(data, 0, 1));
  EXPECT_FALSE(content_less(data, 1, 0));
  EXPECT_NE(content_less(data, 0, 2), content_less(data, 2, 0));
}

}  // namespace
}  // namespace coppice::internal
