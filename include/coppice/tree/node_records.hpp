// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The nodes of a tree. What there is to know of a node on the way down, its box, its rows and where its children are,
// stands in one record: a node that is looked at once in a while costs one access to far memory, not two.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "coppice/family/box.hpp"
#include "coppice/kernels/aligned.hpp"

namespace coppice {

struct TreeNode {
  std::uint32_t first = 0;  // rows first..last-1 in the tree's order
  std::uint32_t last = 0;
  std::uint32_t left = 0;  // the children; 0: none, a leaf
  std::uint32_t right = 0;
};

class NodeRecords {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return stride_ == 0 ? 0 : values_.size() / stride_; }
  [[nodiscard]] TreeNode node(std::size_t i) const noexcept {
    std::array<std::uint32_t, 4> parts;
    std::memcpy(parts.data(), &values_[i * stride_ + 2 * n_columns_], sizeof parts);
    return {parts[0], parts[1], parts[2], parts[3]};
  }
  [[nodiscard]] Box box(std::size_t i) const noexcept {
    const double* low = &values_[i * stride_];
    return {{low, n_columns_}, {low + n_columns_, n_columns_}};
  }
  // Asks for a node's record before it is needed.
  void prefetch(std::size_t i) const noexcept { __builtin_prefetch(values_.data() + i * stride_); }

  // Makes room, so that records are not copied as they become more.
  void reserve(std::size_t n_nodes, std::size_t n_columns);
  // All nodes have as many columns as the first.
  void append(const TreeNode& node, const Box& box);
  void set_children(std::size_t i, std::size_t left, std::size_t right);
  // Puts a subtree's root (its node 0) in the place of a node, and what is below it behind all that there is.
  void graft(std::size_t i, const NodeRecords& subtree);

 private:
  void set_node(std::size_t i, const TreeNode& node) noexcept;

  std::size_t n_columns_ = 0;
  std::size_t stride_ = 0;                 // doubles in a record: low, high, the TreeNode, padding
  kernels::AlignedVector<double> values_;  // one record after the other
};

}  // namespace coppice
