// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the generators share: streams, checks, shuffled labels; and Gaussians with known parameters, with rows drawn
// from them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/generate.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// Cluster k draws x = center_k + F_k e with e standard normal, so its covariance is F_k F_k'.
struct GaussianClusters {
  std::size_t n_columns = 0;
  std::vector<double> centers;  // k x D, row by row
  std::vector<double> factors;  // k matrices F of D x D, each column by column
  std::vector<double> scales;   // s_k of a mixture; empty for the other generators

  [[nodiscard]] std::size_t k() const noexcept { return centers.size() / n_columns; }
};

// What a generator's stream is drawn for. Numbers are part of the data: append, never renumber.
enum class Role : std::uint32_t { order = 0, scale = 1, center = 2, shape = 3, noise = 4, probability = 5 };

// The stream of one role of one cluster.
[[nodiscard]] RandomStream generator_stream(std::uint64_t seed, Role role, std::size_t cluster = 0) noexcept;

// Throws OptionError unless 1 <= k <= n_rows and n_columns >= 1; LimitError if the table cannot be addressed.
void check_generated_shape(std::size_t n_rows, std::size_t n_columns, std::size_t k);

// Throws OptionError unless the option called `name` is a finite number that is not negative.
void check_not_negative(const char* name, double value);

// Labels 0 .. k-1 in equal numbers up to one, in random order.
[[nodiscard]] std::vector<std::int32_t> shuffled_labels(std::size_t n_rows, std::size_t k, std::uint64_t seed);

// k directions u_k ~ N(0, I), row by row.
[[nodiscard]] std::vector<double> normal_directions(std::size_t k, std::size_t n_columns, std::uint64_t seed);

// n_rows rows in shuffled order. Each cluster draws its noise from a stream of its own.
[[nodiscard]] Generated draw_rows(const GaussianClusters& clusters, std::size_t n_rows, std::uint64_t seed);

[[nodiscard]] double distance(std::span<const double> a, std::span<const double> b) noexcept;

// The smallest R with R ||u_i - u_j|| >= required(i, j) for all pairs; 0 if there is none.
template <class Required>
[[nodiscard]] double smallest_radius(std::span<const double> directions, std::size_t n_columns, Required&& required) {
  const std::size_t k = directions.size() / n_columns;
  double radius = 0.0;
  for (std::size_t second = 1; second < k; ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      const double apart =
          distance(directions.subspan(first * n_columns, n_columns), directions.subspan(second * n_columns, n_columns));
      radius = std::max(radius, required(first, second) / apart);
    }
  }
  return radius;
}

}  // namespace coppice::internal
