// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Mutual information of two labelings over the mean of their entropies, in 0..1; not corrected for chance, so many
// small clusters score well. Symmetric. Both labelings a single group: 1.

#include <cstdint>
#include <span>

#include "coppice/evaluate/contingency.hpp"

namespace coppice::evaluate {

[[nodiscard]] double normalized_mutual_information(const Contingency& table);
[[nodiscard]] double normalized_mutual_information(std::span<const std::int32_t> labels,
                                                   std::span<const std::int32_t> truth);

}  // namespace coppice::evaluate
