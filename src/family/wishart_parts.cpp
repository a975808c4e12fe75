// SPDX-License-Identifier: BSD-3-Clause
#include "family/wishart_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "coppice/kernels/cholesky.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "family/log_constants.hpp"

namespace coppice::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

kernels::BandedTriangle banded(const kernels::SquareMatrix& lower) {
  kernels::BandedTriangle w(lower.n());
  for (std::size_t i = 0; i < lower.n(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) w.at(i, j) = lower.row(i)[j];
  }
  return w;
}

// Each diagonal entry by a share of itself: columns may have any units.
constexpr double raise = 1.0 + 0x1p-40;

[[noreturn]] void throw_not_positive(std::string_view what) {
  throw NumericError(
      fmt::format("{} is not positive definite; the columns may be (nearly) linearly dependent, or of "
                  "very different scales: drop or rescale some",
                  what));
}

}  // namespace

Eigen::Map<const VectorXd> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Index>(values.size())};
}

MatrixXd unpack_symmetric(std::span<const double> packed, std::size_t d) {
  const auto n = static_cast<Index>(d);
  MatrixXd full(n, n);
  const double* entry = packed.data();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) full(i, j) = full(j, i) = *entry++;
  }
  return full;
}

kernels::SquareMatrix unpack_square(std::span<const double> packed, std::size_t d) {
  kernels::SquareMatrix full(d);
  const double* entry = packed.data();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) full.row(i)[j] = full.row(j)[i] = *entry++;
  }
  return full;
}

double log_det(const Eigen::LLT<MatrixXd>& factor) { return 2.0 * factor.matrixLLT().diagonal().array().log().sum(); }

// Sums over heavy rows are rounded by more than the prior adds where rows lie on a line; so much more, beside them, is
// nothing.
Eigen::LLT<MatrixXd> factorize(const MatrixXd& b, std::string_view what) {
  Eigen::LLT<MatrixXd> factor(b);
  if (factor.info() != Eigen::Success) {
    MatrixXd raised = b;
    raised.diagonal() *= raise;
    factor.compute(raised);
  }
  if (factor.info() != Eigen::Success) throw_not_positive(what);
  return factor;
}

kernels::SquareMatrix factor_of(const kernels::SquareMatrix& b) {
  kernels::SquareMatrix factor = b;
  if (kernels::factorize(factor)) return factor;
  factor = b;
  for (std::size_t i = 0; i < factor.n(); ++i) factor.row(i)[i] *= raise;
  if (!kernels::factorize(factor)) throw_not_positive("the scatter matrix of a cluster");
  return factor;
}

double log_wishart_normalizer(double eta, double log_det_b, std::size_t d) {
  return eta * static_cast<double>(d) / 2.0 * log_2 + kernels::log_multigamma(eta / 2.0, d) - eta / 2.0 * log_det_b;
}

double expected_log_det(const WishartPosterior& q) {
  return kernels::sum_digamma(q.eta, q.m.size()) + static_cast<double>(q.m.size()) * log_2 - q.log_det_b;
}

// With B = C C', W = sqrt(eta / 2) C^-1: a triangle to multiply with vectorizes, one to solve with does not.
FactoredB factored(const kernels::SquareMatrix& b, double eta) {
  const std::size_t d = b.n();
  const kernels::SquareMatrix factor = factor_of(b);
  kernels::SquareMatrix w = kernels::inverse_of_factor(factor);
  std::vector<double> diagonal(d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) w.row(i)[j] *= std::sqrt(eta / 2.0);
    diagonal[i] = b.row(i)[i];
  }
  return {PrecisionRoot(banded(w)), kernels::log_det_of_factor(factor), std::move(diagonal)};
}

WishartPosterior wishart_posterior(WishartNumbers numbers, FactoredB b) {
  const std::size_t d = numbers.m.size();
  const auto dimension = static_cast<double>(d);
  WishartPosterior q;
  q.m = std::move(numbers.m);
  q.xi = numbers.xi;
  q.eta = numbers.eta;
  q.log_det_b = b.log_det;
  // Complete, with (D / 2) log pi (docs/errata.md, 5).
  q.a = dimension / 2.0 * log_pi + q.log_det_b / 2.0 + dimension / (2.0 * q.xi) - kernels::sum_digamma(q.eta, d) / 2.0;
  q.w = std::move(b.w);
  // t' D t <= tr(D A^-1) t' A t with A = W' W, D its diagonal, A^-1 = (2 / eta) B.
  for (std::size_t i = 0; i < d; ++i) q.tie_ratio += q.w.squared_columns()[i] * 2.0 * b.diagonal[i] / q.eta;
  return q;
}

void add_rounding(WishartPosterior& q, std::span<const double> rounding, FactoredB next_b) {
  for (std::size_t i = 0; i < rounding.size(); ++i) {
    q.rounding_share += 2.0 / q.eta * q.w.squared_columns()[i] * rounding[i];
  }
  // tr(A R): what rounding adds to the cost of any row.
  q.a += q.eta / 2.0 * q.rounding_share;
  q.log_det_next_b = next_b.log_det;
  q.next_w = std::move(next_b.w);
}

}  // namespace coppice::internal
