// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/node_statistics.hpp"

#include <algorithm>

namespace coppice {

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
  const auto sum_children = [&](std::size_t node) {
    components.merge(stats[node], stats[KdTree::left(node)]);
    components.merge(stats[node], stats[tree.right(node)]);
  };
  // Children stand behind their parents: backwards, they are done when they are needed.
  const auto subtrees = tree.subtrees();
  execution.pool.run(subtrees.size(), [&](std::size_t i, std::size_t /*worker*/) {
    throw_if_stopped(execution.stop);
    BlockBuffer buffer(components.n_columns());
    for (std::size_t node = subtrees[i].end; node-- > subtrees[i].begin;) {
      if (tree.is_leaf(node)) {
        sum_rows(tree, node, components, buffer, stats[node]);
      } else {
        sum_children(node);
      }
    }
  });
  std::size_t last = subtrees.size();  // subtrees before this one are still to come
  for (std::size_t node = tree.n_nodes(); node-- > 0;) {
    if (last > 0 && node < subtrees[last - 1].end) {
      node = subtrees[--last].begin;  // done above
    } else {
      sum_children(node);
    }
  }
  return stats;
}

}  // namespace coppice
