// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/runtime/stop.hpp"

namespace coppice {

// Work that takes about a millisecond: it is not worth waking threads for, nor asking the clock.
inline constexpr double little_work = 1e6;  // operations

// For loops that stay on one thread: asks the clock only if what comes next is more than little work.
inline void throw_if_stopped_before(const StopSignal& stop, double operations) {
  if (operations >= little_work) throw_if_stopped(stop);
}

}  // namespace coppice
