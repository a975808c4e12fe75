// SPDX-License-Identifier: BSD-3-Clause
// When the search of a sample ends, so that there is time to give all rows to the clusters it found.
#include "coppice/structure/mixture_search.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace coppice::internal {
namespace {

// A million comparisons in 10 s, and 300,000 more needed: 3 s.
constexpr SearchPace pace{.seconds = 10.0, .n_comparisons = 1'000'000};
constexpr double needed = 300'000.0;

TEST(TimeToFinish, IsWhenAllRowsTakeWhatIsLeft) {
  EXPECT_FALSE(is_time_to_finish(60.0, pace, needed));
  EXPECT_FALSE(is_time_to_finish(3.001, pace, needed));
  EXPECT_TRUE(is_time_to_finish(2.999, pace, needed));
  EXPECT_TRUE(is_time_to_finish(0.0, pace, needed));
  EXPECT_TRUE(is_time_to_finish(-1.0, pace, needed));
}

TEST(TimeToFinish, ComesEarlierWithMoreRowsAndClusters) {
  EXPECT_FALSE(is_time_to_finish(5.0, pace, needed));
  EXPECT_TRUE(is_time_to_finish(5.0, pace, 2.0 * needed));
  EXPECT_FALSE(is_time_to_finish(5.0, {pace.seconds, 2 * pace.n_comparisons}, 2.0 * needed));
}

// Else a table that is too large for its limit would not be searched at all.
TEST(TimeToFinish, KeepsBackNoMoreThanTheSearchHasHad) {
  const double far_too_many = 1e12;
  EXPECT_FALSE(is_time_to_finish(10.001, pace, far_too_many));
  EXPECT_TRUE(is_time_to_finish(9.999, pace, far_too_many));
  EXPECT_FALSE(is_time_to_finish(19.9, {0.1, 10}, far_too_many));
}

TEST(TimeToFinish, NothingComparedYetIsNoPace) {
  EXPECT_FALSE(is_time_to_finish(1.0, {0.0, 0}, needed));
  EXPECT_FALSE(is_time_to_finish(1.0, {0.5, 0}, needed));
  EXPECT_TRUE(is_time_to_finish(0.4, {0.5, 0}, needed));
  EXPECT_FALSE(is_time_to_finish(std::numeric_limits<double>::infinity(), pace, needed));
}

}  // namespace
}  // namespace coppice::internal
