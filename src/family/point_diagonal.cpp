// SPDX-License-Identifier: BSD-3-Clause
// Point estimates without correlations. A variance below its column's floor is raised to it: with the columns apart,
// that is the likeliest among all that keep to the floors, so that EM never lowers the likelihood.

#include "coppice/family/point_diagonal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coppice/family/centred_stats.hpp"
#include "coppice/kernels/diagonal.hpp"
#include "family/centred_moments.hpp"
#include "family/gaussian_bounds.hpp"
#include "family/gaussian_samplers.hpp"
#include "family/point_parameters.hpp"

namespace coppice::internal {

PointAxes::PointAxes(std::vector<double> floors) : AxisCosts(floors.size()), floors_(std::move(floors)) {
  check_floors(floors_);
}

AxisForm PointAxes::normal(ConstStatsRef stats, std::span<const double> variances) const {
  AxisForm q;
  q.m.assign(stats.begin() + 1, stats.begin() + 1 + static_cast<std::ptrdiff_t>(n_columns()));
  std::vector<double> precisions;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const double variance = std::max(variances[i], floors_[i]);
    if (!(variance > 0.0)) throw singular_covariance(stats[0], false);
    precisions.push_back(0.5 / variance);
    q.a += 0.5 * std::log(2.0 * std::numbers::pi * variance);
  }
  set_precisions(q, std::move(precisions));
  return q;
}

void PointAxes::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  kernels::diagonal_log_densities(rows.stored(), n_columns(), forms_of(clusters), out);
}

std::unique_ptr<PredictionBounds> PointAxes::prediction_bounds(std::span<const Posterior> clusters) const {
  std::vector<NormalBound> bounds;
  for (const Posterior& q : clusters) {
    bounds.push_back({[&q](const Box& box) { return least_form(std::span<const double>(q.scale), q.m, box); }, {-q.a}});
  }
  return bounds_of(std::move(bounds));
}

std::unique_ptr<RowSampler> PointAxes::row_sampler(std::span<const Posterior> clusters) const {
  std::vector<EllipticalDraw> draws;
  for (const Posterior& q : clusters) {
    // scale^2 is half a precision, hence the root of one half below.
    const auto colour = [&q](std::span<double> normals) {
      for (std::size_t i = 0; i < normals.size(); ++i) normals[i] /= q.scale[i];
    };
    draws.push_back({q.m, colour, std::sqrt(0.5)});
  }
  return elliptical_sampler(std::move(draws));
}

NamedArrays PointAxes::to_arrays() const { return point_arrays(floors_); }

AxisForm PointDiagonal::posterior(ConstStatsRef stats) const { return normal(stats, statistics_.variances(stats)); }

// Parameters are not integrated out: the likelihood at the likeliest ones stands in for an evidence.
double PointDiagonal::log_evidence(ConstStatsRef stats) const {
  return stats[0] > 0.0 ? -node_cost(posterior(stats), stats) : 0.0;
}

PointDiagonal PointDiagonal::from_arrays(const NamedArrays& arrays) {
  return PointDiagonal(point_floors(arrays, "point-diagonal"));
}

void PointSpherical::add(StatsRef into, RowBlock& rows, Weights weights) const {
  add_centred<TraceSecond>(into, rows.panel(), weights);
}

void PointSpherical::merge(StatsRef into, ConstStatsRef from) const {
  merge_centred<TraceSecond>(into, from, n_columns());
}

void PointSpherical::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  add_scaled_centred(into, from, factor, n_columns(),
                     [this](StatsRef all, ConstStatsRef scaled) { merge(all, scaled); });
}

double PointSpherical::variance(ConstStatsRef stats) const {
  return stats[0] > 0.0 ? stats.back() / (stats[0] * static_cast<double>(n_columns())) : 0.0;
}

AxisForm PointSpherical::posterior(ConstStatsRef stats) const {
  return normal(stats, std::vector<double>(n_columns(), variance(stats)));
}

double PointSpherical::log_evidence(ConstStatsRef stats) const {
  return stats[0] > 0.0 ? -node_cost(posterior(stats), stats) : 0.0;
}

double PointSpherical::node_cost(const Posterior& q, ConstStatsRef stats) const {
  double squared_distance = 0.0;
  for (std::size_t i = 0; i < n_columns(); ++i) {
    const double t = stats[1 + i] - q.m[i];
    squared_distance += t * t;
  }
  // Half a precision, one for all columns.
  const double precision = q.scale[0] * q.scale[0];
  return stats[0] * (precision * squared_distance + q.a) + precision * stats.back();
}

SplitAxis PointSpherical::split_axis(ConstStatsRef stats) const {
  SplitAxis axis{std::vector<double>(n_columns(), 0.0), variance(stats)};
  // No direction is wider than the others.
  axis.direction[0] = 1.0;
  return axis;
}

ColumnMoments PointSpherical::column_moments(ConstStatsRef stats) const {
  const auto mean = stats.subspan(1, n_columns());
  return {{mean.begin(), mean.end()}, std::vector<double>(n_columns(), variance(stats))};
}

PointSpherical PointSpherical::from_arrays(const NamedArrays& arrays) {
  const std::vector<double> floors = point_floors(arrays, "point-spherical");
  return {floors.size(), floors.front()};
}

}  // namespace coppice::internal
