// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/share_out.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "coppice/runtime/local_execution.hpp"

namespace coppice {
namespace {

TEST(ShareOut, DoesEveryTaskOnce) {
  for (const double operations : {1.0, 10 * little_work}) {
    LocalExecution local(3);
    std::vector<std::atomic<int>> done(100);
    share_out(local.get(), done.size(), operations, [&](std::size_t task) { ++done[task]; });
    for (const auto& times : done) EXPECT_EQ(times.load(), 1);
  }
}

TEST(ShareOut, LooksAtTheSignalBetweenDearTasksAlone) {
  std::stop_source source;
  LocalExecution local(1, StopSignal(source.get_token(), nullptr, std::nullopt));
  std::size_t n_done = 0;
  const auto stop_after_three = [&](std::size_t) {
    if (++n_done == 3) source.request_stop();
  };
  EXPECT_THROW(share_out(local.get(), 10, little_work, stop_after_three), Stopped);
  EXPECT_EQ(n_done, 3U);
  EXPECT_NO_THROW(share_out(local.get(), 10, 1.0, stop_after_three));
  EXPECT_NO_THROW(throw_if_stopped_before(local.get().stop, 1.0));
  EXPECT_THROW(throw_if_stopped_before(local.get().stop, little_work), Stopped);
}

}  // namespace
}  // namespace coppice
