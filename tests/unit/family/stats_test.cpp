// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/stats.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace coppice {
namespace {

TEST(SameStatistics, AreFoundUnderAnyNumber) {
  const StatsArena before({1.0, 5.0, 2.0, 6.0, 2.0, 7.0, 3.0, 8.0}, 2);
  const StatsArena now({2.0, 7.0, 2.0, 6.0, 2.0, std::nextafter(6.0, 7.0), 9.0, 5.0, 1.0, 5.0}, 2);
  EXPECT_EQ(same_statistics(before, now), (std::vector<std::int32_t>{2, 1, -1, -1, 0}));
  EXPECT_EQ(same_statistics({}, now), std::vector<std::int32_t>(5, -1));
  EXPECT_TRUE(same_statistics(before, StatsArena(0, 2)).empty());
}

}  // namespace
}  // namespace coppice
