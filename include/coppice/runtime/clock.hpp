// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Seconds since something began, and the most memory the process ever held. For reports, and to end in time: without a
// time limit no choice of the library depends on either.

#include <chrono>
#include <cstdint>

namespace coppice::internal {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  // Seconds since the start or the last lap.
  double lap() {
    const double elapsed = seconds();
    start_ = std::chrono::steady_clock::now();
    return elapsed;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace coppice::internal
