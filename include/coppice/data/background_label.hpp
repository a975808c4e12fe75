// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace coppice::internal {

// The label of rows that belong to no cluster.
inline constexpr std::int32_t background_label = -1;

}  // namespace coppice::internal
