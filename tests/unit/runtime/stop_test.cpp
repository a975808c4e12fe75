// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/stop.hpp"

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Clock = StopSignal::Clock;

TEST(StopSignal, ADefaultOneNeverStops) {
  const StopSignal never;
  EXPECT_FALSE(never.reason());
  EXPECT_NO_THROW(throw_if_stopped(never));
}

TEST(StopSignal, HearsTheToken) {
  std::stop_source source;
  const StopSignal stop(source.get_token(), nullptr, std::nullopt);
  EXPECT_FALSE(stop.reason());
  source.request_stop();
  EXPECT_EQ(stop.reason(), StopReason::cancelled);
}

TEST(StopSignal, HearsTheFlag) {
  std::atomic<bool> interrupted = false;
  const StopSignal stop({}, &interrupted, std::nullopt);
  EXPECT_FALSE(stop.reason());
  interrupted = true;
  EXPECT_EQ(stop.reason(), StopReason::cancelled);
}

TEST(StopSignal, HearsTheDeadline) {
  EXPECT_FALSE(StopSignal({}, nullptr, Clock::now() + std::chrono::hours(1)).reason());
  EXPECT_EQ(StopSignal({}, nullptr, Clock::now()).reason(), StopReason::time_limit);
}

TEST(StopSignal, ACallerComesBeforeTheClock) {
  const std::atomic<bool> interrupted = true;
  EXPECT_EQ(StopSignal({}, &interrupted, Clock::now()).reason(), StopReason::cancelled);
}

TEST(StopSignal, StoppedCarriesTheReason) {
  try {
    throw_if_stopped(StopSignal({}, nullptr, Clock::now()));
    FAIL() << "nothing was thrown";
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.reason(), StopReason::time_limit);
  }
}

TEST(StopReason, HasTheNamesOfTheSummary) {
  EXPECT_EQ(to_string(StopReason::converged), "converged");
  EXPECT_EQ(to_string(StopReason::iteration_limit), "iteration_limit");
  EXPECT_EQ(to_string(StopReason::time_limit), "time_limit");
  EXPECT_EQ(to_string(StopReason::cancelled), "cancelled");
}

TEST(StopSignal, LaterHeedsADeadlineLater) {
  using namespace std::chrono_literals;
  const Clock::time_point deadline = Clock::now() - 1s;
  const StopSignal stop({}, nullptr, deadline);
  EXPECT_EQ(stop.reason(), StopReason::time_limit);
  EXPECT_FALSE(stop.later(1h).reason());
  EXPECT_EQ(stop.later(500ms).reason(), StopReason::time_limit);
}

TEST(StopSignal, LaterHeedsACancellationSoLongAfterItIsHeard) {
  using namespace std::chrono_literals;
  std::atomic<bool> interrupted = true;
  const StopSignal stop({}, &interrupted, std::nullopt);
  EXPECT_EQ(stop.later(0s).reason(), StopReason::cancelled);
  const StopSignal later = stop.later(30ms);
  EXPECT_FALSE(later.reason());
  const auto heard = Clock::now();
  while (!later.reason()) ASSERT_LT(Clock::now() - heard, 60s);
  EXPECT_GE(Clock::now() - heard, 29ms);
  EXPECT_EQ(StopSignal().later(0s).reason(), std::nullopt);
}

}  // namespace
}  // namespace coppice
