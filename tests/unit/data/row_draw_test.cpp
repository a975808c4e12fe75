// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/row_draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace coppice {
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

TEST(RowHash, SpreadsOverTheBuckets) {
  const Dataset data = random_data(1000, 8);
  std::set<std::uint64_t> buckets;
  for (std::size_t row = 0; row < 1000; ++row) buckets.insert(row_hash(data, row) >> 48U);
  // 1000 balls in 65,536 urns: 7.6 collisions expected, more than 30 with a chance below 1e-9.
  EXPECT_GT(buckets.size(), 970U);
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
  for (std::size_t row = 0; row < weights.size(); ++row) copies.insert(copies.end(), static_cast<std::size_t>(weights[row]), row);
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
      *std::ranges::min_element(rows, [&](std::size_t a, std::size_t b) { return content_less(data, a, b); });
  RandomStream random{1, Purpose::seeding};
  EXPECT_EQ(draw_row(data, rows, std::vector<double>(20, 0.0), random), first);
}

}  // namespace
}  // namespace coppice
