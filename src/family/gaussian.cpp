// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/gaussian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "coppice/family/normal_gamma.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "family/few_rows.hpp"
#include "family/whole_matrix.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const double log_pi = std::log(std::numbers::pi);

// Calls visit with B = f B0 + S in the form that is faster; `b0` is B0's diagonal if there is nothing beside it.
template <class Visit>
auto visit_matrix(const NormalWishart& prior, std::span<const double> b0, ConstStatsRef stats, const Visit& visit) {
  if (!b0.empty()) {
    if (const std::optional<FewRows> few_rows = FewRows::find(prior, b0, stats)) return visit(*few_rows);
  }
  return visit(WholeMatrix(prior, stats));
}

void check_multiples(std::span<const double> multiples, double decay) {
  if (!(decay >= 0.0) || !std::isfinite(decay)) {
    throw OptionError(
        fmt::format("the decay of the multiples of the prior matrix is {}, but must not be negative", decay));
  }
  const bool are_positive = multiples.front() > 0.0 && std::isfinite(multiples.back());
  const auto does_not_rise = [](double a, double b) { return !(a < b); };
  if (!are_positive || std::ranges::adjacent_find(multiples, does_not_rise) != multiples.end()) {
    throw OptionError("the multiples of the prior matrix must be positive, finite and in increasing order");
  }
}

bool is_diagonal(const MatrixXd& matrix) {
  for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
    for (Eigen::Index row = 0; row < column; ++row) {
      if (matrix(row, column) != 0.0) return false;
    }
  }
  return true;
}

}  // namespace

Gaussian::Gaussian(NormalWishart prior) : WishartFamily(prior.m0.size()), prior_(std::move(prior)) {
  const std::size_t d = prior_.m0.size();
  if (!(prior_.xi0 > 0.0) || !std::isfinite(prior_.xi0))
    throw OptionError(format_text("{xi0} is {}, but must be positive and finite", prior_.xi0));
  if (!(prior_.eta0 - (static_cast<double>(d) - 1.0) >= least_freedom) || !std::isfinite(prior_.eta0)) {
    throw OptionError(format_text("{eta0} is {}, but must exceed the number of columns less one, {}, by {} or more",
                                  prior_.eta0, d - 1, least_freedom));
  }
  if (prior_.b0.size() != d * d) {
    throw OptionError(format_text("{b0} has {}, but {} need {} x {}", counted(prior_.b0.size(), "entry", "entries"),
                                  counted(d, "column"), d, d));
  }
  const MatrixXd b0 = square_matrix(prior_.b0, d);
  if (!b0.isApprox(b0.transpose(), 1e-12)) throw OptionError(format_text("{b0} is not symmetric"));
  if (!is_diagonal(b0)) {
    const Eigen::LLT<MatrixXd> factor(b0);
    if (factor.info() != Eigen::Success) throw OptionError(format_text("{b0} is not positive definite"));
    log_det_b0_ = log_det(factor);
  } else {  // as every prior that is not given by hand: there is nothing to factorize
    if (!(b0.diagonal().minCoeff() > 0.0)) throw OptionError(format_text("{b0} is not positive definite"));
    log_det_b0_ = b0.diagonal().array().log().sum();
    const VectorXd diagonal = b0.diagonal();
    diagonal_b0_.assign(diagonal.begin(), diagonal.end());
  }
  check_prior_mean(prior_.m0);
  check_rounding(prior_.rounding, d);
  log_multigamma0_ = kernels::log_multigamma(prior_.eta0 / 2.0, d);
  if (prior_.multiples.empty()) return;
  check_multiples(prior_.multiples, prior_.multiples_decay);
  double sum = 0.0;
  for (const double multiple : prior_.multiples) sum += std::exp(log_prior_of(multiple));
  log_sum_of_multiples_ = std::log(sum);
}

double Gaussian::log_prior_of(double multiple) const {
  return -prior_.multiples_decay * std::abs(std::log(multiple)) - log_sum_of_multiples_;
}

template <class Matrix>
double Gaussian::best_multiple(const Matrix& matrix, Weighed rows) const {
  return prior_.multiples.empty() ? 1.0 : at_best_multiple(matrix, rows).multiple;
}

std::vector<double> Gaussian::posterior_b(ConstStatsRef stats) const {
  const WholeMatrix matrix(prior_, stats);
  const MatrixXd b = matrix.at(best_multiple(matrix, {stats[0], stats[0]}));
  return {b.data(), b.data() + b.size()};  // symmetric: the order of storage does not matter
}

WishartPosterior Gaussian::posterior(ConstStatsRef stats, double n_rows) const {
  const auto [weight, mean, scatter] = gaussian_parts(stats, n_columns());
  const double xi = prior_.xi0 + weight;
  std::vector<double> m(n_columns());
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = (weight * mean[i] + prior_.xi0 * prior_.m0[i]) / xi;
  const Weighed rows{weight, n_rows};
  return visit_matrix(prior_, diagonal_b0_, stats, [&](const auto& matrix) {
    const double eta = prior_.eta0 + n_rows;
    const double multiple = best_multiple(matrix, rows);
    WishartPosterior q = wishart_posterior({m, xi, eta}, matrix.factored(multiple, eta));
    q.prior_multiple = multiple;
    if (!prior_.rounding.empty()) add_rounding(q, prior_.rounding, matrix.factored_with_next(multiple, eta));
    return q;
  });
}

double Gaussian::log_evidence(ConstStatsRef stats, double n_rows) const {
  if (stats[0] <= 0.0) return 0.0;
  return visit_matrix(prior_, diagonal_b0_, stats, [&](const auto& matrix) {
    return at_best_multiple(matrix, {stats[0], n_rows}).log_evidence;
  });
}

// With B = f B0 + S the evidence is concave in log f: its slope there, (eta0 D - eta tr(f B0 B^-1)) / 2, falls; and so
// is log_prior_of. So the best multiple is found by going uphill, from where the slope would be 0 if S were a multiple
// of B0, in steps that double first and are halved then.
template <class Matrix>
Gaussian::Scaled Gaussian::at_best_multiple(const Matrix& matrix, Weighed rows) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const double xi = prior_.xi0 + rows.weight;
  const double eta = prior_.eta0 + rows.n;
  // D / 2, not 1 / 2, before log(xi0 / xi): [S] Eq. 3.3 corrected, see docs/errata.md.
  const double of_any = -dimension * rows.n / 2.0 * log_pi + dimension / 2.0 * std::log(prior_.xi0 / xi) +
                        prior_.eta0 / 2.0 * log_det_b0_ + kernels::log_multigamma(eta / 2.0, d) - log_multigamma0_;
  const auto at = [&](double multiple) {
    return Scaled{multiple, of_any + prior_.eta0 / 2.0 * dimension * std::log(multiple) -
                                eta / 2.0 * matrix.log_det(multiple) + log_prior_of(multiple)};
  };
  const std::vector<double>& multiples = prior_.multiples;
  if (multiples.empty() || rows.n <= 0.0) return at(1.0);
  const double guess = matrix.share_of_prior() * prior_.eta0 / rows.n;
  const auto n = static_cast<std::ptrdiff_t>(multiples.size());
  std::ptrdiff_t place = std::min(std::ranges::lower_bound(multiples, guess) - multiples.begin(), n - 1);
  Scaled best = at(multiples[static_cast<std::size_t>(place)]);
  const auto is_better = [&](std::ptrdiff_t step) {
    if (place + step < 0 || place + step >= n) return false;
    const Scaled other = at(multiples[static_cast<std::size_t>(place + step)]);
    if (!(other.log_evidence > best.log_evidence)) return false;
    best = other;
    place += step;
    return true;
  };
  std::ptrdiff_t step = is_better(-1) ? -1 : is_better(1) ? 1 : 0;
  if (step == 0) return best;
  while (is_better(2 * step)) step *= 2;
  for (; step != 0; step /= 2) {
    if (!is_better(step)) is_better(-step);
  }
  return best;
}

// tr(B0 W' W)
double Gaussian::trace_with_b0(const PrecisionRoot& w) const {
  if (!diagonal_b0_.empty()) return as_vector(diagonal_b0_).dot(as_vector(w.squared_columns()));
  return as_vector(prior_.b0).dot(as_vector(w.matrix()));
}

std::vector<double> Gaussian::column_lengths() const {
  std::vector<double> lengths(n_columns());
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = std::sqrt(prior_.b0[i * (lengths.size() + 1)]);
  return lengths;
}

double Gaussian::kl_to_prior(const Posterior& q) const {
  const std::size_t d = n_columns();
  const auto dimension = static_cast<double>(d);
  const double trace = q.prior_multiple * 2.0 / q.eta * trace_with_b0(q.w);  // tr(f B0 B^-1)
  const double shift = 2.0 / q.eta * q.w.exact(q.m, prior_.m0).value;        // (m - m0)' B^-1 (m - m0)
  const double of_mean = (dimension * prior_.xi0 / q.xi + prior_.xi0 * q.eta * shift - dimension +
                          dimension * std::log(q.xi / prior_.xi0)) /
                         2.0;
  return of_mean + (q.eta - prior_.eta0) / 2.0 * expected_log_det(q) - q.eta / 2.0 * (dimension - trace) -
         log_wishart_normalizer(q.eta, q.log_det_b, d) +
         log_wishart_normalizer(prior_.eta0, log_det_b0_ + dimension * std::log(q.prior_multiple), d) -
         log_prior_of(q.prior_multiple);
}

NamedArrays Gaussian::to_arrays() const {
  const std::size_t d = n_columns();
  NamedArrays arrays{{"m0", {{d}, prior_.m0}},
                     {"xi0", {{}, {prior_.xi0}}},
                     {"eta0", {{}, {prior_.eta0}}},
                     {"b0", {{d, d}, prior_.b0}}};
  if (!prior_.rounding.empty()) arrays["rounding"] = {{d}, prior_.rounding};
  if (!prior_.multiples.empty()) {
    arrays["multiples"] = {{prior_.multiples.size()}, prior_.multiples};
    arrays["multiples_decay"] = {{}, {prior_.multiples_decay}};
  }
  return arrays;
}

Gaussian Gaussian::from_arrays(const NamedArrays& arrays) {
  const std::vector<double>& m0 = prior_array(arrays, "m0", "gaussian");
  NormalWishart prior{m0, prior_array(arrays, "xi0", "gaussian")[0], prior_array(arrays, "eta0", "gaussian")[0],
                      prior_array(arrays, "b0", "gaussian"), rounding_from(arrays, m0.size(), "gaussian")};
  if (arrays.contains("multiples")) prior.multiples = prior_array(arrays, "multiples", "gaussian");
  // Models of before there was a decay: all multiples are equally likely.
  if (arrays.contains("multiples_decay")) prior.multiples_decay = prior_array(arrays, "multiples_decay", "gaussian")[0];
  return Gaussian(std::move(prior));
}

}  // namespace coppice::internal
