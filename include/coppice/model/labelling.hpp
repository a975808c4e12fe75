// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Labellings taken by themselves: their objective without any fit, and the order in which clusters are numbered.

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/family/components.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

// Statistics of every cluster that weighs something. Labels may be any integers.
[[nodiscard]] StatsArena labelling_statistics(const Execution& execution, const Rows& rows,
                                              const Components& components, std::span<const std::int32_t> labels);

// F = -sum_c log p(X_c) - log p(labels), complete. Labels may be any integers.
[[nodiscard]] double labelling_objective(const Execution& execution, const Rows& rows, const Components& components,
                                         const PartitionPrior& partition, std::span<const std::int32_t> labels);

// Labels renumbered 0, 1, ... in increasing order of their value; `k` receives how many there are.
[[nodiscard]] std::vector<std::int32_t> numbered_from_zero(std::span<const std::int32_t> labels, std::size_t& k);

// For every cluster its place when the largest comes first, and clusters of one size in the lexicographic order of
// their means.
[[nodiscard]] std::vector<std::int32_t> order_by_size(const Components& components, const StatsArena& stats);

// A labelling (0..k-1, one label per row) and the statistics of its clusters, in that order.
struct NumberedLabels {
  std::vector<std::int32_t> labels;
  StatsArena stats;
};
[[nodiscard]] NumberedLabels number_by_size(const Components& components, std::vector<std::int32_t> labels,
                                            const StatsArena& stats);

}  // namespace coppice::internal
