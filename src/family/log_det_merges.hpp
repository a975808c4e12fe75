// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The evidence of merged Gaussian clusters of any kind. Of what the two clusters bring, all but a log determinant
// depends on their weight n alone:
//
//   log evidence = c(n) - (eta0 + r n) / 2 log |B|,   r degrees of freedom to a row

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/merged_evidence.hpp"
#include "family/by_weight.hpp"

namespace coppice::internal {

inline constexpr std::size_t most_pairs = 512;  // at a time: results stay in the cache

class MergedLogDets {
 public:
  MergedLogDets() = default;
  MergedLogDets(const MergedLogDets&) = delete;
  MergedLogDets& operator=(const MergedLogDets&) = delete;
  virtual ~MergedLogDets() = default;

  virtual void set(std::size_t cluster, ConstStatsRef stats) = 0;
  // out[i] = log |B| of `one` and others[i] (most_pairs at most) as one cluster, less offset(), or NaN if numbers get
  // too large or too small for a quick answer.
  virtual void find(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const = 0;
  // The same for one pair, whatever its numbers.
  [[nodiscard]] virtual double find_carefully(std::size_t first, std::size_t second) const = 0;
  [[nodiscard]] virtual double offset() const = 0;
};

struct LogDetEvidence {
  std::function<double(double)> of_weight;          // c(n)
  std::function<double(ConstStatsRef)> of_cluster;  // the log evidence of a cluster by itself
  double eta0 = 0.0;
  double rate = 1.0;  // r
};

[[nodiscard]] std::unique_ptr<MergedEvidence> log_det_merges(LogDetEvidence evidence,
                                                             std::unique_ptr<MergedLogDets> log_dets,
                                                             const StatsArena& stats);

}  // namespace coppice::internal
