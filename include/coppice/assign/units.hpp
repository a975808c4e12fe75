// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What inference clusters: rows, rows in a kd-tree, or summaries of rows (tree nodes, one-pass summaries, clusters of
// another model). A summary is given by a family's statistics, so that weight, mean and within-scatter all enter its
// cost.

#include <cstddef>

#include "coppice/data/rows.hpp"
#include "coppice/family/stats.hpp"
#include "coppice/tree/kd_tree.hpp"

namespace coppice {

// A tree with a family's statistics in every node (node_statistics.hpp).
struct TreeUnits {
  const KdTree& tree;
  const StatsArena& stats;
  // Every leaf is one unit: its rows share a label. Else the rows are the units.
  bool are_leaves_tied = false;
};

class Units {
 public:
  explicit Units(const Rows& rows) : rows_(&rows) {}
  explicit Units(const StatsArena& summaries) : summaries_(&summaries) {}
  explicit Units(const TreeUnits& tree) : rows_(&tree.tree.rows()), tree_(&tree) {}

  [[nodiscard]] bool are_rows() const noexcept { return rows_ != nullptr; }  // in a tree or not
  [[nodiscard]] bool are_in_tree() const noexcept { return tree_ != nullptr; }
  // In a tree: in its order.
  [[nodiscard]] const Rows& rows() const noexcept { return *rows_; }
  [[nodiscard]] const TreeUnits& tree() const noexcept { return *tree_; }
  [[nodiscard]] ConstStatsRef summary(std::size_t unit) const noexcept { return (*summaries_)[unit]; }

  [[nodiscard]] std::size_t size() const noexcept { return are_rows() ? rows_->size() : summaries_->size(); }
  [[nodiscard]] double weight(std::size_t unit) const noexcept {
    return are_rows() ? rows_->weight(unit) : summaries_->weight(unit);
  }

 private:
  const Rows* rows_ = nullptr;
  const StatsArena* summaries_ = nullptr;
  const TreeUnits* tree_ = nullptr;
};

// Whether the rows can also be taken one by one: they are in a tree, and leaves do not tie them together.
[[nodiscard]] inline bool may_skip_nodes(const Units& units) noexcept {
  return units.are_in_tree() && !units.tree().are_leaves_tied;
}

}  // namespace coppice
