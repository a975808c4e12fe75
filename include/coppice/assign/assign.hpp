// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Who belongs where: gives the units of a subset their clusters, and the clusters their statistics. Rows and summaries
// are looked at one by one (naive.hpp); over a tree, whole nodes are given away as soon as a single cluster can own
// them. Both give the same labels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/labels.hpp"
#include "coppice/assign/subset.hpp"
#include "coppice/family/components.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

struct Assignment {
  Labels labels;
  StatsArena stats;                  // of every cluster under the new labels
  double data_term = 0.0;            // summed cost of the units at their labels, offsets included
  std::uint64_t distances = 0;       // units (rows or nodes) times the clusters that they were compared with
  std::uint64_t node_distances = 0;  // those of them that are nodes
  std::uint64_t nodes_visited = 0;
};

// Gives every unit its cluster of least cost + offset. `present` decides ties.
[[nodiscard]] Assignment assign(const Execution& execution, const Subset& subset, const Components& components,
                                std::span<const double> offsets, const Labels& present);

// The same for all rows of a tree without using its nodes: where every node would have to be opened, this is faster.
[[nodiscard]] Assignment assign_row_by_row(const Execution& execution, const Units& units, const Components& components,
                                           std::span<const double> offsets, const Labels& present);

// The statistics of k clusters under given labels (0..k-1) of all units.
[[nodiscard]] StatsArena statistics_of(const Execution& execution, const Units& units, const Components& components,
                                       const Labels& labels, std::size_t k);

// Side 0 of a plane is where normal' x >= threshold, side 1 the rest.
struct Plane {
  std::vector<double> normal;
  double threshold = 0.0;
};

// Parts the units by a plane, summaries by their means; labels are sides. No cost, no distances.
[[nodiscard]] Assignment divide(const Execution& execution, const Subset& subset, const Components& components,
                                const Plane& plane);

// One label for every unit; -1 is none.
[[nodiscard]] Labels one_label(const Units& units, std::int32_t label = 0);

// Labels of the units, one for each in their order.
[[nodiscard]] Labels labels_by_unit(const Units& units, std::vector<std::int32_t> by_unit);
// Labels as the units need them, from one label per row of the table (summaries: per summary).
[[nodiscard]] Labels labels_of(const Units& units, std::span<const std::int32_t> by_row);

}  // namespace coppice
