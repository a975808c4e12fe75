// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/front.hpp"

#include <algorithm>
#include <iterator>

#include "coppice/runtime/assert.hpp"

namespace coppice {

Front Front::of_leaves(const KdTree& tree) { return at_depth(tree, tree.depth()); }

// Pre-order puts the nodes from left to right, which is the order of their rows.
Front Front::at_depth(const KdTree& tree, std::size_t depth) {
  Front front(tree);
  const auto visit = [&](const auto& self, std::size_t node, std::size_t level) -> void {
    if (level == depth || tree.is_leaf(node)) {
      front.nodes_.push_back(static_cast<std::uint32_t>(node));
      return;
    }
    self(self, tree.left(node), level + 1);
    self(self, tree.right(node), level + 1);
  };
  visit(visit, 0, 0);
  return front;
}

Front Front::of_rows(const KdTree& tree) {
  Front front(tree);
  for (std::size_t place = 0; place < tree.n_rows(); ++place) front.rows_.push_back(place);
  return front;
}

Front Front::opened(std::span<const std::size_t> units) const {
  std::vector<bool> is_opened(nodes_.size(), false);
  for (const std::size_t unit : units) {
    COPPICE_ASSERT(unit < nodes_.size());
    is_opened[unit] = true;
  }
  // Units keep their order, nodes from left to right and then rows: a node's two children take its place among the
  // nodes, a leaf's rows theirs among the rows.
  Front front(*tree_);
  std::vector<std::size_t> fresh;  // rows, which must stand among those opened earlier from left to right
  for (std::size_t unit = 0; unit < nodes_.size(); ++unit) {
    const std::uint32_t node = nodes_[unit];
    if (!is_opened[unit]) {
      front.nodes_.push_back(node);
    } else if (!tree_->is_leaf(node)) {
      front.nodes_.push_back(static_cast<std::uint32_t>(tree_->left(node)));
      front.nodes_.push_back(static_cast<std::uint32_t>(tree_->right(node)));
    } else {
      for (std::size_t place = tree_->node(node).first; place < tree_->node(node).last; ++place) fresh.push_back(place);
    }
  }
  front.rows_.reserve(rows_.size() + fresh.size());
  std::ranges::merge(rows_, fresh, std::back_inserter(front.rows_));
  return front;
}

std::vector<std::int32_t> Front::by_row(std::span<const std::int32_t> by_unit) const {
  const KdTree::Order& order = tree_->order();
  std::vector<std::int32_t> by_row(order.size());
  for (std::size_t unit = 0; unit < nodes_.size(); ++unit) {
    const KdTree::Node node = tree_->node(nodes_[unit]);
    for (std::size_t place = node.first; place < node.last; ++place) by_row[order[place]] = by_unit[unit];
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) by_row[order[rows_[i]]] = by_unit[nodes_.size() + i];
  return by_row;
}

std::vector<std::int32_t> Front::by_unit(std::span<const std::int32_t> by_row) const {
  const KdTree::Order& order = tree_->order();
  std::vector<std::int32_t> by_unit;
  by_unit.reserve(size());
  // A node's rows share one label; whatever labels they come with, the first one's counts.
  for (const std::uint32_t node : nodes_) by_unit.push_back(by_row[order[tree_->node(node).first]]);
  for (const std::size_t place : rows_) by_unit.push_back(by_row[order[place]]);
  return by_unit;
}

}  // namespace coppice
