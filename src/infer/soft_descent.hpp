// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The steps by which the soft bound goes down (soft_bound.hpp): shares at their best for the posteriors, then
// posteriors at their best for the shares. Each lowers the bound or leaves it. Beside them, clusters that hold next to
// nothing vanish, unless the bound would rise: a light row far from all others may need a cluster of its own.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "coppice/infer/soft_bound.hpp"
#include "coppice/infer/variational_step.hpp"

namespace coppice::internal {

struct DescentOptions {
  double least_weight = 0.5;  // of a cluster, in rows
  StepLabels labels = StepLabels::never;
  SizeLimit sizes = {};
};

class SoftDescent {
 public:
  // The bound at the posteriors of the given statistics, `others` as in soften(); one step on, if these are not shares
  // of all units. Keep the problem meanwhile.
  SoftDescent(const Execution& execution, const Problem& problem, StatsArena start, std::span<const double> others = {},
              const DescentOptions& options = {});

  // By how much the bound fell: by nothing but rounding once there is nothing to gain, infinitely if a cluster
  // vanished. Nothing happens where a cluster would become too light. Stopped on the way, everything is as before.
  double advance();

  [[nodiscard]] const SoftClusters& best() const noexcept { return best_; }
  [[nodiscard]] SoftClusters take() && noexcept { return std::move(best_); }
  // The cluster of every unit's largest share, by the step that came last; if asked for.
  [[nodiscard]] const std::vector<std::int32_t>& labels() const noexcept { return labels_; }
  [[nodiscard]] std::uint64_t distances() const noexcept { return distances_; }

 private:
  // The bound at the posteriors of these statistics, and the statistics of the shares that they give.
  struct Step {
    double bound = 0.0;
    StatsArena next;
    std::vector<std::int32_t> labels;
  };
  [[nodiscard]] StatsArena counted(const StatsArena& start);
  [[nodiscard]] Step step(const StatsArena& stats);
  void take(StatsArena stats, Step step);
  bool lose_light_clusters();
  bool lose_clusters_below(double weight);
  [[nodiscard]] bool is_forbidden(const StatsArena& next) const;

  Execution execution_;
  Problem problem_;
  std::vector<double> others_;
  DescentOptions options_;
  std::unique_ptr<Components> clusters_;
  SoftClusters best_;
  StatsArena next_;
  std::vector<std::int32_t> labels_;
  std::uint64_t distances_ = 0;
};

}  // namespace coppice::internal
