// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/gaussian.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "coppice/kernels/few_columns.hpp"
#include "coppice/kernels/moments.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "family/pair_test.hpp"
#include "runtime/assert.hpp"

namespace coppice {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using kernels::packed_index;
using kernels::packed_size;

const double log_pi = std::log(std::numbers::pi);
const double log_2 = std::log(2.0);

// The statistics with their parts named.
template <class Double>
struct Parts {
  Double& weight;
  std::span<Double> mean;
  std::span<Double> scatter;
};

template <class Double>
Parts<Double> parts(std::span<Double> stats, std::size_t d) {
  return {stats[0], stats.subspan(1, d), stats.subspan(1 + d, packed_size(d))};
}

Eigen::Map<const VectorXd> vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

MatrixXd unpack(std::span<const double> packed, std::size_t d) {
  const auto n = static_cast<Eigen::Index>(d);
  MatrixXd full(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      full(i, j) = full(j, i) = packed[packed_index(static_cast<std::size_t>(i), static_cast<std::size_t>(j))];
    }
  }
  return full;
}

MatrixXd square(std::span<const double> row_by_row, std::size_t d) {
  const auto n = static_cast<Eigen::Index>(d);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(row_by_row.data(), n,
                                                                                                  n);
}

double log_det(const Eigen::LLT<MatrixXd>& factor) { return 2.0 * factor.matrixLLT().diagonal().array().log().sum(); }

// B = B0 + scatter + (N xi0 / xi) (xbar - m0)(xbar - m0)'   ([L] Eq. 18)
MatrixXd posterior_matrix(const NormalWishart& prior, ConstStatsRef stats) {
  const std::size_t d = prior.m0.size();
  const auto [weight, mean, scatter] = parts(stats, d);
  MatrixXd b = square(prior.b0, d);
  if (weight <= 0.0) return b;
  const VectorXd shift = vector(mean) - vector(prior.m0);
  b += unpack(scatter, d);
  b.noalias() += (weight * prior.xi0 / (prior.xi0 + weight)) * shift * shift.transpose();
  return b;
}

Eigen::LLT<MatrixXd> factorize(const MatrixXd& b, std::string_view what) {
  Eigen::LLT<MatrixXd> factor(b);
  if (factor.info() != Eigen::Success) {
    throw NumericError(
        fmt::format("{} is not positive definite; the columns may be (nearly) linearly dependent, or of "
                    "very different scales: drop or rescale some",
                    what));
  }
  return factor;
}

}  // namespace

Gaussian::Gaussian(NormalWishart prior) : prior_(std::move(prior)) {
  const std::size_t d = prior_.m0.size();
  if (!(prior_.xi0 > 0.0) || !std::isfinite(prior_.xi0))
    throw OptionError(fmt::format("--xi0 is {}, but must be positive and finite", prior_.xi0));
  if (!(prior_.eta0 > static_cast<double>(d) - 1.0) || !std::isfinite(prior_.eta0)) {
    throw OptionError(
        fmt::format("--eta0 is {}, but must exceed the number of columns less one, {}", prior_.eta0, d - 1));
  }
  if (prior_.b0.size() != d * d) {
    throw OptionError(fmt::format("--b0 has {} entries, but {} columns need {} x {}", prior_.b0.size(), d, d, d));
  }
  const MatrixXd b0 = square(prior_.b0, d);
  if (!b0.isApprox(b0.transpose(), 1e-12)) throw OptionError("--b0 is not symmetric");
  const Eigen::LLT<MatrixXd> factor(b0);
  if (factor.info() != Eigen::Success) throw OptionError("--b0 is not positive definite");
  log_det_b0_ = log_det(factor);
  log_multigamma0_ = kernels::log_multigamma(prior_.eta0 / 2.0, d);
}

std::size_t Gaussian::stats_size(std::size_t n_columns) noexcept { return 1 + n_columns + packed_size(n_columns); }

void Gaussian::add(StatsRef into, RowBlock& rows, Weights weights) const {
  thread_local std::vector<double> block;  // as long as the statistics are
  block.assign(stats_size(), 0.0);
  const auto [weight, mean, scatter] = parts(std::span<double>(block), n_columns());
  if (rows.is_run() && n_columns() <= kernels::most_few_columns) {
    weight = kernels::few_moments(rows.stored(), weights, mean, scatter);
  } else {
    weight = kernels::panel_moments(rows.scratch_panel(), rows.n_rows(), weights, mean, scatter);
  }
  merge(into, block);
}

namespace {

// Chan, Golub and LeVeque's update, here for whole blocks. Few columns are known to the compiler.
template <std::size_t D>
void merge_moments(StatsRef into, ConstStatsRef from, std::size_t n_columns) {
  const std::size_t d = D == 0 ? n_columns : D;
  const auto a = parts(into, d);
  const auto b = parts(from, d);
  const double total = a.weight + b.weight;
  const double share = b.weight / total;
  for (std::size_t i = 0; i < d; ++i) {
    const double scaled = a.weight * share * (b.mean[i] - a.mean[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      a.scatter[packed_index(i, j)] += b.scatter[packed_index(i, j)] + scaled * (b.mean[j] - a.mean[j]);
    }
  }
  for (std::size_t i = 0; i < d; ++i) a.mean[i] += share * (b.mean[i] - a.mean[i]);
  a.weight = total;
}

}  // namespace

void Gaussian::merge(StatsRef into, ConstStatsRef from) const {
  if (from[0] <= 0.0) return;
  if (into[0] <= 0.0) {
    std::ranges::copy(from, into.begin());
    return;
  }
  switch (n_columns()) {
    case 1:
      return merge_moments<1>(into, from, 1);
    case 2:
      return merge_moments<2>(into, from, 2);
    case 3:
      return merge_moments<3>(into, from, 3);
    case 4:
      return merge_moments<4>(into, from, 4);
    default:
      return merge_moments<0>(into, from, n_columns());
  }
}

std::vector<double> Gaussian::posterior_b(ConstStatsRef stats) const {
  const MatrixXd b = posterior_matrix(prior_, stats);  // symmetric: the order of storage does not matter
  return {b.data(), b.data() + b.size()};
}

Gaussian::Posterior Gaussian::posterior(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const auto [weight, mean, scatter] = parts(stats, d);
  const MatrixXd b = posterior_matrix(prior_, stats);
  const Eigen::LLT<MatrixXd> factor = factorize(b, "the scatter matrix of a cluster");

  Posterior q;
  q.xi = prior_.xi0 + weight;
  q.eta = prior_.eta0 + weight;
  q.m.resize(d);
  for (std::size_t i = 0; i < d; ++i) q.m[i] = (weight * mean[i] + prior_.xi0 * prior_.m0[i]) / q.xi;
  q.log_det_b = log_det(factor);
  q.a = dimension / 2.0 * log_pi + q.log_det_b / 2.0 + dimension / (2.0 * q.xi) - kernels::sum_digamma(q.eta, d) / 2.0;

  // With B = C C', W = sqrt(eta / 2) C^-1: a triangle to multiply with vectorizes, one to solve with does not.
  const auto n = static_cast<Eigen::Index>(d);
  const MatrixXd w = factor.matrixL().solve(MatrixXd::Identity(n, n)) * std::sqrt(q.eta / 2.0);
  q.w = kernels::BandedTriangle(d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      q.w.at(i, j) = w(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  q.squared_norm_of_w = w.squaredNorm();
  q.matrix.resize(d * d);
  Eigen::Map<MatrixXd>(q.matrix.data(), n, n).noalias() = w.transpose() * w;
  // ||x - m||^2 <= tr(A^-1) (x - m)' A (x - m) with A = W' W, A^-1 = (2 / eta) B.
  q.tie_ratio = q.squared_norm_of_w * 2.0 * b.trace() / q.eta;
  return q;
}

double Gaussian::log_evidence(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const double weight = stats[0];
  if (weight <= 0.0) return 0.0;
  const double xi = prior_.xi0 + weight;
  const double eta = prior_.eta0 + weight;
  const double log_det_b = log_det(factorize(posterior_matrix(prior_, stats), "the scatter matrix of a cluster"));
  // D / 2, not 1 / 2, before log(xi0 / xi): [S] Eq. 3.3 corrected, see docs/errata.md.
  return -dimension * weight / 2.0 * log_pi + dimension / 2.0 * std::log(prior_.xi0 / xi) +
         prior_.eta0 / 2.0 * log_det_b0_ - eta / 2.0 * log_det_b + kernels::log_multigamma(eta / 2.0, d) -
         log_multigamma0_;
}

void Gaussian::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const kernels::PanelView panel = rows.panel();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    kernels::quadratic_costs(panel, {q.m, &q.w, q.a}, out + c * kernels::panel_stride);
  }
}

Gaussian::Finder Gaussian::finder(std::span<const Posterior> clusters) const {
  Finder finder(n_columns());
  if (!finder.wants_forms()) return finder;
  for (const Posterior& q : clusters) finder.append({q.m, &q.w, q.a});
  return finder;
}

ExactCost Gaussian::exact_cost(const Posterior& q, std::span<const double> row) const {
  const kernels::ExactQuadratic exact = kernels::exact_quadratic(row, {q.m, &q.w, q.a}, q.squared_norm_of_w);
  return {exact.value, exact.scale};
}

// n [(xbar - m)' A (xbar - m) + a] + tr(A scatter), A = W' W
double Gaussian::node_cost(const Posterior& q, ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto [weight, mean, scatter] = parts(stats, d);
  const double at_mean = kernels::exact_quadratic(mean, {q.m, &q.w, q.a}, q.squared_norm_of_w).value;
  double trace = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double a_ij = 0.0;
      for (std::size_t k = i; k < d; ++k) a_ij += q.w.at(k, i) * q.w.at(k, j);
      trace += (i == j ? 1.0 : 2.0) * a_ij * scatter[packed_index(i, j)];
    }
  }
  return weight * at_mean + trace;
}

// Student t in compact form: k = xi / (xi + 1), (x - m)' B^-1 (x - m) = (2 / eta) ||W (x - m)||^2.
void Gaussian::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const auto dimension = static_cast<double>(n_columns());
  const kernels::PanelView panel = rows.panel();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    const double k = q.xi / (q.xi + 1.0);
    const double constant = kernels::log_gamma((q.eta + 1.0) / 2.0) -
                            kernels::log_gamma((q.eta + 1.0 - dimension) / 2.0) +
                            dimension / 2.0 * (std::log(k) - log_pi) - q.log_det_b / 2.0;
    double* of_cluster = out + c * kernels::panel_stride;
    kernels::quadratic_costs(panel, {q.m, &q.w, 0.0}, of_cluster);
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      of_cluster[row] = constant - (q.eta + 1.0) / 2.0 * std::log1p(k * 2.0 / q.eta * of_cluster[row]);
    }
  }
}

// The precision's quadratic form is 2 ||W (x - m)||^2: only the constant differs from the cost.
Gaussian::Posterior Gaussian::plug_in(Posterior q) const {
  const auto dimension = static_cast<double>(n_columns());
  q.a = (q.log_det_b - dimension * (std::log(q.eta) - log_2 - log_pi)) / 2.0;
  return q;
}

double Gaussian::kl_to_prior(const Posterior& q) const {
  const std::size_t d = n_columns();
  const auto n = static_cast<Eigen::Index>(d);
  const auto dimension = static_cast<double>(d);
  MatrixXd w(n, n);  // B^-1 = (2 / eta) W' W
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      w(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = j <= i ? q.w.at(i, j) : 0.0;
    }
  }
  const double trace = 2.0 / q.eta * (w * square(prior_.b0, d) * w.transpose()).trace();     // tr(B0 B^-1)
  const double shift = 2.0 / q.eta * (w * (vector(q.m) - vector(prior_.m0))).squaredNorm();  // (m-m0)' B^-1 (m-m0)
  const double expected_log_det = kernels::sum_digamma(q.eta, d) + dimension * log_2 - q.log_det_b;
  const double log_z =
      q.eta * dimension / 2.0 * log_2 + kernels::log_multigamma(q.eta / 2.0, d) - q.eta / 2.0 * q.log_det_b;
  const double log_z0 = prior_.eta0 * dimension / 2.0 * log_2 + log_multigamma0_ - prior_.eta0 / 2.0 * log_det_b0_;
  const double of_mean = (dimension * prior_.xi0 / q.xi + prior_.xi0 * q.eta * shift - dimension +
                          dimension * std::log(q.xi / prior_.xi0)) /
                         2.0;
  return of_mean + (q.eta - prior_.eta0) / 2.0 * expected_log_det - q.eta / 2.0 * (dimension - trace) - log_z + log_z0;
}

std::unique_ptr<BoxTest> Gaussian::box_test(std::span<const Posterior> clusters,
                                            std::span<const double> offsets) const {
  auto test = std::make_unique<QuadraticPairTest>(n_columns());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    test->append(clusters[c].m, clusters[c].matrix, clusters[c].a + offsets[c]);
  }
  return test;
}

SplitAxis Gaussian::split_axis(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto [weight, mean, scatter] = parts(stats, d);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(unpack(scatter, d) / std::max(weight, 1e-300));
  VectorXd direction = solver.eigenvectors().col(static_cast<Eigen::Index>(d) - 1);
  Eigen::Index largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  if (direction(largest) < 0.0) direction = -direction;
  return {{direction.data(), direction.data() + d},
          std::max(0.0, solver.eigenvalues()(static_cast<Eigen::Index>(d) - 1))};
}

ColumnMoments Gaussian::column_moments(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto [weight, mean, scatter] = parts(stats, d);
  ColumnMoments moments{{mean.begin(), mean.end()}, std::vector<double>(d, 0.0)};
  for (std::size_t i = 0; i < d && weight > 0.0; ++i) moments.variance[i] = scatter[packed_index(i, i)] / weight;
  return moments;
}

NamedArrays Gaussian::to_arrays() const {
  const std::size_t d = n_columns();
  return {{"m0", {{d}, prior_.m0}},
          {"xi0", {{}, {prior_.xi0}}},
          {"eta0", {{}, {prior_.eta0}}},
          {"b0", {{d, d}, prior_.b0}}};
}

Gaussian Gaussian::from_arrays(const NamedArrays& arrays) {
  const auto array = [&](const char* name) -> const npy::Array& {
    const auto found = arrays.find(name);
    if (found == arrays.end() || found->second.values.empty()) {
      throw DataError(fmt::format("the gaussian family's prior lacks the array {}", name));
    }
    return found->second;
  };
  return Gaussian({array("m0").values, array("xi0").values[0], array("eta0").values[0], array("b0").values});
}

}  // namespace coppice
