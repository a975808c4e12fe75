// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/ticker.hpp"

#include <pthread.h>

#include <csignal>
#include <system_error>
#include <utility>

namespace coppice::internal {

namespace {

// While alive, threads that are made take no signals: those are for the threads that wait for something.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

Ticker::Ticker(std::chrono::milliseconds interval, std::function<void()> tick)
    : interval_(interval), tick_(std::move(tick)) {
  const SignalsBlocked blocked;
  try {
    thread_ = std::jthread([this] { run(); });
  } catch (const std::system_error&) {
    return;  // no thread to be had
  }
}

Ticker::~Ticker() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  is_ended_.notify_all();
}

void Ticker::run() {
  std::unique_lock lock(mutex_);
  while (!is_ended_.wait_for(lock, interval_, [this] { return is_ending_; })) {
    // A tick may take its time: ending must not wait for the lock.
    lock.unlock();
    tick_();
    lock.lock();
  }
}

}  // namespace coppice::internal
