// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether distance bounds are worth keeping, judged by what they would have spared in the last sweep.

#include <cstdint>
#include <span>

#include "coppice/data/rows.hpp"
#include "coppice/family/components.hpp"

namespace coppice::internal {

// Whether bounds would have spared half the distances of a sweep in which centres move from `previous` to where they
// are, judged by a sample of rows.
[[nodiscard]] bool would_bounds_have_paid(const Rows& rows, std::span<const double> previous, const Components& centres,
                                          std::span<const std::int32_t> labels);

}  // namespace coppice::internal
