// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/recurrence.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

using Labels = std::vector<std::int32_t>;

Dataset rows_of(std::size_t n) { return Dataset::from_rows(std::vector<double>(n, 0.0), n, 1); }

Labels random_labels(std::size_t n, std::size_t k, std::uint64_t index) {
  RandomStream random{11, Purpose::test, index};
  Labels labels(n);
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(k));
  for (std::size_t c = 0; c < k; ++c) labels[c] = static_cast<std::int32_t>(c);  // none is empty
  return labels;
}

double weight_where(const std::vector<double>& weights, const auto& is_inside) {
  double sum = 0.0;
  for (std::size_t row = 0; row < weights.size(); ++row) sum += is_inside(row) ? weights[row] : 0.0;
  return sum;
}

double jaccard_by_definition(const Labels& a, std::int32_t in_a, const Labels& b, std::int32_t in_b,
                             const std::vector<double>& weights) {
  return weight_where(weights, [&](std::size_t row) { return a[row] == in_a && b[row] == in_b; }) /
         weight_where(weights, [&](std::size_t row) { return a[row] == in_a || b[row] == in_b; });
}

// Every pair of a row of cluster p and one of cluster q.
double together_by_definition(const Labels& a, std::int32_t p, std::int32_t q, const Labels& b,
                              const std::vector<double>& weights) {
  double all = 0.0;
  double together = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (a[i] != p || a[j] != q) continue;
      all += weights[i] * weights[j];
      if (b[i] == b[j]) together += weights[i] * weights[j];
    }
  }
  return together / all;
}

void expect_as_defined(const std::vector<double>& weights) {
  const std::size_t n = weights.size();
  constexpr std::size_t k = 4;
  const Labels fitted = random_labels(n, k, 0);
  Labels nearly = fitted;
  nearly[7] = (nearly[7] + 1) % 4;
  const std::vector<std::pair<Labels, std::size_t>> others = {
      {random_labels(n, 3, 1), 3}, {random_labels(n, 6, 2), 6}, {nearly, k}, {Labels(n, 0), 1}};
  const Dataset data = rows_of(n).with_weights(weights);
  RecurrenceTally tally(data, fitted, k);
  for (const auto& [labels, n_clusters] : others) tally.add(labels, n_clusters);
  const Stability result = tally.result();

  EXPECT_EQ(result.resamples, 4U);
  EXPECT_EQ(result.k_counts, (std::map<std::size_t, std::size_t>{{1, 1}, {3, 1}, {4, 1}, {6, 1}}));
  for (std::int32_t p = 0; p < 4; ++p) {
    double recurrence = 0.0;
    double found = 0.0;
    for (const auto& [labels, n_clusters] : others) {
      double best = 0.0;
      for (std::int32_t c = 0; c < static_cast<std::int32_t>(n_clusters); ++c) {
        best = std::max(best, jaccard_by_definition(fitted, p, labels, c, weights));
      }
      recurrence += best / 4.0;
      found += best >= 0.75 ? 0.25 : 0.0;
    }
    const auto cluster = static_cast<std::size_t>(p);
    EXPECT_NEAR(result.clusters[cluster].recurrence, recurrence, 1e-12);
    EXPECT_NEAR(result.clusters[cluster].found, found, 1e-12);
    for (std::int32_t q = 0; q < 4; ++q) {
      double together = 0.0;
      for (const auto& other : others) together += together_by_definition(fitted, p, q, other.first, weights) / 4.0;
      EXPECT_NEAR(result.together_of(cluster, static_cast<std::size_t>(q)), together, 1e-12);
    }
  }
}

TEST(Recurrence, IsAsDefined) { expect_as_defined(std::vector<double>(60, 1.0)); }

TEST(Recurrence, CountsRowsByTheirWeights) {
  std::vector<double> weights(60);
  RandomStream random{12, Purpose::test};
  for (double& weight : weights) weight = random.uniform(0.1, 3.0);
  expect_as_defined(weights);
}

TEST(Recurrence, RowsOfWeightZeroDoNotCount) {
  const Dataset data = rows_of(5).with_weights({1.0, 1.0, 1.0, 1.0, 0.0});
  RecurrenceTally tally(data, Labels{0, 0, 1, 1, 0}, 2);
  tally.add(Labels{1, 1, 0, 0, 0}, 2);
  const Stability result = tally.result();
  EXPECT_EQ(result.ari, 1.0);
  EXPECT_EQ(result.clusters[0].recurrence, 1.0);
  EXPECT_EQ(result.together, (std::vector<double>{1.0, 0.0, 0.0, 1.0}));
}

TEST(Recurrence, TheRandIndexIsTheUsualOne) {
  const Labels first = random_labels(80, 3, 3);
  Labels second = first;
  for (std::size_t row = 0; row < 20; ++row) second[4 * row] = (second[4 * row] + 1) % 3;
  const Dataset data = rows_of(80);
  RecurrenceTally tally(data, first, 3);
  tally.add(second, 3);
  EXPECT_NEAR(tally.result().ari, evaluate::adjusted_rand_index(first, second), 1e-12);
}

TEST(Recurrence, AWeightIsThatManyRows) {
  const Labels first = random_labels(30, 3, 4);
  const Labels second = random_labels(30, 4, 5);
  std::vector<double> weights;
  Labels many_first;
  Labels many_second;
  for (std::size_t row = 0; row < 30; ++row) {
    weights.push_back(static_cast<double>(1 + row % 3));
    many_first.insert(many_first.end(), 1 + row % 3, first[row]);
    many_second.insert(many_second.end(), 1 + row % 3, second[row]);
  }
  const Dataset weighted = rows_of(30).with_weights(weights);
  const Dataset repeated = rows_of(many_first.size());
  RecurrenceTally of_weights(weighted, first, 3);
  RecurrenceTally of_copies(repeated, many_first, 3);
  of_weights.add(second, 4);
  of_copies.add(many_second, 4);
  EXPECT_NEAR(of_weights.result().ari, of_copies.result().ari, 1e-12);
  EXPECT_NEAR(of_copies.result().ari, evaluate::adjusted_rand_index(many_first, many_second), 1e-12);
  EXPECT_EQ(of_weights.result().together, of_copies.result().together);
}

// A soft mixture may have a cluster that is the likeliest one of no row.
TEST(Recurrence, AClusterWithoutRowsNeverComesBack) {
  const Dataset data = rows_of(4);
  RecurrenceTally tally(data, Labels{0, 0, 1, 1}, 3);
  tally.add(Labels{0, 0, 2, 2}, 3);
  const Stability result = tally.result();
  EXPECT_EQ(result.clusters[2].recurrence, 0.0);
  EXPECT_EQ(result.together_of(2, 2), 0.0);
  EXPECT_EQ(result.clusters[1].recurrence, 1.0);
  EXPECT_EQ(result.ari, 1.0);
}

TEST(Recurrence, ManyClustersHaveNoTableOfPairs) {
  const std::size_t n = Stability::most_clusters_together + 1;
  const Labels labels = random_labels(n, n, 6);
  const Dataset data = rows_of(n);
  RecurrenceTally tally(data, labels, n);
  tally.add(labels, n);
  EXPECT_TRUE(tally.result().together.empty());
  EXPECT_EQ(tally.result().clusters[n - 1].recurrence, 1.0);
}

}  // namespace
}  // namespace coppice::internal
