// SPDX-License-Identifier: BSD-3-Clause
#include "data/generate/mixture.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::size_t redraws_before_growth = 1000;
constexpr double growth = 1.1;

// s_k ~ U(0.05, 1).
std::vector<double> draw_scales(std::size_t k, std::uint64_t seed) {
  std::vector<double> scales(k);
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    scales[cluster] = generator_stream(seed, Role::scale, cluster).uniform(0.05, 1.0);
  }
  return scales;
}

// F_k = s_k A_k with A_k = G / sqrt(D): a covariance of about s_k^2 in every direction, whatever D.
std::vector<double> draw_factors(std::span<const double> scales, std::size_t n_columns, std::uint64_t seed) {
  const std::size_t n_entries = n_columns * n_columns;
  std::vector<double> factors(scales.size() * n_entries);
  for (std::size_t cluster = 0; cluster < scales.size(); ++cluster) {
    RandomStream random = generator_stream(seed, Role::shape, cluster);
    const double scale = scales[cluster] / std::sqrt(static_cast<double>(n_columns));
    std::generate_n(factors.data() + cluster * n_entries, n_entries, [&] { return scale * random.normal(); });
  }
  return factors;
}

// c_k = R u_k.
std::vector<double> scaled_directions(const GaussianMixture& options, std::span<const double> scales) {
  std::vector<double> centers = normal_directions(options.k, options.n_columns, options.seed);
  const double tight = smallest_radius(centers, options.n_columns, [&](std::size_t first, std::size_t second) {
    return options.tau * (scales[first] + scales[second]) / 2.0;
  });
  const double radius = options.spread == Spread::spread ? std::max(1.0, tight) : tight;
  for (double& coordinate : centers) coordinate *= radius;
  return centers;
}

// Half-width 2 tau k^(1/D) D^(1/4): room per cluster that keeps neighbours a few tau apart for every k and D.
double wide_half_width(const GaussianMixture& options) {
  const auto n_columns = static_cast<double>(options.n_columns);
  return 2.0 * options.tau * std::pow(static_cast<double>(options.k), 1.0 / n_columns) * std::pow(n_columns, 0.25);
}

// Whether the last of these centroids keeps its distance from those before it.
bool has_room(std::span<const double> centers, std::span<const double> scales, const CenterBox& box) {
  const std::size_t last = centers.size() / box.n_columns - 1;
  const auto newest = centers.subspan(last * box.n_columns);
  for (std::size_t other = 0; other < last; ++other) {
    const double apart = distance(centers.subspan(other * box.n_columns, box.n_columns), newest);
    if (apart < box.tau * (scales[other] + scales[last]) / 2.0) return false;
  }
  return true;
}

}  // namespace

std::vector<double> internal::centers_in_box(std::span<const double> scales, CenterBox box, std::uint64_t seed) {
  const std::size_t n_columns = box.n_columns;
  std::vector<double> centers(scales.size() * n_columns);
  for (std::size_t cluster = 0; cluster < scales.size(); ++cluster) {
    RandomStream random = generator_stream(seed, Role::center, cluster);
    double* center = centers.data() + cluster * n_columns;
    const std::span<const double> so_far(centers.data(), (cluster + 1) * n_columns);
    // Where the box is full, drawing on would never end: it grows, for the clusters that follow as well.
    for (std::size_t redraw = 0; redraw == 0 || !has_room(so_far, scales, box); ++redraw) {
      if (redraw > 0 && redraw % redraws_before_growth == 0) box.half_width *= growth;
      std::generate_n(center, n_columns, [&] { return random.uniform(-box.half_width, box.half_width); });
    }
  }
  return centers;
}

GaussianClusters internal::draw_clusters(const GaussianMixture& options) {
  GaussianClusters clusters;
  clusters.n_columns = options.n_columns;
  clusters.scales = draw_scales(options.k, options.seed);
  clusters.factors = draw_factors(clusters.scales, options.n_columns, options.seed);
  if (options.spread == Spread::wide) {
    const CenterBox box{options.n_columns, wide_half_width(options), options.tau};
    clusters.centers = centers_in_box(clusters.scales, box, options.seed);
  } else {
    clusters.centers = scaled_directions(options, clusters.scales);
  }
  return clusters;
}

Generated generate(const GaussianMixture& options) {
  check_generated_shape(options.n_rows, options.n_columns, options.k);
  check_not_negative("tau", options.tau);
  return draw_rows(draw_clusters(options), options.n_rows, options.seed);
}

}  // namespace coppice
