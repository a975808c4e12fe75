// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Some of the units, such as the members of a cluster: a list of units, or pieces of a tree.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/labels.hpp"
#include "coppice/assign/units.hpp"

namespace coppice {

// A node of a tree, or some neighbouring rows of a leaf.
struct TreePiece {
  std::uint32_t node = 0;
  std::uint32_t first = 0;  // rows first..last-1 in the tree's order
  std::uint32_t last = 0;
  std::uint32_t subtree = 0;  // which of the tree's subtrees it lies in

  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

// Labels of a subset are given by position in it.
class Subset {
 public:
  // All units; those of a list; or those in pieces of a tree, which go from left to right.
  explicit Subset(const Units& units) : units_(units), is_all_(true), size_(units.size()) {}
  Subset(const Units& units, std::span<const std::size_t> list) : units_(units), list_(list), size_(list.size()) {}
  Subset(const Units& units, std::span<const TreePiece> pieces);

  [[nodiscard]] const Units& units() const noexcept { return units_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_all() const noexcept { return is_all_; }
  [[nodiscard]] std::span<const TreePiece> pieces() const noexcept { return pieces_; }
  // Of a list, or of all units.
  [[nodiscard]] std::size_t unit(std::size_t position) const noexcept { return is_all_ ? position : list_[position]; }
  // The units of the subset; in a tree, their places.
  [[nodiscard]] std::vector<std::size_t> members() const;
  // Some of its rows; not for pieces.
  [[nodiscard]] RowBlock rows(std::size_t first, std::size_t count, BlockBuffer& buffer) const {
    return is_all_ ? RowBlock(units_.rows(), first, count, buffer)
                   : RowBlock(units_.rows(), list_.subspan(first, count), buffer);
  }

  // Gives the members whose side is 1 a new label.
  void relabel(const Labels& sides, std::int32_t new_label, Labels& labels) const;

 private:
  Units units_;
  bool is_all_ = false;
  std::span<const std::size_t> list_;
  std::span<const TreePiece> pieces_;
  std::size_t size_ = 0;
};

// The members of every cluster.
class Members {
 public:
  Members(const Units& units, const Labels& labels, std::size_t k);
  [[nodiscard]] Subset of(std::size_t cluster) const noexcept;

 private:
  Units units_;
  std::vector<std::size_t> begin_;  // where each cluster begins in the list or among the pieces
  std::vector<std::size_t> list_;
  std::vector<TreePiece> pieces_;
};

// For every cluster of `now`, the cluster of `before` with the same members, or -1. Units without weight do not count.
[[nodiscard]] std::vector<std::int32_t> same_clusters(const Units& units, const Labels& before, std::size_t k_before,
                                                      const Labels& now, std::size_t k_now);

// Calls use(piece, label) for the largest pieces of one label in a subtree, from left to right.
template <class Use>
void for_each_piece(const KdTree& tree, std::uint32_t subtree, RunReader& labels, const Use& use) {
  const auto visit = [&](const auto& self, std::uint32_t node) -> void {
    const KdTree::Node& rows = tree.node(node);
    const LabelRun run = labels.run_at(rows.first);
    if (run.end >= rows.last) return use(TreePiece{node, rows.first, rows.last, subtree}, run.label);
    if (!tree.is_leaf(node)) {
      self(self, static_cast<std::uint32_t>(tree.left(node)));
      self(self, static_cast<std::uint32_t>(tree.right(node)));
      return;
    }
    for (std::uint32_t first = rows.first; first < rows.last;) {
      const LabelRun inside = labels.run_at(first);
      const std::uint32_t last = std::min(inside.end, rows.last);
      use(TreePiece{node, first, last, subtree}, inside.label);
      first = last;
    }
  };
  visit(visit, tree.subtrees()[subtree].root);
}

}  // namespace coppice
