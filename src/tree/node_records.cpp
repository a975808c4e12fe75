// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/node_records.hpp"

#include <algorithm>
#include <bit>

namespace coppice {

namespace {

// In doubles. A record that fits into a line of the cache does not cross into a second one.
std::size_t record_size(std::size_t n_columns) {
  constexpr std::size_t cache_line = 8;
  const std::size_t needed = 2 * n_columns + sizeof(TreeNode) / sizeof(double);
  return needed > cache_line ? needed : std::bit_ceil(needed);
}

}  // namespace

void NodeRecords::reserve(std::size_t n_nodes, std::size_t n_columns) {
  values_.reserve(n_nodes * record_size(n_columns));
}

void NodeRecords::append(const TreeNode& node, const Box& box) {
  n_columns_ = box.low.size();
  stride_ = record_size(n_columns_);
  const std::size_t i = size();
  values_.insert(values_.end(), box.low.begin(), box.low.end());
  values_.insert(values_.end(), box.high.begin(), box.high.end());
  values_.resize((i + 1) * stride_);
  set_node(i, node);
}

void NodeRecords::set_node(std::size_t i, const TreeNode& node) noexcept {
  // Four whole numbers in the place of two doubles, by memcpy: reading them through another type would be undefined.
  const std::array<std::uint32_t, 4> parts{node.first, node.last, node.left, node.right};
  std::memcpy(&values_[i * stride_ + 2 * n_columns_], parts.data(), sizeof parts);
}

void NodeRecords::set_children(std::size_t i, std::size_t left, std::size_t right) {
  const TreeNode rows = node(i);
  set_node(i, {rows.first, rows.last, static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right)});
}

void NodeRecords::graft(std::size_t i, const NodeRecords& subtree) {
  const auto stride = static_cast<std::ptrdiff_t>(stride_);
  const std::size_t begin = size();
  // Nodes are numbered anew by one shift, since pre-order keeps what is below a node together.
  std::copy_n(subtree.values_.begin(), stride_, values_.begin() + static_cast<std::ptrdiff_t>(i) * stride);
  values_.insert(values_.end(), subtree.values_.begin() + stride, subtree.values_.end());
  // Node j of the subtree, j > 0, is now node begin + j - 1.
  const auto move_children = [&](std::size_t at) {
    if (const TreeNode moved = node(at); moved.right != 0) {
      set_children(at, begin + moved.left - 1, begin + moved.right - 1);
    }
  };
  move_children(i);
  for (std::size_t at = begin; at < size(); ++at) move_children(at);
}

}  // namespace coppice
