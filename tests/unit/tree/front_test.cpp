// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/front.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

using LabelList = std::vector<std::int32_t>;

Dataset rounded_rows(std::size_t n, std::size_t d) {
  const Dataset data = scattered_rows(n, d, 4, n);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (double& value : values) value = std::round(value);
  return Dataset::from_rows(std::move(values), n, d);
}

// Calls check(tree) for small and large trees: even ones, ones with copies in leaves of different depths, single
// leaves.
template <class Check>
void for_each_tree(const Check& check) {
  LocalExecution local(1);
  const auto try_one = [&](const Dataset& data, std::size_t capacity) {
    SCOPED_TRACE(testing::Message() << data.n_rows() << " rows, leaves of " << capacity);
    check(KdTree(local.get(), Rows(data, std::vector<double>(data.n_columns(), 0.25)), capacity));
  };
  for (const std::size_t n : {1U, 2U, 37U, 5000U}) {
    for (const std::size_t capacity : {1U, 16U}) {
      try_one(scattered_rows(n, 2, 4, n), capacity);
      try_one(rounded_rows(n, 2), capacity);
    }
  }
  try_one(Dataset::from_rows(std::vector<double>(100, 3.0), 100, 1), 16);
}

// The depth of every node, by going down from the root.
std::vector<std::size_t> depths_of(const KdTree& tree) {
  std::vector<std::size_t> depths(tree.n_nodes(), 0);
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (tree.is_leaf(node)) continue;
    for (const std::size_t child : {tree.left(node), tree.right(node)}) {
      depths[child] = depths[node] + 1;
      open.push_back(child);
    }
  }
  return depths;
}

// From left to right, without a gap or an overlap.
void expect_cover(const Front& front, const KdTree& tree) {
  std::size_t end = 0;
  for (const std::uint32_t node : front.nodes()) {
    ASSERT_EQ(tree.node(node).first, end);
    ASSERT_GT(tree.node(node).last, end);
    end = tree.node(node).last;
  }
  EXPECT_EQ(end, tree.n_rows());
  EXPECT_THAT(front.rows(), IsEmpty());
  EXPECT_EQ(front.size(), front.nodes().size());
}

TEST(Front, OfAnyDepthCoversTheTreeOnce) {
  for_each_tree([](const KdTree& tree) {
    const std::vector<std::size_t> depths = depths_of(tree);
    for (std::size_t depth = 0; depth <= tree.depth() + 1; ++depth) {
      SCOPED_TRACE(depth);
      const Front front = Front::at_depth(tree, depth);
      expect_cover(front, tree);
      for (const std::uint32_t node : front.nodes()) {
        EXPECT_TRUE(depths[node] == depth || (depths[node] < depth && tree.is_leaf(node))) << node;
      }
    }
  });
}

TEST(Front, BeginsAtTheRootAndEndsAtTheLeaves) {
  for_each_tree([](const KdTree& tree) {
    EXPECT_THAT(Front::at_depth(tree, 0).nodes(), ElementsAre(0));
    const std::vector<std::size_t> leaves = tree.leaves();
    for (const Front& front : {Front::of_leaves(tree), Front::at_depth(tree, tree.depth())}) {
      EXPECT_THAT(front.nodes(), ElementsAreArray(leaves));
      expect_cover(front, tree);
    }
    std::size_t before = 0;
    for (std::size_t depth = 0; depth <= tree.depth(); ++depth) {
      const std::size_t size = Front::at_depth(tree, depth).size();
      EXPECT_GT(size, before) << "every level opens a node";
      before = size;
    }
  });
}

TEST(Front, OfRowsHasEveryRowOnce) {
  for_each_tree([](const KdTree& tree) {
    const Front front = Front::of_rows(tree);
    std::vector<std::size_t> places(tree.n_rows());
    std::iota(places.begin(), places.end(), std::size_t{0});
    EXPECT_THAT(front.rows(), ElementsAreArray(places));
    EXPECT_THAT(front.nodes(), IsEmpty());
    EXPECT_EQ(front.size(), tree.n_rows());
  });
}

// Opens random nodes again and again, down to the rows: at every step each row stands behind exactly one unit.
TEST(Front, OpenedStepByStepEndsAtTheRows) {
  for_each_tree([](const KdTree& tree) {
    Front front = Front::at_depth(tree, 0);
    for (std::uint64_t step = 0; !front.nodes().empty(); ++step) {
      std::vector<std::size_t> chosen{step % front.nodes().size()};
      const LabelList coins = random_labels(front.nodes().size(), 3, step);
      for (std::size_t unit = 0; unit < coins.size(); ++unit) {
        if (coins[unit] == 0) chosen.push_back(unit);
      }
      front = front.opened(chosen);
      ASSERT_TRUE(std::ranges::is_sorted(front.rows()));
      LabelList by_unit(front.size());
      std::iota(by_unit.begin(), by_unit.end(), 0);
      const LabelList by_row = front.by_row(by_unit);
      LabelList n_behind(front.size(), 0);
      for (const std::int32_t unit : by_row) ++n_behind[static_cast<std::size_t>(unit)];
      for (std::size_t unit = 0; unit < front.size(); ++unit) {
        const bool is_node = unit < front.nodes().size();
        const std::size_t n = is_node ? tree.node(front.nodes()[unit]).last - tree.node(front.nodes()[unit]).first : 1;
        ASSERT_EQ(static_cast<std::size_t>(n_behind[unit]), n);
      }
      ASSERT_EQ(front.by_unit(by_row), by_unit);
    }
    EXPECT_THAT(front.rows(), ElementsAreArray(Front::of_rows(tree).rows()));
  });
}

TEST(Front, OpenedNowhereIsTheSame) {
  LocalExecution local(1);
  const KdTree tree(local.get(), Rows(scattered_rows(500, 2, 4, 1), {0.0, 0.0}), 16);
  const Front before = Front::at_depth(tree, 3);
  const Front after = before.opened({});
  EXPECT_THAT(after.nodes(), ElementsAreArray(before.nodes()));
  EXPECT_THAT(after.rows(), IsEmpty());
}

TEST(Front, RowsHaveTheLabelsOfTheirUnits) {
  for_each_tree([](const KdTree& tree) {
    for (std::size_t depth = 0; depth <= tree.depth(); ++depth) {
      const Front front = Front::at_depth(tree, depth);
      const LabelList by_unit = random_labels(front.size(), 1000, depth);
      const LabelList by_row = front.by_row(by_unit);
      ASSERT_EQ(by_row.size(), tree.n_rows());
      for (std::size_t unit = 0; unit < front.size(); ++unit) {
        const KdTree::Node node = tree.node(front.nodes()[unit]);
        for (std::size_t place = node.first; place < node.last; ++place) {
          ASSERT_EQ(by_row[tree.order()[place]], by_unit[unit]);
        }
      }
      EXPECT_EQ(front.by_unit(by_row), by_unit);
    }
  });
}

TEST(Front, LabelsOfSingleRowsComeBack) {
  for_each_tree([](const KdTree& tree) {
    const Front front = Front::of_rows(tree);
    const LabelList by_row = random_labels(tree.n_rows(), 1000, 3);
    const LabelList by_unit = front.by_unit(by_row);
    for (std::size_t place = 0; place < tree.n_rows(); ++place) EXPECT_EQ(by_unit[place], by_row[tree.order()[place]]);
    EXPECT_EQ(front.by_row(by_unit), by_row);
  });
}

// Rows of a unit that differ: the first of them speaks for all.
TEST(Front, AUnitTakesTheLabelOfItsFirstRow) {
  LocalExecution local(1);
  const Rows rows(scattered_rows(500, 2, 4, 1), {0.0, 0.0});
  const KdTree tree(local.get(), rows, 16);
  const LabelList by_row = random_labels(500, 1000, 4);
  const Front front = Front::of_leaves(tree);
  const LabelList by_unit = front.by_unit(by_row);
  for (std::size_t unit = 0; unit < front.size(); ++unit) {
    EXPECT_EQ(by_unit[unit], by_row[tree.order()[tree.node(front.nodes()[unit]).first]]);
  }
}

}  // namespace
}  // namespace coppice::internal
