// SPDX-License-Identifier: BSD-3-Clause
// [L] appendix A with errata 11 to 13: D / 2 before log N, singular for N <= D, and the scale of Eq. 34. A cluster that
// has no evidence says -infinity, so that no search keeps it; asked for its posterior, it refuses.

#include "coppice/family/uninformative.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "coppice/family/normal_gamma.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "family/log_constants.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

using Eigen::MatrixXd;

// Of the scatter; nothing if it is singular: some column has (up to rounding) no variance that those before it leave.
std::optional<double> log_det_of_scatter(ConstStatsRef stats, std::size_t d) {
  const MatrixXd scatter = unpack_symmetric(gaussian_parts(stats, d).scatter, d);
  const Eigen::LLT<MatrixXd> factor(scatter);
  if (factor.info() != Eigen::Success) return std::nullopt;
  // Rounding of the scatter's sums leaves that much of a column that follows from others.
  const double smallest = 0x1p-40 * static_cast<double>(d);
  const Eigen::ArrayXd own = factor.matrixLLT().diagonal().array().square();
  if (!(own > smallest * scatter.diagonal().array()).all()) return std::nullopt;
  return log_det(factor);
}

}  // namespace

UninformativeGaussian::UninformativeGaussian(std::size_t n_columns, double log_volume)
    : WishartFamily(n_columns), log_volume_(log_volume) {
  if (!std::isfinite(log_volume)) {
    throw OptionError("the uninformative family needs columns that vary: drop those that are constant");
  }
}

WishartPosterior UninformativeGaussian::posterior(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const double n = stats[0];
  if (n < static_cast<double>(d + 1)) {
    throw NumericError(
        fmt::format("a cluster of weight {:g} is too light for {} columns: the uninformative family needs "
                    "at least one row more than columns",
                    n, d));
  }
  const auto [weight, mean, scatter] = gaussian_parts(stats, d);
  return wishart_posterior({{mean.begin(), mean.end()}, n, n - 1.0}, factored(unpack_square(scatter, d), n - 1.0));
}

double UninformativeGaussian::log_evidence(ConstStatsRef stats) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const double n = stats[0];
  if (n <= 0.0) return 0.0;
  constexpr double none = -std::numeric_limits<double>::infinity();
  if (n < dimension + 1.0) return none;
  const std::optional<double> log_det_b = log_det_of_scatter(stats, d);
  if (!log_det_b) return none;
  return -log_volume_ - dimension * (n - 1.0) / 2.0 * log_pi - dimension / 2.0 * std::log(n) -
         (n - 1.0) / 2.0 * *log_det_b + kernels::log_multigamma((n - 1.0) / 2.0, d);
}

// E_q[log q(mu, Omega)] - E_q[log p(mu, Omega)]
double UninformativeGaussian::kl_to_prior(const Posterior& q) const {
  const auto dimension = static_cast<double>(n_columns());
  const double expected_log_q = dimension / 2.0 * std::log(q.xi / (2.0 * std::numbers::pi)) +
                                (q.eta - dimension) / 2.0 * expected_log_det(q) - dimension / 2.0 -
                                q.eta * dimension / 2.0 - log_wishart_normalizer(q.eta, q.log_det_b, n_columns());
  return expected_log_q + log_volume_ + (dimension + 1.0) / 2.0 * expected_log_det(q);
}

NamedArrays UninformativeGaussian::to_arrays() const {
  return {{"columns", {{}, {static_cast<double>(n_columns())}}}, {"log_volume", {{}, {log_volume_}}}};
}

UninformativeGaussian UninformativeGaussian::from_arrays(const NamedArrays& arrays) {
  const double columns = prior_array(arrays, "columns", "uninformative")[0];
  if (!(columns >= 1.0 && columns <= 1e9) || columns != std::floor(columns)) {
    throw DataError(fmt::format("the uninformative family has {} columns, which is no number of columns", columns));
  }
  return {static_cast<std::size_t>(columns), prior_array(arrays, "log_volume", "uninformative")[0]};
}

}  // namespace coppice::internal
