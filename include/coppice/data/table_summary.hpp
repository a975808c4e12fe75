// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is in a table, at a glance: the range of every column, what is missing, how many rows are copies of others.

#include <cstddef>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

// Of the entries that are there; NaN if there is none.
struct ColumnSummary {
  double least = 0.0;
  double mean = 0.0;
  double most = 0.0;
  std::size_t n_missing = 0;
};

struct TableSummary {
  std::vector<ColumnSummary> columns;  // the numeric ones
  std::size_t n_duplicates = 0;        // rows that are equal, words included, to one before them
};

[[nodiscard]] TableSummary summarize_table(const Execution& execution, const Dataset& table);

}  // namespace coppice
