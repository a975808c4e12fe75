// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/members.hpp"

#include <gtest/gtest.h>

namespace coppice {
namespace {

std::vector<std::size_t> list(std::span<const std::size_t> units) { return {units.begin(), units.end()}; }

TEST(Members, ListsTheUnitsOfEveryClusterInOrder) {
  const std::vector<std::int32_t> labels = {2, 0, 2, 3, 0, 2};
  const Members members(labels, 5);
  EXPECT_EQ(list(members.of(0)), (std::vector<std::size_t>{1, 4}));
  EXPECT_TRUE(members.of(1).empty());
  EXPECT_EQ(list(members.of(2)), (std::vector<std::size_t>{0, 2, 5}));
  EXPECT_EQ(list(members.of(3)), (std::vector<std::size_t>{3}));
  EXPECT_TRUE(members.of(4).empty());
}

TEST(Members, ManageWithoutUnits) {
  const Members members({}, 2);
  EXPECT_TRUE(members.of(0).empty());
  EXPECT_TRUE(members.of(1).empty());
}

}  // namespace
}  // namespace coppice
