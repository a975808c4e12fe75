// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A kd-tree over the rows of a fit with a family's statistics in every node, and whether one pays.

#include <cstddef>
#include <string>

#include "coppice/assign/units.hpp"
#include "coppice/family/components.hpp"

namespace coppice::internal {

class TreeGround {
 public:
  TreeGround(const Execution& execution, const Rows& rows, const Components& family);
  TreeGround(const TreeGround&) = delete;
  TreeGround& operator=(const TreeGround&) = delete;

  [[nodiscard]] const KdTree& tree() const noexcept { return tree_; }
  [[nodiscard]] const TreeUnits& units() const noexcept { return units_; }

 private:
  KdTree tree_;
  StatsArena stats_;
  TreeUnits units_;
};

// Why sweeps down a tree over these rows would not pay; empty if they do.
[[nodiscard]] std::string why_no_tree(const Rows& rows, const Components& family);

}  // namespace coppice::internal
