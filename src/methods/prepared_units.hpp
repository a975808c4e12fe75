// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The rows of a fit as its assignment wants them: as they are, or in a kd-tree; and why.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "coppice/assign/sweep_choice.hpp"
#include "coppice/assign/units.hpp"
#include "coppice/family/components.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/tree/kd_tree.hpp"

namespace coppice {

class PreparedUnits {
 public:
  static constexpr const char* one_by_one = "one by one";  // an `assign`: rows alone, whatever was asked for

  // `assign` is auto, naive or kdtree. A tree is built if that is asked for or, by auto, worth it; a stop on the way
  // leaves the rows as they are.
  PreparedUnits(const Execution& execution, const Rows& rows, std::size_t stats_size, std::string assign);
  PreparedUnits(const PreparedUnits&) = delete;
  PreparedUnits& operator=(const PreparedUnits&) = delete;

  [[nodiscard]] const KdTree* tree() const noexcept { return tree_ ? &*tree_ : nullptr; }
  // Puts the family's statistics into the tree.
  void add_statistics(const Execution& execution, const Components& components);

  // After add_statistics.
  [[nodiscard]] const Units& units() const noexcept { return *units_; }
  // Rows that splits of heavy clusters start from; none if stopped before they are drawn.
  void draw_sample(const Execution& execution);
  [[nodiscard]] std::span<const std::size_t> sample() const noexcept { return sample_; }
  // Over a tree: whether every sweep must go down its nodes.
  [[nodiscard]] bool keeps_to_nodes() const noexcept { return assign_ == "kdtree"; }
  [[nodiscard]] AssignReport report(const SweepChoice& sweeps) const;

 private:
  [[nodiscard]] std::string why_no_tree() const;

  Rows rows_;
  std::string assign_;
  double cuts_per_column_ = 0.0;
  bool was_stopped_ = false;
  std::optional<KdTree> tree_;
  StatsArena stats_;
  std::optional<TreeUnits> tree_units_;
  std::optional<Units> units_;
  std::vector<std::size_t> sample_;
};

}  // namespace coppice
