// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scales of pairs of clusters put together, for clusters without correlations: one cluster against many, several of
// those at a time. With a = one and b = others[i], column by column
//
//   b = b0 + s_a + s_b + (n_a n_b / n) (x_b - x_a)^2 + (n xi0 / (n + xi0)) (x - m0)^2,
//
// n = n_a + n_b and n x = n_a x_a + n_b x_b. Swapping one and the other changes no bit. NaN where numbers grow too
// large or too small, or n is 0.

#include <cstdint>
#include <span>

#include "coppice/kernels/cluster_arrays.hpp"

namespace coppice::kernels {

struct AxisMergePrior {
  double xi0 = 0.0;
  std::span<const double> m0;
  std::span<const double> b0;  // one per column, or a single one for all
};

// The sum over columns of log b. Entries of the clusters: weight, mean, s column by column.
void merged_axis_log_dets(const AxisMergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
                          std::span<const std::uint32_t> others, double* out) noexcept;

// log of b summed over columns, with one b0 and one s. Entries: weight, mean, s.
void merged_round_logs(const AxisMergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
                       std::span<const std::uint32_t> others, double* out) noexcept;

}  // namespace coppice::kernels
