// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The state of a clustering, a plain value: copy it to keep it. Between iterations an observer sees the whole of it,
// which is where progress bars, time limits and checkpoints live.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coppice/assign/labels.hpp"
#include "coppice/family/family.hpp"
#include "coppice/family/stats.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice {

struct Progress {
  std::string phase;          // "sweep", "split", "merge", ...
  std::size_t iteration = 0;  // sweeps over all units so far
  std::size_t k = 0;
  double objective = 0.0;
  double seconds = 0.0;
  std::uint64_t distances = 0;
};

// The model that an objective belongs to: enough to make family and prior over partitions again.
struct StateModel {
  std::string family;
  NamedArrays prior;
  std::string partition;
  std::vector<NamedParameter> parameters;  // of the prior over partitions
};

struct State {
  Labels labels;           // one per unit of the rows that are searched, 0..k-1
  StatsArena stats;        // one per cluster, none empty
  double objective = 0.0;  // -log p(data, labels), complete
  Progress progress;
  std::shared_ptr<const StateModel> model = {};  // made for observers alone; states of one model share it
  // False where structure is searched in a sample, in one row of each content, or in the rows that are no outliers:
  // then labels and objective are those of these rows. Known to observers alone.
  bool is_of_all_rows = true;

  [[nodiscard]] std::size_t k() const noexcept { return stats.size(); }
};

enum class Next : std::uint8_t { carry_on, stop };

// Called on the fit's own thread, for every entry of the trace: with the whole state, which some methods make for their
// observers alone, or with no more than how far the fit is.
using Observer = std::function<Next(const State&)>;
using ProgressObserver = std::function<Next(const Progress&)>;

}  // namespace coppice
