// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Units one by one: every row, summary or node of a front against every cluster.

#include <utility>

#include "assign/remembered_costs.hpp"
#include "coppice/assign/assigner.hpp"

namespace coppice::internal {

class RowAssigner final : public Assigner {
 public:
  RowAssigner(const Units& units, Text why) : units_(units), why_(std::move(why)) {}

  [[nodiscard]] const Units& units() const noexcept override { return units_; }
  [[nodiscard]] Assignment sweep(const Execution& execution, const Components& clusters,
                                 std::span<const double> offsets, const Labels& present) override {
    // Where remembering does not pay it answers nothing, and has forgotten.
    if (std::optional<Assignment> found = memory_.sweep(execution, units_, clusters, offsets, present)) {
      return std::move(*found);
    }
    return assign(execution, Subset(units_), clusters, offsets, present);
  }
  void forget() override { memory_.forget(); }
  [[nodiscard]] AssignReport report() const override { return {"naive", why_}; }

 private:
  Units units_;
  Text why_;
  RememberedCosts memory_;
};

}  // namespace coppice::internal
