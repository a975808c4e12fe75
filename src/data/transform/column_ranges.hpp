// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What must be known of columns before their numbers can be summed safely.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

struct ColumnRanges {
  std::vector<double> low;  // over the rows that weigh something
  std::vector<double> high;
  std::vector<double> factor;  // a power of two that brings the column's values near 1
  std::size_t n_rows = 0;      // that weigh something
  double weight_factor = 1.0;  // a power of two that keeps sums of weights from overflowing
  double total_weight = 0.0;   // of the weights times that factor
};

[[nodiscard]] ColumnRanges column_ranges(const Execution& execution, const Dataset& data);

// Weighted means of the columns times their factors, those of dense rows corrected by a second pass.
[[nodiscard]] std::vector<double> scaled_means(const Execution& execution, const Dataset& data,
                                               const ColumnRanges& ranges);

// Element by element, for ordered_sum.
void add_all(std::span<double> into, std::span<const double> from);

}  // namespace coppice::internal
