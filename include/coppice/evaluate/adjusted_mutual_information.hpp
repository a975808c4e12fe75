// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Mutual information of two labelings, corrected for chance (Vinh, Epps and Bailey 2010, arithmetic mean): 1 for the
// same partition, 0 on average for independent ones. Symmetric.

#include <cstdint>
#include <span>

#include "coppice/evaluate/contingency.hpp"

namespace coppice::evaluate {

[[nodiscard]] double adjusted_mutual_information(const Contingency& table);
[[nodiscard]] double adjusted_mutual_information(std::span<const std::int32_t> labels,
                                                 std::span<const std::int32_t> truth);

}  // namespace coppice::evaluate
