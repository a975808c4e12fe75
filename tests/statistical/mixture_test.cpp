// SPDX-License-Identifier: BSD-3-Clause
// Known mixtures are found again: ten Gaussians of any shape whose centres are at least two radii apart.
#include <gtest/gtest.h>

#include <string>

#include "coppice/data/generate.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"

namespace coppice {
namespace {

constexpr std::size_t n_seeds = 10;
// If one mixture in 20 is too hard, fewer than 8 of 10 are found with probability 1.2% (binomial), over all sets of
// seeds; the seeds are fixed, so that a pass stays a pass.
constexpr std::size_t least_found = 8;
// Clusters two radii apart overlap. With a share e of the rows in a wrong cluster the index is about (1 - e)^2: e is at
// most 8%.
constexpr double least_index = 0.85;

void expect_ten_clusters(std::size_t n_columns) {
  std::size_t n_found = 0;
  std::string numbers;
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    const Generated made = generate(GaussianMixture{
        .n_rows = 5000, .n_columns = n_columns, .k = 10, .tau = 2.0, .spread = Spread::spread, .seed = seed});
    const Fit found = fit(made.data, BayesianKMeans{.seed = seed});
    const double index = evaluate::adjusted_rand_index(found.labels, made.labels);
    numbers += ' ' + std::to_string(found.model.k());
    if (found.model.k() != 10) continue;
    ++n_found;
    EXPECT_GT(index, least_index) << "seed " << seed;
  }
  EXPECT_GE(n_found, least_found) << "numbers of clusters by seed:" << numbers;
}

TEST(Mixture, TenClustersInThePlane) { expect_ten_clusters(2); }

TEST(Mixture, TenClustersInSixteenColumns) { expect_ten_clusters(16); }

}  // namespace
}  // namespace coppice
