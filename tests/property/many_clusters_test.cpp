// SPDX-License-Identifier: BSD-3-Clause
// Many small clusters are found with default options, and what finds them does not depend on threads, on the assignment
// or on the order of the rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/data/generate.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"

namespace coppice::internal {
namespace {

Generated grid(std::size_t side, std::size_t rows_per_cluster, std::uint64_t seed = 0) {
  return generate(BirchGrid{.side = side, .rows_per_cluster = rows_per_cluster, .seed = seed});
}

std::size_t k_of(const std::vector<std::int32_t>& labels) {
  return static_cast<std::size_t>(std::ranges::max(labels)) + 1;
}

void expect_found(const Generated& made, std::size_t side) {
  const std::vector<std::int32_t> labels = fit(made.data, BayesianKMeans{}, {.threads = 2}).labels;
  const auto k = static_cast<double>(side * side);
  EXPECT_NEAR(static_cast<double>(k_of(labels)), k, 0.02 * k) << "side " << side;
  EXPECT_GT(evaluate::adjusted_rand_index(labels, made.labels), 0.95) << "side " << side;
}

TEST(ManyClusters, OfAGridAreFound) {
  expect_found(grid(11, 40), 11);
  expect_found(grid(17, 30), 17);
}

// A sample of 10,000 rows has eleven of each.
TEST(ManyClusters, AreFoundWhereASampleHasFewRowsOfEach) { expect_found(grid(30, 60), 30); }

TEST(ManyClusters, DoNotDependOnThreadsAssignmentOrOrder) {
  const Generated made = grid(22, 50);
  const Dataset& data = made.data;
  const std::vector<std::int32_t> labels = fit(data, BayesianKMeans{}, {.threads = 1}).labels;
  EXPECT_EQ(fit(data, BayesianKMeans{}, {.threads = 3}).labels, labels);
  EXPECT_EQ(fit(data, BayesianKMeans{.assign = "naive"}, {.threads = 2}).labels, labels);
  EXPECT_EQ(fit(data, BayesianKMeans{.assign = "kdtree"}, {.threads = 2}).labels, labels);
  std::vector<double> reversed;
  for (std::size_t row = data.n_rows(); row-- > 0;) {
    reversed.insert(reversed.end(), {data.value(row, 0), data.value(row, 1)});
  }
  std::vector<std::int32_t> back =
      fit(Dataset::from_rows(std::move(reversed), data.n_rows(), 2), BayesianKMeans{}, {.threads = 2}).labels;
  std::ranges::reverse(back);
  EXPECT_EQ(evaluate::adjusted_rand_index(back, labels), 1.0);
}

TEST(ManyClusters, AreAsManyAsAskedForAndNoMoreThanAllowed) {
  const Generated made = grid(12, 30);
  EXPECT_LE(k_of(fit(made.data, BayesianKMeans{.max_k = 110}, {.threads = 2}).labels), 110U);
  const std::vector<std::int32_t> labels = fit(made.data, BayesianKMeans{.k = 144}, {.threads = 2}).labels;
  EXPECT_EQ(k_of(labels), 144U);
  EXPECT_GT(evaluate::adjusted_rand_index(labels, made.labels), 0.95);
}

}  // namespace
}  // namespace coppice::internal
