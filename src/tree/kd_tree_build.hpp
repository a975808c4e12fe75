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

template <class Value>
[[nodiscard]] TreeParts build_tree(const Execution& execution, std::vector<Value>& values,
                                   std::vector<std::uint32_t>& order, std::span<const double> origin,
                                   std::size_t leaf_capacity);

extern template TreeParts build_tree(const Execution&, std::vector<float>&, std::vector<std::uint32_t>&,
                                     std::span<const double>, std::size_t);
extern template TreeParts build_tree(const Execution&, std::vector<double>&, std::vector<std::uint32_t>&,
                                     std::span<const double>, std::size_t);

}  // namespace coppice::internal
