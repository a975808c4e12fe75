// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The plain assignment: every unit against every cluster. What all others must agree with.

#include "coppice/assign/assign.hpp"

namespace coppice::internal {

// Parts of a list, or all units (of a tree: in its order).
[[nodiscard]] Assignment assign_naive(const Execution& execution, const Subset& subset, const Components& components,
                                      std::span<const double> offsets, std::span<const std::int32_t> present);

// The statistics of k clusters under given labels (0..k-1; -1 is none). If the family weighs members, by these clusters
// themselves.
[[nodiscard]] StatsArena statistics_of_list(const Execution& execution, const Subset& subset,
                                            const Components& components, std::span<const std::int32_t> labels,
                                            std::size_t k);

// The same where clusters are known that are nearly these. Members and clusters that weigh one another may agree in
// more than one way: every cluster has the better of what comes from equal weights and from those in the cluster known.
[[nodiscard]] StatsArena statistics_of_list(const Execution& execution, const Subset& subset,
                                            const Components& components, std::span<const std::int32_t> labels,
                                            const StatsArena& known);

// The statistics of all clusters that the components have now, of members weighed by them and balanced.
[[nodiscard]] StatsArena statistics_of_members(const Execution& execution, const Subset& subset,
                                               const Components& clusters, std::span<const std::int32_t> labels);

}  // namespace coppice::internal
