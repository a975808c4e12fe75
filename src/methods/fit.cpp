// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/fit.hpp"

#include <chrono>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice {
using namespace internal;

void check_options(const RunOptions& run) {
  check_options<RunOptions>(run);
  if (run.ranks == nullptr || run.ranks->is_alone()) return;
  throw OptionError(format_text(
      "there are {} ranks, and only kmeans from centres given by {init}, with {assign=naive}, runs on several",
      run.ranks->size()));
}

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
