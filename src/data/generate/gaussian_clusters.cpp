// SPDX-License-Identifier: BSD-3-Clause
#include "data/generate/gaussian_clusters.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

void draw_row(const GaussianClusters& clusters, std::size_t cluster, RandomStream& random, double* row) noexcept {
  const std::size_t n_columns = clusters.n_columns;
  const double* center = clusters.centers.data() + cluster * n_columns;
  const double* factor = clusters.factors.data() + cluster * n_columns * n_columns;
  std::copy_n(center, n_columns, row);
  // Column by column, so that the sums have one order on every machine and still vectorize.
  for (std::size_t column = 0; column < n_columns; ++column, factor += n_columns) {
    const double noise = random.normal();
    for (std::size_t at = 0; at < n_columns; ++at) row[at] += factor[at] * noise;
  }
}

// A vector holds at most this many doubles.
constexpr std::size_t max_values = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);

void check_addressable(const char* what, std::size_t count, std::size_t each) {
  if (count > max_values / each) {
    throw LimitError(fmt::format("{} {} of {} values do not fit into memory", count, what, each));
  }
}

}  // namespace

RandomStream generator_stream(std::uint64_t seed, Role role, std::size_t cluster) noexcept {
  return {seed, Purpose::generate, (static_cast<std::uint64_t>(role) << 32U) + cluster};
}

// Fisher-Yates.
std::vector<std::int32_t> shuffled_labels(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  std::vector<std::int32_t> labels;
  labels.reserve(n_rows);
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    const std::size_t size = n_rows / k + (cluster < n_rows % k ? 1 : 0);
    labels.insert(labels.end(), size, static_cast<std::int32_t>(cluster));
  }
  RandomStream random = generator_stream(seed, Role::order);
  for (std::size_t last = n_rows; last > 1; --last) std::swap(labels[last - 1], labels[random.below(last)]);
  return labels;
}

void check_generated_shape(std::size_t n_rows, std::size_t n_columns, std::size_t k) {
  constexpr std::size_t max_k = std::numeric_limits<std::int32_t>::max();
  if (n_rows == 0) throw OptionError(format_text("{rows} is 0; choose at least 1"));
  if (n_columns == 0) throw OptionError(format_text("{dimensions} is 0; choose at least 1"));
  if (k == 0 || k > n_rows) {
    throw OptionError(format_text("{k} is {}, but {} rows are asked for; choose 1 to {}", k, n_rows, n_rows));
  }
  if (k > max_k) throw OptionError(format_text("{k} is {}; choose at most {}", k, max_k));
  check_addressable("rows", n_rows, n_columns);
  check_addressable("columns", n_columns, n_columns);
  check_addressable("covariances", k, n_columns * n_columns);
}

void check_not_negative(const char* name, double value) {
  if (!std::isfinite(value) || value < 0.0) {
    throw OptionError(format_text("{} is {}; choose a finite number from 0 on", option(name), value));
  }
}

std::vector<double> normal_directions(std::size_t k, std::size_t n_columns, std::uint64_t seed) {
  std::vector<double> directions(k * n_columns);
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    RandomStream random = generator_stream(seed, Role::center, cluster);
    double* direction = directions.data() + cluster * n_columns;
    std::generate_n(direction, n_columns, [&] { return random.normal(); });
  }
  return directions;
}

Generated draw_rows(const GaussianClusters& clusters, std::size_t n_rows, std::uint64_t seed) {
  const std::size_t k = clusters.k();
  std::vector<RandomStream> noise;
  noise.reserve(k);
  for (std::size_t cluster = 0; cluster < k; ++cluster) noise.push_back(generator_stream(seed, Role::noise, cluster));

  std::vector<std::int32_t> labels = shuffled_labels(n_rows, k, seed);
  std::vector<double> values(n_rows * clusters.n_columns);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto cluster = static_cast<std::size_t>(labels[row]);
    draw_row(clusters, cluster, noise[cluster], values.data() + row * clusters.n_columns);
  }
  return {Dataset::from_rows(std::move(values), n_rows, clusters.n_columns), std::move(labels)};
}

double distance(std::span<const double> a, std::span<const double> b) noexcept {
  double squared = 0.0;
  for (std::size_t column = 0; column < a.size(); ++column)
    squared += (a[column] - b[column]) * (a[column] - b[column]);
  return std::sqrt(squared);
}

}  // namespace coppice::internal
