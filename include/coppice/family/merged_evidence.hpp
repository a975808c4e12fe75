// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The log evidence of pairs of clusters put together, one cluster against many: what agglomeration asks millions of
// times. Components::merged_evidence() makes one; a family that knows a faster way than merging statistics and starting
// anew offers its own.

#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/family/stats.hpp"

namespace coppice {

class MergedEvidence {
 public:
  MergedEvidence() = default;
  MergedEvidence(const MergedEvidence&) = delete;
  MergedEvidence& operator=(const MergedEvidence&) = delete;
  virtual ~MergedEvidence() = default;

  // The log evidence of a cluster by itself.
  [[nodiscard]] virtual double alone(std::size_t cluster) const = 0;
  // out[i] = the log evidence of `one` and others[i] as one cluster. It is the same to the last bit whichever of the
  // two is `one`, and whatever the other `others` are. May be called from several threads at once.
  virtual void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const = 0;
  // The cluster has these statistics from now on.
  virtual void set(std::size_t cluster, ConstStatsRef stats) = 0;
};

}  // namespace coppice
