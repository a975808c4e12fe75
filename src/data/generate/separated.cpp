// SPDX-License-Identifier: BSD-3-Clause
#include "data/generate/separated.hpp"

#include <Eigen/Dense>

namespace coppice {
using namespace internal;

namespace {

// Uniform over the orthogonal matrices: the Q of a Gaussian matrix's QR, with signs chosen so that R's diagonal is
// positive. Without the signs Q would depend on how the factorisation picks its reflections.
Eigen::MatrixXd random_orthogonal(Eigen::Index n_columns, RandomStream& random) {
  Eigen::MatrixXd gaussian(n_columns, n_columns);
  for (double& entry : gaussian.reshaped()) entry = random.normal();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(gaussian);
  Eigen::MatrixXd q = qr.householderQ();
  for (Eigen::Index column = 0; column < n_columns; ++column) {
    if (qr.matrixQR()(column, column) < 0.0) q.col(column) *= -1.0;
  }
  return q;
}

// Writes F = Q diag(sqrt(lambda)), lambda ~ U(0.3, 1), column by column; returns the largest lambda.
double draw_factor(RandomStream& random, std::span<double> factor, std::size_t n_columns) {
  const auto size = static_cast<Eigen::Index>(n_columns);
  Eigen::Map<Eigen::MatrixXd> f(factor.data(), size, size);
  f = random_orthogonal(size, random);
  double largest = 0.0;
  for (Eigen::Index column = 0; column < size; ++column) {
    const double lambda = random.uniform(0.3, 1.0);
    largest = std::max(largest, lambda);
    f.col(column) *= std::sqrt(lambda);
  }
  return largest;
}

// s = c sqrt(D), grown by 1% until every pair is c-separated. Both sides of the condition have c sqrt(D) in common, so
// the growth is found without it and even the smallest c ends.
double mean_scale(std::span<const double> directions, std::span<const double> largest, const SeparatedGaussians& o) {
  const double needed = smallest_radius(directions, o.n_columns, [&](std::size_t first, std::size_t second) {
    return std::sqrt(std::max(largest[first], largest[second]));
  });
  double growth = 1.0;
  while (growth < needed) growth *= 1.01;
  return growth * o.separation * std::sqrt(static_cast<double>(o.n_columns));
}

}  // namespace

GaussianClusters internal::draw_clusters(const SeparatedGaussians& options) {
  const std::size_t n_entries = options.n_columns * options.n_columns;
  GaussianClusters clusters;
  clusters.n_columns = options.n_columns;
  clusters.factors.resize(options.k * n_entries);
  std::vector<double> largest(options.k);
  for (std::size_t cluster = 0; cluster < options.k; ++cluster) {
    RandomStream random = generator_stream(options.seed, Role::shape, cluster);
    const std::span factor(clusters.factors.data() + cluster * n_entries, n_entries);
    largest[cluster] = draw_factor(random, factor, options.n_columns);
  }
  clusters.centers = normal_directions(options.k, options.n_columns, options.seed);
  const double scale = mean_scale(clusters.centers, largest, options);
  for (double& coordinate : clusters.centers) coordinate *= scale;
  return clusters;
}

Generated generate(const SeparatedGaussians& options) {
  check_generated_shape(options.n_rows, options.n_columns, options.k);
  check_not_negative("separation", options.separation);
  return draw_rows(draw_clusters(options), options.n_rows, options.seed);
}

}  // namespace coppice
