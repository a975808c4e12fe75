// SPDX-License-Identifier: BSD-3-Clause
// EM fits the covariance anew in every iteration: first it is tried whether anything is below the floor at all, by one
// factorization; only then eigenvalues are found, which takes far longer.

#include "coppice/family/point_gaussian.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "coppice/family/centred_stats.hpp"
#include "coppice/kernels/moments.hpp"
#include "family/centred_moments.hpp"
#include "family/gaussian_bounds.hpp"
#include "family/gaussian_samplers.hpp"
#include "family/pair_test.hpp"
#include "family/point_parameters.hpp"

namespace coppice::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using kernels::packed_index;

// scatter / weight
MatrixXd raw_covariance(ConstStatsRef stats, std::size_t d) {
  const auto n = static_cast<Index>(d);
  MatrixXd full = MatrixXd::Zero(n, n);
  const double weight = stats[0];
  if (!(weight > 0.0)) return full;
  const double* entry = stats.data() + 1 + d;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) full(i, j) = full(j, i) = *entry++ / weight;
  }
  return full;
}

// A pivot is the variance of a column that the columns before it do not explain: as a share of the column's variance it
// is rounding if it is this small.
double least_pivot(Index n_columns) { return 0x1p-50 * static_cast<double>(n_columns); }

// Nothing if the matrix is singular.
std::optional<Eigen::LLT<MatrixXd>> factorize(const MatrixXd& matrix) {
  Eigen::LLT<MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const double smallest = least_pivot(matrix.rows());
  for (Index i = 0; i < matrix.rows(); ++i) {
    const double pivot = factor.matrixLLT()(i, i);
    if (!(pivot * pivot > smallest * matrix(i, i))) return std::nullopt;
  }
  return factor;
}

struct Covariance {
  MatrixXd matrix;
  double relative_scatter = 0.0;  // tr(matrix^-1 scatter) / weight: the number of columns where nothing is raised
};

// With columns in units of their floors' roots, raises the eigenvalues below 1 to it, and those that would be lost
// beside the largest: a cluster that reaches far beyond what floors were made from would have no factor else.
Covariance raise_eigenvalues(const MatrixXd& raw, const VectorXd& floor) {
  // Variances beyond 2^200 floors are far beyond what can be told apart, and those of the farthest rows would overflow.
  const VectorXd unit = floor.cwiseSqrt().cwiseMax(0x1p-100 * raw.diagonal().cwiseMax(0.0).cwiseSqrt());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(unit.cwiseInverse().asDiagonal() * raw *
                                                       unit.cwiseInverse().asDiagonal());
  const double told_apart = 16.0 * least_pivot(raw.rows()) * solver.eigenvalues().maxCoeff();
  const VectorXd raised = solver.eigenvalues().cwiseMax(std::max(1.0, told_apart));
  const MatrixXd axes = unit.asDiagonal() * solver.eigenvectors();
  return {axes * raised.asDiagonal() * axes.transpose(),
          solver.eigenvalues().cwiseMax(0.0).cwiseQuotient(raised).sum()};
}

// Most covariances have no eigenvalue below the floor, which a factorization shows in a fraction of the time.
Covariance keep_to_floor(MatrixXd raw, const VectorXd& floor) {
  MatrixXd above = raw;
  above.diagonal() -= floor;
  if (Eigen::LLT<MatrixXd>(above).info() != Eigen::Success) return raise_eigenvalues(raw, floor);
  const auto n_columns = static_cast<double>(raw.rows());
  return {std::move(raw), n_columns};
}

// The covariance with its triangular factor, which there is but for floors of 0.
struct Factored {
  Covariance covariance;
  std::optional<Eigen::LLT<MatrixXd>> factor;

  Factored(ConstStatsRef stats, const std::vector<double>& floors) {
    const MatrixXd raw = raw_covariance(stats, floors.size());
    const Eigen::Map<const VectorXd> floor(floors.data(), raw.rows());
    const bool has_floor = floor.minCoeff() > 0.0;
    covariance = has_floor ? keep_to_floor(raw, floor) : Covariance{raw, static_cast<double>(floors.size())};
    factor = factorize(covariance.matrix);
    // Above the floor, and still no factor: the floor is lost beside the largest eigenvalue.
    if (factor || !has_floor) return;
    covariance = raise_eigenvalues(raw, floor);
    factor = factorize(covariance.matrix);
  }
  // (log det(2 pi covariance)) / 2
  [[nodiscard]] double log_normalizer() const {
    return static_cast<double>(covariance.matrix.rows()) / 2.0 * std::log(2.0 * std::numbers::pi) +
           factor->matrixLLT().diagonal().array().log().sum();
  }
};

Factored factored_covariance(ConstStatsRef stats, const std::vector<double>& floors) {
  Factored factored(stats, floors);
  if (!factored.factor) throw singular_covariance(stats[0], floors.front() > 0.0);
  return factored;
}

}  // namespace

PointGaussian::PointGaussian(std::vector<double> floors) : floors_(std::move(floors)) { check_floors(floors_); }

std::size_t PointGaussian::stats_size(std::size_t n_columns) noexcept {
  return 1 + n_columns + kernels::packed_size(n_columns);
}

void PointGaussian::add(StatsRef into, RowBlock& rows, Weights weights) const {
  if (!rows.is_run() || n_columns() > kernels::most_few_columns) {
    return add_centred<PackedSecond>(into, rows.panel(), weights);
  }
  thread_local std::vector<double> block;  // as long as the statistics are
  block.assign(stats_size(), 0.0);
  const auto all = std::span(block);
  block[0] = kernels::few_moments(rows.stored(), weights, all.subspan(1, n_columns()), all.subspan(1 + n_columns()));
  merge(into, block);
}

void PointGaussian::merge(StatsRef into, ConstStatsRef from) const {
  merge_centred<PackedSecond>(into, from, n_columns());
}

void PointGaussian::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  add_scaled_centred(into, from, factor, n_columns(),
                     [this](StatsRef all, ConstStatsRef scaled) { merge(all, scaled); });
}

std::vector<double> PointGaussian::covariance(ConstStatsRef stats) const {
  const MatrixXd matrix = Factored(stats, floors_).covariance.matrix;
  return {matrix.data(), matrix.data() + matrix.size()};  // symmetric: the order of storage does not matter
}

PointGaussian::Posterior PointGaussian::posterior(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto n = static_cast<Index>(d);
  const Factored factored = factored_covariance(stats, floors_);
  Posterior q;
  q.m.assign(stats.begin() + 1, stats.begin() + 1 + static_cast<std::ptrdiff_t>(d));
  q.a = factored.log_normalizer();
  // With covariance = C C', W = sqrt(1 / 2) C^-1: a triangle to multiply with vectorizes, one to solve with does not.
  const MatrixXd w = factored.factor->matrixL().solve(MatrixXd::Identity(n, n)) * std::sqrt(0.5);
  q.w = kernels::BandedTriangle(d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) q.w.at(i, j) = w(static_cast<Index>(i), static_cast<Index>(j));
  }
  q.matrix.resize(d * d);
  Eigen::Map<MatrixXd>(q.matrix.data(), n, n).noalias() = w.transpose() * w;
  // t' D t <= tr(D A^-1) t' A t with A = W' W, D its diagonal, A^-1 = 2 covariance.
  for (Index i = 0; i < n; ++i) {
    q.squared_columns.push_back(q.matrix[static_cast<std::size_t>(i * (n + 1))]);
    q.tie_ratio += q.squared_columns.back() * 2.0 * factored.covariance.matrix(i, i);
  }
  return q;
}

// Minus node_cost at the statistics' own parameters, without its cancellation where the covariance is ill-conditioned.
double PointGaussian::log_evidence(ConstStatsRef stats) const {
  if (!(stats[0] > 0.0)) return 0.0;
  const Factored factored = factored_covariance(stats, floors_);
  return -stats[0] * (factored.log_normalizer() + factored.covariance.relative_scatter / 2.0);
}

void PointGaussian::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  mean_costs(clusters, rows.panel(), out);
}

std::vector<double> PointGaussian::scatter_costs(const Posterior& q) const {
  return trace_factors(q.matrix, n_columns());
}

void PointGaussian::mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& panel,
                               double* out) const {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    kernels::quadratic_costs(panel, {q.m, &q.w, q.a}, out + c * kernels::panel_stride);
  }
}

PointGaussian::Finder PointGaussian::finder(std::span<const Posterior> clusters) const {
  Finder finder(n_columns());
  for (const Posterior& q : clusters) {
    if (finder.wants_forms()) finder.append({q.m, &q.w, q.a});
  }
  return finder;
}

ExactCost PointGaussian::exact_cost(const Posterior& q, std::span<const double> row) const {
  const kernels::ExactQuadratic exact = kernels::exact_quadratic(row, {q.m, &q.w, q.a}, q.squared_columns);
  return {exact.value, exact.scale};
}

// n [(xbar - m)' A (xbar - m) + a] + tr(A scatter)
double PointGaussian::node_cost(const Posterior& q, ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const double* mean = stats.data() + 1;
  const double* scatter = mean + d;
  double of_mean = 0.0;
  double trace = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    const double* row = q.matrix.data() + i * d;
    const double t = mean[i] - q.m[i];
    double y = 0.0;
    double products = 0.0;
    for (std::size_t j = 0; j < i; ++j) {
      y += row[j] * (mean[j] - q.m[j]);
      products += row[j] * *scatter++;
    }
    of_mean += t * (2.0 * y + row[i] * t);
    trace += 2.0 * products + row[i] * *scatter++;
  }
  return stats[0] * (of_mean + q.a) + trace;
}

void PointGaussian::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  costs(clusters, rows, out);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    double* of_cluster = out + c * kernels::panel_stride;
    for (std::size_t row = 0; row < rows.n_rows(); ++row) of_cluster[row] = -of_cluster[row];
  }
}

std::unique_ptr<PredictionBounds> PointGaussian::prediction_bounds(std::span<const Posterior> clusters) const {
  std::vector<NormalBound> bounds;
  for (const Posterior& q : clusters) {
    bounds.push_back({[&q](const Box& box) { return least_form(q.w, q.m, box); }, {-q.a}});
  }
  return bounds_of(std::move(bounds));
}

// W^-1 z has the covariance of the cluster twice.
std::unique_ptr<RowSampler> PointGaussian::row_sampler(std::span<const Posterior> clusters) const {
  std::vector<EllipticalDraw> draws;
  for (const Posterior& q : clusters) {
    draws.push_back({q.m, [&q](std::span<double> normals) { kernels::solve_triangle(q.w, normals); }, std::sqrt(0.5)});
  }
  return elliptical_sampler(std::move(draws));
}

std::unique_ptr<BoxTest> PointGaussian::box_test(std::span<const Posterior> clusters,
                                                 std::span<const double> offsets) const {
  auto test = std::make_unique<QuadraticPairTest>(n_columns());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    test->append(clusters[c].m, clusters[c].matrix, clusters[c].a + offsets[c]);
  }
  return test;
}

SplitAxis PointGaussian::split_axis(ConstStatsRef stats) const {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(raw_covariance(stats, n_columns()));
  const Index last = static_cast<Index>(n_columns()) - 1;
  VectorXd direction = solver.eigenvectors().col(last);
  Index largest = 0;
  // Eigenvectors come with either sign; the largest entry is made positive.
  direction.cwiseAbs().maxCoeff(&largest);
  if (direction(largest) < 0.0) direction = -direction;
  return {{direction.data(), direction.data() + direction.size()}, std::max(0.0, solver.eigenvalues()(last))};
}

ColumnMoments PointGaussian::column_moments(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto mean = stats.subspan(1, d);
  ColumnMoments moments{{mean.begin(), mean.end()}, std::vector<double>(d, 0.0)};
  for (std::size_t i = 0; i < d && stats[0] > 0.0; ++i) {
    moments.variance[i] = stats[1 + d + packed_index(i, i)] / stats[0];
  }
  return moments;
}

NamedArrays PointGaussian::to_arrays() const { return point_arrays(floors_); }

PointGaussian PointGaussian::from_arrays(const NamedArrays& arrays) {
  return PointGaussian(point_floors(arrays, "point-gaussian"));
}

}  // namespace coppice::internal
