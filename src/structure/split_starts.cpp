// SPDX-License-Identifier: BSD-3-Clause
// Planes to cut a cluster by: across the widest direction ([L] appendix D.3; only the plane counts, docs/errata.md,
// 16), and halfway between pairs of rows drawn like seeds, for clusters whose parts do not lie along it. Columns are
// measured by the cluster's own spread or by the prior's scale, so that their units do not matter.

#include "structure/split_starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "coppice/data/row_draw.hpp"
#include "structure/principal_axis.hpp"
#include "structure/without_last_bits.hpp"

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
// Rows of counts may be longer or shorter without being elsewhere.
void take_shares(Plane& plane) {
  for (double& value : plane.normal) value -= plane.threshold;
  plane.threshold = 0.0;
}

void divide(std::vector<double>& values, std::span<const double> lengths) {
  for (std::size_t d = 0; d < lengths.size(); ++d) values[d] /= lengths[d];
}

// Across the widest direction of columns that are divided by lengths, if some are given. Where statistics tell the
// axis, they do; the members are asked if not.
template <class OfMembers>
Plane principal_plane_by(const Problem& problem, ConstStatsRef stats, std::span<const double> lengths,
                         const OfMembers& of_members) {
  Plane plane;
  if (std::optional<SplitAxis> axis = problem.components.split_axis(stats, lengths)) {
    std::vector<double> mean = problem.components.column_moments(stats).mean;
    divide(mean, lengths);
    plane = plane_through(mean, std::move(axis->direction));
  } else {
    MemberAxis found = of_members();
    plane = plane_through(found.mean, std::move(found.axis.direction));
  }
  divide(plane.normal, lengths);
  if (problem.components.compares_shares()) take_shares(plane);
  return plane;
}

}  // namespace

Plane principal_plane(const Problem& problem, ConstStatsRef stats, const Subset& members) {
  return principal_plane_by(problem, stats, {},
                            [&] { return principal_axis(problem.units, problem.components, members.members()); });
}

Plane principal_plane(const Problem& problem, ConstStatsRef stats, const Portion& members,
                      std::span<const double> lengths) {
  return principal_plane_by(problem, stats, lengths,
                            [&] { return principal_axis(problem.units, problem.components, members, lengths); });
}

namespace {

constexpr std::size_t n_centres = 8;
constexpr double neighbourhoods[] = {1.0 / 64.0, 1.0 / 16.0, 1.0 / 4.0};  // of the cluster's weight

// Rows by their distance from one of them.
std::vector<std::size_t> by_distance(const Rows& rows, std::size_t centre, std::span<const double> precision) {
  DistancesFrom from(rows, centre, precision);
  std::vector<std::pair<double, std::size_t>> placed;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.weight(row) > 0.0) placed.emplace_back(without_last_bits(from.to(row)), row);
  }
  std::ranges::sort(placed, [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : unit_free_less(rows.data(), a.second, b.second);
  });
  std::vector<std::size_t> order(placed.size());
  std::ranges::transform(placed, order.begin(), [](const auto& one) { return one.second; });
  return order;
}

// Adds rows to statistics.
void add_rows(const Problem& problem, std::span<const std::size_t> list, StatsRef into, BlockBuffer& buffer) {
  const Rows& rows = problem.units.rows();
  std::vector<double> weights(kernels::panel_rows);
  while (!list.empty()) {
    const std::span<const std::size_t> some = list.first(std::min(kernels::panel_rows, list.size()));
    std::ranges::transform(some, weights.begin(), [&](std::size_t row) { return rows.weight(row); });
    RowBlock block(rows, some, buffer);
    problem.components.add(into, block, std::span(weights).first(some.size()));
    list = list.subspan(some.size());
  }
}

// Rows from the nearest on, cut where the nearest hold each of the shares; one cluster of every piece.
StatsArena rings(const Problem& problem, std::span<const std::size_t> nearest_first, double weight) {
  const Rows& rows = problem.units.rows();
  // With fewer rows a cluster has no width of its own in some direction.
  const auto least = static_cast<double>(problem.components.n_columns() + 1);
  BlockBuffer buffer(rows.n_columns());
  StatsArena rings(std::size(neighbourhoods) + 1, problem.components.stats_size());
  double held = 0.0;
  std::size_t at = 0;
  for (std::size_t ring = 0; ring < rings.size(); ++ring) {
    const bool is_last = ring == std::size(neighbourhoods);
    const double wanted = is_last ? weight : std::max(least, neighbourhoods[ring] * weight);
    const std::size_t first = at;
    while (at < nearest_first.size() && (is_last || held < wanted)) held += rows.weight(nearest_first[at++]);
    add_rows(problem, nearest_first.subspan(first, at - first), rings[ring], buffer);
  }
  return rings;
}

}  // namespace

std::optional<StatsArena> neighbourhood_start(const Problem& problem, ConstStatsRef stats,
                                              const SplitOptions& options) {
  const Components& components = problem.components;
  const Rows& rows = problem.units.rows();
  std::vector<std::size_t> candidates(rows.size());
  std::iota(candidates.begin(), candidates.end(), std::size_t{0});
  std::vector<double> masses(rows.size());
  std::ranges::transform(candidates, masses.begin(), [&](std::size_t row) { return rows.weight(row); });
  std::vector<double> precision = components.column_moments(stats).variance;
  for (double& value : precision) value = value > 0.0 ? 1.0 / value : 0.0;
  RandomStream random{options.seed, Purpose::split,
                      content_key(rows, candidates) ^ (((options.stream << 4U) + 15) * 0x9e3779b97f4a7c15ULL)};
  std::optional<StatsArena> best;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n_centres; ++i) {
    const std::size_t centre = draw_row(rows.data(), candidates, masses, random);
    const StatsArena parts = rings(problem, by_distance(rows, centre, precision), stats[0]);
    for (std::size_t n_inner = 1; n_inner < parts.size(); ++n_inner) {
      StatsArena halves(2, components.stats_size());
      for (std::size_t ring = 0; ring < parts.size(); ++ring) {
        components.merge(halves[ring < n_inner ? 0 : 1], parts[ring]);
      }
      if (!(std::min(halves.weight(0), halves.weight(1)) > 0.0)) continue;
      const double evidence = components.log_evidence(halves[0]) + components.log_evidence(halves[1]);
      if (!(evidence > most)) continue;
      most = evidence;
      best = std::move(halves);
    }
  }
  return best;
}

std::vector<Plane> split_starts(const Problem& problem, ConstStatsRef stats, const Subset& members,
                                const SplitOptions& options) {
  std::vector<std::size_t> candidates(options.drawn_from.begin(), options.drawn_from.end());
  const auto ask = [&]() -> std::span<const std::size_t> {
    if (candidates.empty()) candidates = members.members();
    return candidates;
  };
  std::vector<Plane> starts;
  const std::vector<double> lengths = problem.components.column_lengths();
  starts.push_back(principal_plane_by(
      problem, stats, lengths, [&] { return principal_axis(problem.units, problem.components, ask(), lengths); }));
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
