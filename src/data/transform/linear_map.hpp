// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows times a matrix: what pca and project have in common.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

struct LinearMap {
  std::span<const double> matrix;  // n_outputs numbers for every column, one column after the other
  std::size_t n_outputs = 0;
  std::span<const double> centre = {};         // taken off every row first; empty: nothing is
  std::span<const std::uint32_t> places = {};  // of sparse rows: where a column's numbers stand; empty: in order
};

// A dense table in the storage of `data`, its columns named prefix1, prefix2, ... `step` is for messages. What a row
// becomes does not depend on the rows around it.
[[nodiscard]] Dataset map_rows(const Execution& execution, const Dataset& data, const LinearMap& map,
                               const std::string& prefix, const std::string& step);

// How many rows of so many columns a dense product takes at a time: enough to be fast, few enough to stay small.
[[nodiscard]] std::size_t rows_at_a_time(std::size_t n_columns) noexcept;

}  // namespace coppice::internal
