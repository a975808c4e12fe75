// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Determinants of the scatter of pairs of clusters put together, with few columns: one cluster against many, several of
// those at a time.

#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/kernels/cluster_arrays.hpp"

namespace coppice::kernels {

inline constexpr std::size_t most_columns_to_expand = 3;

struct MergePrior {
  double xi0 = 0.0;
  std::span<const double> m0;
  std::span<const double> b0;  // lower triangle (moments.hpp)
};

// With a = one and b = others[i],
//
//   out[i] = log |B0 + S_a + S_b + (n_a n_b / n) (x_b - x_a)(x_b - x_a)' + (n xi0 / (n + xi0)) (x - m0)(x - m0)'|,
//
// n = n_a + n_b and n x = n_a x_a + n_b x_b; NaN where numbers grow too large or too small for that, or n is 0. The
// clusters' entries are the weight, the mean and the lower triangle of S. Swapping one and the other changes no bit.
void merged_log_dets(const MergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
                     std::span<const std::uint32_t> others, double* out) noexcept;

}  // namespace coppice::kernels
