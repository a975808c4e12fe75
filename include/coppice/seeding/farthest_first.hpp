// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Farthest first: nothing is drawn, outliers come first. Ties go by content order.

#include <cstddef>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/seeding/scaled_rows.hpp"

namespace coppice::internal {

// Row numbers of at most k centres: the row farthest from the weighted mean, then always the row farthest from those
// chosen; fewer than k only if every row with weight is at distance 0 from one of them.
[[nodiscard]] std::vector<std::size_t> farthest_first_rows(const Execution& execution, const ScaledRows& rows,
                                                           std::size_t k);

// The squared distance at which DP-means is expected to open k clusters (Kulis and Jordan 2012): k rounds that take the
// row farthest from the mean and all rows taken; the squared distance of the last one. 0 if k is 0 or nothing has
// weight.
[[nodiscard]] double farthest_first_lambda2(const Execution& execution, const Rows& rows, std::size_t k);

}  // namespace coppice::internal
