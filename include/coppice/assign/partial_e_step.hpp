// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The E-step of truncated variational EM ([T] Algorithms 1 and 2): a row looks for nearer centres in the neighbourhoods
// of the clusters that it may belong to, and keeps the nearest of what it finds there. Whatever the neighbourhoods are
// worth, no row comes to have farther centres than before, so that the free energy never falls. The number of distances
// does not grow with the number of clusters.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/assign/distance_estimates.hpp"
#include "coppice/assign/neighbourhoods.hpp"
#include "coppice/assign/row_clusters.hpp"
#include "coppice/data/rows.hpp"

namespace coppice::internal {

struct PartialEStep {
  const Rows& rows;
  std::span<const double> centres;          // one after the other, less the rows' origin
  const Neighbourhoods& neighbourhoods;     // of the centres
  std::span<const std::uint32_t> explored;  // one more centre for each row to look at; empty: none
  bool gives_distances = false;             // for estimates of those between clusters
};

struct LookedAround {
  std::uint64_t distances = 0;
  std::size_t n_changed = 0;                              // rows that may belong to other clusters than before
  std::vector<std::vector<SeenDistance>> distances_seen;  // by blocks of rows
};

[[nodiscard]] LookedAround look_around(const Execution& execution, const PartialEStep& step, RowClusters& rows);

// The clusters that a row looks at ([T] G_n), in increasing order.
[[nodiscard]] std::vector<std::uint32_t> search_space(const PartialEStep& step, const RowClusters& rows,
                                                      std::size_t row);

// A cluster for each row, drawn anew for every iteration.
[[nodiscard]] std::vector<std::uint32_t> drawn_clusters(const Execution& execution, std::size_t n_rows,
                                                        std::size_t n_clusters, std::uint64_t seed,
                                                        std::uint64_t iteration);

}  // namespace coppice::internal
