// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A family's statistics of the rows below every node of a tree, node by node in one arena: a cluster that owns a node
// takes them whole. Leaves are summed from their rows, the others from their children.

#include "coppice/family/components.hpp"
#include "coppice/tree/kd_tree.hpp"

namespace coppice::internal {

[[nodiscard]] StatsArena node_statistics(const Execution& execution, const KdTree& tree, const Components& components);

}  // namespace coppice::internal
