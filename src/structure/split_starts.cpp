// SPDX-License-Identifier: BSD-3-Clause
#include "structure/split_starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/data/row_draw.hpp"

namespace coppice {

namespace {

// Planes are moved by this share of their size: rows on a lattice lie exactly on them, and the last bits of a cluster's
// moments, which depend on the order of sums, must not decide on which side.
constexpr double nudge = 1e-10;

// The plane of points that are as far from a as from b, every column divided by its spread inside the cluster; a is on
// side 0.
Plane halfway(std::span<const double> a, std::span<const double> b, std::span<const double> precision) {
  Plane plane{std::vector<double>(a.size()), 0.0};
  double size = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    plane.normal[d] = precision[d] * (a[d] - b[d]);
    plane.threshold += plane.normal[d] * 0.5 * (a[d] + b[d]);
    size += std::abs(plane.normal[d]) * (std::abs(a[d]) + std::abs(b[d]));
  }
  plane.threshold -= nudge * size;
  return plane;
}

// Two of the candidates, the second drawn in proportion to its squared distance from the first.
Plane seeded_plane(const Rows& rows, std::span<const std::size_t> candidates, std::span<const double> precision,
                   RandomStream& random) {
  std::vector<double> masses(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) masses[i] = rows.weight(candidates[i]);
  std::vector<double> first(precision.size());
  rows.copy_row(draw_row(rows.data(), candidates, masses, random), first);
  std::vector<double> other(precision.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    rows.copy_row(candidates[i], other);
    double squared_distance = 0.0;
    for (std::size_t d = 0; d < other.size(); ++d) {
      const double t = other[d] - first[d];
      squared_distance += precision[d] * t * t;
    }
    masses[i] *= squared_distance;
  }
  rows.copy_row(draw_row(rows.data(), candidates, masses, random), other);
  return halfway(first, other, precision);
}

// Names a cluster by what is in it: its number may depend on the last bits of sums, and the numbers drawn must not.
std::uint64_t content_key(const Rows& rows, std::span<const std::size_t> candidates) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const std::size_t row : candidates) {
    if (rows.weight(row) > 0.0) least = std::min(least, row_hash(rows.data(), row));
  }
  return least;
}

}  // namespace

Plane principal_plane(const Problem& problem, ConstStatsRef stats) {
  const std::vector<double> mean = problem.components.column_moments(stats).mean;
  Plane plane{problem.components.split_axis(stats).direction, 0.0};
  double size = 0.0;
  for (std::size_t d = 0; d < mean.size(); ++d) {
    plane.threshold += mean[d] * plane.normal[d];
    size += std::abs(mean[d] * plane.normal[d]);
  }
  plane.threshold -= nudge * size;
  return plane;
}

std::vector<Plane> split_starts(const Problem& problem, ConstStatsRef stats, const Part& members,
                                const SplitOptions& options) {
  std::vector<Plane> starts;
  starts.push_back(principal_plane(problem, stats));
  const Units& units = problem.units;
  // Draws go by a row's content, which summaries do not have.
  if (!units.are_rows() || (units.are_in_tree() && units.tree().are_leaves_tied)) return starts;
  std::vector<std::size_t> candidates(options.drawn_from.begin(), options.drawn_from.end());
  if (candidates.empty()) candidates = members.members();
  std::vector<double> precision = problem.components.column_moments(stats).variance;
  for (double& value : precision) value = value > 0.0 ? 1.0 / value : 0.0;
  const std::uint64_t key = content_key(units.rows(), candidates);
  for (std::size_t i = 0; i < options.n_seeded; ++i) {
    const std::uint64_t number = (options.stream << 4U) + i;
    RandomStream random{options.seed, Purpose::split, key ^ (number * 0x9e3779b97f4a7c15ULL)};
    starts.push_back(seeded_plane(units.rows(), candidates, precision, random));
  }
  return starts;
}

}  // namespace coppice
