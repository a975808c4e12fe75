// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For each cluster the worst ratio of the pair's sizes to the distance of its centroids, averaged (Davies and Bouldin
// 1979); smaller is better. All rows on their centroids, or all centroids in one place: 0, as scikit-learn has it.
// Throws DataError unless there is one label per row, OptionError unless there are 2 to n_rows - 1 clusters. Row
// weights are not used.

#include <cstdint>
#include <span>

#include "coppice/data/dataset.hpp"

namespace coppice::evaluate {

[[nodiscard]] double davies_bouldin(const Dataset& data, std::span<const std::int32_t> labels);

}  // namespace coppice::evaluate
