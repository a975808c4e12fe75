// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Calls a function at regular times from a thread of its own, for clocks that move while the caller is busy:
//
//   const Ticker ticker(std::chrono::milliseconds(100), [&] { draw(); });

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace coppice::internal {

class Ticker {
 public:
  // The first call comes after one interval. The function must not throw. Where the system gives no thread there are
  // no calls.
  Ticker(std::chrono::milliseconds interval, std::function<void()> tick);
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  // Waits for a call under way; none comes afterwards.
  ~Ticker();

 private:
  void run();

  std::chrono::milliseconds interval_;
  std::function<void()> tick_;
  std::mutex mutex_;
  std::condition_variable is_ended_;
  bool is_ending_ = false;
  std::jthread thread_;
};

}  // namespace coppice::internal
