// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Ends a program that is interrupted (Ctrl-C, SIGTERM, SIGHUP) or out of time, whatever it is doing: reading a pipe
// that nobody writes to, a query of a database, a product of large matrices. A thread of its own waits for signals and
// watches the clock. As long as there is nothing worth keeping the program ends at once, without its temporary files;
// from keep_result() on, an interrupt only raises a flag that the work looks at (StopSignal), and the second one ends
// the program.
//
//   EndWatch watch([](StopReason reason) { ...; return exit_code; });
//   watch.set_time_limit(60.0);           // seconds since the program began
//   run.interrupted = watch.flag();
//
// For programs alone, one at a time, made before any other thread: signals are the whole process's.

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "coppice/runtime/stop.hpp"

namespace coppice::internal {

// Says the last words, on a thread of its own, and returns the exit code.
using LastWords = std::function<int(StopReason)>;

class EndWatch {
 public:
  using Clock = StopSignal::Clock;

  explicit EndWatch(LastWords last_words);
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;
  ~EndWatch();

  // Seconds from the making of this watch on.
  void set_time_limit(double seconds);
  [[nodiscard]] std::optional<Clock::time_point> deadline() const;

  // How long an end waits for work that may still come to a result; 0 at first.
  void set_patience(Clock::duration patience);
  // From here on the work ends by itself, at the deadline and when the flag is up, and there is something to write.
  void keep_result() noexcept { has_result_.store(true); }
  [[nodiscard]] const std::atomic<bool>* flag() const noexcept { return &is_interrupted_; }

 private:
  void wait(int signals, int wake_up);
  void hear_signal();
  void end(StopReason reason) const;
  // When to end the program if there is still nothing to keep, and why.
  struct End {
    Clock::time_point at;
    StopReason reason;
  };
  [[nodiscard]] std::optional<End> next_end() const;
  [[nodiscard]] int milliseconds_left() const;

  LastWords last_words_;
  Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> interrupted_at_;
  Clock::duration patience_{};
  std::atomic<bool> has_result_ = false;
  std::atomic<bool> is_interrupted_ = false;
  std::atomic<bool> is_over_ = false;
  sigset_t signals_before_;
  int signals_ = -1;
  int wake_up_ = -1;
  std::jthread thread_;
};

}  // namespace coppice::internal
