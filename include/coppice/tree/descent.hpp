// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The way down a tree with a list of candidates that shrinks: whoever wants to know where the rows of a node belong
// says which candidates are out of the question for a box, what to do with a node of which one candidate is left, and
// what to do with the rows of a leaf.
//
//   struct Visitor {
//     std::size_t prune(std::size_t node, std::span<std::int32_t> candidates);   // the rest to the front, how many
//     void own(std::size_t node, std::int32_t candidate);
//     bool ends(std::size_t node);                                               // at the leaves, or earlier
//     void leaf(std::size_t node, std::span<const std::int32_t> candidates);     // where the way ends
//   };
//
// Nodes are visited in pre-order, so that own() and leaf() see the rows in the tree's order.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/tree/kd_tree.hpp"

namespace coppice {

// The candidates along one way down, one list after the other.
class CandidateStack {
 public:
  CandidateStack(const KdTree& tree, std::size_t n_candidates) : lists_((tree.depth() + 1) * n_candidates) {}

  template <class Visitor>
  void descend(const KdTree& tree, std::size_t node, std::span<const std::int32_t> candidates, Visitor& visitor) {
    visit(tree, node, candidates.data(), candidates.size(), lists_.data(), visitor);
  }

 private:
  // The right child lies far off in memory: it can be on its way while the left subtree is visited.
  static void prefetch(const KdTree& tree, std::size_t node) {
    __builtin_prefetch(&tree.node(node));
    __builtin_prefetch(tree.box(node).low.data());
  }

  // The node's own list goes to `top`, behind those of its ancestors.
  template <class Visitor>
  void visit(const KdTree& tree, std::size_t node, const std::int32_t* candidates, std::size_t n, std::int32_t* top,
             Visitor& visitor) {
    for (std::size_t i = 0; i < n; ++i) top[i] = candidates[i];
    n = visitor.prune(node, std::span(top, n));
    if (n == 1) {
      visitor.own(node, *top);
    } else if (visitor.ends(node)) {
      visitor.leaf(node, std::span<const std::int32_t>(top, n));
    } else {
      prefetch(tree, tree.right(node));
      visit(tree, KdTree::left(node), top, n, top + n, visitor);
      visit(tree, tree.right(node), top, n, top + n, visitor);
    }
  }

  std::vector<std::int32_t> lists_;
};

}  // namespace coppice
