// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/clock.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace coppice::internal {

// Not ru_maxrss where that can be helped: it begins with what the process that started this one had taken.
std::uint64_t peak_memory_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::uint64_t kilobytes = 0;
  while (status >> word) {
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024U;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;  // Linux counts in KiB
}

}  // namespace coppice::internal
