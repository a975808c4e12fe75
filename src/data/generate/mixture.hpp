// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The parameters behind generate(GaussianMixture), before any row is drawn.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/generate/gaussian_clusters.hpp"

namespace coppice::internal {

[[nodiscard]] GaussianClusters draw_clusters(const GaussianMixture& options);

// One centroid per scale, uniform in a box around 0 of this half-width, no two closer than tau (s_i + s_j) / 2. The
// box grows when there is no room.
struct CenterBox {
  std::size_t n_columns = 0;
  double half_width = 0.0;
  double tau = 0.0;
};
[[nodiscard]] std::vector<double> centers_in_box(std::span<const double> scales, CenterBox box, std::uint64_t seed);

}  // namespace coppice::internal
