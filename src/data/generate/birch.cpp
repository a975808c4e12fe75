// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "data/generate/gaussian_clusters.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::size_t max_side = 46340;  // the largest whose square is a label

void check(const BirchGrid& options) {
  if (options.side == 0 || options.side > max_side) {
    throw OptionError(format_text("{side} is {}; choose 1 to {}", options.side, max_side));
  }
  if (options.rows_per_cluster == 0) throw OptionError(format_text("{rows_per_cluster} is 0; choose at least 1"));
  check_not_negative("spacing", options.spacing);
  const std::size_t k = options.side * options.side;
  if (options.rows_per_cluster > SIZE_MAX / k) {
    throw LimitError(fmt::format("{} clusters of {} rows do not fit into memory", k, options.rows_per_cluster));
  }
  check_generated_shape(k * options.rows_per_cluster, 2, k);
}

}  // namespace

Generated generate(const BirchGrid& options) {
  check(options);
  GaussianClusters clusters{.n_columns = 2, .centers = {}, .factors = {}, .scales = {}};
  for (std::size_t line = 0; line < options.side; ++line) {
    for (std::size_t place = 0; place < options.side; ++place) {
      clusters.centers.push_back(options.spacing * static_cast<double>(place));
      clusters.centers.push_back(options.spacing * static_cast<double>(line));
      clusters.factors.insert(clusters.factors.end(), {1.0, 0.0, 0.0, 1.0});
    }
  }
  return draw_rows(clusters, clusters.k() * options.rows_per_cluster, options.seed);
}

}  // namespace coppice
