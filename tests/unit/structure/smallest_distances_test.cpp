// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/smallest_distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "coppice/data/row_draw.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using Row = std::vector<double>;

Row row_of(const Dataset& data, std::size_t row) {
  Row values;
  for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
  return values;
}

// Every query against every row; 0 if there is no distance at all.
double brute_force(const Dataset& data, std::span<const std::size_t> queries) {
  std::vector<double> nearest;
  for (const std::size_t query : queries) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < data.n_rows(); ++row) {
      if (data.weight(row) <= 0.0) continue;
      double sum = 0.0;
      for (std::size_t c = 0; c < data.n_columns(); ++c) sum += std::pow(data.value(row, c) - data.value(query, c), 2);
      if (sum > 0.0) least = std::min(least, std::sqrt(sum));
    }
    if (std::isfinite(least)) nearest.push_back(least);
  }
  std::ranges::sort(nearest);
  nearest.resize(std::min<std::size_t>(nearest.size(), 3));
  return nearest.empty() ? 0.0
                         : std::accumulate(nearest.begin(), nearest.end(), 0.0) / static_cast<double>(nearest.size());
}

std::vector<std::size_t> queries_of(const Dataset& data) {
  LocalExecution local(1);
  return neighbour_queries(local.get(), data);
}

double small_distance_of(const Dataset& data) {
  LocalExecution local(1);
  const KdTree tree(local.get(), Rows(data, std::vector<double>(data.n_columns(), 0.0)), 32);
  return mean_smallest_distance(local.get(), tree, queries_of(tree.rows().data()));
}

std::vector<std::size_t> numbers_below(std::size_t n) {
  std::vector<std::size_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// Rows of which a third are copies of others, and some weigh nothing.
Dataset with_copies(std::size_t n, std::size_t d, std::uint64_t seed) {
  const Dataset data = scattered_rows(n, d, 3, seed);
  RandomStream random{seed, Purpose::test, 4};
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (std::size_t row = 0; row < n; row += 3) {
    const Row other = row_of(data, random.below(n));
    std::ranges::copy(other, values.begin() + static_cast<std::ptrdiff_t>(row * d));
  }
  return Dataset::from_rows(std::move(values), n, d).with_weights(some_weights(n, seed));
}

Dataset reordered(const Dataset& data, const std::vector<std::size_t>& order) {
  std::vector<double> values;
  std::vector<double> weights;
  for (const std::size_t row : order) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
    weights.push_back(data.weight(row));
  }
  return Dataset::from_rows(std::move(values), order.size(), data.n_columns()).with_weights(std::move(weights));
}

TEST(SmallDistance, IsThatOfBruteForce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Dataset data = with_copies(200 + 10 * seed, 1 + seed % 4, seed);
    const Rows rows(data, std::vector<double>(data.n_columns(), 0.5));
    const std::vector<std::size_t> all = numbers_below(data.n_rows());
    const double expected = brute_force(data, queries_of(data));
    const double of_all = brute_force(data, all);
    LocalExecution local(1);
    for (const std::size_t leaf_capacity : {3U, 7U, 32U, 1000U}) {
      const KdTree tree(local.get(), rows, leaf_capacity);
      // Values below 20 lose 2^-50 less the origin.
      EXPECT_NEAR(mean_smallest_distance(local.get(), tree, queries_of(tree.rows().data())), expected, 1e-12);
      EXPECT_NEAR(mean_smallest_distance(local.get(), tree, all), of_all, 1e-12);
    }
  }
}

TEST(SmallDistance, IsTheSameForShuffledRowsAndForCopies) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Dataset data = with_copies(300, 2, seed);
    std::vector<std::size_t> order = numbers_below(300);
    std::ranges::reverse(order);
    EXPECT_EQ(small_distance_of(reordered(data, order)), small_distance_of(data));
    for (std::size_t row = 0; row < 300; row += 2) order.push_back(row);
    EXPECT_EQ(small_distance_of(reordered(data, order)), small_distance_of(data));
    std::erase_if(order, [&](std::size_t row) { return data.weight(row) <= 0.0; });
    EXPECT_EQ(small_distance_of(reordered(data, order)), small_distance_of(data)) << "weight 0 is absence";
  }
}

TEST(SmallDistance, IsZeroWithoutAnyDistance) {
  EXPECT_EQ(small_distance_of(Dataset::from_rows(std::vector<double>(10, 4.0), 5, 2)), 0.0);
  EXPECT_EQ(small_distance_of(Dataset::from_rows(std::vector<double>{1.0}, 1, 1)), 0.0);
  EXPECT_EQ(small_distance_of(Dataset::from_rows(std::vector<double>{1.0, 2.0}, 2, 1).with_weights({1.0, 0.0})), 0.0);
  EXPECT_EQ(small_distance_of(Dataset::from_rows(std::vector<double>{1.0, 3.0}, 2, 1)), 2.0);
}

TEST(SmallDistance, CanBeStopped) {
  std::stop_source source;
  source.request_stop();
  LocalExecution local(1);
  LocalExecution stopped(1, StopSignal(source.get_token(), nullptr, std::nullopt));
  const KdTree tree(local.get(), Rows(scattered_rows(20, 1, 1, 1), {0.0}), 32);
  const std::vector<std::size_t> queries = queries_of(tree.rows().data());
  EXPECT_THROW((void)mean_smallest_distance(stopped.get(), tree, queries), Stopped);
  EXPECT_THROW((void)neighbour_queries(stopped.get(), tree.rows().data()), Stopped);
}

// Enough rows for two blocks of hashes, and enough queries for several blocks of them.
TEST(SmallDistance, DoesNotDependOnThreads) {
  LocalExecution one(1);
  LocalExecution three(3);
  const KdTree tree(one.get(), Rows(with_copies(20 * rows_per_block, 2, 30), {0.0, 0.0}), 32);
  const std::vector<std::size_t> queries = neighbour_queries(one.get(), tree.rows().data());
  ASSERT_GT(queries.size(), 1000U);
  EXPECT_EQ(neighbour_queries(three.get(), tree.rows().data()), queries);
  EXPECT_EQ(mean_smallest_distance(three.get(), tree, queries), mean_smallest_distance(one.get(), tree, queries));
}

TEST(NeighbourQueries, AreDistinctRowsOfTheLowestHashes) {
  const Dataset data = with_copies(3000, 2, 1);
  const std::vector<std::size_t> queries = queries_of(data);
  std::set<Row> chosen;
  std::set<Row> expected;
  for (const std::size_t row : queries) EXPECT_TRUE(chosen.insert(row_of(data, row)).second) << "a copy";
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    const bool is_low = unit_free_hash(data, row) < std::numeric_limits<std::uint64_t>::max() / 10;
    if (is_low && data.weight(row) > 0.0) expected.insert(row_of(data, row));
  }
  EXPECT_EQ(chosen, expected);
  EXPECT_GT(queries.size(), 100U);
}

TEST(NeighbourQueries, AreAtLeastThreeIfThereAreThree) {
  EXPECT_EQ(queries_of(scattered_rows(5, 1, 1, 3)).size(), 3U);
  EXPECT_EQ(queries_of(scattered_rows(2, 1, 1, 3)).size(), 2U);
  EXPECT_EQ(queries_of(Dataset::from_rows(std::vector<double>(9, 1.0), 9, 1)).size(), 1U);
  EXPECT_EQ(queries_of(scattered_rows(5, 1, 1, 3).with_weights({0, 0, 1, 0, 0})), std::vector<std::size_t>{2});
}

TEST(NeighbourQueries, AreAtMostTenThousand) { EXPECT_EQ(queries_of(scattered_rows(120000, 1, 1, 4)).size(), 10000U); }

}  // namespace
}  // namespace coppice::internal
