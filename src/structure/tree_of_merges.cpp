// SPDX-License-Identifier: BSD-3-Clause
// In two passes. Pairs of leaves become pairs of nodes by union-find in the order in which they were found; then the
// merges are made once more from a heap, lowest first, which gives nodes their final numbers. A merge waits until both
// its nodes are there, so that equal heights cannot put a parent before its child.

#include "structure/tree_of_merges.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <vector>

#include "coppice/runtime/assert.hpp"

namespace coppice::internal {

namespace {

// Which cluster a leaf is in.
class Forest {
 public:
  explicit Forest(std::size_t n_leaves) : above_(n_leaves), node_(n_leaves) {
    std::iota(above_.begin(), above_.end(), std::uint32_t{0});
    std::iota(node_.begin(), node_.end(), std::uint32_t{0});
  }

  // The top of a leaf's cluster; paths are halved on the way.
  std::uint32_t top(std::uint32_t leaf) noexcept {
    while (above_[leaf] != leaf) leaf = above_[leaf] = above_[above_[leaf]];
    return leaf;
  }
  [[nodiscard]] std::uint32_t& node(std::uint32_t top) noexcept { return node_[top]; }
  void put_below(std::uint32_t top, std::uint32_t other) noexcept { above_[top] = other; }

 private:
  std::vector<std::uint32_t> above_;
  std::vector<std::uint32_t> node_;
};

// The tree with its merges in the order of the pairs.
Dendrogram as_found(std::size_t n_leaves, std::span<const JoinedPair> pairs) {
  Forest forest(n_leaves);
  Dendrogram tree{n_leaves, {}};
  tree.merges.reserve(pairs.size());
  const auto size_of = [&](std::uint32_t node) { return node < n_leaves ? 1.0 : tree.merges[node - n_leaves].size; };
  for (const JoinedPair& pair : pairs) {
    const std::uint32_t top_a = forest.top(pair.a);
    const std::uint32_t top_b = forest.top(pair.b);
    COPPICE_ASSERT(top_a != top_b);
    const std::uint32_t a = forest.node(top_a);
    const std::uint32_t b = forest.node(top_b);
    const double size_a = size_of(a);
    const double size_b = size_of(b);
    // The smaller below the larger: paths stay short.
    const std::uint32_t top = size_a < size_b ? top_b : top_a;
    forest.put_below(size_a < size_b ? top_a : top_b, top);
    forest.node(top) = static_cast<std::uint32_t>(n_leaves + tree.merges.size());
    tree.merges.push_back({a, b, pair.height, size_a + size_b});
  }
  return tree;
}

// Makes the merges of a tree once more, the lowest that can be made first.
class InOrder {
 public:
  explicit InOrder(const Dendrogram& found)
      : found_(found), new_node_(found.n_leaves + found.merges.size(), none), parent_(new_node_.size(), none) {
    std::iota(new_node_.begin(), new_node_.begin() + static_cast<std::ptrdiff_t>(found.n_leaves), std::uint32_t{0});
    for (std::uint32_t i = 0; i < found.merges.size(); ++i) {
      parent_[found.merges[i].a] = parent_[found.merges[i].b] = i;
    }
  }

  Dendrogram run() {
    for (std::uint32_t i = 0; i < found_.merges.size(); ++i) offer(i);
    Dendrogram tree{found_.n_leaves, {}};
    tree.merges.reserve(found_.merges.size());
    while (!ready_.empty()) {
      const auto [height, a, b, merge] = ready_.top();
      ready_.pop();
      const std::size_t node = found_.n_leaves + merge;
      new_node_[node] = static_cast<std::uint32_t>(found_.n_leaves + tree.merges.size());
      // before_all is below zero; written down, it is height 0.
      tree.merges.push_back({a, b, std::max(height, 0.0), found_.merges[merge].size});
      if (parent_[node] != none) offer(parent_[node]);
    }
    return tree;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  using Ready = std::tuple<double, std::uint32_t, std::uint32_t, std::uint32_t>;  // height, nodes, number as found

  // A merge can be made as soon as both its nodes are there.
  void offer(std::uint32_t merge) {
    const Merge& found = found_.merges[merge];
    const auto [a, b] = std::minmax(new_node_[found.a], new_node_[found.b]);
    if (b != none) ready_.emplace(found.height, a, b, merge);
  }

  const Dendrogram& found_;
  std::vector<std::uint32_t> new_node_;
  std::vector<std::uint32_t> parent_;  // the merge that takes a node
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

}  // namespace

Dendrogram to_tree(std::size_t n_leaves, std::span<const JoinedPair> pairs) {
  COPPICE_ASSERT(pairs.size() + 1 == n_leaves);
  const Dendrogram found = as_found(n_leaves, pairs);
  return InOrder(found).run();
}

}  // namespace coppice::internal
