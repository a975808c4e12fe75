// SPDX-License-Identifier: BSD-3-Clause
// What all Gaussian clusters of any shape share, whatever their prior: centred statistics with the packed scatter,
// costs ||W (x - m)||^2 + a with A = W' W, nodes by tr(A scatter) (without which the node's cost would be wrong:
// docs/errata.md, 25), and predictive densities as what one more row adds to the evidence, so that chain rule and
// evidence agree.

#include "coppice/family/wishart_family.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "coppice/family/centred_stats.hpp"
#include "coppice/kernels/few_columns.hpp"
#include "coppice/kernels/log1p.hpp"
#include "coppice/kernels/moments.hpp"
#include "coppice/kernels/special.hpp"
#include "family/centred_moments.hpp"
#include "family/gaussian_bounds.hpp"
#include "family/gaussian_samplers.hpp"
#include "family/log_constants.hpp"
#include "family/pair_test.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using kernels::packed_index;
using kernels::packed_size;

struct Widest {
  VectorXd direction;
  double variance = 0.0;
};

// By repeated multiplication, for many columns: all eigenvectors of 784 columns take most of a second, and a split that
// starts along nearly the widest direction is as good. Converged where the widest stands out by a tenth.
Widest widest_by_iteration(const MatrixXd& covariance) {
  constexpr int most_steps = 200;
  constexpr double settled = 1e-12;
  Index start = 0;
  covariance.diagonal().maxCoeff(&start);
  Widest widest{covariance.col(start), 0.0};
  for (int step = 0; step < most_steps; ++step) {
    const double length = widest.direction.norm();
    if (!(length > 0.0)) return {VectorXd::Unit(covariance.rows(), start), 0.0};  // nothing varies
    widest.direction /= length;
    VectorXd next = covariance * widest.direction;
    const double before = std::exchange(widest.variance, widest.direction.dot(next));
    if (widest.variance - before <= settled * widest.variance) break;
    widest.direction = std::move(next);
  }
  widest.direction.normalize();
  return widest;
}

Widest widest_direction(const MatrixXd& covariance) {
  constexpr Index many_columns = 128;
  if (covariance.rows() >= many_columns) return widest_by_iteration(covariance);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(covariance);
  return {solver.eigenvectors().col(covariance.rows() - 1), solver.eigenvalues()(covariance.rows() - 1)};
}

}  // namespace

std::size_t WishartFamily::stats_size(std::size_t n_columns) noexcept { return 1 + n_columns + packed_size(n_columns); }

void WishartFamily::add(StatsRef into, RowBlock& rows, Weights weights) const {
  thread_local std::vector<double> block;  // as long as the statistics are
  block.assign(stats_size(), 0.0);
  const auto [weight, mean, scatter] = gaussian_parts(std::span<double>(block), n_columns());
  if (rows.is_run() && n_columns() <= kernels::most_few_columns) {
    weight = kernels::few_moments(rows.stored(), weights, mean, scatter);
  } else {
    // In place: the panel is centred, and nobody needs its rows any more.
    weight = kernels::panel_moments(rows.scratch_panel(), rows.n_rows(), weights, mean, scatter);
  }
  merge(into, block);
}

namespace {

// Chan, Golub and LeVeque's update, here for whole blocks, if the rows of one weigh `factor` times as much. Few columns
// are known to the compiler.
template <std::size_t D>
void merge_moments(StatsRef into, ConstStatsRef from, std::size_t n_columns, double factor) {
  const std::size_t d = D == 0 ? n_columns : D;
  const auto a = gaussian_parts(into, d);
  const auto b = gaussian_parts(from, d);
  const double weight = factor * b.weight;
  const double total = a.weight + weight;
  const double share = weight / total;
  for (std::size_t i = 0; i < d; ++i) {
    // With the means as they were: they move after the scatter.
    const double scaled = a.weight * share * (b.mean[i] - a.mean[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      a.scatter[packed_index(i, j)] += factor * b.scatter[packed_index(i, j)] + scaled * (b.mean[j] - a.mean[j]);
    }
  }
  for (std::size_t i = 0; i < d; ++i) a.mean[i] += share * (b.mean[i] - a.mean[i]);
  a.weight = total;
}

void merge_centred(StatsRef into, ConstStatsRef from, std::size_t n_columns, double factor) {
  switch (n_columns) {
    case 1:
      return merge_moments<1>(into, from, 1, factor);
    case 2:
      return merge_moments<2>(into, from, 2, factor);
    case 3:
      return merge_moments<3>(into, from, 3, factor);
    case 4:
      return merge_moments<4>(into, from, 4, factor);
    default:
      return merge_moments<0>(into, from, n_columns, factor);
  }
}

}  // namespace

void WishartFamily::merge(StatsRef into, ConstStatsRef from) const {
  if (from[0] <= 0.0) return;
  if (into[0] <= 0.0) {
    std::ranges::copy(from, into.begin());
    return;
  }
  merge_centred(into, from, n_columns(), 1.0);
}

void WishartFamily::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  if (factor * from[0] <= 0.0) return;
  if (into[0] <= 0.0) {
    std::ranges::copy(from, into.begin());
    return scale_centred(into, n_columns(), factor);
  }
  merge_centred(into, from, n_columns(), factor);
}

void WishartFamily::subtract(StatsRef from, ConstStatsRef part) const {
  subtract_centred<PackedSecond>(from, part, n_columns());
}

void WishartFamily::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  mean_costs(clusters, rows.panel(), out);
}

void WishartFamily::mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& panel,
                               double* out) const {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    q.w.costs(panel, q.m, q.a, out + c * kernels::panel_stride);
  }
}

WishartFamily::Finder WishartFamily::finder(std::span<const Posterior> clusters) const {
  Finder finder(n_columns());
  if (!finder.wants_forms()) return finder;
  for (const Posterior& q : clusters) finder.append({q.m, &q.w.triangle(), q.a});
  return finder;
}

ExactCost WishartFamily::exact_cost(const Posterior& q, std::span<const double> row) const {
  const kernels::ExactQuadratic exact = q.w.exact(row, q.m);
  return {exact.value + q.a, exact.scale};
}

// n [(xbar - m)' A (xbar - m) + a] + tr(A scatter), A = W' W
double WishartFamily::node_cost(const Posterior& q, ConstStatsRef stats) const {
  const auto [weight, mean, scatter] = gaussian_parts(stats, n_columns());
  return weight * (q.w.exact(mean, q.m).value + q.a) + q.w.trace_with(scatter);
}

std::vector<double> WishartFamily::scatter_costs(const Posterior& q) const {
  return trace_factors(q.w.matrix(), n_columns());
}

namespace {

// Student t in compact form, what one more row at x adds to the log evidence: with k = xi / (xi + 1), B becomes B + R +
// k (x - m)(x - m)', and (x - m)' (B + R)^-1 (x - m) = (2 / eta) ||W (x - m)||^2 for the W of B + R.
LogStudent log_student(const WishartPosterior& q) {
  const auto dimension = static_cast<double>(q.m.size());
  const double log_det_next_b = q.is_rounded() ? q.log_det_next_b : q.log_det_b;
  const double k = q.xi / (q.xi + 1.0);
  const double constant =
      kernels::log_gamma((q.eta + 1.0) / 2.0) - kernels::log_gamma((q.eta - (dimension - 1.0)) / 2.0) +
      dimension / 2.0 * (std::log(k) - log_pi) + q.eta / 2.0 * (q.log_det_b - log_det_next_b) - log_det_next_b / 2.0;
  return {constant, (q.eta + 1.0) / 2.0, k * 2.0 / q.eta};
}

const PrecisionRoot& root_for_next_row(const WishartPosterior& q) { return q.is_rounded() ? q.next_w : q.w; }

}  // namespace

void WishartFamily::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const kernels::PanelView panel = rows.panel();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    const LogStudent density = log_student(q);
    double* of_cluster = out + c * kernels::panel_stride;
    root_for_next_row(q).costs(panel, q.m, 0.0, of_cluster);
    kernels::take_log1p({density.constant, -density.exponent, density.factor, 0.0}, of_cluster, rows.n_rows());
  }
}

std::unique_ptr<PredictionBounds> WishartFamily::prediction_bounds(std::span<const Posterior> clusters) const {
  std::vector<StudentBound> bounds;
  for (const Posterior& q : clusters) {
    bounds.push_back({[&q](const Box& box) { return least_form(root_for_next_row(q), q.m, box); }, log_student(q)});
  }
  return bounds_of(std::move(bounds));
}

// A row makes B into B + R even at the mean.
double WishartFamily::log_mass(const Posterior& q) const {
  return q.is_rounded() ? q.eta / 2.0 * (q.log_det_b - q.log_det_next_b) : 0.0;
}

// The same Student t: nu = eta - D + 1 degrees of freedom and the scale matrix (B + R) / (k nu), where W^-1 z has the
// covariance (2 / eta) (B + R).
std::unique_ptr<RowSampler> WishartFamily::row_sampler(std::span<const Posterior> clusters) const {
  std::vector<EllipticalDraw> draws;
  for (const Posterior& q : clusters) {
    const double k = q.xi / (q.xi + 1.0);
    const double freedom = q.eta - (static_cast<double>(n_columns()) - 1.0);
    const PrecisionRoot& root = root_for_next_row(q);
    draws.push_back({q.m, [&root](std::span<double> normals) { root.colour(normals); },
                     std::sqrt(q.eta / 2.0 / (k * freedom)), freedom});
  }
  return elliptical_sampler(std::move(draws));
}

// What the row has added to the log evidence: without it, B is B - R - (xi / (xi - 1)) (x - m)(x - m)'.
void WishartFamily::log_held_out(const Posterior& q, RowBlock& rows, double* out) const {
  constexpr double most_taken = 1.0 - 1e-12;  // a row takes less than all of B with it, but for rounding
  const auto dimension = static_cast<double>(n_columns());
  const double k = q.xi / (q.xi - 1.0);
  const double constant = kernels::log_gamma(q.eta / 2.0) - kernels::log_gamma((q.eta - dimension) / 2.0) -
                          dimension / 2.0 * (std::log(k) + log_pi) - q.log_det_b / 2.0 -
                          (q.eta - 1.0) / 2.0 * q.rounding_share;
  q.w.costs(rows.panel(), q.m, 0.0, out);
  kernels::take_log1p({constant, (q.eta - 1.0) / 2.0, -k * 2.0 / q.eta, -most_taken}, out, rows.n_rows());
}

// The precision's quadratic form is 2 ||W (x - m)||^2: only the constant differs from the cost.
WishartFamily::Posterior WishartFamily::plug_in(Posterior q) const {
  const auto dimension = static_cast<double>(n_columns());
  q.a = (q.log_det_b - dimension * (std::log(q.eta) - log_2 - log_pi)) / 2.0;
  return q;
}

std::unique_ptr<BoxTest> WishartFamily::box_test(std::span<const Posterior> clusters,
                                                 std::span<const double> offsets) const {
  auto test = std::make_unique<QuadraticPairTest>(n_columns());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    test->append(clusters[c].m, clusters[c].w.matrix(), clusters[c].a + offsets[c]);
  }
  return test;
}

SplitAxis WishartFamily::split_axis(ConstStatsRef stats, std::span<const double> lengths) const {
  const std::size_t d = n_columns();
  const auto [weight, mean, scatter] = gaussian_parts(stats, d);
  MatrixXd covariance = unpack_symmetric(scatter, d) / std::max(weight, 1e-300);
  if (!lengths.empty()) {
    const Eigen::VectorXd inverse = Eigen::Map<const Eigen::VectorXd>(lengths.data(), covariance.rows()).cwiseInverse();
    covariance = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  }
  auto [direction, variance] = widest_direction(covariance);
  Eigen::Index largest = 0;
  // Either sign is an eigenvector: the largest entry is made positive, so that sides of a split have fixed names.
  direction.cwiseAbs().maxCoeff(&largest);
  if (direction(largest) < 0.0) direction = -direction;
  return {{direction.data(), direction.data() + d}, std::max(0.0, variance)};
}

ColumnMoments WishartFamily::column_moments(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto [weight, mean, scatter] = gaussian_parts(stats, d);
  ColumnMoments moments{{mean.begin(), mean.end()}, std::vector<double>(d, 0.0)};
  for (std::size_t i = 0; i < d && weight > 0.0; ++i) moments.variance[i] = scatter[packed_index(i, i)] / weight;
  return moments;
}

}  // namespace coppice::internal
