// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/kd_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

Rows centred(Dataset data, double origin = 0.25) {
  std::vector<double> origins(data.n_columns(), origin);
  return {std::move(data), std::move(origins)};
}

KdTree tree_of(const Rows& rows, std::size_t capacity, std::size_t threads = 1) {
  LocalExecution local(threads);
  return {local.get(), rows, capacity};
}

// Normal values, each changed by change(value, row, column).
template <class Change>
Dataset changed_rows(std::size_t n, std::size_t d, const Change& change) {
  RandomStream random{n + d, Purpose::test, 20};
  std::vector<double> values(n * d);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(random.normal(), i / d, i % d);
  return Dataset::from_rows(std::move(values), n, d);
}

Dataset normal_rows(std::size_t n, std::size_t d) {
  return changed_rows(n, d, [](double value, std::size_t, std::size_t) { return value; });
}

// Tables with copies, constant columns and few values, besides plain ones.
std::vector<Dataset> assorted_tables() {
  const auto rounded = [](double value, std::size_t, std::size_t) { return std::round(2.0 * value) / 2.0; };
  return {
      normal_rows(1000, 1),
      normal_rows(3000, 2),
      normal_rows(700, 5),
      as_float32(normal_rows(2000, 3)),
      normal_rows(500, 2).with_weights(some_weights(500, 21)),
      as_float32(normal_rows(800, 4)).with_weights(some_weights(800, 22)),
      changed_rows(900, 2, [](double value, std::size_t row, std::size_t) { return row % 2 == 0 ? 1.0 : value; }),
      changed_rows(600, 2, [](double, std::size_t row, std::size_t) { return static_cast<double>(row % 3); }),
      changed_rows(500, 3, [](double, std::size_t, std::size_t) { return -2.0; }),
      changed_rows(700, 3, [](double value, std::size_t, std::size_t column) { return column == 1 ? value : 7.0; }),
      changed_rows(2000, 1, rounded),
      changed_rows(2000, 2, rounded),
      as_float32(changed_rows(2000, 3, rounded)),
      normal_rows(1, 3),
      normal_rows(2, 1),
  };
}

// Applies a check to every table with a number of capacities.
template <class Check>
void for_each_tree(const Check& check) {
  const std::vector<Dataset> tables = assorted_tables();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const std::size_t capacity : {1U, 2U, 10U, 32U, 5000U}) {
      SCOPED_TRACE(testing::Message() << "table " << i << ", capacity " << capacity);
      const Rows rows = centred(tables[i]);
      check(rows, tree_of(rows, capacity), capacity);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Smallest and largest value of the node's rows less the origin.
struct Extent {
  std::vector<double> low;
  std::vector<double> high;
};
Extent extent_of(const KdTree& tree, std::size_t node) {
  std::vector<double> row(tree.rows().n_columns());
  tree.rows().copy_row(tree.node(node).first, row);
  Extent extent{row, row};
  for (std::size_t i = tree.node(node).first; i < tree.node(node).last; ++i) {
    tree.rows().copy_row(i, row);
    for (std::size_t c = 0; c < row.size(); ++c) {
      extent.low[c] = std::min(extent.low[c], row[c]);
      extent.high[c] = std::max(extent.high[c], row[c]);
    }
  }
  return extent;
}

// Expects what is below a node to stand in pre-order, from `begin` on; returns where it ends.
std::size_t expect_pre_order(const KdTree& tree, std::size_t node, std::size_t begin) {
  if (tree.is_leaf(node)) return begin;
  EXPECT_EQ(tree.left(node), begin);
  const std::size_t right = expect_pre_order(tree, tree.left(node), begin + 1);
  EXPECT_EQ(tree.right(node), right);
  return expect_pre_order(tree, tree.right(node), right + 1);
}

TEST(KdTree, OrderIsAPermutation) {
  for_each_tree([](const Rows& rows, const KdTree& tree, std::size_t) {
    KdTree::Order sorted = tree.order();
    std::ranges::sort(sorted);
    KdTree::Order all(rows.size());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(sorted, all);
    EXPECT_EQ(tree.n_rows(), rows.size());
  });
}

TEST(KdTree, RowsAreThoseOfTheTableInItsOrder) {
  for_each_tree([](const Rows& rows, const KdTree& tree, std::size_t) {
    ASSERT_EQ(tree.rows().size(), rows.size());
    EXPECT_EQ(tree.rows().data().storage(), rows.data().storage());
    EXPECT_EQ(tree.rows().are_weighted(), rows.are_weighted());
    EXPECT_TRUE(std::ranges::equal(tree.rows().origin(), rows.origin()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = tree.order()[i];
      ASSERT_EQ(tree.rows().weight(i), rows.weight(row));
      for (std::size_t c = 0; c < rows.n_columns(); ++c) {
        ASSERT_EQ(tree.rows().data().value(i, c), rows.data().value(row, c)) << i;
      }
    }
  });
}

TEST(KdTree, ChildrenShareOutTheirParent) {
  for_each_tree([](const Rows& rows, const KdTree& tree, std::size_t) {
    EXPECT_EQ(tree.node(0).first, 0U);
    EXPECT_EQ(tree.node(0).last, rows.size());
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
      ASSERT_LT(tree.node(node).first, tree.node(node).last) << "node " << node << " is empty";
      ASSERT_EQ(tree.n_rows(node), tree.node(node).last - tree.node(node).first);
      if (tree.is_leaf(node)) continue;
      ASSERT_EQ(tree.node(tree.left(node)).first, tree.node(node).first);
      ASSERT_EQ(tree.node(tree.left(node)).last, tree.node(tree.right(node)).first);
      ASSERT_EQ(tree.node(tree.right(node)).last, tree.node(node).last);
    }
  });
}

std::vector<std::size_t> depths_of(const KdTree& tree) {
  std::vector<std::size_t> depth(tree.n_nodes(), 0);
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    if (!tree.is_leaf(node)) depth[tree.left(node)] = depth[tree.right(node)] = depth[node] + 1;
  }
  return depth;
}

// Which also says that parents come before their children.
TEST(KdTree, DepthIsThatOfTheDeepestLeaf) {
  for_each_tree([](const Rows&, const KdTree& tree, std::size_t) {
    EXPECT_EQ(std::ranges::max(depths_of(tree)), tree.depth());
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
      if (tree.is_leaf(node)) continue;
      ASSERT_LT(node, std::min(tree.left(node), tree.right(node)));
    }
  });
}

TEST(KdTree, LeavesHoldAllRowsFromLeftToRight) {
  for_each_tree([](const Rows& rows, const KdTree& tree, std::size_t) {
    std::size_t next = 0;
    for (const std::size_t leaf : tree.leaves()) {
      ASSERT_TRUE(tree.is_leaf(leaf));
      ASSERT_EQ(tree.node(leaf).first, next);
      next = tree.node(leaf).last;
    }
    EXPECT_EQ(next, rows.size());
    EXPECT_EQ(2 * tree.leaves().size() - 1, tree.n_nodes());
  });
}

TEST(KdTree, BoxesAreTight) {
  for_each_tree([](const Rows&, const KdTree& tree, std::size_t) {
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
      const Extent extent = extent_of(tree, node);
      ASSERT_TRUE(std::ranges::equal(tree.box(node).low, extent.low)) << node;
      ASSERT_TRUE(std::ranges::equal(tree.box(node).high, extent.high)) << node;
    }
  });
}

TEST(KdTree, LeavesAreSmallUnlessTheirRowsAreEqual) {
  for_each_tree([](const Rows&, const KdTree& tree, std::size_t capacity) {
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
      const bool are_equal = std::ranges::equal(tree.box(node).low, tree.box(node).high);
      const bool is_whole = tree.n_rows(node) <= capacity || are_equal;
      ASSERT_EQ(tree.is_leaf(node), is_whole) << node << " with " << tree.n_rows(node) << " rows";
    }
  });
}

// Widths are compared in the table's own precision, so that the widest side is only known to a few parts in 10^7.
TEST(KdTree, CutsAcrossTheWidestSide) {
  for_each_tree([](const Rows& rows, const KdTree& tree, std::size_t) {
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
      if (tree.is_leaf(node)) continue;
      const auto width = [&](std::size_t c) { return tree.box(node).high[c] - tree.box(node).low[c]; };
      double widest = 0.0;
      for (std::size_t c = 0; c < rows.n_columns(); ++c) widest = std::max(widest, width(c));
      bool is_parted = false;
      for (std::size_t c = 0; c < rows.n_columns(); ++c) {
        is_parted |=
            width(c) >= (1.0 - 1e-6) * widest && tree.box(tree.left(node)).high[c] < tree.box(tree.right(node)).low[c];
      }
      ASSERT_TRUE(is_parted) << node;
    }
  });
}

// A cut at the median halves a node; a median of 127 values is off by 1/20, as a rule.
TEST(KdTree, SidesAreMeasuredByLengths) {
  const Dataset data = changed_rows(
      200, 2, [](double value, std::size_t, std::size_t column) { return column == 0 ? 1000.0 * value : value; });
  LocalExecution local(1);
  const auto cut_column = [&](const std::vector<double>& lengths) {
    const KdTree tree(local.get(), centred(data), 64, lengths);
    return tree.box(tree.left(0)).high[0] <= tree.box(tree.right(0)).low[0] ? 0 : 1;
  };
  EXPECT_EQ(cut_column({}), 0);
  EXPECT_EQ(cut_column({500.0, 5.0}), 0);
  EXPECT_EQ(cut_column({5000.0, 0.5}), 1);
}

TEST(KdTree, IsBalancedOnContinuousData) {
  for (const std::size_t d : {1U, 2U, 3U, 8U}) {
    for (const std::size_t capacity : {4U, 32U, 200U}) {
      const KdTree tree = tree_of(centred(normal_rows(20000, d)), capacity);
      const double levels = std::log2(20000.0 / static_cast<double>(capacity));
      EXPECT_LE(static_cast<double>(tree.depth()), 2.0 * levels + 6.0);
      EXPECT_GE(static_cast<double>(tree.depth()), levels);
    }
  }
}

// Values that lie in the table as they were sorted are no harder than others.
TEST(KdTree, IsBalancedOnSortedData) {
  const auto sorted = [](double, std::size_t row, std::size_t) { return static_cast<double>(row); };
  const KdTree tree = tree_of(centred(changed_rows(20000, 1, sorted)), 32);
  EXPECT_LE(static_cast<double>(tree.depth()), 2.0 * std::log2(20000.0 / 32.0) + 6.0);
}

// Half of the rows are one value: a cut puts it to one side, and the rest goes on as if it were not there.
TEST(KdTree, CopiesDoNotMakeItDeep) {
  const Rows rows = centred(
      changed_rows(20000, 2, [](double value, std::size_t row, std::size_t) { return row % 2 == 0 ? 0.5 : value; }));
  EXPECT_LE(static_cast<double>(tree_of(rows, 32).depth()), 2.0 * std::log2(20000.0 / 32.0) + 6.0);
}

// Nine tenths of the rows are zero, and most of the others are above: the zeros go below, with the few.
TEST(KdTree, CopiesOfTheMedianGoToTheLighterSide) {
  const Rows rows = centred(changed_rows(1000, 1, [](double value, std::size_t row, std::size_t) {
    return row % 100 == 0 ? -1.0 - std::abs(value) : row % 100 < 10 ? 1.0 + std::abs(value) : 0.0;
  }));
  const KdTree tree = tree_of(rows, 32);
  EXPECT_EQ(tree.n_rows(tree.left(0)), 910U);
  EXPECT_EQ(tree.n_rows(tree.right(0)), 90U);
}

TEST(KdTree, FewDistinctRowsGiveAsManyLeaves) {
  const Rows rows = centred(changed_rows(
      600, 2, [](double, std::size_t row, std::size_t column) { return static_cast<double>(row % 3 * (column + 1)); }));
  EXPECT_EQ(tree_of(rows, 32).n_nodes(), 5U);
}

TEST(KdTree, EqualRowsAreOneLeaf) {
  const KdTree tree = tree_of(centred(changed_rows(500, 2, [](double, std::size_t, std::size_t) { return 3.0; })), 32);
  EXPECT_EQ(tree.n_nodes(), 1U);
  EXPECT_EQ(tree.depth(), 0U);
  EXPECT_EQ(tree.n_rows(0), 500U);
}

TEST(KdTree, OneRowIsOneLeaf) {
  const KdTree tree = tree_of(centred(normal_rows(1, 3)), 32);
  EXPECT_EQ(tree.n_nodes(), 1U);
  EXPECT_EQ(tree.subtrees().size(), 1U);
  EXPECT_EQ(tree.order(), KdTree::Order{0});
}

// One after the other they hold all rows; each is a whole subtree, at the fixed depth or a leaf above it.
TEST(KdTree, SubtreesShareOutTheRows) {
  for_each_tree([](const Rows& rows, const KdTree& tree, std::size_t) {
    const std::vector<std::size_t> depth = depths_of(tree);
    std::size_t next = 0;
    std::size_t next_node = tree.n_top_nodes();
    for (const KdTree::Subtree& subtree : tree.subtrees()) {
      EXPECT_EQ(tree.node(subtree.root).first, next);
      EXPECT_EQ(subtree.begin, next_node);
      EXPECT_EQ(expect_pre_order(tree, subtree.root, subtree.begin), subtree.end);
      EXPECT_LE(depth[subtree.root], KdTree::subtree_depth);
      EXPECT_TRUE(depth[subtree.root] == KdTree::subtree_depth || tree.is_leaf(subtree.root));
      next = tree.node(subtree.root).last;
      next_node = subtree.end;
    }
    EXPECT_EQ(next, rows.size());
    EXPECT_EQ(next_node, tree.n_nodes());
    for (std::size_t node = 0; node < tree.n_top_nodes(); ++node) {
      EXPECT_LE(depth[node], KdTree::subtree_depth);
      EXPECT_EQ(tree.is_subtree(node), std::ranges::count(tree.subtrees(), node, &KdTree::Subtree::root) == 1);
    }
  });
}

void expect_same_tree(const KdTree& a, const KdTree& b) {
  ASSERT_EQ(a.n_nodes(), b.n_nodes());
  EXPECT_EQ(a.order(), b.order());
  EXPECT_EQ(a.rows().data(), b.rows().data());
  EXPECT_EQ(a.depth(), b.depth());
  for (std::size_t node = 0; node < a.n_nodes(); ++node) {
    ASSERT_EQ(a.node(node).first, b.node(node).first);
    ASSERT_EQ(a.node(node).last, b.node(node).last);
    ASSERT_EQ(a.left(node), b.left(node));
    ASSERT_EQ(a.right(node), b.right(node));
    ASSERT_TRUE(std::ranges::equal(a.box(node).low, b.box(node).low));
    ASSERT_TRUE(std::ranges::equal(a.box(node).high, b.box(node).high));
  }
  const auto same = [](const KdTree::Subtree& s, const KdTree::Subtree& t) {
    return s.root == t.root && s.begin == t.begin && s.end == t.end;
  };
  EXPECT_TRUE(std::ranges::equal(a.subtrees(), b.subtrees(), same));
}

TEST(KdTree, DoesNotDependOnThreads) {
  const auto rounded = [](double value, std::size_t, std::size_t) { return std::round(10.0 * value) / 10.0; };
  for (const Dataset& data : {normal_rows(30000, 2), as_float32(changed_rows(30000, 3, rounded))}) {
    const Rows rows = centred(data);
    const KdTree one = tree_of(rows, 32);
    for (const std::size_t threads : {2U, 5U}) expect_same_tree(tree_of(rows, 32, threads), one);
  }
}

TEST(KdTree, LeavesTheTableAsItWas) {
  const Dataset data = normal_rows(2000, 2);
  const std::vector<double> before(data.doubles().begin(), data.doubles().end());
  (void)tree_of(centred(data), 10);
  EXPECT_TRUE(std::ranges::equal(data.doubles(), before));
}

TEST(KdTree, StopsWhenAsked) {
  const std::atomic<bool> is_asked = true;
  for (const std::size_t threads : {1U, 3U}) {
    LocalExecution local(threads, StopSignal({}, &is_asked, {}));
    const Rows rows = centred(normal_rows(1000, 2));
    EXPECT_THROW(KdTree(local.get(), rows, 10), Stopped);
  }
}

// Statistics of all nodes are to take less than half of the rows' memory.
void expect_cheap(const Dataset& data) {
  const std::size_t stats_size = Gaussian::stats_size(data.n_columns());
  const KdTree tree = tree_of(centred(data), leaf_capacity(stats_size, data));
  const std::size_t bytes_per_value = data.storage() == Storage::float32 ? 4 : 8;
  EXPECT_LT(tree.n_nodes() * stats_size * 8, data.n_rows() * data.n_columns() * bytes_per_value / 2)
      << data.n_columns() << " columns of " << bytes_per_value << " bytes";
}

TEST(LeafCapacity, NodesTakeLessThanHalfOfTheMemory) {
  for (const std::size_t d : {1U, 2U, 3U, 8U, 16U, 64U}) expect_cheap(normal_rows(20000, d));
  for (const std::size_t d : {2U, 8U, 32U}) expect_cheap(as_float32(normal_rows(20000, d)));
}

// The leaves are no larger than that asks for: small ones are what makes a tree quick.
TEST(LeafCapacity, LeavesAreAsSmallAsMemoryAllows) {
  EXPECT_EQ(leaf_capacity(6, normal_rows(10, 2)), 32U);                  // 64 * 6 / 16 = 24, but 32 at least
  EXPECT_EQ(leaf_capacity(153, normal_rows(10, 16)), 77U);               // 64 * 153 / 128 = 76.5
  EXPECT_EQ(leaf_capacity(153, as_float32(normal_rows(10, 16))), 153U);  // floats take half the memory
}

}  // namespace
}  // namespace coppice::internal
