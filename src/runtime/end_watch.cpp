// SPDX-License-Identifier: BSD-3-Clause
// Signals are blocked in all threads and read by one, which may do anything; a signal handler may do next to nothing.
// That thread waits for signals, for the deadline and for being told of changes, all by one poll.

#include "coppice/runtime/end_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "coppice/runtime/temporary_path.hpp"

namespace coppice::internal {

namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

EndWatch::EndWatch(LastWords last_words) : last_words_(std::move(last_words)) {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, &signals_before_);  // threads made from here on inherit it
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  wake_up_ = eventfd(0, EFD_CLOEXEC);
  try {
    if (signals_ >= 0 && wake_up_ >= 0) thread_ = std::jthread([this] { wait(signals_, wake_up_); });
  } catch (const std::system_error&) {  // no thread to be had
  }
  if (!thread_.joinable()) pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);  // signals end it as they always do
}

EndWatch::~EndWatch() {
  is_over_.store(true);
  if (thread_.joinable()) {
    eventfd_write(wake_up_, 1);
    thread_.join();
  }
  if (signals_ >= 0) close(signals_);
  if (wake_up_ >= 0) close(wake_up_);
  pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
}

void EndWatch::set_time_limit(double seconds) {
  constexpr double for_ever = 1e9;  // seconds; the clock's own count would overflow not much later
  if (!(seconds < for_ever)) return;
  {
    const std::lock_guard lock(mutex_);
    deadline_ = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  if (wake_up_ >= 0) eventfd_write(wake_up_, 1);
}

std::optional<EndWatch::Clock::time_point> EndWatch::deadline() const {
  const std::lock_guard lock(mutex_);
  return deadline_;
}

void EndWatch::set_patience(Clock::duration patience) {
  const std::lock_guard lock(mutex_);
  patience_ = patience;
}

std::optional<EndWatch::End> EndWatch::next_end() const {
  const std::lock_guard lock(mutex_);
  if (has_result_.load()) return std::nullopt;
  if (interrupted_at_) return End{*interrupted_at_ + patience_, StopReason::cancelled};
  if (deadline_) return End{*deadline_ + patience_, StopReason::time_limit};
  return std::nullopt;
}

// For poll: -1 is for ever.
int EndWatch::milliseconds_left() const {
  const std::optional<End> end = next_end();
  if (!end) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end->at - Clock::now()).count() + 1;
  // A deadline far away is looked at again after a minute.
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void EndWatch::wait(int signals, int wake_up) {
  while (!is_over_.load()) {
    pollfd heard[] = {{signals, POLLIN, 0}, {wake_up, POLLIN, 0}};
    poll(heard, 2, milliseconds_left());
    if ((heard[1].revents & POLLIN) != 0) {
      eventfd_t ignored = 0;
      eventfd_read(wake_up, &ignored);
    }
    if ((heard[0].revents & POLLIN) != 0) hear_signal();
    const std::optional<End> next = next_end();
    if (next && Clock::now() >= next->at && !is_over_.load()) end(next->reason);
  }
}

void EndWatch::hear_signal() {
  signalfd_siginfo ignored;
  if (read(signals_, &ignored, sizeof ignored) < 0) return;
  if (is_interrupted_.exchange(true)) end(StopReason::cancelled);  // the second time
  const std::lock_guard lock(mutex_);
  interrupted_at_ = Clock::now();
}

void EndWatch::end(StopReason reason) const {
  remove_temporaries();
  // No destructors: other threads are still at work in what they would take away.
  _exit(last_words_(reason));
}

}  // namespace coppice::internal
