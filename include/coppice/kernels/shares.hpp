// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Soft assignment of a panel of rows: from log densities to the share that every cluster has in every row.

#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// A cluster whose density is less than exp(-42) times that of the best one has a share below 1e-18, which changes no
// sum of doubles: it counts as 0.
inline constexpr double widest_gap = 42.0;

// What the clusters take of a panel, for every cluster.
struct ShareSums {
  double* weights;        // the sum of its shares
  std::uint32_t* n_rows;  // the number of rows in which it has a share at all
};

// In place: values[cluster * panel_stride + row], the log density of the row, becomes
//
//   weight(row) exp(log_weight(cluster) + log density) / sum over clusters of the same,
//
// and 0 behind the last row up to the next multiple of 16. No weights: all ones. Returns the sum over rows of
// weight(row) log(sum over clusters), which is not finite if some row has no density anywhere.
double take_shares(double* values, std::span<const double> log_weights, std::size_t n_rows,
                   std::span<const double> weights, const ShareSums& sums) noexcept;

// log(sum over clusters of exp(log_weight(cluster) + log density)) of every row, but for what counts as 0. `out` has
// room for rows up to the next multiple of 16.
void log_sums(const double* values, std::span<const double> log_weights, std::size_t n_rows, double* out) noexcept;

// The rows of a cluster's shares (with zeros behind the last one) that are positive; returns how many there are.
std::size_t list_positive(const double* shares, std::size_t n_rows, std::uint32_t* rows) noexcept;

}  // namespace coppice::kernels
