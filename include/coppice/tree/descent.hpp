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
// own() and leaf() see the rows in the tree's order. prune() runs ahead of them: both children of a node are judged
// before the way leads into either, since their judgements do not wait for each other, and which of them end the way
// nobody can foretell.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/tree/kd_tree.hpp"

namespace coppice {

// The candidates along one way down, one list after the other.
class CandidateStack {
 public:
  CandidateStack(const KdTree& tree, std::size_t n_candidates) : lists_((2 * tree.depth() + 1) * n_candidates) {}

  template <class Visitor>
  void descend(const KdTree& tree, std::size_t node, std::span<const std::int32_t> candidates, Visitor& visitor) {
    const std::size_t n = candidates.size();
    visit(tree, node, lists_.data(), left_for(node, candidates.data(), n, lists_.data(), visitor), lists_.data() + n,
          visitor);
  }

 private:
  template <class Visitor>
  static std::size_t left_for(std::size_t node, const std::int32_t* candidates, std::size_t n, std::int32_t* list,
                              Visitor& visitor) {
    for (std::size_t i = 0; i < n; ++i) list[i] = candidates[i];
    return visitor.prune(node, std::span(list, n));
  }

  // The children's lists go to `top`, behind those of the node and its ancestors.
  template <class Visitor>
  void visit(const KdTree& tree, std::size_t node, const std::int32_t* candidates, std::size_t n, std::int32_t* top,
             Visitor& visitor) {
    if (n == 1) {
      visitor.own(node, *candidates);
    } else if (visitor.ends(node)) {
      visitor.leaf(node, std::span<const std::int32_t>(candidates, n));
    } else {
      const std::size_t left = KdTree::left(node);
      const std::size_t right = tree.right(node);
      const std::size_t n_left = left_for(left, candidates, n, top, visitor);
      const std::size_t n_right = left_for(right, candidates, n, top + n, visitor);
      // Right children lie far off in memory; they can be on their way meanwhile.
      if (n_left > 1) __builtin_prefetch(tree.box(tree.right(left)).low.data());
      if (n_right > 1) __builtin_prefetch(tree.box(tree.right(right)).low.data());
      visit(tree, left, top, n_left, top + 2 * n, visitor);
      visit(tree, right, top + n, n_right, top + 2 * n, visitor);
    }
  }

  std::vector<std::int32_t> lists_;
};

}  // namespace coppice
