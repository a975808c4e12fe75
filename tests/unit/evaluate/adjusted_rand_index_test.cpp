// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/adjusted_rand_index.hpp"

#include <gtest/gtest.h>

#include "unit/evaluate/labelings.hpp"

namespace coppice::evaluate {
namespace {

// (S - E) / ((A + B) / 2 - E) from a walk over all pairs of rows.
double by_pairs(const Labels& labels, const Labels& truth) {
  double together = 0.0;
  double in_clusters = 0.0;
  double in_groups = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool same_cluster = labels[i] == labels[j];
      const bool same_group = truth[i] == truth[j];
      together += same_cluster && same_group ? 1.0 : 0.0;
      in_clusters += same_cluster ? 1.0 : 0.0;
      in_groups += same_group ? 1.0 : 0.0;
      all += 1.0;
    }
  }
  const double expected = in_clusters * in_groups / all;
  return (together - expected) / ((in_clusters + in_groups) / 2.0 - expected);
}

TEST(AdjustedRandIndex, EqualsReferenceValues) {
  for (const ScoredPair& pair : scored_pairs()) {
    EXPECT_NEAR(adjusted_rand_index(pair.labels, pair.truth), pair.ari, 1e-12);
    EXPECT_NEAR(adjusted_rand_index(pair.truth, pair.labels), pair.ari, 1e-12);  // symmetric
  }
}

TEST(AdjustedRandIndex, EqualsTheWalkOverPairs) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::size_t n_rows = 5 + trial % 20;
    const Labels labels = random_labels(n_rows, 2 + trial % 5, 2 * trial);
    const Labels truth = random_labels(n_rows, 2 + trial % 3, 2 * trial + 1);
    if (adjusted_rand_index(labels, truth) == 1.0) continue;  // the walk may meet 0/0
    EXPECT_NEAR(adjusted_rand_index(labels, truth), by_pairs(labels, truth), 1e-13) << "trial " << trial;
  }
}

TEST(AdjustedRandIndex, EqualPartitionsScoreOne) {
  for (const auto& [labels, truth] : equal_partitions()) EXPECT_EQ(adjusted_rand_index(labels, truth), 1.0);
}

TEST(AdjustedRandIndex, OneGroupAgainstManyScoresZero) {
  EXPECT_EQ(adjusted_rand_index(Labels{0, 0, 0, 0}, Labels{0, 1, 2, 3}), 0.0);
  EXPECT_EQ(adjusted_rand_index(Labels{0, 1, 2, 3}, Labels{0, 0, 1, 1}), 0.0);
}

TEST(AdjustedRandIndex, LessThanChanceIsNegative) {
  EXPECT_EQ(adjusted_rand_index(Labels{0, 1, 0, 1}, Labels{0, 0, 1, 1}), -0.5);
}

// K x K cells of m rows each: S = K^2 C(m, 2), A = B = K C(K m, 2), and the index is -(K - 1) / (K (K m - 1)).
// Products of the pair counts pass 2^64 here.
TEST(AdjustedRandIndex, IsExactForTenMillionRows) {
  constexpr std::size_t k = 10;
  constexpr std::size_t m = 100000;
  Contingency table;
  table.n_rows = k * k * m;
  for (std::uint32_t cluster = 0; cluster < k; ++cluster) {
    table.cluster_labels.push_back(static_cast<std::int32_t>(cluster));
    table.truth_labels.push_back(static_cast<std::int32_t>(cluster));
    table.cluster_sizes.push_back(k * m);
    table.truth_sizes.push_back(k * m);
    for (std::uint32_t group = 0; group < k; ++group) table.cells.push_back({cluster, group, m});
  }
  const double expected = -9.0 / (10.0 * 999999.0);
  EXPECT_NEAR(adjusted_rand_index(table), expected, 1e-14 * -expected);
}

// Nearly all rows in one cluster and one group: S, E and (A + B) / 2 agree in their first seven digits. The value is
// from rational arithmetic.
TEST(AdjustedRandIndex, KeepsItsDigitsWhenOneClusterHoldsNearlyAll) {
  constexpr std::size_t n_rows = 10000000;
  const Contingency table{.n_rows = n_rows,
                          .cluster_labels = {0, 1},
                          .truth_labels = {0, 1},
                          .cluster_sizes = {n_rows - 2, 2},
                          .truth_sizes = {n_rows - 2, 2},
                          .cells = {{0, 0, n_rows - 3}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}}};
  EXPECT_NEAR(adjusted_rand_index(table), 0.49999979999994, 1e-15);
}

}  // namespace
}  // namespace coppice::evaluate
