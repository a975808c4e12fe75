// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/naive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/family/centroid.hpp"
#include "coppice/kernels/moments.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// K clusters with statistics of 20 rows each, about centres that differ; and what each offset adds.
struct Clusters {
  Clusters(std::size_t k, std::size_t d, std::uint64_t seed) : components(plain_gaussian(d)) {
    const Rows rows(scattered_rows(20 * k, d, 5 * k, seed), std::vector<double>(d, 0.0));
    std::vector<std::int32_t> labels(rows.size());
    for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = static_cast<std::int32_t>(row / 20);
    LocalExecution local(1);
    const Units units(rows);
    update(statistics_of_list(local.get(), Subset(units), components, labels, k));
    RandomStream random{seed, Purpose::test, 3};
    for (std::size_t c = 0; c < k; ++c) offsets.push_back(random.uniform(0.0, 2.0));
  }
  void update(const StatsArena& stats) {
    components.update(stats);
    posteriors.clear();
    for (std::size_t c = 0; c < stats.size(); ++c) posteriors.push_back(components.get().posterior(stats[c]));
  }
  [[nodiscard]] double cost(std::size_t cluster, std::span<const double> row) const {
    return components.get().exact_cost(posteriors[cluster], row).value + offsets[cluster];
  }

  FamilyAdapter<Gaussian> components;
  std::vector<Gaussian::Posterior> posteriors;
  std::vector<double> offsets;
};

struct BruteForce {
  std::vector<std::int32_t> labels;
  double data_term = 0.0;
  double magnitude = 0.0;  // summed modulus of what the data term adds up
};

BruteForce brute_force(const Subset& subset, const Clusters& clusters) {
  BruteForce result;
  std::vector<double> row(subset.units().rows().n_columns());
  for (std::size_t i = 0; i < subset.size(); ++i) {
    subset.units().rows().copy_row(subset.unit(i), row);
    std::size_t best = 0;
    double least = clusters.cost(0, row);
    for (std::size_t c = 1; c < clusters.posteriors.size(); ++c) {
      const double cost = clusters.cost(c, row);
      if (cost < least) {
        least = cost;
        best = c;
      }
    }
    result.labels.push_back(static_cast<std::int32_t>(best));
    result.data_term += subset.units().weight(subset.unit(i)) * least;
    result.magnitude += subset.units().weight(subset.unit(i)) * std::abs(least);
  }
  return result;
}

// Weight, mean and scatter of one cluster in two plain passes with long doubles.
std::vector<double> direct_moments(const Subset& subset, std::span<const std::int32_t> labels, std::size_t cluster) {
  const std::size_t d = subset.units().rows().n_columns();
  std::vector<long double> sums(1 + d + kernels::packed_size(d), 0.0L);
  std::vector<double> row(d);
  for (const bool is_second_pass : {false, true}) {
    for (std::size_t i = 0; i < subset.size(); ++i) {
      if (labels[i] != static_cast<std::int32_t>(cluster)) continue;
      const long double weight = subset.units().weight(subset.unit(i));
      subset.units().rows().copy_row(subset.unit(i), row);
      if (!is_second_pass) sums[0] += weight;
      for (std::size_t a = 0; a < d; ++a) {
        if (!is_second_pass) sums[1 + a] += weight * row[a];
        for (std::size_t b = 0; is_second_pass && b <= a; ++b) {
          sums[1 + d + kernels::packed_index(a, b)] += weight * (row[a] - sums[1 + a]) * (row[b] - sums[1 + b]);
        }
      }
    }
    for (std::size_t a = 0; !is_second_pass && a < d && sums[0] > 0.0L; ++a) sums[1 + a] /= sums[0];
  }
  return {sums.begin(), sums.end()};
}

// Sums of n doubles of size s are right to n 2^-53 s; here n <= 5000, values up to about 20 and weights up to 3, so
// that scatters stay below 5000 * 3 * 400 = 6e6 and errors below 5000 * 2^-53 * 6e6 = 4e-6; blockwise sums are far
// better.
void expect_statistics(const Subset& subset, std::span<const std::int32_t> labels, const StatsArena& stats) {
  for (std::size_t c = 0; c < stats.size(); ++c) {
    const std::vector<double> direct = direct_moments(subset, labels, c);
    ASSERT_EQ(direct.size(), stats.stats_size());
    for (std::size_t i = 0; i < direct.size(); ++i) {
      ASSERT_NEAR(stats[c][i], direct[i], 1e-11 * (1.0 + direct[0] * 400.0)) << "cluster " << c << ", number " << i;
    }
  }
}

// Random rows hardly ever tie: the band is 2^-36 of the costs, so that the plain argmin is the answer.
void expect_brute_force(const Subset& subset, const Clusters& clusters, std::size_t threads) {
  const std::size_t k = clusters.posteriors.size();
  const BruteForce expected = brute_force(subset, clusters);
  const std::vector<std::int32_t> present = random_labels(subset.size(), k, 4);
  LocalExecution local(threads);
  const Assignment result = assign_naive(local.get(), subset, clusters.components, clusters.offsets, present);
  const std::vector<std::int32_t> labels = result.labels.by_row();
  ASSERT_EQ(labels, expected.labels);
  EXPECT_EQ(result.distances, subset.size() * k);
  ASSERT_EQ(result.stats.size(), k);
  expect_statistics(subset, labels, result.stats);
  // The data term is that of assign(): from the statistics, which are right to 5000 2^-53 of the squares they sum up;
  // those can exceed the cost a hundred times.
  const Assignment full = assign(local.get(), subset, clusters.components, clusters.offsets, Labels(present));
  EXPECT_NEAR(full.data_term, expected.data_term, 1e-11 * (1.0 + expected.magnitude));
  EXPECT_EQ(full.labels.by_row(), labels);
  EXPECT_EQ(full.stats, result.stats);
}

TEST(AssignNaive, IsTheArgminForAnyKAndD) {
  for (const std::size_t d : {1U, 2U, 5U, 17U}) {
    for (const std::size_t k : {1U, 2U, 3U, 8U, 63U, 64U, 65U, 70U}) {
      const Rows rows(scattered_rows(600, d, 10, d + k), std::vector<double>(d, 0.25));
      const Units units(rows);
      expect_brute_force(Subset(units), Clusters(k, d, 100 * d + k), 1);
    }
  }
}

TEST(AssignNaive, IsTheArgminOverSeveralBlocksAndThreads) {
  const std::size_t n = rows_per_block + 777;
  for (const bool is_float : {false, true}) {
    for (const bool is_weighted : {false, true}) {
      Dataset data = scattered_rows(n, 2, 10, 5);
      if (is_float) data = as_float32(data);
      if (is_weighted) data = data.with_weights(some_weights(n, 6));
      const Rows rows(data, {1.0, -0.5});
      const Units units(rows);
      expect_brute_force(Subset(units), Clusters(9, 2, 7), is_float ? 3 : 1);
    }
  }
}

TEST(AssignNaive, TakesSubsets) {
  const std::size_t n = 2 * rows_per_block;
  const Rows rows(scattered_rows(n, 3, 10, 8).with_weights(some_weights(n, 9)), {0.0, 0.0, 0.0});
  std::vector<std::size_t> chosen;
  for (std::size_t row = n; row-- > 0;) {
    if (row % 3 != 1) chosen.push_back(row);
  }
  const Units units(rows);
  expect_brute_force(Subset(units, chosen), Clusters(6, 3, 10), 2);
}

TEST(AssignNaive, BitsDoNotDependOnThreads) {
  const Rows rows(scattered_rows(5 * rows_per_block + 1, 2, 10, 11), {0.0, 0.0});
  const Units units(rows);
  const Clusters clusters(12, 2, 12);
  const Labels present = one_label(units);
  LocalExecution one(1);
  const Assignment expected = assign(one.get(), Subset(units), clusters.components, clusters.offsets, present);
  for (const std::size_t threads : {2U, 3U, 5U}) {
    LocalExecution local(threads);
    const Assignment result = assign(local.get(), Subset(units), clusters.components, clusters.offsets, present);
    EXPECT_EQ(result.labels.by_row(), expected.labels.by_row());
    EXPECT_EQ(result.stats, expected.stats);
    EXPECT_EQ(result.data_term, expected.data_term);
  }
}

// Weight, mean and summed squares about it, in two plain passes with long doubles.
std::vector<double> direct_centre(const Rows& rows, std::span<const std::int32_t> labels, std::size_t cluster) {
  const std::size_t d = rows.n_columns();
  std::vector<long double> sums(d + 2, 0.0L);
  std::vector<double> row(d);
  for (const bool is_second_pass : {false, true}) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (labels[i] != static_cast<std::int32_t>(cluster)) continue;
      const long double weight = rows.weight(i);
      rows.copy_row(i, row);
      if (!is_second_pass) sums.front() += weight;
      for (std::size_t c = 0; c < d; ++c) {
        if (!is_second_pass) sums[1 + c] += weight * row[c];
        if (is_second_pass) sums.back() += weight * (row[c] - sums[1 + c]) * (row[c] - sums[1 + c]);
      }
    }
    for (std::size_t c = 0; !is_second_pass && c < d && sums.front() > 0.0L; ++c) sums[1 + c] /= sums.front();
  }
  return {sums.begin(), sums.end()};
}

// So long that a block is summed up in several groups, the last of which is not full: the moments stay right to
// n 2^-53 of the squares, and the same for any number of threads.
TEST(AssignNaive, SumsUpLongRowsInGroups) {
  const std::size_t n = rows_per_block + 3500;
  const std::size_t d = 347;
  const std::size_t k = 5;
  const Dataset data = as_float32(scattered_rows(n, d, k, 30)).with_weights(some_weights(n, 31));
  const Rows rows(data, std::vector<double>(d, 0.25));
  const Units units(rows);
  FamilyAdapter<Centroid> centres{Centroid(d)};
  LocalExecution one(1);
  std::vector<double> first_rows(k * d);
  for (std::size_t c = 0; c < k; ++c) rows.copy_row(c, std::span(first_rows).subspan(c * d, d));
  centres.update(centre_statistics(first_rows, d));
  const std::vector<double> offsets(k, 0.0);
  const std::vector<std::int32_t> present(n, 0);
  const Assignment result = assign_naive(one.get(), Subset(units), centres, offsets, present);
  const std::vector<std::int32_t> labels = result.labels.by_row();
  for (std::size_t c = 0; c < k; ++c) {
    const std::vector<double> direct = direct_centre(rows, labels, c);
    ASSERT_GT(direct.front(), 0.0);
    for (std::size_t i = 0; i <= d; ++i) ASSERT_NEAR(result.stats[c][i], direct[i], 1e-13 * (1.0 + direct[0]));
    ASSERT_NEAR(result.stats[c].back(), direct.back(), static_cast<double>(n) * 0x1p-53 * direct.back());
  }
  LocalExecution eight(8);
  EXPECT_EQ(assign_naive(eight.get(), Subset(units), centres, offsets, present).stats, result.stats);
  EXPECT_EQ(statistics_of_list(eight.get(), Subset(units), centres, labels, k), result.stats);
}

TEST(AssignNaive, TiesKeepThePresentLabelElseTheSmallest) {
  Clusters clusters(1, 2, 13);
  StatsArena stats(0, clusters.components.stats_size());
  LocalExecution local(1);
  const Rows rows(scattered_rows(400, 2, 1, 15, 0.0), {0.0, 0.0});
  const Units units(rows);
  const StatsArena twin = statistics_of(local.get(), units, clusters.components, one_label(units), 1);
  std::vector<double> away(twin[0].begin(), twin[0].end());
  away[1] += 1000.0;
  stats.append(away);  // cluster 0 is nobody's; 1, 2 and 3 are the same
  for (int copy = 0; copy < 3; ++copy) stats.append(twin[0]);
  clusters.update(stats);
  clusters.offsets.assign(4, 0.5);
  std::vector<std::int32_t> present(rows.size());
  for (std::size_t i = 0; i < present.size(); ++i) present[i] = static_cast<std::int32_t>(i % 5) - 1;
  const std::vector<std::int32_t> labels =
      assign_naive(local.get(), Subset(units), clusters.components, clusters.offsets, present).labels.by_row();
  for (std::size_t i = 0; i < present.size(); ++i) EXPECT_EQ(labels[i], present[i] >= 1 ? present[i] : 1);
}

// A summary of w equal rows is (w, x, no scatter).
TEST(AssignNaive, SummariesOfEqualRowsAreTreatedAsTheRows) {
  const std::size_t n = 1000;
  const std::size_t d = 3;
  const Dataset data = scattered_rows(n, d, 10, 16).with_weights(some_weights(n, 17));
  const Rows rows(data, std::vector<double>(d, 0.0));
  const Clusters clusters(20, d, 18);
  StatsArena summaries(n, clusters.components.stats_size());
  for (std::size_t row = 0; row < n; ++row) {
    summaries[row][0] = data.weight(row);
    rows.copy_row(row, summaries[row].subspan(1, d));
  }
  const Units row_units(rows);
  const Units units(summaries);
  EXPECT_FALSE(units.are_rows());
  EXPECT_EQ(units.size(), n);
  EXPECT_EQ(units.weight(3), data.weight(3));
  LocalExecution local(1);
  const Assignment expected =
      assign(local.get(), Subset(row_units), clusters.components, clusters.offsets, one_label(row_units));
  const Assignment result = assign(local.get(), Subset(units), clusters.components, clusters.offsets, one_label(units));
  const std::vector<std::int32_t> labels = expected.labels.by_row();
  for (std::size_t row = 0; row < n; ++row) {  // a summary of weight 0 costs nothing anywhere: it keeps its label
    EXPECT_EQ(result.labels.at(row), data.weight(row) > 0.0 ? labels[row] : 0);
  }
  EXPECT_NEAR(result.data_term, expected.data_term, 1e-11 * std::abs(expected.data_term));
  expect_statistics(Subset(row_units), labels, result.stats);
}

TEST(StatisticsOfList, AreTheDirectMoments) {
  const std::size_t n = rows_per_block + 300;
  const Rows rows(scattered_rows(n, 4, 5, 19).with_weights(some_weights(n, 20)), std::vector<double>(4, 1.5));
  const Units units(rows);
  LocalExecution local(2);
  const std::vector<std::int32_t> labels = random_labels(n, 6, 21);
  const FamilyAdapter<Gaussian> components = plain_gaussian(4);
  const StatsArena stats = statistics_of_list(local.get(), Subset(units), components, labels, 8);
  ASSERT_EQ(stats.size(), 8U);
  expect_statistics(Subset(units), labels, stats);
  EXPECT_EQ(stats.weight(7), 0.0);
  EXPECT_EQ(statistics_of(local.get(), units, components, labels_of(units, labels), 8), stats);
}

// With so many clusters that a block can touch no more than half of them, its sums are kept another way.
TEST(StatisticsOfList, EmptyClustersBehindTheOthersDoNotShow) {
  const std::size_t n_rows = 3 * rows_per_block + 77;
  const Rows rows(scattered_rows(n_rows, 3, 50, 4), std::vector<double>(3, 0.0));
  const Units units(rows);
  const FamilyAdapter<Centroid> family{Centroid(3)};
  constexpr std::size_t few = 100;
  constexpr std::size_t many = 2 * rows_per_block + few;
  std::vector<std::int32_t> labels(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) labels[row] = static_cast<std::int32_t>(row * 31 % few);
  for (const std::size_t n_threads : {1U, 3U}) {
    LocalExecution local(n_threads);
    const StatsArena expected = statistics_of_list(local.get(), Subset(units), family, labels, few);
    const StatsArena found = statistics_of_list(local.get(), Subset(units), family, labels, many);
    for (std::size_t c = 0; c < many; ++c) {
      const std::vector<double> stats(found[c].begin(), found[c].end());
      const std::vector<double> zeros(family.stats_size(), 0.0);
      EXPECT_TRUE(std::ranges::equal(stats, c < few ? expected[c] : ConstStatsRef(zeros))) << c;
    }
  }
}

}  // namespace
}  // namespace coppice::internal
