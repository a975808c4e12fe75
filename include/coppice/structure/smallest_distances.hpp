// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The paper's measure of a small distance ([L] Eq. 21): the mean of the three smallest nearest-neighbour distances
// among a tenth of the rows. Here over distinct rows, those whose content hash lies in the lowest tenth (at least 3, at
// most 10,000), so that neither the order of the rows nor repeated ones change it.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/tree/kd_tree.hpp"

namespace coppice::internal {

// The rows that are asked for their nearest neighbour, one of every content.
[[nodiscard]] std::vector<std::size_t> neighbour_queries(const Execution& execution, const Dataset& data);

// Mean of the (up to) three smallest distances from a query row (its place in the tree) to the nearest different row; 0
// if all rows are equal.
[[nodiscard]] double mean_smallest_distance(const Execution& execution, const KdTree& tree,
                                            std::span<const std::size_t> queries);

}  // namespace coppice::internal
