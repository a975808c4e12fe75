// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/dendrogram.hpp"

namespace coppice {

std::vector<std::int32_t> cut(const Dendrogram& tree, std::size_t k) {
  const std::size_t n_made = tree.n_leaves - k;
  const std::size_t n_nodes = tree.n_leaves + n_made;
  std::vector<std::size_t> top(n_nodes);  // the cluster that a node is part of; parents have larger numbers
  for (std::size_t node = 0; node < n_nodes; ++node) top[node] = node;
  // From the top down: a node knows its cluster before those below it are told. O(N), whatever the shape of the tree.
  for (std::size_t i = n_made; i-- > 0;) {
    const Merge& merge = tree.merges[i];
    top[merge.a] = top[merge.b] = top[tree.n_leaves + i];
  }
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> number(n_nodes, none);
  std::vector<std::int32_t> labels(tree.n_leaves);
  std::int32_t next = 0;
  for (std::size_t leaf = 0; leaf < tree.n_leaves; ++leaf) {
    std::int32_t& cluster = number[top[leaf]];
    if (cluster == none) cluster = next++;
    labels[leaf] = cluster;
  }
  return labels;
}

}  // namespace coppice
