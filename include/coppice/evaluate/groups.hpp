// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The groups that a labeling makes of the rows. Any 32-bit value is a label; -1 is a group like any other.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice::evaluate {

struct Groups {
  std::vector<std::int32_t> labels;   // the distinct labels, ascending: group number -> label
  std::vector<std::size_t> sizes;     // rows of each group
  std::vector<std::uint32_t> of_row;  // row -> group number

  [[nodiscard]] std::size_t k() const noexcept { return labels.size(); }
  [[nodiscard]] std::size_t n_rows() const noexcept { return of_row.size(); }
};

[[nodiscard]] Groups group(std::span<const std::int32_t> labels);

// The row numbers, group after group, ascending within each: group g has its sizes[g] rows after those before it.
[[nodiscard]] std::vector<std::uint32_t> rows_by_group(const Groups& groups);

}  // namespace coppice::evaluate
