// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/point_diagonal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coppice/kernels/diagonal.hpp"
#include "family/centred_moments.hpp"
#include "family/pair_test.hpp"
#include "family/point_parameters.hpp"

namespace coppice {

namespace {

kernels::DiagonalForm form_of(const AxisNormal& q) { return {q.m, q.scale, q.a}; }

// Valid until the next call on this thread.
std::span<const kernels::DiagonalForm> forms_of(std::span<const AxisNormal> clusters) {
  thread_local std::vector<kernels::DiagonalForm> forms;
  forms.clear();
  for (const AxisNormal& q : clusters) forms.push_back(form_of(q));
  return forms;
}

double over_weight(double scatter, double weight) { return weight > 0.0 ? scatter / weight : 0.0; }

}  // namespace

AxisNormals::AxisNormals(std::size_t n_columns, double floor) : n_columns_(n_columns), floor_(floor) {
  check_point_parameters({n_columns, floor});
}

AxisNormal AxisNormals::normal(ConstStatsRef stats, std::span<const double> variances) const {
  AxisNormal q;
  q.m.assign(stats.begin() + 1, stats.begin() + 1 + static_cast<std::ptrdiff_t>(n_columns_));
  q.scale.reserve(n_columns_);
  double total = 0.0;
  for (const double raw : variances) {
    const double variance = std::max(raw, floor_);
    if (!(variance > 0.0)) throw singular_covariance(stats[0]);
    q.scale.push_back(std::sqrt(0.5 / variance));
    q.a += 0.5 * std::log(2.0 * std::numbers::pi * variance);
    q.squared_norm += 0.5 / variance;
    total += variance;
  }
  // ||x - m||^2 <= (summed 1 / scale^2) (cost - a)
  q.tie_ratio = q.squared_norm * 2.0 * total;
  return q;
}

void AxisNormals::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  kernels::diagonal_costs(rows.panel(), forms_of(clusters), out);
}

AxisNormals::Finder AxisNormals::finder(std::span<const Posterior> clusters) const {
  Finder finder(n_columns_);
  if (!finder.wants_forms()) return finder;
  kernels::BandedTriangle w(n_columns_);
  for (const Posterior& q : clusters) {
    for (std::size_t i = 0; i < n_columns_; ++i) w.at(i, i) = q.scale[i];
    finder.append({q.m, &w, q.a});
  }
  return finder;
}

ExactCost AxisNormals::exact_cost(const Posterior& q, std::span<const double> row) const {
  const kernels::ExactQuadratic exact = kernels::exact_diagonal(row, form_of(q), q.squared_norm);
  return {exact.value, exact.scale};
}

void AxisNormals::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  kernels::diagonal_log_densities(rows.panel(), forms_of(clusters), out);
}

std::unique_ptr<BoxTest> AxisNormals::box_test(std::span<const Posterior> clusters,
                                               std::span<const double> offsets) const {
  auto test = std::make_unique<QuadraticPairTest>(n_columns_);
  std::vector<double> matrix(n_columns_ * n_columns_, 0.0);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    for (std::size_t i = 0; i < n_columns_; ++i) matrix[i * (n_columns_ + 1)] = q.scale[i] * q.scale[i];
    test->append(q.m, matrix, q.a + offsets[c]);
  }
  return test;
}

NamedArrays AxisNormals::to_arrays() const { return point_arrays({n_columns_, floor_}); }

// Few columns are so cheap that all of their products do no harm, and need no panel.
void PointDiagonal::add(StatsRef into, RowBlock& rows, Weights weights) const {
  if (!rows.is_run() || n_columns() > kernels::most_few_columns) {
    return add_centred<DiagonalSecond>(into, rows.panel(), weights);
  }
  double block[1 + 2 * kernels::most_few_columns];
  double products[kernels::packed_size(kernels::most_few_columns)];
  const std::size_t d = n_columns();
  block[0] = kernels::few_moments(rows.stored(), weights, {block + 1, d}, {products, kernels::packed_size(d)});
  for (std::size_t i = 0; i < d; ++i) block[1 + d + i] = products[kernels::packed_index(i, i)];
  merge(into, {block, stats_size()});
}

void PointDiagonal::merge(StatsRef into, ConstStatsRef from) const {
  merge_centred<DiagonalSecond>(into, from, n_columns());
}

std::vector<double> PointDiagonal::variances(ConstStatsRef stats) const {
  std::vector<double> variances;
  for (const double scatter : stats.subspan(1 + n_columns())) variances.push_back(over_weight(scatter, stats[0]));
  return variances;
}

AxisNormal PointDiagonal::posterior(ConstStatsRef stats) const { return normal(stats, variances(stats)); }

double PointDiagonal::log_evidence(ConstStatsRef stats) const {
  return stats[0] > 0.0 ? -node_cost(posterior(stats), stats) : 0.0;
}

// n cost(xbar) + sum over columns of scale^2 scatter
double PointDiagonal::node_cost(const Posterior& q, ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  double of_mean = q.a;
  double of_scatter = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    const double t = q.scale[i] * (stats[1 + i] - q.m[i]);
    of_mean += t * t;
    of_scatter += q.scale[i] * q.scale[i] * stats[1 + d + i];
  }
  return stats[0] * of_mean + of_scatter;
}

SplitAxis PointDiagonal::split_axis(ConstStatsRef stats) const {
  const std::vector<double> spread = variances(stats);
  const auto widest = std::ranges::max_element(spread);
  SplitAxis axis{std::vector<double>(n_columns(), 0.0), *widest};
  axis.direction[static_cast<std::size_t>(widest - spread.begin())] = 1.0;
  return axis;
}

ColumnMoments PointDiagonal::column_moments(ConstStatsRef stats) const {
  const auto mean = stats.subspan(1, n_columns());
  return {{mean.begin(), mean.end()}, variances(stats)};
}

PointDiagonal PointDiagonal::from_arrays(const NamedArrays& arrays) {
  const PointParameters parameters = point_parameters(arrays, "point-diagonal");
  return {parameters.n_columns, parameters.floor};
}

void PointSpherical::add(StatsRef into, RowBlock& rows, Weights weights) const {
  add_centred<TraceSecond>(into, rows.panel(), weights);
}

void PointSpherical::merge(StatsRef into, ConstStatsRef from) const {
  merge_centred<TraceSecond>(into, from, n_columns());
}

double PointSpherical::variance(ConstStatsRef stats) const {
  return over_weight(stats.back(), stats[0] * static_cast<double>(n_columns()));
}

AxisNormal PointSpherical::posterior(ConstStatsRef stats) const {
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
  const double precision = q.scale[0] * q.scale[0];
  return stats[0] * (precision * squared_distance + q.a) + precision * stats.back();
}

SplitAxis PointSpherical::split_axis(ConstStatsRef stats) const {
  SplitAxis axis{std::vector<double>(n_columns(), 0.0), variance(stats)};
  axis.direction[0] = 1.0;
  return axis;
}

ColumnMoments PointSpherical::column_moments(ConstStatsRef stats) const {
  const auto mean = stats.subspan(1, n_columns());
  return {{mean.begin(), mean.end()}, std::vector<double>(n_columns(), variance(stats))};
}

PointSpherical PointSpherical::from_arrays(const NamedArrays& arrays) {
  const PointParameters parameters = point_parameters(arrays, "point-spherical");
  return {parameters.n_columns, parameters.floor};
}

}  // namespace coppice
