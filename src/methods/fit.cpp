// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/fit.hpp"

#include <chrono>

namespace coppice {

StopSignal stop_signal(const RunOptions& run) {
  std::optional<StopSignal::Clock::time_point> deadline;
  constexpr double for_ever = 1e9;  // seconds; the clock's own count would overflow not much later
  if (run.time_limit && *run.time_limit < for_ever) {
    deadline = StopSignal::Clock::now() +
               std::chrono::duration_cast<StopSignal::Clock::duration>(std::chrono::duration<double>(*run.time_limit));
  }
  return {run.stop, run.interrupted, deadline};
}

}  // namespace coppice
