// SPDX-License-Identifier: BSD-3-Clause
// What must not change a clustering: threads, the order of rows, repeating rows instead of weighing them, the place of
// the origin, and the width of the stored numbers. 20,000 rows are five blocks, so that threads and the order of sums
// matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "at_length.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_columns = 3;

// A mixture whose values are multiples of 2^-10 below 2^10: exact as float32, and exact after a shift of up to 2^40.
Dataset rounded_mixture(std::size_t n_rows, std::uint64_t seed, double tau = 1.0) {
  const Generated made =
      generate(GaussianMixture{.n_rows = n_rows, .n_columns = n_columns, .k = 6, .tau = tau, .seed = seed});
  std::vector<double> values(made.data.doubles().begin(), made.data.doubles().end());
  for (double& value : values) value = std::ldexp(std::nearbyint(std::ldexp(value, 10)), -10);
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

Dataset chosen_rows(const Dataset& data, const std::vector<std::size_t>& chosen) {
  std::vector<double> values;
  values.reserve(chosen.size() * n_columns);
  for (const std::size_t row : chosen) {
    for (std::size_t c = 0; c < n_columns; ++c) values.push_back(data.value(row, c));
  }
  return Dataset::from_rows(std::move(values), chosen.size(), n_columns);
}

std::vector<std::int32_t> labels_of(const Dataset& data, std::uint64_t seed = 0) {
  return fit(data, BayesianKMeans{.seed = seed}, {.threads = 2}).labels;
}

using Point = std::array<double, n_columns>;

// Every distinct row's label; fails if equal rows have different labels.
std::map<Point, std::int32_t> labels_by_row(const Dataset& data, const std::vector<std::int32_t>& labels) {
  std::map<Point, std::int32_t> by_row;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    const Point point = {data.value(row, 0), data.value(row, 1), data.value(row, 2)};
    EXPECT_EQ(by_row.emplace(point, labels[row]).first->second, labels[row]) << "row " << row;
  }
  return by_row;
}

// Whether there is a one-to-one map from the labels of a to those of b.
void expect_same_partition(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  ASSERT_EQ(a.size(), b.size());
  std::map<std::int32_t, std::int32_t> there;
  std::map<std::int32_t, std::int32_t> back;
  std::size_t n_different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool is_same =
        there.emplace(a[i], b[i]).first->second == b[i] && back.emplace(b[i], a[i]).first->second == a[i];
    n_different += is_same ? 0 : 1;
  }
  EXPECT_EQ(n_different, 0U) << "of " << a.size();
  EXPECT_GT(there.size(), 1U) << "one cluster is the same as any other";
}

void expect_same_partition(const std::map<Point, std::int32_t>& a, const std::map<Point, std::int32_t>& b) {
  std::vector<std::int32_t> of_a;
  std::vector<std::int32_t> of_b;
  for (const auto& [point, label] : a) {
    ASSERT_TRUE(b.contains(point));
    of_a.push_back(label);
    of_b.push_back(b.at(point));
  }
  EXPECT_EQ(a.size(), b.size());
  expect_same_partition(of_a, of_b);
}

TEST(SameResult, ForAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    const Dataset data = rounded_mixture(20000, seed);
    const BayesianKMeans method{.partition = seed == 0 ? "dirichlet" : "dp", .seed = seed};
    const Fit one = fit(data, method, {.threads = 1});
    ASSERT_EQ(one.threads, 1U);
    ASSERT_GT(one.model.k(), 1U);
    for (const std::uint64_t threads : {2U, 5U}) {
      const Fit many = fit(data, method, {.threads = threads});
      EXPECT_EQ(many.threads, threads);
      EXPECT_EQ(many.labels, one.labels);
      EXPECT_EQ(many.probabilities, one.probabilities);
      EXPECT_TRUE(many.model == one.model);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(many.model.objective()),
                std::bit_cast<std::uint64_t>(one.model.objective()));
      EXPECT_EQ(many.counters, one.counters);
      EXPECT_EQ(many.k_evidence, one.k_evidence);
    }
  }
}

// Weights by row number: all equal, by rank, sparse and heavy.
std::vector<double> weighting(std::size_t which, std::size_t n_rows) {
  std::vector<double> weights(n_rows, 2.0);
  RandomStream random{which, Purpose::test, 30};
  for (double& weight : weights) {
    if (which == 1) weight = static_cast<double>(1 + random.below(3));
    if (which == 2) weight = random.below(10) == 0 ? 11.0 : 1.0;
  }
  return weights;
}

TEST(SameResult, AWeightIsThatManyEqualRows) {
  const Dataset data = rounded_mixture(10000, 3);
  for (std::size_t which = 0; which < 3; ++which) {
    const std::vector<double> weights = weighting(which, data.n_rows());
    std::vector<std::size_t> repeated;
    for (std::size_t row = 0; row < data.n_rows(); ++row) {
      repeated.insert(repeated.end(), static_cast<std::size_t>(weights[row]), row);
    }
    const Dataset long_table = chosen_rows(data, repeated);
    expect_same_partition(labels_by_row(data, labels_of(data.with_weights(weights))),
                          labels_by_row(long_table, labels_of(long_table)));
  }
}

TEST(SameResult, ARowOfWeightZeroIsAbsent) {
  const Dataset data = rounded_mixture(20000, 4);
  std::vector<double> weights(data.n_rows(), 1.0);
  std::vector<std::size_t> kept;
  RandomStream random{4, Purpose::test, 31};
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (random.below(4) == 0) {
      weights[row] = 0.0;
    } else {
      kept.push_back(row);
    }
  }
  const std::vector<std::int32_t> all = labels_of(data.with_weights(weights));
  std::vector<std::int32_t> of_kept;
  for (const std::size_t row : kept) of_kept.push_back(all[row]);
  expect_same_partition(of_kept, labels_of(chosen_rows(data, kept)));
}

TEST(SameResult, ForShuffledRows) {
  const auto n_seeds = n_cases<std::uint64_t>(2, 5);
  for (std::uint64_t seed = 5; seed < 5 + n_seeds; ++seed) {
    const Dataset data = rounded_mixture(20000, seed);
    std::vector<std::size_t> order(data.n_rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RandomStream random{seed, Purpose::test, 32};
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    const std::vector<std::int32_t> plain = labels_of(data, seed);
    std::vector<std::int32_t> expected;
    for (const std::size_t row : order) expected.push_back(plain[row]);
    expect_same_partition(expected, labels_of(chosen_rows(data, order), seed));
  }
}

constexpr Point shift = {1e6, -1e5, 3.0};

Dataset translated(const Dataset& data) {
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double before = values[i];
    values[i] += shift[i % n_columns];
    EXPECT_EQ(values[i] - shift[i % n_columns], before) << "the shift must be exact";
  }
  return Dataset::from_rows(std::move(values), data.n_rows(), n_columns);
}

// Random draws go by the values of rows, so that a shift gives other draws: clusters far apart are found by any of
// them.
TEST(SameResult, ForTranslatedRows) {
  const auto n_seeds = n_cases<std::uint64_t>(2, 5);
  for (std::uint64_t seed = 7; seed < 7 + n_seeds; ++seed) {
    const Dataset data = rounded_mixture(20000, seed, 8.0);
    expect_same_partition(labels_of(data), labels_of(translated(data)));
  }
}

// Without draws (prior and labels by hand) overlapping clusters too are worth the same. The origin keeps 8 bits, so
// that rows less the origin are up to 2^11 long: their squares carry errors of 2^22 2^-53, a billionth, per row.
TEST(SameResult, TheScoreOfTranslatedRows) {
  const Dataset data = rounded_mixture(20000, 7);
  const std::vector<std::int32_t> labels = labels_of(data);
  const Table unit{3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const double here = score(data, labels, BayesianKMeans{.m0 = Table{1, 3, {0, 0, 0}}, .b0 = unit});
  const Table there{1, 3, {shift.begin(), shift.end()}};
  EXPECT_NEAR(score(translated(data), labels, BayesianKMeans{.m0 = there, .b0 = unit}), here, 1e-8 * std::abs(here));
}

TEST(SameResult, ForFloatsAndDoublesOfTheSameValues) {
  const Dataset data = rounded_mixture(20000, 9);
  const std::vector<float> values(data.doubles().begin(), data.doubles().end());
  const Dataset narrow = Dataset::from_rows(values, data.n_rows(), n_columns);
  const std::vector<std::int32_t> labels = labels_of(data);
  EXPECT_GT(*std::ranges::max_element(labels), 0);
  EXPECT_EQ(labels_of(narrow), labels);
}

}  // namespace
}  // namespace coppice::internal
