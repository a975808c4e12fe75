// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How much closer rows are to their own cluster than to the next best one (Rousseeuw 1987), Euclidean, averaged over
// all rows: -1 to 1, larger is better. Exact, so its time grows with the square of the rows.
// Throws DataError unless there is one label per row, OptionError unless there are 2 to n_rows - 1 clusters. Row
// weights are not used.

#include <cstdint>
#include <span>

#include "coppice/data/dataset.hpp"

namespace coppice::evaluate {

[[nodiscard]] double silhouette(const Dataset& data, std::span<const std::int32_t> labels);

}  // namespace coppice::evaluate
