// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What inference clusters: rows, rows in a kd-tree, summaries of rows (one-pass summaries, clusters of another model),
// or a front of a tree, whose nodes tie their rows together. A summary or a node is given by a family's statistics, so
// that weight, mean and within-scatter all enter its cost.

#include <cstddef>
#include <memory>

#include "coppice/data/rows.hpp"
#include "coppice/family/stats.hpp"
#include "coppice/tree/front.hpp"
#include "coppice/tree/kd_tree.hpp"

namespace coppice {

// A tree with a family's statistics in every node (node_statistics.hpp); its rows are the units.
struct TreeUnits {
  const KdTree& tree;
  const StatsArena& stats;
};

// A front of such a tree: its nodes, and the rows of leaves that it opens, are the units.
struct FrontUnits {
  TreeUnits of;
  std::shared_ptr<const Front> front;
};

class Units {
 public:
  explicit Units(const Rows& rows) : rows_(&rows) {}
  explicit Units(const StatsArena& summaries) : summaries_(&summaries) {}
  explicit Units(const TreeUnits& tree) : rows_(&tree.tree.rows()), tree_(&tree) {}
  explicit Units(const FrontUnits& front) : front_(&front) {}

  [[nodiscard]] bool are_rows() const noexcept { return rows_ != nullptr; }  // in a tree or not
  [[nodiscard]] bool are_in_tree() const noexcept { return tree_ != nullptr; }
  // In a tree: in its order.
  [[nodiscard]] const Rows& rows() const noexcept { return *rows_; }
  [[nodiscard]] const TreeUnits& tree() const noexcept { return *tree_; }
  // Null if the units are no front.
  [[nodiscard]] const FrontUnits* front() const noexcept { return front_; }
  [[nodiscard]] bool have_opened_rows() const noexcept { return front_ != nullptr && !front_->front->rows().empty(); }
  // The rows in the tree, where a front ties them together; else the units as they are.
  [[nodiscard]] Units untied() const noexcept { return front_ != nullptr ? Units(front_->of) : *this; }
  // Of units that are summaries, or nodes of a front. Rows that a front has opened have none: soft shares treat them as
  // rows, and hard labels are given over fronts of nodes alone.
  [[nodiscard]] ConstStatsRef summary(std::size_t unit) const noexcept {
    return front_ != nullptr ? front_->of.stats[front_->front->nodes()[unit]] : (*summaries_)[unit];
  }

  [[nodiscard]] std::size_t size() const noexcept {
    if (are_rows()) return rows_->size();
    return front_ != nullptr ? front_->front->size() : summaries_->size();
  }
  // The mass of a unit: the weight of all rows behind it.
  [[nodiscard]] double weight(std::size_t unit) const noexcept {
    if (are_rows()) return rows_->weight(unit);
    if (front_ == nullptr) return summaries_->weight(unit);
    const std::size_t n_nodes = front_->front->nodes().size();
    return unit < n_nodes ? summary(unit)[0] : front_->of.tree.rows().weight(front_->front->rows()[unit - n_nodes]);
  }

 private:
  const Rows* rows_ = nullptr;
  const StatsArena* summaries_ = nullptr;
  const TreeUnits* tree_ = nullptr;
  const FrontUnits* front_ = nullptr;
};

}  // namespace coppice
