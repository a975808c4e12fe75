// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The units that a variational mixture of one family is searched in: the rows, or a growing front of a tree with the
// family's statistics in its nodes.

#include <memory>
#include <optional>

#include "coppice/structure/growing_front.hpp"

namespace coppice::internal {

class MixtureGround {
 public:
  // Keep the rows meanwhile.
  explicit MixtureGround(const Rows& rows) : rows_(rows) {}
  MixtureGround(const Execution& execution, const Rows& rows, const Components& family, const FrontBudget& budget);
  MixtureGround(const MixtureGround&) = delete;
  MixtureGround& operator=(const MixtureGround&) = delete;

  [[nodiscard]] const Units& units() const noexcept { return front_ ? front_->units() : rows_; }
  // Null over the rows.
  [[nodiscard]] GrowingFront* front() const noexcept { return front_.get(); }

 private:
  Units rows_;
  std::optional<KdTree> tree_;
  StatsArena stats_;
  std::optional<TreeUnits> of_;
  std::unique_ptr<GrowingFront> front_;
};

}  // namespace coppice::internal
