// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "coppice/family/stats.hpp"

namespace coppice::internal {

// All of the clusters, or, if they are many, every so manieth from the first to the last: enough to fit a few numbers
// of a prior to.
[[nodiscard]] inline StatsArena some_of_many(const StatsArena& clusters) {
  constexpr std::size_t enough = 128;
  const std::size_t step = (clusters.size() + enough - 1) / enough;
  if (step <= 1) return clusters;
  StatsArena some(0, clusters.stats_size());
  for (std::size_t c = 0; c < clusters.size(); c += step) some.append(clusters[c]);
  return some;
}

}  // namespace coppice::internal
