// SPDX-License-Identifier: BSD-3-Clause
// Centres find their rows by one of two kernels: with up to four columns by differences, straight from storage; else by
// a matrix product in single precision (kernels/nearest_centres.hpp), whose doubtful rows go on to double precision,
// among the few centres that single precision leaves in question, and whose ties go on to the exact rule. Each step
// hands on only what it cannot tell.

#include "coppice/family/centroid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "coppice/family/centred_stats.hpp"
#include "coppice/family/tie_rule.hpp"
#include "coppice/kernels/bisector.hpp"
#include "coppice/kernels/point_moments.hpp"
#include "coppice/kernels/quadratic.hpp"
#include "coppice/kernels/squared_distances.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

void Centroid::add(StatsRef into, RowBlock& rows, Weights weights) const {
  thread_local std::vector<double> block;  // as long as the statistics are
  block.resize(stats_size());
  const kernels::PointMoments moments =
      kernels::point_moments(rows.stored(), weights, std::span(block).subspan(1, n_columns_));
  block.front() = moments.weight;
  block.back() = moments.scatter;
  merge(into, block);
}

// Chan, Golub and LeVeque's update, for one number instead of a matrix.
void Centroid::merge(StatsRef into, ConstStatsRef from) const {
  if (from.front() <= 0.0) return;
  if (into.front() <= 0.0) {
    std::ranges::copy(from, into.begin());
    return;
  }
  const double total = into.front() + from.front();
  const double share = from.front() / total;
  const double squared_distance =
      kernels::move_towards(into.subspan(1, n_columns_), from.subspan(1, n_columns_), share);
  into.back() += from.back() + into.front() * share * squared_distance;
  into.front() = total;
}

Centroid::Posterior Centroid::posterior(ConstStatsRef stats) const {
  const auto mean = stats.subspan(1, n_columns_);
  // Of the rows and not of the mean: means are rounded by what was summed up.
  double squared_length = stats.front() > 0.0 ? stats.back() / stats.front() : 0.0;
  for (const double entry : mean) squared_length += entry * entry;
  return {{mean.begin(), mean.end()}, std::sqrt(squared_length)};
}

void Centroid::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  add_scaled_centred(into, from, factor, n_columns_,
                     [this](StatsRef all, ConstStatsRef scaled) { merge(all, scaled); });
}

void Centroid::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  mean_costs(clusters, rows.panel(), out);
}

void Centroid::mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& panel, double* out) const {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    kernels::squared_distances(panel, clusters[c].m.data(), 1, out + c * kernels::panel_stride);
  }
}

namespace {

// A mean of rows of length l may be off by e = 2^-47 l, according to the order in which they were summed up, and a
// squared distance d from it by 2 sqrt(d) e + e^2. A tie has to cover that, times tie_band: centres that coincide but
// for rounding are no different, and nothing may hang on which of them a row seems to be nearer to.
constexpr double rounding_of_means = 0x1p-47;
constexpr double per_distance = 4.0 * rounding_of_means / tie_band;
constexpr double at_centre = 4.0 * rounding_of_means * rounding_of_means / tie_band;

// per_distance sqrt(d) l <= d / 2 + per_distance^2 l^2 / 2: how far the scale of a tie exceeds 1.5 d at most.
double most_beyond(double length) { return (0.5 * per_distance * per_distance + at_centre) * length * length; }

}  // namespace

ExactCost Centroid::exact_cost(const Posterior& q, std::span<const double> row) const {
  const double squared_distance = kernels::exact_squared_distance(row, q.m);
  const double of_rounding = per_distance * std::sqrt(squared_distance) + at_centre * q.length;
  return {squared_distance, squared_distance + of_rounding * q.length};
}

TieScale Centroid::tie_scale(const Posterior& q) const { return {1.5, -most_beyond(q.length) / 1.5}; }

double Centroid::tie_reserve(std::span<const Posterior> clusters) {
  double longest = 0.0;
  for (const Posterior& q : clusters) longest = std::max(longest, q.length);
  return 2.02 * tie_band * most_beyond(longest);  // of both centres, and the rounding of bounds
}

double Centroid::node_cost(const Posterior& q, ConstStatsRef stats) const {
  return stats.front() * kernels::exact_squared_distance(stats.subspan(1, n_columns_), q.m) + stats.back();
}

void Centroid::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  costs(clusters, rows, out);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      double& cost = out[c * kernels::panel_stride + row];
      cost = -cost;
    }
  }
}

SplitAxis Centroid::split_axis(ConstStatsRef stats) const {
  SplitAxis axis{std::vector<double>(n_columns_, 0.0), column_moments(stats).variance.front()};
  axis.direction.front() = 1.0;
  return axis;
}

ColumnMoments Centroid::column_moments(ConstStatsRef stats) const {
  const auto mean = stats.subspan(1, n_columns_);
  const double per_column =
      stats.front() > 0.0 ? stats.back() / (stats.front() * static_cast<double>(n_columns_)) : 0.0;
  return {{mean.begin(), mean.end()}, std::vector<double>(n_columns_, per_column)};
}

NamedArrays Centroid::to_arrays() const { return {{"n_columns", {{}, {static_cast<double>(n_columns_)}}}}; }

Centroid Centroid::from_arrays(const NamedArrays& arrays) {
  const auto found = arrays.find("n_columns");
  if (found == arrays.end() || found->second.values.size() != 1) {
    throw DataError("the centroid family lacks the array n_columns");
  }
  const double columns = found->second.values.front();
  if (!(columns >= 1.0 && columns <= 1e9) || columns != std::floor(columns)) {
    throw DataError(fmt::format("the centroid family has {} columns, which is no number of columns", columns));
  }
  return Centroid(static_cast<std::size_t>(columns));
}

namespace {

class BisectorTest final : public BoxTest {
 public:
  BisectorTest(std::span<const Centroid::Posterior> clusters, std::span<const double> offsets, std::size_t n_columns)
      : points_(n_columns), band_(widest_band(n_columns)), reserve_(Centroid::tie_reserve(clusters)) {
    for (std::size_t c = 0; c < clusters.size(); ++c) points_.append(clusters[c].m, offsets[c]);
  }
  void prune(std::span<kernels::ContestedBox> boxes, double lead, std::vector<double>& scratch) const override {
    for (kernels::ContestedBox& box : boxes) {
      box.n = points_.drop_beaten(box.low, box.high, {lead + reserve_, band_}, box.list(), scratch);
    }
  }

 private:
  kernels::BisectorTester points_;
  double band_;
  double reserve_;
};

}  // namespace

std::unique_ptr<BoxTest> Centroid::box_test(std::span<const Posterior> clusters,
                                            std::span<const double> offsets) const {
  return std::make_unique<BisectorTest>(clusters, offsets, n_columns_);
}

Centroid::Finder::Finder(std::span<const Posterior> clusters, std::size_t n_columns) : n_columns_(n_columns) {
  for (const Posterior& q : clusters) centres_.insert(centres_.end(), q.m.begin(), q.m.end());
  if (n_columns <= kernels::most_few_columns) {
    kernels::BandedTriangle identity(n_columns);
    for (std::size_t c = 0; c < n_columns; ++c) identity.at(c, c) = 1.0;
    few_ = kernels::FewForms(n_columns);
    for (const Posterior& q : clusters) few_.append({q.m, &identity, 0.0});
    return;
  }
  packed_ = kernels::PackedCentres(centres_, n_columns);
}

std::optional<std::size_t> Centroid::Finder::find(const RowBlock& rows, const NearestQuery& query,
                                                  std::int32_t* winners, std::uint32_t* doubtful) const {
  if (n_columns_ <= kernels::most_few_columns) {
    if (!rows.is_run()) return std::nullopt;
    return few_.nearest({rows.stored(), query.competing, query.offsets, query.limits}, winners, doubtful);
  }
  const bool all_compete = query.competing.size() == packed_.size();
  const bool have_offsets = std::ranges::any_of(query.offsets, [](double offset) { return offset != 0.0; });
  // The product ranks all centres by distance alone.
  if (!all_compete || have_offsets) return std::nullopt;
  return find_by_product(rows, query, winners, doubtful);
}

namespace {

// What single precision works in, one per thread.
struct ProductWorkspace {
  kernels::FloatRows rows;
  kernels::NearestCentres found;
  std::vector<double> row;
  std::vector<std::int32_t> competing;
  std::array<std::uint32_t, kernels::panel_rows> unsure;
};
thread_local ProductWorkspace workspace;

kernels::StoredRows part_of(kernels::StoredRows rows, std::size_t first, std::size_t n_rows, std::size_t n_columns) {
  rows.n_rows = n_rows;
  if (rows.index != nullptr) {
    rows.index += first;
  } else if (rows.floats != nullptr) {
    rows.floats += first * n_columns;
  } else {
    rows.doubles += first * n_columns;
  }
  return rows;
}

// As many rows as begin at row `first` of a run, and are likely to be wanted after them: those that follow.
std::span<const std::byte> following(const RowBlock& rows, std::size_t first, std::size_t n_rows) {
  if (!rows.is_run()) return {};
  const Dataset& data = rows.source().data();
  const std::size_t begin = rows.row(first) + n_rows;
  const std::size_t count = std::min(n_rows, data.n_rows() - begin);
  const auto bytes_of = [&](auto values) {
    return std::as_bytes(values.subspan(begin * data.n_columns(), count * data.n_columns()));
  };
  return rows.stored().floats != nullptr ? bytes_of(data.floats()) : bytes_of(data.doubles());
}

bool is_in_doubt(const kernels::TwoNearest& found, const kernels::DoubtLimits& limits) {
  const double limit = limits.base + limits.per_size * std::abs(found.best) +
                       limits.per_excess * std::max(found.best - limits.floor, 0.0);
  return !(found.second - found.best > limit);
}

}  // namespace

// Row i of those in the workspace, which begin at row `first` of the block: among the centres that single precision
// does not rule out; among all if it overflows.
kernels::TwoNearest Centroid::Finder::find_in_double(const RowBlock& rows, std::size_t first, std::size_t i,
                                                     const kernels::DoubtfulRows& doubts) const {
  const float best = workspace.found.best[i];
  // v differs by half of what squared distances differ by.
  const float least = best - 0.5F * doubts.limit(workspace.rows.squared_lengths[i], best);
  packed_.centres_from(workspace.rows.values.data() + i * n_columns_, least, workspace.competing);
  if (workspace.competing.empty() || !std::isfinite(least)) {
    workspace.competing.resize(packed_.size());
    std::iota(workspace.competing.begin(), workspace.competing.end(), 0);
  }
  workspace.row.resize(n_columns_);
  rows.source().copy_row(rows.row(first + i), workspace.row);
  return kernels::two_nearest(workspace.row, centres_, workspace.competing);
}

std::size_t Centroid::Finder::find_by_product(const RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                              std::uint32_t* doubtful) const {
  // So few rows at a time that their floats are still in the cache when the centres pass by.
  // 256 KB of floats. A multiple of 12 rows, so that the kernel's groups come out even (nearest_centres.cpp).
  constexpr std::size_t cached_values = 65536;
  const std::size_t step = std::max<std::size_t>(48, cached_values / n_columns_ / 12 * 12);
  const kernels::DoubtfulRows doubts(n_columns_, widest_band(n_columns_));
  std::size_t n_doubtful = 0;
  for (std::size_t first = 0; first < rows.n_rows(); first += step) {
    const std::size_t count = std::min(step, rows.n_rows() - first);
    kernels::load_floats(part_of(rows.stored(), first, count, n_columns_), n_columns_, workspace.rows);
    packed_.nearest(workspace.rows, workspace.found, following(rows, first, count));
    std::ranges::copy(workspace.found.nearest, winners + first);
    const std::size_t n_unsure = doubts.list(workspace.rows, workspace.found, workspace.unsure.data());
    for (std::size_t u = 0; u < n_unsure; ++u) {
      const std::uint32_t i = workspace.unsure[u];
      const kernels::TwoNearest found = find_in_double(rows, first, i, doubts);
      winners[first + i] = found.nearest;
      if (is_in_doubt(found, query.limits)) doubtful[n_doubtful++] = static_cast<std::uint32_t>(first + i);
    }
  }
  return n_doubtful;
}

StatsArena centre_statistics(std::span<const double> centres, std::size_t n_columns) {
  const std::size_t k = centres.size() / n_columns;
  StatsArena stats(k, Centroid::stats_size(n_columns));
  for (std::size_t c = 0; c < k; ++c) {
    // Any weight would do: a centre is where its mean is.
    stats[c].front() = 1.0;
    std::ranges::copy(centres.subspan(c * n_columns, n_columns), stats[c].begin() + 1);
  }
  return stats;
}

}  // namespace coppice::internal
