// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Variational mixtures of a given number of components, whose stick is broken so many times and no more: from random
// passes over the rows or a given start, each by plain updates; the least free energy is kept (Blei and Jordan 2006).
// Rows are shared one by one, or those of a leaf alike, as the plan's spec asks for.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coppice/assign/assigner.hpp"
#include "coppice/infer/journal.hpp"
#include "coppice/structure/mixture_plan.hpp"
#include "coppice/structure/runs.hpp"

namespace coppice::internal {

struct TruncatedOptions {
  RunRange range = {};     // of numbers of components, and starts of each
  double tolerance = 0.0;  // nats by which an update gains at least, to go on
};

// Components with no rows at all are at their prior and left out.
struct TruncatedFound {
  State state;
  std::unique_ptr<Components> components;
  std::unique_ptr<PartitionPrior> partition;
};

class TruncatedRuns {
 public:
  // Of the plan's first family. Keep all of these meanwhile. A tree is built here, if one is asked for.
  TruncatedRuns(const Execution& execution, const MixturePlan& plan, const TruncatedOptions& options, Journal& journal);

  // Stopped only if there is no mixture yet.
  void run();
  [[nodiscard]] StopReason reason() const noexcept { return reason_; }
  [[nodiscard]] const TruncatedFound& found() const noexcept { return *found_; }
  // Whose units are those of what is found.
  [[nodiscard]] const Assigner& assigner() const noexcept { return *assigner_; }

 private:
  [[nodiscard]] std::unique_ptr<PartitionPrior> partition_of(std::size_t truncation) const;
  [[nodiscard]] StatsArena start(const Components& family, std::size_t truncation, std::uint64_t restart) const;
  // From statistics of so many components; the state is the best so far, also when Stopped is thrown.
  void converge(const Components& family, std::size_t truncation, StatsArena stats, State& state);
  // The prior's numbers fitted to what was found, and updates from there.
  void refit(std::size_t truncation);

  Execution execution_;
  const MixturePlan& plan_;
  const AdjustablePrior& prior_;
  TruncatedOptions options_;
  Journal& journal_;
  std::vector<double> values_;
  std::unique_ptr<Assigner> assigner_;
  std::optional<TruncatedFound> found_;
  StopReason reason_ = StopReason::converged;
};

}  // namespace coppice::internal
