// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/soft_bound.hpp"

#include "infer/soft_descent.hpp"

namespace coppice::internal {

bool has_lighter(const StatsArena& clusters, double weight) {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (clusters.weight(c) < weight) return true;
  }
  return false;
}

SoftClusters soften(const Execution& execution, const Problem& problem, StatsArena start, const SoftLimits& limits,
                    std::span<const double> others) {
  SoftDescent descent(execution, problem, std::move(start), others, {.sizes = limits.sizes});
  for (std::size_t i = 0; i < limits.max_iterations; ++i) {
    // A cluster that vanishes counts as an infinite gain: the others need another step to settle.
    if (descent.advance() <= limits.tolerance) break;
  }
  return std::move(descent).take();
}

}  // namespace coppice::internal
