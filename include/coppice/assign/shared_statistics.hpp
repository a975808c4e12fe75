// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Statistics of clusters in which rows have shares, few clusters for each row: time in proportion to the shares, and
// memory that no block of rows multiplies by the number of clusters.

#include <span>

#include "coppice/assign/row_clusters.hpp"
#include "coppice/data/rows.hpp"
#include "coppice/family/components.hpp"

namespace coppice::internal {

// masses[row * n_each + place] is what a row weighs in the cluster that stands at this place among its own; the sums of
// a cluster are in the order of the rows.
[[nodiscard]] StatsArena shared_statistics(const Execution& execution, const Rows& rows, const Components& family,
                                           const RowClusters& clusters, std::span<const double> masses,
                                           std::size_t n_clusters);

}  // namespace coppice::internal
