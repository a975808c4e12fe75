// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The rows of a soft fit: one by one, or tied together by the leaves of a kd-tree, which is an approximation.

#include <optional>
#include <string_view>

#include "coppice/assign/units.hpp"
#include "coppice/family/components.hpp"
#include "coppice/methods/fit.hpp"

namespace coppice {

class TiedUnits {
 public:
  // A stop while the tree is built leaves the rows as they are.
  TiedUnits(const Execution& execution, const Rows& rows, const Components& family, bool is_tied);
  TiedUnits(const TiedUnits&) = delete;
  TiedUnits& operator=(const TiedUnits&) = delete;

  [[nodiscard]] const Units& units() const noexcept { return *units_; }
  // `asked` is auto, naive or kdtree.
  [[nodiscard]] AssignReport report(std::string_view asked) const;

 private:
  const Rows& rows_;
  std::optional<KdTree> tree_;
  StatsArena stats_;
  std::optional<TreeUnits> tree_units_;
  std::optional<Units> units_;
};

}  // namespace coppice
