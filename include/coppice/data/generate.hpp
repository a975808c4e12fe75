// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Made-up data with known clusters, as the papers draw them (docs/references.md). The same options always give the
// same table, on any number of threads.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice {

struct Generated {
  Dataset data;
  std::vector<std::int32_t> labels;
};

// A side x side grid of unit-variance Gaussians, neighbours `spacing` apart.
struct BirchGrid {
  std::size_t side = 5;
  std::size_t rows_per_cluster = 100;
  double spacing = 5.656854249492381;  // 4 sqrt(2)
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const BirchGrid& options);

// How far apart the centroids of a GaussianMixture are drawn.
enum class Spread : std::uint8_t { tight, spread, wide };

// K Gaussians of equal size with full covariances, no two centroids closer than tau (s_i + s_j) / 2.
struct GaussianMixture {
  std::size_t n_rows = 1000;
  std::size_t n_columns = 2;
  std::size_t k = 10;
  double tau = 2.0;
  Spread spread = Spread::spread;
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const GaussianMixture& options);

// K c-separated Gaussians: ||m_i - m_j||^2 >= c^2 D max(lambda_i, lambda_j), lambda the largest eigenvalue.
struct SeparatedGaussians {
  std::size_t n_rows = 10000;
  std::size_t n_columns = 16;
  std::size_t k = 10;
  double separation = 2.0;
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const SeparatedGaussians& options);

}  // namespace coppice
