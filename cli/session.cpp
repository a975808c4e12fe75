// SPDX-License-Identifier: BSD-3-Clause
#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace coppice::cli {
using namespace internal;

namespace {

constexpr int limit_exit_code = 5;

}  // namespace

Session::Session() : watch_([this](StopReason reason) { return end_without_result(reason); }) {}

void Session::set_time_limit(double seconds) {
  time_limit_ = seconds;
  watch_.set_time_limit(seconds);
}

RunOptions Session::limited(RunOptions options) const {
  options.interrupted = watch_.flag();
  if (const auto deadline = watch_.deadline()) {
    const std::chrono::duration<double> left = *deadline - EndWatch::Clock::now();
    options.time_limit = std::max(least_time_limit, left.count());
  }
  return options;
}

void Session::wait_for_result() {
  constexpr std::chrono::milliseconds patience{750};  // longer than a fit takes to finish, shorter than a second
  watch_.set_patience(patience);
}

// Other threads may still be at work: one piece of text, written as it is.
int Session::end_without_result(StopReason reason) const {
  const bool is_interrupt = reason == StopReason::cancelled;
  const std::string why = is_interrupt ? "interrupted" : fmt::format("the time limit of {} s is over", *time_limit_);
  const std::string text =
      fmt::format("{}coppice: {}; nothing was written{}\n", isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "", why,
                  is_interrupt ? "" : "; allow more with --time-limit");
  [[maybe_unused]] const auto ignored = write(STDERR_FILENO, text.data(), text.size());
  return is_interrupt ? interrupted_exit_code : limit_exit_code;
}

}  // namespace coppice::cli
