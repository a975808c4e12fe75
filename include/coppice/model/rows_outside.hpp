// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows in clusters and in a background beside them (partition/background.hpp): who belongs there, and what a labelling
// with both is worth. Rows of the background have the label -1.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/family/components.hpp"
#include "coppice/partition/background.hpp"

namespace coppice::internal {

// What every column spans over the rows with weight.
struct SpannedBox {
  std::vector<double> low;
  std::vector<double> high;
};
[[nodiscard]] SpannedBox spanned_box(const Rows& rows);
// Its widths; 0 where a column is constant.
[[nodiscard]] std::vector<double> spanned_widths(const Rows& rows);
// log of the volume of the box that the rows (with weight) span. A constant column counts as one as wide as the others
// are on (geometric) average, or of width 1 if all are constant: no row is farther out there than another.
[[nodiscard]] double log_spanned_volume(const Rows& rows);

// Clusters of some rows and the prior beside whose background they stand.
struct ClustersBeside {
  const Components& components;  // the family with its prior; its clusters are not used
  const StatsArena& stats;
  const PartitionPrior& partition;
};

// The cheapest label of every row, by the rule of a sweep: cost + offset of the clusters, log V + offset of the
// background. Where they tie, a row keeps its present label (if that is a cluster), and clusters come before the
// background. The background's density is 1/V outside its box as well: what lies there is no less an outlier.
[[nodiscard]] std::vector<std::int32_t> cheapest_labels(const Execution& execution, const Rows& rows,
                                                        const ClustersBeside& clusters,
                                                        std::span<const std::int32_t> present);

// F = - sum_c log p(X_c) + n_out log V - log p(labels), complete: rows labelled -1 are the background's, all other
// integers are clusters.
[[nodiscard]] double labelling_objective(const Execution& execution, const Rows& rows, const Components& components,
                                         const PartitionPrior& clusters, double log_volume,
                                         std::span<const std::int32_t> labels);

}  // namespace coppice::internal
