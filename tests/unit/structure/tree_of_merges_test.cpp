// SPDX-License-Identifier: BSD-3-Clause
#include "structure/tree_of_merges.hpp"

#include <gtest/gtest.h>

namespace coppice::internal {
namespace {

TEST(ToTree, PutsMergesInOrderOfHeight) {
  const std::vector<JoinedPair> pairs = {{0, 1, 3.0}, {2, 3, 1.0}, {4, 2, 2.0}, {1, 4, 5.0}};
  const Dendrogram expected = {5, {{2, 3, 1.0, 2.0}, {4, 5, 2.0, 3.0}, {0, 1, 3.0, 2.0}, {6, 7, 5.0, 5.0}}};
  EXPECT_EQ(to_tree(5, pairs), expected);
}

TEST(ToTree, AnyLeafStandsForItsCluster) {
  const std::vector<JoinedPair> pairs = {{3, 0, 1.0}, {1, 2, 2.0}, {2, 3, 4.0}};
  const Dendrogram expected = {4, {{0, 3, 1.0, 2.0}, {1, 2, 2.0, 2.0}, {4, 5, 4.0, 4.0}}};
  EXPECT_EQ(to_tree(4, pairs), expected);
}

TEST(ToTree, EqualHeightsGoByNodesAndNeverBeforeTheirParts) {
  // The pair (0, 4) rests on (4, 5); both, and (1, 3), have one height.
  const std::vector<JoinedPair> pairs = {{5, 4, 1.0}, {4, 0, 1.0}, {3, 1, 1.0}, {2, 1, 1.0}, {0, 1, 1.0}};
  const Dendrogram expected = {
      6, {{1, 3, 1.0, 2.0}, {2, 6, 1.0, 3.0}, {4, 5, 1.0, 2.0}, {0, 8, 1.0, 3.0}, {7, 9, 1.0, 6.0}}};
  EXPECT_EQ(to_tree(6, pairs), expected);
}

TEST(ToTree, DoesNotDependOnTheOrderThatPairsWereFoundIn) {
  const std::vector<JoinedPair> one = {{0, 1, 1.0}, {2, 3, 1.0}, {0, 2, 2.0}};
  const std::vector<JoinedPair> other = {{3, 2, 1.0}, {1, 0, 1.0}, {3, 1, 2.0}};
  EXPECT_EQ(to_tree(4, one), to_tree(4, other));
}

TEST(ToTree, WhatComesBeforeAllHasHeightZero) {
  const std::vector<JoinedPair> pairs = {{2, 3, before_all}, {0, 1, 0.0}, {1, 2, 1.0}};
  const Dendrogram expected = {4, {{2, 3, 0.0, 2.0}, {0, 1, 0.0, 2.0}, {4, 5, 1.0, 4.0}}};
  EXPECT_EQ(to_tree(4, pairs), expected);
}

TEST(ToTree, OfOneLeafHasNoMerges) { EXPECT_EQ(to_tree(1, {}), (Dendrogram{1, {}})); }

}  // namespace
}  // namespace coppice::internal
