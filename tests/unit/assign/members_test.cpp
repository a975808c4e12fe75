// SPDX-License-Identifier: BSD-3-Clause
// The members of every cluster, over units that are a list.
#include <gtest/gtest.h>

#include "coppice/assign/subset.hpp"

namespace coppice {
namespace {

using List = std::vector<std::size_t>;

void expect_members(const Subset& subset, const List& expected) {
  EXPECT_EQ(subset.size(), expected.size());
  EXPECT_EQ(subset.members(), expected);
  EXPECT_FALSE(subset.is_all());
  EXPECT_TRUE(subset.pieces().empty());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(subset.unit(i), expected[i]);
}

TEST(Members, ListsTheUnitsOfEveryClusterInOrder) {
  const Rows rows(Dataset::from_rows(std::vector<double>(6, 1.0), 6, 1), {0.0});
  const StatsArena summaries(6, 3);
  for (const Units& units : {Units(rows), Units(summaries)}) {
    const Members members(units, Labels(std::vector<std::int32_t>{2, 0, 2, 3, 0, 2}), 5);
    expect_members(members.of(0), {1, 4});
    expect_members(members.of(1), {});
    expect_members(members.of(2), {0, 2, 5});
    expect_members(members.of(3), {3});
    expect_members(members.of(4), {});
  }
}

TEST(Members, ManageWithoutUnits) {
  const StatsArena nothing(0, 3);
  const Members members(Units(nothing), Labels(), 2);
  expect_members(members.of(0), {});
  expect_members(members.of(1), {});
}

}  // namespace
}  // namespace coppice
