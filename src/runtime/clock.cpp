// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/clock.hpp"

#include <sys/resource.h>

namespace coppice {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;  // Linux counts in KiB
}

}  // namespace coppice
