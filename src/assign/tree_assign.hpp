// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Assignment over a tree: assign.hpp for units that are in one.

#include "coppice/assign/assign.hpp"

namespace coppice::internal {

[[nodiscard]] Assignment assign_in_tree(const Execution& execution, const Subset& subset, const Components& components,
                                        std::span<const double> offsets, const Labels& present);
[[nodiscard]] Assignment divide_in_tree(const Execution& execution, const Subset& subset, const Components& components,
                                        const Plane& plane);
[[nodiscard]] StatsArena statistics_in_tree(const Execution& execution, const Units& units,
                                            const Components& components, const Labels& labels, std::size_t k);

}  // namespace coppice::internal
