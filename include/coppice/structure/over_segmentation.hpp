// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A start from above: more clusters than the data need, by k-means, for merges to bring down. Splits one by one can
// stop too early where only several together lower the objective.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/data/rows.hpp"

namespace coppice::internal {

// Labels of (up to) k clusters by a few iterations of k-means on columns divided by their standard deviations, from
// k-means++ seeds. `variance`: of every column.
[[nodiscard]] std::vector<std::int32_t> over_segmented(const Execution& execution, const Rows& rows,
                                                       const std::vector<double>& variance, std::size_t k,
                                                       std::uint64_t seed, std::uint64_t stream);

}  // namespace coppice::internal
