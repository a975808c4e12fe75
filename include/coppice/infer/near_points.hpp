// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which points lie near each other, and clusters by their means: where clusters are many, only such pairs are worth a
// look.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/family/components.hpp"

namespace coppice::internal {

// For every point the (up to) n others at the least distances, the nearest first. Points are given one after the other.
// Distances count to 24 bits, among equals the smaller number comes first: last bits of sums make no difference.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> nearest_points(const Execution& execution,
                                                                     std::span<const double> points,
                                                                     std::size_t n_columns, std::size_t n);

// The same for clusters by their means, with all columns on one scale. More than 64 columns are added up in 64 sums
// with signs by a fixed rule, which keeps distances to within a tenth or so.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> nearest_clusters(const Execution& execution,
                                                                       const Components& components,
                                                                       const StatsArena& clusters, std::size_t n);

}  // namespace coppice::internal
