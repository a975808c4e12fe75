// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace coppice::cli {

// While alive, the first Ctrl-C (or SIGTERM) sets a flag that the fit looks at; the second one ends the program as
// usual.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();
  [[nodiscard]] const std::atomic<bool>* flag() const noexcept;
};

}  // namespace coppice::cli
