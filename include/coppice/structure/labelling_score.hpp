// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "coppice/structure/mixture_plan.hpp"

namespace coppice::internal {

// The least objective that a labelling has under any family of a plan, with the prior fitted to it if the plan's rule
// fits priors. Without a background, labels may be any integers; beside one, -1 is the background.
[[nodiscard]] double score_labelling(const Execution& execution, const MixturePlan& plan,
                                     std::span<const std::int32_t> labels);

}  // namespace coppice::internal
