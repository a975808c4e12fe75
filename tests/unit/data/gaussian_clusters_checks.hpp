// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the tests of generators ask of clusters and of the rows drawn from them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "data/generate/mixture.hpp"

namespace coppice::internal {

inline std::span<const double> center(const GaussianClusters& clusters, std::size_t cluster) {
  return std::span(clusters.centers).subspan(cluster * clusters.n_columns, clusters.n_columns);
}

// Column `axis` of the factor F of a cluster.
inline std::span<const double> factor_column(const GaussianClusters& clusters, std::size_t cluster, std::size_t axis) {
  return std::span(clusters.factors)
      .subspan((cluster * clusters.n_columns + axis) * clusters.n_columns, clusters.n_columns);
}

inline double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The smallest ratio of a pair's distance to the distance it must keep.
inline double closest_pair(const GaussianClusters& clusters,
                           const std::function<double(std::size_t, std::size_t)>& required) {
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < clusters.k(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      closest = std::min(closest, distance(center(clusters, i), center(clusters, j)) / required(i, j));
    }
  }
  return closest;
}

inline double closest_pair(const GaussianMixture& options) {
  const GaussianClusters clusters = draw_clusters(options);
  return closest_pair(clusters, [&](std::size_t i, std::size_t j) {
    return options.tau * (clusters.scales[i] + clusters.scales[j]) / 2.0;
  });
}

inline std::vector<std::size_t> sizes_of(const Generated& made, std::size_t k) {
  std::vector<std::size_t> sizes(k, 0);
  for (const std::int32_t label : made.labels) ++sizes.at(static_cast<std::size_t>(label));
  return sizes;
}

// Entry (i, j) of F F'.
inline double covariance(const GaussianClusters& clusters, std::size_t cluster, std::size_t i, std::size_t j) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < clusters.n_columns; ++axis) {
    const auto column = factor_column(clusters, cluster, axis);
    sum += column[i] * column[j];
  }
  return sum;
}

// Mean and covariance of each cluster's rows against F F'. For n Gaussian rows the mean of column i has the standard
// error sqrt(C_ii / n); the mean of (x_i - m_i)(x_j - m_j), m the true mean, has sqrt((C_ii C_jj + C_ij^2) / n). At
// 5.5 standard errors one comparison fails by chance with probability 4e-8, and all tests here make fewer than 1000.
inline void expect_moments(const Generated& made, const GaussianClusters& clusters) {
  for (std::size_t cluster = 0; cluster < clusters.k(); ++cluster) {
    const auto label = static_cast<std::int32_t>(cluster);
    const auto n = static_cast<double>(std::ranges::count(made.labels, label));
    for (std::size_t i = 0; i < clusters.n_columns; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0.0;
        double product = 0.0;
        for (std::size_t row = 0; row < made.labels.size(); ++row) {
          if (made.labels[row] != label) continue;
          const double centred = made.data.value(row, i) - center(clusters, cluster)[i];
          sum += centred;
          product += centred * (made.data.value(row, j) - center(clusters, cluster)[j]);
        }
        const double c_ii = covariance(clusters, cluster, i, i);
        const double c_jj = covariance(clusters, cluster, j, j);
        const double c_ij = covariance(clusters, cluster, i, j);
        EXPECT_NEAR(sum / n, 0.0, 5.5 * std::sqrt(c_ii / n)) << "mean of column " << i << ", cluster " << cluster;
        EXPECT_NEAR(product / n, c_ij, 5.5 * std::sqrt((c_ii * c_jj + c_ij * c_ij) / n))
            << "covariance " << i << ", " << j << ", cluster " << cluster;
      }
    }
  }
}

}  // namespace coppice::internal
