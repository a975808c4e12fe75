// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What inference clusters: rows, or summaries of rows (tree nodes, one-pass summaries, clusters of another model). A
// summary is given by a family's statistics, so that weight, mean and within-scatter all enter its cost.

#include <cstddef>

#include "coppice/data/rows.hpp"
#include "coppice/family/stats.hpp"

namespace coppice {

class Units {
 public:
  explicit Units(const Rows& rows) : rows_(&rows) {}
  explicit Units(const StatsArena& summaries) : summaries_(&summaries) {}

  [[nodiscard]] bool are_rows() const noexcept { return rows_ != nullptr; }
  [[nodiscard]] const Rows& rows() const noexcept { return *rows_; }
  [[nodiscard]] ConstStatsRef summary(std::size_t unit) const noexcept { return (*summaries_)[unit]; }

  [[nodiscard]] std::size_t size() const noexcept { return are_rows() ? rows_->size() : summaries_->size(); }
  [[nodiscard]] double weight(std::size_t unit) const noexcept {
    return are_rows() ? rows_->weight(unit) : summaries_->weight(unit);
  }

 private:
  const Rows* rows_ = nullptr;
  const StatsArena* summaries_ = nullptr;
};

}  // namespace coppice
