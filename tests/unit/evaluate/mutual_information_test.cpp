// SPDX-License-Identifier: BSD-3-Clause
#include "evaluate/mutual_information.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/evaluate/adjusted_mutual_information.hpp"
#include "coppice/evaluate/normalized_mutual_information.hpp"
#include "evaluate/expected_mutual_information.hpp"
#include "unit/evaluate/labelings.hpp"

namespace coppice::evaluate {
namespace {

double expected_of(const Contingency& table) {
  return expected_mutual_information(table.cluster_sizes, table.truth_sizes, table.n_rows);
}

// A table with the given marginals; E[MI] depends on nothing else.
Contingency with_sizes(std::vector<std::size_t> clusters, std::vector<std::size_t> groups) {
  Contingency table;
  for (const std::size_t size : clusters) table.n_rows += size;
  table.cluster_sizes = std::move(clusters);
  table.truth_sizes = std::move(groups);
  return table;
}

double mean_over_permutations(const Labels& labels, Labels truth) {
  std::vector<std::size_t> order(truth.size());
  for (std::size_t row = 0; row < order.size(); ++row) order[row] = row;
  Labels shuffled(truth.size());
  double sum = 0.0;
  double n_orders = 0.0;
  do {
    for (std::size_t row = 0; row < order.size(); ++row) shuffled[row] = truth[order[row]];
    sum += mutual_information(contingency(labels, shuffled));
    n_orders += 1.0;
  } while (std::ranges::next_permutation(order).found);
  return sum / n_orders;
}

// The sum over cells and n of Vinh, Epps and Bailey 2010, Eq. 24a, through logarithms of factorials.
double by_log_factorials(const Contingency& table) {
  const auto log_factorial = [](double n) { return std::lgamma(n + 1.0); };
  const auto all = static_cast<double>(table.n_rows);
  double sum = 0.0;
  for (const std::size_t cluster_size : table.cluster_sizes) {
    for (const std::size_t group_size : table.truth_sizes) {
      const auto a = static_cast<double>(cluster_size);
      const auto b = static_cast<double>(group_size);
      for (double n = std::max(1.0, a + b - all); n <= std::min(a, b); ++n) {
        const double log_p = log_factorial(a) + log_factorial(b) + log_factorial(all - a) + log_factorial(all - b) -
                             log_factorial(all) - log_factorial(n) - log_factorial(a - n) - log_factorial(b - n) -
                             log_factorial(all - a - b + n);
        sum += n / all * std::log(all * n / (a * b)) * std::exp(log_p);
      }
    }
  }
  return sum;
}

TEST(MutualInformation, ScoresEqualReferenceValues) {
  for (const ScoredPair& pair : scored_pairs()) {
    EXPECT_NEAR(normalized_mutual_information(pair.labels, pair.truth), pair.nmi, 1e-12);
    EXPECT_NEAR(normalized_mutual_information(pair.truth, pair.labels), pair.nmi, 1e-12);  // symmetric
    EXPECT_NEAR(adjusted_mutual_information(pair.labels, pair.truth), pair.ami, 1e-12);
    EXPECT_NEAR(adjusted_mutual_information(pair.truth, pair.labels), pair.ami, 1e-12);
  }
}

TEST(MutualInformation, OfALabellingWithItselfIsItsEntropy) {
  const Labels labels = {0, 0, 0, 1};
  const double entropy = -(0.75 * std::log(0.75) + 0.25 * std::log(0.25));
  EXPECT_NEAR(mutual_information(contingency(labels, labels)), entropy, 1e-15);
}

TEST(MutualInformation, OfIndependentLabellingsIsZero) {
  EXPECT_EQ(mutual_information(contingency(Labels{0, 0, 1, 1}, Labels{0, 1, 0, 1})), 0.0);
  EXPECT_EQ(normalized_mutual_information(Labels{0, 0, 1, 1}, Labels{0, 1, 0, 1}), 0.0);
}

TEST(ExpectedMutualInformation, IsTheMeanOverAllPermutations) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    const std::size_t n_rows = 1 + trial % 6;
    const Labels labels = random_labels(n_rows, 1 + trial % 4, 2 * trial);
    const Labels truth = random_labels(n_rows, 1 + trial % 3, 2 * trial + 1);
    EXPECT_NEAR(expected_of(contingency(labels, truth)), mean_over_permutations(labels, truth), 1e-14)
        << "trial " << trial;
  }
}

TEST(ExpectedMutualInformation, EqualsTheSumOverFactorials) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const std::size_t n_rows = 10 + 7 * trial;
    const Contingency table = contingency(random_labels(n_rows, 1 + trial % 9, 2 * trial),
                                          random_labels(n_rows, 1 + trial % 17, 2 * trial + 1));
    EXPECT_NEAR(expected_of(table), by_log_factorials(table), 1e-11) << "trial " << trial;
  }
}

// Values from sums with 40 digits. Relative: the expectation itself is small.
TEST(ExpectedMutualInformation, KeepsItsDigits) {
  const auto expect = [](const Contingency& table, double value) {
    EXPECT_NEAR(expected_of(table), value, 1e-11 * value);
  };
  expect(with_sizes({7, 7, 1}, {5, 10}), 0.08405110522706841603);
  expect(with_sizes({990, 5, 3, 2}, {400, 600}), 0.001911243274204423967);
  expect(with_sizes({70000, 30000}, {20000, 80000}), 5.00016459753811541924730e-6);
}

// For large expected counts E[MI] approaches (R - 1) (C - 1) / (2 N), half the mean of a chi-square variable over N.
// The next term of the expansion is of the order 1 / (N times the smallest expected cell count).
TEST(ExpectedMutualInformation, MeetsItsLimitForTenMillionRows) {
  const Contingency table = with_sizes({4000000, 3000000, 2000000, 1000000}, {6000000, 3000000, 1000000});
  const double limit = 3.0 * 2.0 / (2.0 * 1e7);
  EXPECT_NEAR(expected_of(table), limit, 1e-4 * limit);
}

// 100,000 clusters in 50,000 groups: only the different sizes are walked through.
TEST(ExpectedMutualInformation, IsQuickForManyClustersOfEqualSize) {
  const Contingency table = with_sizes(std::vector<std::size_t>(100000, 10), std::vector<std::size_t>(50000, 20));
  const double expected = expected_of(table);
  EXPECT_GT(expected, 0.0);
  EXPECT_LT(expected, std::log(50000.0));
}

TEST(AdjustedMutualInformation, EqualPartitionsScoreOne) {
  for (const auto& [labels, truth] : equal_partitions()) {
    EXPECT_EQ(normalized_mutual_information(labels, truth), 1.0);
    EXPECT_EQ(adjusted_mutual_information(labels, truth), 1.0);
  }
}

TEST(AdjustedMutualInformation, OneGroupAgainstManyScoresZero) {
  EXPECT_EQ(normalized_mutual_information(Labels{0, 0, 0, 0, 0}, Labels{0, 1, 2, 3, 4}), 0.0);
  EXPECT_NEAR(adjusted_mutual_information(Labels{0, 0, 0, 0, 0}, Labels{0, 1, 2, 3, 4}), 0.0, 1e-14);
  EXPECT_NEAR(adjusted_mutual_information(Labels{0, 1, 2, 3, 4}, Labels{0, 0, 1, 1, 1}), 0.0, 1e-14);
}

}  // namespace
}  // namespace coppice::evaluate
