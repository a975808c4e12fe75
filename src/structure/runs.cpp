// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/runs.hpp"

#include <utility>

namespace coppice::internal {

namespace {

// `state` holds the run before, if there is one, and keeps what a stop leaves.
StopReason run_once(const RunSteps& steps, std::size_t k, std::uint64_t restart, std::optional<State>& state) {
  try {
    state = steps.start(state ? &*state : nullptr, k, restart);
    steps.converge(*state);
  } catch (const Stopped& stopped) {
    return stopped.reason();
  }
  return StopReason::converged;
}

}  // namespace

RunsResult run_all(Journal& journal, const RunRange& range, const RunSteps& steps) {
  RunsResult result;
  for (std::uint64_t restart = 0; restart < range.restarts; ++restart) {
    std::optional<State> state;
    for (std::size_t k = range.low; k <= range.high; ++k) {
      journal.begin_search();
      const StopReason reason = run_once(steps, k, restart, state);
      // A start that was stopped before its first report has no objective to be ranked by.
      const bool was_reported = state && !state->progress.phase.empty();
      const double rank = was_reported ? steps.rank(*state) : 0.0;
      if (was_reported && (!result.best || rank < result.best->rank)) {
        result.best = {*state, rank};
        result.reason = reason;
      }
      if (reason == StopReason::cancelled || reason == StopReason::time_limit) {
        result.reason = reason;
        return result;
      }
      if (!was_reported) {  // there is nothing to go on from
        if (!result.best) result.reason = reason;
        break;
      }
    }
  }
  return result;
}

}  // namespace coppice::internal
