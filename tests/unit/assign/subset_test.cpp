// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/subset.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

using List = std::vector<std::size_t>;

List first_numbers(std::size_t n) {
  List all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// The places of one cluster, from labels in the tree's order.
List places_of(const LabelList& labels, std::int32_t cluster) {
  List places;
  for (std::size_t place = 0; place < labels.size(); ++place) {
    if (labels[place] == cluster) places.push_back(place);
  }
  return places;
}

// Labels in the tree's order: of clusters with borders, of every row at random, of leaves in turn, and all the same.
std::vector<LabelList> assorted_labels(const TreeExample& example) {
  const KdTree& tree = example.tree();
  LabelList of_leaves(tree.n_rows());
  std::int32_t label = 0;
  for (const std::size_t leaf : tree.leaves()) {
    std::fill(of_leaves.begin() + tree.node(leaf).first, of_leaves.begin() + tree.node(leaf).last, label++ % 5);
  }
  return {labels_by_distance(tree.rows(), 5, 1), random_labels(tree.n_rows(), 5, 2), of_leaves,
          LabelList(tree.n_rows(), 3)};
}

// Calls check(labels, members) for all kinds of labels over a tree of 2000 rows.
template <class Check>
void for_each_labelling(const Check& check) {
  const TreeExample example(scattered_rows(2000, 2, 6, 1), 10);
  for (const LabelList& labels : assorted_labels(example)) {
    check(example.tree(), labels, Members(example.in_tree(), in_runs(labels), 5));
  }
}

TEST(Subset, OfAllUnits) {
  const TreeExample example(scattered_rows(300, 2, 3, 3));
  for (const Units& units : {example.listed(), example.in_tree()}) {
    const Subset subset(units);
    EXPECT_TRUE(subset.is_all());
    EXPECT_EQ(subset.size(), 300U);
    EXPECT_EQ(subset.members(), first_numbers(300));
  }
  EXPECT_EQ(Subset(example.listed()).unit(17), 17U);
}

TEST(Subset, OfAList) {
  const TreeExample example(scattered_rows(300, 2, 3, 4));
  const List chosen = {7, 3, 250, 11};
  const Subset subset(example.listed(), chosen);
  EXPECT_FALSE(subset.is_all());
  EXPECT_EQ(subset.size(), 4U);
  EXPECT_EQ(subset.members(), chosen);
  EXPECT_EQ(subset.unit(2), 250U);
  BlockBuffer buffer(2);
  RowBlock block = subset.rows(1, 2, buffer);
  EXPECT_EQ(block.n_rows(), 2U);
  EXPECT_EQ(block.row(0), 3U);
  EXPECT_EQ(block.panel().column(1)[1], example.rows().data().value(250, 1));
}

TEST(Subset, OfPieces) {
  const TreeExample example(scattered_rows(300, 2, 3, 5));
  const std::vector<TreePiece> pieces = {{3, 4, 6, 0}, {9, 10, 13, 1}};
  const Subset subset(example.in_tree(), pieces);
  EXPECT_FALSE(subset.is_all());
  EXPECT_EQ(subset.size(), 5U);
  EXPECT_EQ(subset.members(), (List{4, 5, 10, 11, 12}));
  EXPECT_EQ(Subset(example.in_tree(), std::span<const TreePiece>()).size(), 0U);
}

TEST(Subset, RelabelsTheOtherSideOfAList) {
  const TreeExample example(scattered_rows(6, 2, 3, 6));
  Labels labels(LabelList{0, 1, 0, 1, 1, 2});
  const List chosen = {1, 3, 4};
  Subset(example.listed(), chosen).relabel(Labels(LabelList{1, 0, 1}), 3, labels);
  EXPECT_EQ(labels, Labels(LabelList{0, 3, 0, 1, 3, 2}));
  Subset(example.listed()).relabel(Labels(LabelList{1, 0, 0, 0, 0, 1}), 9, labels);
  EXPECT_EQ(labels, Labels(LabelList{9, 3, 0, 1, 3, 9}));
}

// Sides are given by position among the members: a random half of every cluster moves.
TEST(Subset, RelabelsTheOtherSideOfPieces) {
  for_each_labelling([](const KdTree& tree, const LabelList& list, const Members& members) {
    for (std::size_t cluster = 0; cluster < 5; ++cluster) {
      const Subset subset = members.of(cluster);
      const LabelList sides = random_labels(subset.size(), 2, 10 + cluster);
      LabelList expected = list;
      for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i] == 1) expected[subset.members()[i]] = 8;
      }
      Labels labels = in_runs(list, tree.shared_order());
      subset.relabel(in_runs(sides), 8, labels);
      EXPECT_EQ(labels.by_unit(), expected);
      EXPECT_EQ(labels.runs().size(), in_runs(expected).runs().size());  // the shortest runs
    }
  });
}

TEST(Subset, RelabelsAWholeTree) {
  const TreeExample example(scattered_rows(500, 2, 3, 7));
  const LabelList sides = random_labels(500, 2, 8);
  Labels labels = one_label(example.in_tree());
  Subset(example.in_tree()).relabel(in_runs(sides), 1, labels);
  EXPECT_EQ(labels.by_unit(), sides);
}

TEST(Members, OfATreeAreTheUnitsOfEveryCluster) {
  for_each_labelling([](const KdTree&, const LabelList& labels, const Members& members) {
    for (std::size_t cluster = 0; cluster < 5; ++cluster) {
      const Subset subset = members.of(cluster);
      const List places = places_of(labels, static_cast<std::int32_t>(cluster));
      EXPECT_EQ(subset.members(), places);  // from left to right, none twice
      EXPECT_EQ(subset.size(), places.size());
    }
  });
}

TEST(Members, PiecesLieInTheirNodesAndSubtrees) {
  for_each_labelling([](const KdTree& tree, const LabelList&, const Members& members) {
    for (std::size_t cluster = 0; cluster < 5; ++cluster) {
      for (const TreePiece& piece : members.of(cluster).pieces()) {
        ASSERT_LT(piece.first, piece.last);
        ASSERT_GE(piece.first, tree.node(piece.node).first);
        ASSERT_LE(piece.last, tree.node(piece.node).last);
        const KdTree::Subtree& subtree = tree.subtrees()[piece.subtree];
        ASSERT_TRUE(piece.node == subtree.root || (piece.node >= subtree.begin && piece.node < subtree.end));
      }
    }
  });
}

// Whether all places first..last-1 have the same label.
bool is_uniform(const LabelList& labels, const KdTree::Node& node) {
  const auto begin = labels.begin() + node.first;
  return std::all_of(begin, labels.begin() + node.last, [&](std::int32_t label) { return label == *begin; });
}

// A node is a piece if it has one label and its parent, inside the subtree, has not: nothing is cut up without need.
TEST(Members, PiecesAreAsLargeAsPossible) {
  for_each_labelling([](const KdTree& tree, const LabelList& labels, const Members& members) {
    std::size_t n_whole = 0;
    for (std::size_t cluster = 0; cluster < 5; ++cluster) {
      for (const TreePiece& piece : members.of(cluster).pieces()) {
        const KdTree::Node& node = tree.node(piece.node);
        const bool is_whole = piece.first == node.first && piece.last == node.last;
        n_whole += is_whole ? 1 : 0;
        if (is_whole) continue;
        ASSERT_TRUE(tree.is_leaf(piece.node));
        ASSERT_TRUE(piece.first == node.first || labels[piece.first - 1] != labels[piece.first]);
        ASSERT_TRUE(piece.last == node.last || labels[piece.last] != labels[piece.first]);
      }
    }
    std::size_t n_expected = 0;
    for (const KdTree::Subtree& subtree : tree.subtrees()) {
      const auto count_children = [&](std::size_t node) {
        if (tree.is_leaf(node) || is_uniform(labels, tree.node(node))) return;
        n_expected += is_uniform(labels, tree.node(tree.left(node))) ? 1 : 0;
        n_expected += is_uniform(labels, tree.node(tree.right(node))) ? 1 : 0;
      };
      n_expected += is_uniform(labels, tree.node(subtree.root)) ? 1 : 0;
      count_children(subtree.root);
      for (std::size_t node = subtree.begin; node < subtree.end; ++node) count_children(node);
    }
    EXPECT_EQ(n_whole, n_expected);
  });
}

// The members of a cluster that have weight.
List weighty_members(const Units& units, const LabelList& labels, std::int32_t cluster) {
  List members = places_of(labels, cluster);
  std::erase_if(members, [&](std::size_t unit) { return units.weight(unit) == 0.0; });
  return members;
}

LabelList brute_force(const Units& units, const LabelList& before, const LabelList& now) {
  LabelList same(7, -1);
  for (std::int32_t c = 0; c < 7; ++c) {
    const List members = weighty_members(units, now, c);
    for (std::int32_t b = 0; b < 6; ++b) {
      if (!members.empty() && members == weighty_members(units, before, b)) same[static_cast<std::size_t>(c)] = b;
    }
  }
  return same;
}

// Six clusters become seven: numbers change, one member moves from a cluster to another, and one cluster is split.
// Where that member has no weight, nothing has happened to its clusters.
TEST(SameClusters, AreThoseWithTheSameMembers) {
  const Dataset data = scattered_rows(1000, 2, 6, 20);
  std::vector<double> weights(1000, 1.5);
  const LabelList new_number = {3, 0, 1, 2, 5, 4};
  for (const bool is_weighted : {false, true}) {
    const LabelList before = labels_by_distance(Rows(data, {0.0, 0.0}), 6, 21);
    LabelList now;
    for (const std::int32_t label : before) now.push_back(new_number[static_cast<std::size_t>(label)]);
    const List of_first = places_of(now, 0);
    now[of_first.front()] = 1;
    for (const std::size_t unit : places_of(now, 2)) now[unit] = unit % 2 == 0 ? 2 : 6;
    weights[of_first.front()] = 0.0;
    const TreeExample example(is_weighted ? data.with_weights(weights) : data);
    const LabelList same = brute_force(example.listed(), before, now);
    EXPECT_EQ(std::ranges::count(same, -1),
              is_weighted ? 2 : 4);  // two halves, and the two that the member moved between
    for (const Units& units : {example.listed(), example.in_tree()}) {
      EXPECT_EQ(same_clusters(units, labels_of(units, before), 6, labels_of(units, now), 7), same);
    }
  }
}

}  // namespace
}  // namespace coppice::internal
