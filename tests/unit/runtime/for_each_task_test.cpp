// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/for_each_task.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "coppice/runtime/local_execution.hpp"

namespace coppice {
namespace {

TEST(ForEachTask, DoesEveryTaskOnce) {
  for (const double operations : {1.0, 10 * little_work}) {
    LocalExecution local(3);
    std::vector<std::atomic<int>> done(100);
    for_each_task(local.get(), {done.size(), operations}, [&](std::size_t task) { ++done[task]; });
    for (const auto& times : done) EXPECT_EQ(times.load(), 1);
  }
}

TEST(ForEachTask, WorkersAreNumberedByThread) {
  constexpr std::size_t n_threads = 3;
  LocalExecution local(n_threads);
  std::vector<std::size_t> done_by(n_threads, 0);  // one place per thread: no two write the same
  for_each_task(local.get(), {.count = 100}, [&](std::size_t /*task*/, std::size_t worker) { ++done_by.at(worker); });
  EXPECT_EQ(done_by[0] + done_by[1] + done_by[2], 100U);
}

TEST(ForEachTask, LooksAtTheSignalBetweenDearTasksAlone) {
  std::stop_source source;
  LocalExecution local(1, StopSignal(source.get_token(), nullptr, std::nullopt));
  std::size_t n_done = 0;
  const auto stop_after_three = [&](std::size_t) {
    if (++n_done == 3) source.request_stop();
  };
  EXPECT_THROW(for_each_task(local.get(), {.count = 10}, stop_after_three), Stopped);
  EXPECT_EQ(n_done, 3U);
  EXPECT_NO_THROW(for_each_task(local.get(), {.count = 10, .operations_each = 1.0}, stop_after_three));
  EXPECT_EQ(n_done, 13U);
}

TEST(ForEachTask, TheFirstFailureReachesTheCaller) {
  for (const std::size_t n_threads : {1U, 4U}) {
    LocalExecution local(n_threads);
    const auto fail_from_three = [](std::size_t task) {
      if (task >= 3) throw std::runtime_error(std::to_string(task));
    };
    try {
      for_each_task(local.get(), {.count = 100}, fail_from_three);
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::string("3"));
    }
  }
}

}  // namespace
}  // namespace coppice
