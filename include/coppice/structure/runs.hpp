// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs of one method, one after the other: one for every restart and every number of clusters of a range. The best
// survives, also where a stop cuts them short.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "coppice/infer/journal.hpp"
#include "coppice/infer/state.hpp"

namespace coppice::internal {

struct RunRange {
  std::size_t low = 1;  // numbers of clusters, from the lowest to the highest in every restart
  std::size_t high = 1;
  std::uint64_t restarts = 1;
};

// What a run is made of.
struct RunSteps {
  // The first state of k clusters. `before` is what the same restart has left of one cluster less; null for the lowest.
  std::function<State(const State* before, std::size_t k, std::uint64_t restart)> start;
  std::function<void(State&)> converge;      // reports the start first; whole after every step
  std::function<double(const State&)> rank;  // of results: smaller is better
};

struct BestRun {
  State state;
  double rank = 0.0;
};

struct RunsResult {
  std::optional<BestRun> best;                // nothing if not even the first start was reported
  StopReason reason = StopReason::converged;  // why all runs were ended, or else the best one
};

[[nodiscard]] RunsResult run_all(Journal& journal, const RunRange& range, const RunSteps& steps);

}  // namespace coppice::internal
