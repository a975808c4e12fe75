// SPDX-License-Identifier: BSD-3-Clause
#include "structure/split_starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/data/row_draw.hpp"
#include "structure/principal_axis.hpp"

namespace coppice::internal {

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

// Squared distances of rows from one of them, every column taken with its precision.
class DistancesFrom {
 public:
  DistancesFrom(const Rows& rows, std::size_t first, std::span<const double> precision)
      : rows_(rows), first_(first), precision_(precision), point_(precision.size()), other_(precision.size()) {
    rows.copy_row(first, point_);
  }
  [[nodiscard]] std::span<const double> point() const noexcept { return point_; }

  [[nodiscard]] double to(std::size_t row) {
    if (rows_.are_sparse()) return to_sparse(row);
    rows_.copy_row(row, other_);
    double sum = 0.0;
    for (std::size_t d = 0; d < other_.size(); ++d) sum += term(d, other_[d]);
    return sum;
  }

 private:
  [[nodiscard]] double term(std::size_t d, double value) const noexcept {
    const double t = value - point_[d];
    return precision_[d] * t * t;
  }
  // Over the columns in which one of the rows has an entry, in their order: the same sum as for dense rows.
  [[nodiscard]] double to_sparse(std::size_t row) const {
    const SparseRow a = rows_.data().sparse_row(first_);
    const SparseRow b = rows_.data().sparse_row(row);
    double sum = 0.0;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
      const bool takes_b = j < b.size() && (i == a.size() || b.columns[j] <= a.columns[i]);
      const std::size_t d = takes_b ? b.columns[j] : a.columns[i];
      if (i < a.size() && a.columns[i] == d) ++i;
      sum += term(d, takes_b ? b.value(j++) : 0.0);
    }
    return sum;
  }

  const Rows& rows_;
  std::size_t first_;
  std::span<const double> precision_;
  std::vector<double> point_;
  std::vector<double> other_;
};

// Two of the candidates, the second drawn in proportion to its squared distance from the first.
Plane seeded_plane(const Rows& rows, std::span<const std::size_t> candidates, std::span<const double> precision,
                   RandomStream& random) {
  std::vector<double> masses(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) masses[i] = rows.weight(candidates[i]);
  DistancesFrom first(rows, draw_row(rows.data(), candidates, masses, random), precision);
  for (std::size_t i = 0; i < candidates.size(); ++i) masses[i] *= first.to(candidates[i]);
  std::vector<double> other(precision.size());
  rows.copy_row(draw_row(rows.data(), candidates, masses, random), other);
  return halfway(first.point(), other, precision);
}

// Names a cluster by what is in it: its number may depend on the last bits of sums, and the numbers drawn must not.
std::uint64_t content_key(const Rows& rows, std::span<const std::size_t> candidates) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const std::size_t row : candidates) {
    if (rows.weight(row) > 0.0) least = std::min(least, unit_free_hash(rows.data(), row));
  }
  return least;
}

// The plane through `mean` with the given normal.
Plane plane_through(std::span<const double> mean, std::vector<double> normal) {
  Plane plane{std::move(normal), 0.0};
  double size = 0.0;
  for (std::size_t d = 0; d < mean.size(); ++d) {
    plane.threshold += mean[d] * plane.normal[d];
    size += std::abs(mean[d] * plane.normal[d]);
  }
  plane.threshold -= nudge * size;
  return plane;
}

// Shares x / W lie above a threshold where (normal - threshold 1)'x >= 0: a plane of the rows themselves.
void take_shares(Plane& plane) {
  for (double& value : plane.normal) value -= plane.threshold;
  plane.threshold = 0.0;
}

void divide(std::vector<double>& values, std::span<const double> lengths) {
  for (std::size_t d = 0; d < lengths.size(); ++d) values[d] /= lengths[d];
}

// Across the widest direction of columns that are divided by lengths, if some are given. Where statistics tell the
// axis, they do; `candidates` are asked for if not.
template <class Candidates>
Plane principal_plane_by(const Problem& problem, ConstStatsRef stats, std::span<const double> lengths,
                         const Candidates& candidates) {
  Plane plane;
  if (std::optional<SplitAxis> axis = problem.components.split_axis(stats, lengths)) {
    std::vector<double> mean = problem.components.column_moments(stats).mean;
    divide(mean, lengths);
    plane = plane_through(mean, std::move(axis->direction));
  } else {
    MemberAxis found = principal_axis(problem.units, problem.components, candidates(), lengths);
    plane = plane_through(found.mean, std::move(found.axis.direction));
  }
  divide(plane.normal, lengths);
  if (problem.components.compares_shares()) take_shares(plane);
  return plane;
}

}  // namespace

Plane principal_plane(const Problem& problem, ConstStatsRef stats, const Subset& members) {
  return principal_plane_by(problem, stats, {}, [&] { return members.members(); });
}

std::vector<Plane> split_starts(const Problem& problem, ConstStatsRef stats, const Subset& members,
                                const SplitOptions& options) {
  std::vector<std::size_t> candidates(options.drawn_from.begin(), options.drawn_from.end());
  const auto ask = [&]() -> std::span<const std::size_t> {
    if (candidates.empty()) candidates = members.members();
    return candidates;
  };
  std::vector<Plane> starts;
  starts.push_back(principal_plane_by(problem, stats, problem.components.column_lengths(), ask));
  const Units& units = problem.units;
  // Draws go by a row's content, which summaries do not have.
  if (!units.are_rows()) return starts;
  (void)ask();
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

}  // namespace coppice::internal
