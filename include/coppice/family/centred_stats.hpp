// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Statistics in centred form, which all Gaussian families share: the weight, the mean (one number per column), and
// whatever is kept of the scatter about the mean.

#include <cstddef>

#include "coppice/family/stats.hpp"

namespace coppice {

// The rows behind the statistics with `factor` times their weights.
void scale_centred(StatsRef stats, std::size_t n_columns, double factor) noexcept;

// Gives every cluster the scatter of all clusters in proportion to its weight: clusters that differ in their means
// alone.
void pool_scatter(StatsArena& stats, std::size_t n_columns);

}  // namespace coppice
