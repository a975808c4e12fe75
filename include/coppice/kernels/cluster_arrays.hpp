// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers about many clusters, an array over all clusters for each: a vector then takes the same number of several
// clusters in one load.

#include <cstddef>
#include <span>

#include "coppice/kernels/aligned.hpp"

namespace coppice::kernels {

class ClusterArrays {
 public:
  ClusterArrays() = default;
  ClusterArrays(std::size_t n_clusters, std::size_t n_entries)
      : stride_((n_clusters + 7) / 8 * 8 + 8), values_(stride_ * n_entries, 0.0) {}

  [[nodiscard]] const double* entry(std::size_t i) const noexcept { return values_.data() + i * stride_; }
  [[nodiscard]] double* entry(std::size_t i) noexcept { return values_.data() + i * stride_; }
  [[nodiscard]] double at(std::size_t i, std::size_t cluster) const noexcept { return entry(i)[cluster]; }

 private:
  std::size_t stride_ = 0;  // an odd line more than needed: equal places of all arrays do not compete for cache lines
  AlignedVector<double> values_;
};

}  // namespace coppice::kernels
