// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/node_statistics.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "coppice/kernels/moments.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

Rows at_origin(Dataset data) {
  const std::size_t d = data.n_columns();
  return {std::move(data), std::vector<double>(d, 0.5)};
}

Rows weighted_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
  return at_origin(scattered_rows(n, d, 4, seed).with_weights(some_weights(n, seed + 1)));
}

// Every row of a node in two plain passes with long doubles: weight, mean, scatter.
std::vector<long double> direct_moments(const KdTree& tree, std::size_t node) {
  const std::size_t d = tree.rows().n_columns();
  std::vector<long double> moments(1 + d + kernels::packed_size(d), 0.0L);
  std::vector<double> row(d);
  const auto for_each_row = [&](const auto& use) {
    for (std::size_t i = tree.node(node).first; i < tree.node(node).last; ++i) {
      tree.rows().copy_row(i, row);
      use(static_cast<long double>(tree.rows().weight(i)));
    }
  };
  for_each_row([&](long double weight) {
    moments[0] += weight;
    for (std::size_t a = 0; a < d; ++a) moments[1 + a] += weight * row[a];
  });
  if (moments[0] == 0.0L) return moments;
  for (std::size_t a = 0; a < d; ++a) moments[1 + a] /= moments[0];
  for_each_row([&](long double weight) {
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        moments[1 + d + kernels::packed_index(a, b)] += weight * (row[a] - moments[1 + a]) * (row[b] - moments[1 + b]);
      }
    }
  });
  return moments;
}

// The node's largest distance from the origin in any column: what sums are made of.
double reach_of(const Box& box) {
  double reach = 0.0;
  for (std::size_t c = 0; c < box.low.size(); ++c) {
    reach = std::max({reach, std::abs(box.low[c]), std::abs(box.high[c])});
  }
  return reach;
}

// Panels and merges go over at most 256 + 20 numbers in a row, each rounded to 2^-53: 1e-13 is twice as much.
void expect_direct_moments(const KdTree& tree, const StatsArena& stats) {
  const std::size_t d = tree.rows().n_columns();
  ASSERT_EQ(stats.size(), tree.n_nodes());
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    const std::vector<long double> direct = direct_moments(tree, node);
    const auto weight = static_cast<double>(direct[0]);
    const double reach = reach_of(tree.box(node));
    ASSERT_EQ(direct.size(), stats.stats_size());
    for (std::size_t i = 0; i < direct.size(); ++i) {
      const double size = i == 0 ? weight : i <= d ? reach : weight * reach * reach;
      ASSERT_NEAR(stats[node][i], static_cast<double>(direct[i]), 1e-13 * size) << "node " << node << ", number " << i;
    }
  }
}

void expect_direct_moments(const Rows& rows, std::size_t capacity, std::size_t threads = 1) {
  LocalExecution local(threads);
  const KdTree tree(local.get(), rows, capacity);
  expect_direct_moments(tree, node_statistics(local.get(), tree, plain_gaussian(rows.n_columns())));
}

TEST(NodeStatistics, AreTheMomentsOfTheRows) {
  for (const std::size_t d : {1U, 2U, 3U, 5U, 9U}) expect_direct_moments(at_origin(scattered_rows(2000, d, 4, d)), 20);
}

TEST(NodeStatistics, OfWeightedRows) {
  for (const std::size_t d : {1U, 3U}) expect_direct_moments(weighted_rows(3000, d, 10 + d), 10, 3);
}

TEST(NodeStatistics, OfFloats) { expect_direct_moments(at_origin(as_float32(scattered_rows(2000, 4, 4, 20))), 32); }

// A leaf of equal rows may have any number of them: more than fit into a panel.
TEST(NodeStatistics, OfLeavesLargerThanAPanel) {
  std::vector<double> values(1000, 0.75);
  for (std::size_t i = 0; i < 100; ++i) values.push_back(0.01 * static_cast<double>(i));
  const Dataset data = Dataset::from_rows(values, values.size(), 1);
  expect_direct_moments(at_origin(data), 10);
  expect_direct_moments(at_origin(data.with_weights(some_weights(values.size(), 30))), 10);
  expect_direct_moments(at_origin(scattered_rows(700, 2, 4, 31)), 700);
}

// Rows without weight count for nothing, even where a whole node has none.
TEST(NodeStatistics, OfNodesWithoutWeight) {
  const std::size_t n = 1000;
  const Dataset data = scattered_rows(n, 2, 4, 40);
  std::vector<double> weights(n, 1.0);
  for (std::size_t row = 0; row < n; ++row) weights[row] = data.value(row, 0) < 1.0 ? 0.0 : 2.0;
  LocalExecution local(1);
  const KdTree tree(local.get(), at_origin(data.with_weights(weights)), 8);
  const StatsArena stats = node_statistics(local.get(), tree, plain_gaussian(2));
  expect_direct_moments(tree, stats);
  std::size_t n_empty = 0;
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) n_empty += stats.weight(node) == 0.0 ? 1 : 0;
  EXPECT_GT(n_empty, 0U);
}

TEST(NodeStatistics, OfASingleLeaf) { expect_direct_moments(weighted_rows(20, 2, 50), 32); }

TEST(NodeStatistics, BitsDoNotDependOnThreads) {
  const Rows rows = weighted_rows(30000, 3, 60);
  LocalExecution one(1);
  const KdTree tree(one.get(), rows, 32);
  const StatsArena expected = node_statistics(one.get(), tree, plain_gaussian(3));
  for (const std::size_t threads : {2U, 5U}) {
    LocalExecution local(threads);
    EXPECT_EQ(node_statistics(local.get(), tree, plain_gaussian(3)), expected);
  }
}

TEST(NodeStatistics, StopWhenAsked) {
  std::atomic<bool> is_asked = false;
  LocalExecution local(2, StopSignal({}, &is_asked, {}));
  const KdTree tree(local.get(), weighted_rows(500, 2, 70), 32);
  is_asked = true;
  EXPECT_THROW((void)node_statistics(local.get(), tree, plain_gaussian(2)), Stopped);
}

}  // namespace
}  // namespace coppice::internal
