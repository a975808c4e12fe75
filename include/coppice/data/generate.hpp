// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Made-up data with known clusters, as the papers draw them (docs/references.md). The same options always give the
// same table, on any number of threads. Cluster sizes are equal up to one row (the first n_rows % k clusters get it),
// labels run from 0 to k - 1, and the rows are shuffled. Options that make no sense are an OptionError.
//
//   Generated made = generate(GaussianMixture{.n_rows = 5000, .n_columns = 4, .k = 10, .tau = 3.0, .seed = 7});
//   fit(made.data, ...);                        // and compare the labels with made.labels

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice {

struct Generated {
  Dataset data;
  std::vector<std::int32_t> labels;
};

// A side x side grid of unit-variance Gaussians, neighbours `spacing` apart; cluster number = line * side + place.
struct BirchGrid {
  std::size_t side = 5;
  std::size_t rows_per_cluster = 100;
  double spacing = 5.656854249492381;  // 4 sqrt(2)
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const BirchGrid& options);

// How the centroids c_k of a GaussianMixture are drawn:
//   tight   c_k = R u_k, u_k ~ N(0, I), with the smallest R that keeps all pairs tau (s_i + s_j) / 2 apart
//   spread  the same with R at least 1, so that small tau does not make the clusters concentric
//   wide    uniform in a box of half-width 2 tau k^(1/D) D^(1/4); a centroid too close to an earlier one is drawn
//           again, and after 1000 failures in a row the box grows by a tenth
// Scales, covariances and noise of one seed are the same in all three.
enum class Spread : std::uint8_t { tight, spread, wide };

// k Gaussians of equal size with full covariances: x = c_k + s_k A_k e, s_k ~ U(0.05, 1), A_k = G / sqrt(D) with
// G and e standard normal. No two centroids are closer than tau (s_i + s_j) / 2, up to rounding.
struct GaussianMixture {
  std::size_t n_rows = 1000;
  std::size_t n_columns = 2;
  std::size_t k = 10;
  double tau = 2.0;
  Spread spread = Spread::spread;
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const GaussianMixture& options);

// k c-separated Gaussians: ||m_i - m_j||^2 >= c^2 D max(lambda_i, lambda_j), lambda the largest eigenvalue.
// Covariances are Q diag(U(0.3, 1)) Q' with Q uniform over the orthogonal matrices; means are s N(0, I), where
// s = c sqrt(D) grows by 1% until all pairs hold.
struct SeparatedGaussians {
  std::size_t n_rows = 10000;
  std::size_t n_columns = 16;
  std::size_t k = 10;
  double separation = 2.0;  // c
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const SeparatedGaussians& options);

// k multinomials: every cluster draws its probabilities from a symmetric Dirichlet, and a row is `total` words drawn by
// its cluster's. The smaller the concentration, the fewer columns have most of a cluster's words; two clusters are
// about total / concentration nats apart. Sparse or dense, the numbers are the same.
struct CountClusters {
  std::size_t n_rows = 1000;
  std::size_t n_columns = 20;
  std::size_t k = 5;
  std::size_t total = 100;
  double concentration = 10.0;
  bool is_sparse = false;
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const CountClusters& options);

// k products of Bernoullis: every cluster draws the probability of a 1 for every column from a Beta(concentration,
// concentration). The smaller the concentration, the clearer the clusters.
struct BinaryClusters {
  std::size_t n_rows = 1000;
  std::size_t n_columns = 20;
  std::size_t k = 5;
  double concentration = 1.0;
  std::uint64_t seed = 0;
};
[[nodiscard]] Generated generate(const BinaryClusters& options);

}  // namespace coppice
