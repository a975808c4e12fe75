// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Statistics in centred form, which all Gaussian families share: the weight, the mean (one number per column), and
// whatever is kept of the scatter about the mean.

#include <cstddef>
#include <vector>

#include "coppice/family/stats.hpp"

namespace coppice::internal {

// The rows behind the statistics with `factor` times their weights.
void scale_centred(StatsRef stats, std::size_t n_columns, double factor) noexcept;

// add_scaled() of a family of such statistics, which merge(into, from) combines.
template <class Merge>
void add_scaled_centred(StatsRef into, ConstStatsRef from, double factor, std::size_t n_columns, const Merge& merge) {
  thread_local std::vector<double> scaled;
  scaled.assign(from.begin(), from.end());
  scale_centred(scaled, n_columns, factor);
  merge(into, ConstStatsRef(scaled));
}

// What the numbers of a packed scatter S (lower triangle, row by row) count for in tr(A S): A given in full, symmetric.
[[nodiscard]] std::vector<double> trace_factors(const std::vector<double>& matrix, std::size_t n_columns);

// Gives every cluster the scatter of all clusters in proportion to its weight: clusters that differ in their means
// alone.
void pool_scatter(StatsArena& stats, std::size_t n_columns);

}  // namespace coppice::internal
