// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <utility>

#include "data/generate/dirichlet.hpp"
#include "data/generate/gaussian_clusters.hpp"

namespace coppice {
using namespace internal;

namespace {

// A Beta(concentration, concentration) draw is the first of two Dirichlet shares.
std::vector<double> draw_probabilities(const BinaryClusters& options, std::size_t cluster) {
  RandomStream random = generator_stream(options.seed, Role::probability, cluster);
  std::vector<double> probabilities(options.n_columns);
  for (double& probability : probabilities) probability = draw_dirichlet(2, options.concentration, random).front();
  return probabilities;
}

}  // namespace

Generated generate(const BinaryClusters& options) {
  check_generated_shape(options.n_rows, options.n_columns, options.k);
  check_concentration(options.concentration);
  std::vector<RandomStream> noise;
  std::vector<std::vector<double>> probabilities;
  for (std::size_t cluster = 0; cluster < options.k; ++cluster) {
    noise.push_back(generator_stream(options.seed, Role::noise, cluster));
    probabilities.push_back(draw_probabilities(options, cluster));
  }
  std::vector<std::int32_t> labels = shuffled_labels(options.n_rows, options.k, options.seed);
  std::vector<float> values;
  values.reserve(options.n_rows * options.n_columns);
  for (const std::int32_t label : labels) {
    const auto cluster = static_cast<std::size_t>(label);
    for (const double probability : probabilities[cluster]) {
      values.push_back(noise[cluster].uniform() < probability ? 1.0F : 0.0F);
    }
  }
  return {Dataset::from_rows(std::move(values), options.n_rows, options.n_columns), std::move(labels)};
}

}  // namespace coppice
