// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/counted.hpp"

#include <gtest/gtest.h>

namespace coppice::internal {
namespace {

TEST(Counted, OnlyOneIsNoPlural) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
  EXPECT_EQ(counted(11, "leaf", "leaves"), "11 leaves");
  EXPECT_EQ(counted(1, "leaf", "leaves"), "1 leaf");
  EXPECT_EQ(plural(1, "entry", "entries"), "entry");
}

}  // namespace
}  // namespace coppice::internal
