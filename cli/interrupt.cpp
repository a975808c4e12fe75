// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include <csignal>

namespace coppice::cli {

namespace {

std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void note_interrupt(int signal_number) {
  is_interrupted.store(true);
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  is_interrupted.store(false);
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>* InterruptGuard::flag() const noexcept { return &is_interrupted; }

}  // namespace coppice::cli
