// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cuts rows into a kd-tree, in place: the rows themselves move, together with their numbers.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/tree/kd_tree.hpp"

namespace coppice::internal {

// Of a tree, or of a subtree in pre-order.
struct TreeParts {
  NodeRecords nodes;
  std::size_t n_top_nodes = 0;  // down to KdTree::subtree_depth
  std::vector<KdTree::Subtree> subtrees;
  std::size_t depth = 0;
};

// Where to cut, and what not to.
struct CutRule {
  std::size_t leaf_capacity = 0;
  std::span<const double> lengths = {};  // of the columns, by which sides of boxes are measured; none: all alike

  [[nodiscard]] double measured(double side, std::size_t column) const noexcept {
    return lengths.empty() ? side : side / lengths[column];
  }
};

template <class Value>
[[nodiscard]] TreeParts build_tree(const Execution& execution, std::vector<Value>& values,
                                   std::vector<std::uint32_t>& order, std::span<const double> origin,
                                   const CutRule& rule);

extern template TreeParts build_tree(const Execution&, std::vector<float>&, std::vector<std::uint32_t>&,
                                     std::span<const double>, const CutRule&);
extern template TreeParts build_tree(const Execution&, std::vector<double>&, std::vector<std::uint32_t>&,
                                     std::span<const double>, const CutRule&);

}  // namespace coppice::internal
