// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spread between the clusters over spread within them, each per degree of freedom (Calinski and Harabasz 1974);
// larger is better. No spread within: 1, as scikit-learn has it.
// Throws DataError unless there is one label per row, OptionError unless there are 2 to n_rows - 1 clusters. Row
// weights are not used.

#include <cstdint>
#include <span>

#include "coppice/data/dataset.hpp"

namespace coppice::evaluate {

[[nodiscard]] double calinski_harabasz(const Dataset& data, std::span<const std::int32_t> labels);

}  // namespace coppice::evaluate
