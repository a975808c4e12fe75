// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A kd-tree over the rows of a table: every node is cut across the widest side of the tight box around its rows (every
// side measured by a length of its own, where columns come in units of their own), near the median. Rows are copied
// into the order of the leaves, so that a node is a run of rows that lie next to each other in memory.
//
//   const KdTree tree(execution, rows, leaf_capacity(...));
//   tree.rows()                        the rows in the tree's order
//   tree.order()[i]                    the row of the table that stands at place i
//   tree.node(0)                       the root; its children are tree.left(0) and tree.right(0)
//
// The tree depends on the rows and on their order in the table, not on the number of threads.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/tree/node_records.hpp"

namespace coppice {

// Row numbers of the tree are 32 bits wide.
inline constexpr std::size_t most_tree_rows = 0xffffffffU;

// The number of rows up to which a node stays a leaf, so that the statistics of all nodes (`stats_size` doubles each)
// take less than half the memory of the rows: a leaf that was cut in half has at least half as many rows.
[[nodiscard]] std::size_t leaf_capacity(std::size_t stats_size, const Dataset& data);

class KdTree {
 public:
  using Node = TreeNode;
  using Order = std::vector<std::uint32_t>;

  // LimitError if the table has more than most_tree_rows rows. `lengths`: one per column, or none.
  KdTree(const Execution& execution, const Rows& rows, std::size_t leaf_capacity, std::span<const double> lengths = {});

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t n_rows() const noexcept { return rows_.size(); }
  [[nodiscard]] const std::shared_ptr<const Order>& shared_order() const noexcept { return order_; }
  [[nodiscard]] const Order& order() const noexcept { return *order_; }

  // The nodes down to a fixed depth come first, level by level: every way down begins there. Below each of the last of
  // them its subtree follows, in pre-order: a node, all below its left child, all below its right child.
  [[nodiscard]] std::size_t n_nodes() const noexcept { return nodes_.size(); }
  [[nodiscard]] Node node(std::size_t i) const noexcept { return nodes_.node(i); }
  [[nodiscard]] bool is_leaf(std::size_t i) const noexcept { return node(i).right == 0; }
  [[nodiscard]] std::size_t left(std::size_t i) const noexcept { return node(i).left; }
  [[nodiscard]] std::size_t right(std::size_t i) const noexcept { return node(i).right; }
  [[nodiscard]] std::size_t n_rows(std::size_t i) const noexcept { return node(i).last - node(i).first; }
  // The smallest box around the node's rows, less the origin.
  [[nodiscard]] Box box(std::size_t i) const noexcept { return nodes_.box(i); }
  void prefetch(std::size_t i) const noexcept { nodes_.prefetch(i); }
  // From left to right.
  [[nodiscard]] std::vector<std::size_t> leaves() const;
  [[nodiscard]] std::size_t depth() const noexcept { return depth_; }  // of the deepest leaf; the root's is 0
  // The subtrees of the nodes at a fixed depth (leaves above it are subtrees of their own), from left to right: what
  // threads share out, whatever their number.
  struct Subtree {
    std::uint32_t root = 0;
    std::uint32_t begin = 0;  // the nodes below the root: begin..end-1
    std::uint32_t end = 0;
  };
  [[nodiscard]] std::span<const Subtree> subtrees() const noexcept { return subtrees_; }
  [[nodiscard]] std::size_t n_top_nodes() const noexcept { return n_top_nodes_; }
  // Whether a top node is the root of one of the subtrees.
  [[nodiscard]] bool is_subtree(std::size_t i) const noexcept { return is_leaf(i) || left(i) >= n_top_nodes_; }

  static constexpr std::size_t subtree_depth = 6;

 private:
  Rows rows_;
  std::shared_ptr<const Order> order_;
  NodeRecords nodes_;
  std::vector<Subtree> subtrees_;
  std::size_t n_top_nodes_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace coppice
