// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Agreement of two labelings over pairs of rows, corrected for chance (Hubert and Arabie 1985): 1 for the same
// partition, 0 on average for independent ones; can be negative. Symmetric. No pairs to disagree on: 1.

#include <cstdint>
#include <span>

#include "coppice/evaluate/contingency.hpp"

namespace coppice::evaluate {

[[nodiscard]] double adjusted_rand_index(const Contingency& table);
[[nodiscard]] double adjusted_rand_index(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth);

}  // namespace coppice::evaluate
