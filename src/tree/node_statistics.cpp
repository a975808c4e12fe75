// SPDX-License-Identifier: BSD-3-Clause
// O(N) row additions in the leaves and one merge for each node above: every row is added once, not once per level.
// Merging centred moments loses no digits, so that the root's statistics are as good as a sum over all rows. Each
// node's value depends on the tree alone.

#include "coppice/tree/node_statistics.hpp"

#include <algorithm>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

void sum_rows(const KdTree& tree, std::size_t leaf, const Components& components, BlockBuffer& buffer, StatsRef into) {
  const KdTree::Node& node = tree.node(leaf);
  const Rows& rows = tree.rows();
  for (std::size_t first = node.first; first < node.last; first += kernels::panel_rows) {
    const std::size_t count = std::min<std::size_t>(kernels::panel_rows, node.last - first);
    RowBlock block(rows, first, count, buffer);
    const Weights weights = rows.are_weighted() ? Weights(rows.data().weights()).subspan(first, count) : Weights{};
    components.add(into, block, weights);
  }
}

}  // namespace

StatsArena node_statistics(const Execution& execution, const KdTree& tree, const Components& components) {
  StatsArena stats(tree.n_nodes(), components.stats_size());
  const auto sum_up = [&](std::size_t node, BlockBuffer& buffer) {
    if (tree.is_leaf(node)) return sum_rows(tree, node, components, buffer, stats[node]);
    components.merge(stats[node], stats[tree.left(node)]);
    components.merge(stats[node], stats[tree.right(node)]);
  };
  // Children stand behind their parents: backwards, they are done when they are needed.
  const auto subtrees = tree.subtrees();
  for_each_task(execution, {.count = subtrees.size()}, [&](std::size_t i) {
    BlockBuffer buffer(components.n_columns());
    for (std::size_t node = subtrees[i].end; node-- > subtrees[i].begin;) sum_up(node, buffer);
    sum_up(subtrees[i].root, buffer);
  });
  BlockBuffer buffer(components.n_columns());
  for (std::size_t node = tree.n_top_nodes(); node-- > 0;) {
    if (!tree.is_subtree(node)) sum_up(node, buffer);
  }
  return stats;
}

}  // namespace coppice::internal
