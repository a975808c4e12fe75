// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

// Rows without weight belong to the cluster that costs them least: they have no say in the fit, and whether they moved
// in its last sweep would depend on rounding.
void label_weightless_rows(const Execution& execution, const Problem& problem, const StatsArena& stats,
                           std::span<std::int32_t> labels);

}  // namespace coppice::internal
