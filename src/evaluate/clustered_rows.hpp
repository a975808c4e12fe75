// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the scores of rows and labels share: the check of the labels, and where the clusters lie.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/evaluate/groups.hpp"

namespace coppice::evaluate {

// Throws DataError unless there is one label per row, OptionError unless there are 2 to n_rows - 1 clusters.
[[nodiscard]] Groups check_and_group(const Dataset& data, std::span<const std::int32_t> labels);

// The mean of each cluster, row by row.
[[nodiscard]] std::vector<double> centroids(const Dataset& data, const Groups& groups);

[[nodiscard]] double squared_distance(const Dataset& data, std::size_t row, const double* point) noexcept;
[[nodiscard]] double squared_distance(const double* a, const double* b, std::size_t n_columns) noexcept;

}  // namespace coppice::evaluate
