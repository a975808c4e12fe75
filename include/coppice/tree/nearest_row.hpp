// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Nearest neighbours by a kd-tree: exact, and quick where few boxes come near the query.

#include <span>

#include "coppice/tree/kd_tree.hpp"

namespace coppice::internal {

// Squared distance from a point (less the origin) to the nearest row that differs from it and has weight, or `limit` if
// none is nearer than that.
[[nodiscard]] double nearest_different_row(const KdTree& tree, std::span<const double> point, double limit);

}  // namespace coppice::internal
