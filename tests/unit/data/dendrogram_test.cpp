// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/dendrogram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

using testing::Each;
using testing::ElementsAre;

// ((0 3) 4) and (1 2), joined at last.
const Dendrogram five = {5, {{0, 3, 1.0, 2.0}, {1, 2, 2.0, 2.0}, {4, 5, 3.0, 3.0}, {6, 7, 4.0, 5.0}}};

TEST(Cut, UndoesTheLastMerges) {
  EXPECT_THAT(cut(five, 1), Each(0));
  EXPECT_THAT(cut(five, 2), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(cut(five, 3), ElementsAre(0, 1, 1, 0, 2));
  EXPECT_THAT(cut(five, 4), ElementsAre(0, 1, 2, 0, 3));
  EXPECT_THAT(cut(five, 5), ElementsAre(0, 1, 2, 3, 4));
}

TEST(Cut, NumbersClustersByTheirFirstLeaf) {
  const Dendrogram tree = {4, {{2, 3, 1.0, 2.0}, {0, 1, 2.0, 2.0}, {4, 5, 3.0, 4.0}}};
  EXPECT_THAT(cut(tree, 2), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(cut(tree, 3), ElementsAre(0, 1, 2, 2));
}

TEST(Cut, OneLeafIsOneCluster) { EXPECT_THAT(cut({1, {}}, 1), ElementsAre(0)); }

TEST(Cut, FollowsLongChains) {
  constexpr std::uint32_t n = 1000;
  Dendrogram chain{n, {{0, 1, 1.0, 2.0}}};
  for (std::uint32_t i = 2; i < n; ++i) chain.merges.push_back({i, n + i - 2, static_cast<double>(i), i + 1.0});
  const std::vector<std::int32_t> labels = cut(chain, 3);
  EXPECT_EQ(labels[n - 1], 2);
  EXPECT_EQ(labels[n - 2], 1);
  EXPECT_THAT(std::vector<std::int32_t>(labels.begin(), labels.end() - 2), Each(0));
}

}  // namespace
}  // namespace coppice
