// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What becomes of clusters that no unit wants.

#include "coppice/infer/me.hpp"

namespace coppice::internal {

// Every empty cluster gets one unit with all its copies: the one that costs its present cluster most per weight, of
// several (up to rounding) the first by content, and never all that a cluster has. That lowers the objective. Where no
// unit costs anything, clusters stay empty. Statistics are counted anew; the objective is not.
void fill_empty_clusters(const Execution& execution, const Problem& problem, State& state);

}  // namespace coppice::internal
