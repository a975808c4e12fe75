// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A cut through a kd-tree: nodes that cover it from left to right, where an opened leaf stands for its rows one by one.
// Nodes and rows of a front are the units of fits that tie neighbouring rows together; the deeper the front, the less
// is tied.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/tree/kd_tree.hpp"

namespace coppice {

class Front {
 public:
  // All leaves, or the nodes at one depth and the leaves above it.
  [[nodiscard]] static Front of_leaves(const KdTree& tree);
  [[nodiscard]] static Front at_depth(const KdTree& tree, std::size_t depth);
  // All rows: every leaf is opened.
  [[nodiscard]] static Front of_rows(const KdTree& tree);
  // With some of the nodes, given by their numbers as units, opened: a node by its two children, a leaf by its rows.
  [[nodiscard]] Front opened(std::span<const std::size_t> units) const;

  // Units are the nodes first, then the rows of opened leaves, both from left to right.
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size() + rows_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::span<const std::size_t> rows() const noexcept { return rows_; }  // places in the tree's order

  // One value per row of the table from one per unit, and one per unit from those of its first rows.
  [[nodiscard]] std::vector<std::int32_t> by_row(std::span<const std::int32_t> by_unit) const;
  [[nodiscard]] std::vector<std::int32_t> by_unit(std::span<const std::int32_t> by_row) const;

 private:
  explicit Front(const KdTree& tree) : tree_(&tree) {}

  const KdTree* tree_;
  std::vector<std::uint32_t> nodes_;
  std::vector<std::size_t> rows_;
};

}  // namespace coppice
