// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/row_clusters.hpp"

#include <algorithm>

#include "assign/draw_different.hpp"

namespace coppice::internal {

std::size_t RowClusters::place_of_nearest(std::size_t row) const noexcept {
  const std::span<const double> all = squared(row);
  return static_cast<std::size_t>(std::ranges::min_element(all) - all.begin());
}

std::uint32_t RowClusters::nearest(std::size_t row) const noexcept { return of(row)[place_of_nearest(row)]; }

double RowClusters::least(std::size_t row) const noexcept { return squared(row)[place_of_nearest(row)]; }

RowClusters random_clusters(std::size_t n_rows, std::size_t n_each, std::size_t n_clusters, std::uint64_t seed) {
  RowClusters drawn(n_rows, n_each);
  RandomStream random{seed, Purpose::truncation, 0};
  std::vector<std::uint32_t> some;
  for (std::size_t row = 0; row < n_rows; ++row) {
    some.clear();
    draw_different(n_each, n_clusters, random, some);
    std::ranges::copy(some, drawn.of(row).begin());
  }
  return drawn;
}

}  // namespace coppice::internal
