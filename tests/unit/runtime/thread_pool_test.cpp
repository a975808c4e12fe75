// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/thread_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace coppice {
namespace {

TEST(ThreadPool, CallsEveryTaskOnce) {
  for (const std::size_t n_threads : {1U, 2U, 3U, 8U}) {
    ThreadPool pool(n_threads);
    EXPECT_EQ(pool.n_threads(), n_threads);
    for (const std::size_t n_tasks : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<std::atomic<int>> calls(n_tasks);
      std::atomic<bool> has_wrong_worker = false;
      pool.run(n_tasks, [&](std::size_t task, std::size_t worker) {
        ++calls.at(task);
        if (worker >= n_threads) has_wrong_worker = true;
      });
      for (const std::atomic<int>& count : calls) EXPECT_EQ(count.load(), 1);
      EXPECT_FALSE(has_wrong_worker);
    }
  }
}

TEST(ThreadPool, ZeroMeansOneThreadPerCore) {
  EXPECT_EQ(ThreadPool(0).n_threads(), std::max(1U, std::thread::hardware_concurrency()));
}

TEST(ThreadPool, OneThreadWorksInlineAndInOrder) {
  ThreadPool pool(1);
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::size_t> order;
  pool.run(5, [&](std::size_t task, std::size_t worker) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(worker, 0U);
    order.push_back(task);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, AWorkerNumberBelongsToOneThread) {
  constexpr std::size_t n_threads = 4;
  ThreadPool pool(n_threads);
  std::vector<std::vector<std::thread::id>> seen(n_threads);  // each written by its own worker only
  pool.run(200, [&](std::size_t, std::size_t worker) { seen[worker].push_back(std::this_thread::get_id()); });
  for (const auto& ids : seen) {
    for (const std::thread::id id : ids) EXPECT_EQ(id, ids.front());
  }
  for (const std::thread::id id : seen[0]) EXPECT_EQ(id, std::this_thread::get_id());
}

std::string message_of_run(ThreadPool& pool, std::size_t n_tasks, const ThreadPool::Work& work) {
  try {
    pool.run(n_tasks, work);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(ThreadPool, TheSmallestFailingTaskReachesTheCaller) {
  for (const std::size_t n_threads : {1U, 2U, 5U}) {
    ThreadPool pool(n_threads);
    for (int attempt = 0; attempt < 50; ++attempt) {
      // Task 3 is claimed before 4, 5, ...: whoever fails first, it must win, also when it is the slowest.
      const std::string message = message_of_run(pool, 40, [](std::size_t task, std::size_t) {
        if (task < 3) return;
        if (task == 3) std::this_thread::sleep_for(std::chrono::microseconds(200));
        throw std::runtime_error(std::to_string(task));
      });
      EXPECT_EQ(message, "3") << n_threads << " threads";
    }
  }
}

TEST(ThreadPool, TasksNotBegunAreLeftOutAfterAFailure) {
  ThreadPool pool(1);
  std::size_t n_calls = 0;
  EXPECT_EQ(message_of_run(pool, 100,
                           [&](std::size_t task, std::size_t) {
                             ++n_calls;
                             if (task == 10) throw std::runtime_error("ten");
                           }),
            "ten");
  EXPECT_EQ(n_calls, 11U);
}

TEST(ThreadPool, IsUsableAfterAFailure) {
  ThreadPool pool(3);
  for (int attempt = 0; attempt < 20; ++attempt) {
    EXPECT_EQ(message_of_run(pool, 10, [](std::size_t, std::size_t) { throw std::runtime_error("no"); }), "no");
    std::atomic<std::size_t> sum = 0;
    pool.run(100, [&](std::size_t task, std::size_t) { sum += task; });
    EXPECT_EQ(sum.load(), 4950U);
  }
}

}  // namespace
}  // namespace coppice
