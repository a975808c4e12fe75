// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/linkage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "unit/data/memory_limit.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Linkage all_linkages[] = {Linkage::single, Linkage::complete, Linkage::average, Linkage::ward};

Rows one_column(std::vector<double> values, const std::vector<double>& weights = {}) {
  const std::size_t n = values.size();
  Dataset data = Dataset::from_rows(std::move(values), n, 1);
  if (!weights.empty()) data = data.with_weights(weights);
  return {std::move(data), {0.0}};
}

Dendrogram tree_of(const Rows& rows, Linkage kind) {
  LocalExecution local(1);
  return linkage(local.get(), rows, kind).tree;
}

// Rows 0, 1, 4: the first two are joined at 1, and the third at 3, 4, 3.5, or by Ward's rule.
TEST(Linkage, HeightsOfThreeRows) {
  const Rows rows = one_column({0.0, 4.0, 1.0});
  const double ward = std::sqrt(2.0 * 2.0 * 1.0 / 3.0) * 3.5;
  const double heights[] = {3.0, 4.0, 3.5, ward};
  for (const Linkage kind : all_linkages) {
    const Dendrogram tree = tree_of(rows, kind);
    ASSERT_EQ(tree.merges.size(), 2U) << to_string(kind);
    EXPECT_EQ(tree.merges[0], (Merge{0, 2, 1.0, 2.0})) << to_string(kind);
    EXPECT_EQ(tree.merges[1].a, 1U);
    EXPECT_EQ(tree.merges[1].b, 3U);
    EXPECT_NEAR(tree.merges[1].height, heights[static_cast<std::size_t>(kind)], 1e-14) << to_string(kind);
    EXPECT_EQ(tree.merges[1].size, 3.0);
  }
}

TEST(Linkage, OfOneRowIsALeaf) {
  for (const Linkage kind : all_linkages) EXPECT_EQ(tree_of(one_column({2.5}), kind), (Dendrogram{1, {}}));
}

TEST(Linkage, OfTwoRowsIsOneMerge) {
  for (const Linkage kind : all_linkages) {
    EXPECT_EQ(tree_of(one_column({2.5, -1.5}), kind), (Dendrogram{2, {{0, 1, 4.0, 2.0}}})) << to_string(kind);
  }
}

TEST(Linkage, CopiesAreJoinedAtHeightZero) {
  for (const Linkage kind : all_linkages) {
    const Dendrogram tree = tree_of(one_column({5.0, 1.0, 5.0, 1.0, 5.0}), kind);
    EXPECT_EQ(tree.merges[0], (Merge{0, 2, 0.0, 2.0})) << to_string(kind);
    EXPECT_EQ(tree.merges[1], (Merge{1, 3, 0.0, 2.0}));
    EXPECT_EQ(tree.merges[2], (Merge{4, 5, 0.0, 3.0}));
    EXPECT_GT(tree.merges[3].height, 3.9);
  }
}

TEST(Linkage, AllRowsAlike) {
  for (const Linkage kind : all_linkages) {
    const Dendrogram tree = tree_of(one_column(std::vector<double>(600, 0.1)), kind);
    EXPECT_EQ(tree.merges.size(), 599U);
    for (const Merge& merge : tree.merges) EXPECT_EQ(merge.height, 0.0) << to_string(kind);
  }
}

std::vector<double> heights_of(const Dendrogram& tree) {
  std::vector<double> heights;
  for (const Merge& merge : tree.merges) heights.push_back(merge.height);
  return heights;
}

// Rows that repeat, and the same by weights: the heights but for those of the copies.
TEST(Linkage, AWeightStandsForCopies) {
  const Rows repeated = one_column({0.0, 0.0, 0.0, 1.0, 3.0, 3.0, 7.0, 8.5});
  const Rows weighted = one_column({0.0, 1.0, 3.0, 7.0, 8.5}, {3.0, 1.0, 2.0, 1.0, 1.0});
  for (const Linkage kind : all_linkages) {
    std::vector<double> expected = heights_of(tree_of(repeated, kind));
    expected.erase(expected.begin(), expected.begin() + 3);
    const std::vector<double> found = heights_of(tree_of(weighted, kind));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13) << to_string(kind);
  }
}

TEST(Linkage, RowsWithoutWeightAreAttachedFirst) {
  const Rows rows = one_column({0.0, 6.1, 1.0, 6.0, 0.0, -9.0}, {1.0, 0.0, 1.0, 1.0, 1.0, 0.0});
  const Rows without = one_column({0.0, 1.0, 6.0, 0.0});
  for (const Linkage kind : all_linkages) {
    const Dendrogram tree = tree_of(rows, kind);
    EXPECT_EQ(tree.merges[0], (Merge{0, 5, 0.0, 2.0})) << to_string(kind);  // row 4 is as close; the first is taken
    EXPECT_EQ(tree.merges[1], (Merge{1, 3, 0.0, 2.0})) << to_string(kind);
    std::vector<double> heights = heights_of(tree);
    heights.erase(heights.begin(), heights.begin() + 2);
    EXPECT_EQ(heights, heights_of(tree_of(without, kind))) << to_string(kind);
    EXPECT_EQ(tree.merges.back().size, 6.0);
  }
}

// Else a cut just above the copies would make a cluster without weight.
TEST(Linkage, RowsWithoutWeightComeBeforeCopies) {
  const Rows rows = one_column({0.0, 0.0, 6.0, 6.1, 1.0}, {1.0, 1.0, 1.0, 0.0, 1.0});
  for (const Linkage kind : all_linkages) {
    const Dendrogram tree = tree_of(rows, kind);
    EXPECT_EQ(tree.merges[0], (Merge{2, 3, 0.0, 2.0})) << to_string(kind);
    EXPECT_EQ(tree.merges[1], (Merge{0, 1, 0.0, 2.0})) << to_string(kind);
  }
}

TEST(Linkage, ObserverHearsEveryMerge) {
  LocalExecution local(1);
  for (const Linkage kind : all_linkages) {
    std::vector<std::size_t> heard;
    (void)linkage(local.get(), one_column({1.0, 2.0, 4.0, 8.0}), kind,
                  [&](const MergesSoFar& so_far) { heard.push_back(so_far.n_merges); });
    EXPECT_THAT(heard, ElementsAre(1, 2, 3)) << to_string(kind);
  }
}

TEST(Linkage, StopsWhenAsked) {
  const std::atomic<bool> interrupted = true;
  LocalExecution local(2, StopSignal({}, &interrupted, {}));
  for (const Linkage kind : all_linkages) {
    EXPECT_THROW((void)linkage(local.get(), one_column({1.0, 2.0, 4.0}), kind), Stopped) << to_string(kind);
  }
}

TEST(Linkage, DistancesMustBeNumbers) {
  for (const Linkage kind : all_linkages) {
    EXPECT_THROW((void)tree_of(one_column({-1e200, 1e200, 0.0}), kind), NumericError) << to_string(kind);
  }
}

TEST(Linkage, SaysHowMuchMemoryIsMissing) {
  if (!can_limit_memory) GTEST_SKIP() << "sanitizers take the addresses that would be limited";
  const Rows rows = one_column(std::vector<double>(100000, 1.0));
  const MemoryLimit limit(std::size_t{4} << 30U);
  for (const Linkage kind : {Linkage::complete, Linkage::average}) {
    const std::string message = message_of<LimitError>([&] { (void)tree_of(rows, kind); });
    EXPECT_THAT(message, HasSubstr("between 100000 rows take 40.0 GB"));
    EXPECT_THAT(message, HasSubstr("single, ward, abc"));
  }
}

}  // namespace
}  // namespace coppice
