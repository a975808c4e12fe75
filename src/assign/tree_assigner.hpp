// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows in a kd-tree: whole nodes go to the cluster that owns them, or rows one by one where that is less work.

#include "coppice/assign/assigner.hpp"
#include "coppice/assign/sweep_choice.hpp"

namespace coppice::internal {

class TreeAssigner final : public Assigner {
 public:
  TreeAssigner(const Units& units, bool keeps_to_nodes)
      : units_(units), keeps_to_nodes_(keeps_to_nodes), choice_(units.rows().n_columns()) {}

  [[nodiscard]] const Units& units() const noexcept override { return units_; }
  [[nodiscard]] Assignment sweep(const Execution& execution, const Components& clusters,
                                 std::span<const double> offsets, const Labels& present) override;
  void forget() override { choice_ = SweepChoice(units_.rows().n_columns()); }
  [[nodiscard]] bool keeps_to_nodes() const noexcept override { return keeps_to_nodes_; }
  [[nodiscard]] AssignReport report() const override;

 private:
  Units units_;
  bool keeps_to_nodes_;
  SweepChoice choice_;
};

}  // namespace coppice::internal
