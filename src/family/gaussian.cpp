// SPDX-License-Identifier: BSD-3-Clause
// Normal-Wishart clusters ([L] Eqs. 16 to 20; docs/families/gaussian.md has the formulas), with two things the paper
// does not have: values that are rounded (normal_gamma.hpp), and a scale of their own for each cluster. For the latter
// the prior knows multiples f of B0, each with a probability, and a cluster takes the one that suits it best: small and
// large clusters side by side need not share one typical size. B is in one of two forms, the whole matrix or a diagonal
// with few directions, whichever is faster.

#include "coppice/family/gaussian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "coppice/family/normal_gamma.hpp"
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

// Calls visit with B = f B0 + S in the form that is faster; `b0` is B0's diagonal if there is nothing beside it.
template <class Visit>
auto visit_matrix(const NormalWishart& prior, std::span<const double> b0, ConstStatsRef stats, const Visit& visit) {
  if (!b0.empty()) {
    if (const std::optional<FewRows> few_rows = FewRows::find(prior, b0, stats)) return visit(*few_rows);
  }
  return visit(WholeMatrix(prior, b0, stats));
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
  // Proper if eta0 > D - 1 (docs/errata.md, 7); by how much more than rounding, normal_gamma.hpp says.
  if (!(prior_.eta0 - (static_cast<double>(d) - 1.0) >= least_freedom) || !std::isfinite(prior_.eta0)) {
    throw OptionError(format_text("{eta0} is {}, but must exceed the number of columns less one, {}, by {} or more",
                                  prior_.eta0, d - 1, least_freedom));
  }
  if (prior_.b0.size() != d * d) {
    throw OptionError(format_text("{b0} has {}, but {} need {} x {}", counted(prior_.b0.size(), "entry", "entries"),
                                  counted(d, "column"), d, d));
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(d);
  const MatrixXd b0 = Eigen::Map<const RowMajor>(prior_.b0.data(), n, n);
  if (!b0.isApprox(b0.transpose(), 1e-12)) throw OptionError(format_text("{b0} is not symmetric"));
  // Needed in every evidence, and the same for all clusters.
  double log_det_b0 = 0.0;
  if (!is_diagonal(b0)) {
    const Eigen::LLT<MatrixXd> factor(b0);
    if (factor.info() != Eigen::Success) throw OptionError(format_text("{b0} is not positive definite"));
    log_det_b0 = log_det(factor);
  } else {  // as every prior that is not given by hand: there is nothing to factorize
    if (!(b0.diagonal().minCoeff() > 0.0)) throw OptionError(format_text("{b0} is not positive definite"));
    log_det_b0 = b0.diagonal().array().log().sum();
    const VectorXd diagonal = b0.diagonal();
    diagonal_b0_.assign(diagonal.begin(), diagonal.end());
  }
  check_prior_mean(prior_.m0);
  check_rounding(prior_.rounding, d);
  if (!prior_.multiples.empty()) check_multiples(prior_.multiples, prior_.multiples_decay);
  evidence_ = WishartEvidence({d, prior_.xi0, prior_.eta0, log_det_b0, prior_.multiples_decay}, prior_.multiples);
}

std::vector<double> Gaussian::posterior_b(ConstStatsRef stats) const {
  const WholeMatrix matrix(prior_, diagonal_b0_, stats);
  const kernels::SquareMatrix b = matrix.at(best_multiple(matrix, {stats[0], stats[0]}));
  std::vector<double> row_by_row;
  for (std::size_t i = 0; i < b.n(); ++i) row_by_row.insert(row_by_row.end(), b.row(i), b.row(i) + b.n());
  return row_by_row;
}

WishartPosterior Gaussian::posterior(ConstStatsRef stats, double n_rows) const {
  const auto [weight, mean, scatter] = gaussian_parts(stats, n_columns());
  const double xi = prior_.xi0 + weight;
  std::vector<double> m(n_columns());
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = (weight * mean[i] + prior_.xi0 * prior_.m0[i]) / xi;
  // Student clusters count rows by their factors: the weight moves the mean, the number of rows adds degrees of
  // freedom.
  const WeighedRows rows{weight, n_rows};
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
  const WeighedRows rows{stats[0], n_rows};
  return visit_matrix(prior_, diagonal_b0_, stats, [&](const auto& matrix) {
    const double multiple = best_multiple(matrix, rows);
    return evidence_.of_any_multiple(rows) + evidence_.of_multiple(multiple, matrix.log_det(multiple), n_rows);
  });
}

template <class Matrix>
double Gaussian::best_multiple(const Matrix& matrix, WeighedRows rows) const {
  // An empty cluster is the prior as it stands.
  if (prior_.multiples.empty() || rows.n <= 0.0) return 1.0;
  const std::optional<ReducedScatter> reduced = matrix.reduced();
  if (!reduced) return multiple_uphill(matrix, rows);
  const auto log_dets = [&](std::span<const double> multiples, double* out) { reduced->log_dets(multiples, out); };
  return evidence_.best(rows.n, log_dets).multiple;
}

// Where every multiple takes factors of its own: uphill from where the slope would be 0 if S were a multiple of B0, in
// steps that double first and are halved then.
template <class Matrix>
double Gaussian::multiple_uphill(const Matrix& matrix, WeighedRows rows) const {
  const std::vector<double>& multiples = prior_.multiples;
  // There f B0 / eta0 is about S / n: prior and rows agree on the scale.
  const double guess = matrix.share_of_prior() * prior_.eta0 / rows.n;
  const auto n = static_cast<std::ptrdiff_t>(multiples.size());
  std::ptrdiff_t place = std::min(std::ranges::lower_bound(multiples, guess) - multiples.begin(), n - 1);
  const auto at = [&](std::ptrdiff_t i) {
    const double multiple = multiples[static_cast<std::size_t>(i)];
    return evidence_.of_multiple(multiple, matrix.log_det(multiple), rows.n);
  };
  double best = at(place);
  const auto is_better = [&](std::ptrdiff_t step) {
    if (place + step < 0 || place + step >= n) return false;
    const double other = at(place + step);
    if (!(other > best)) return false;
    best = other;
    place += step;
    return true;
  };
  // The evidence is concave in log f, so that uphill from anywhere ends at the best one.
  std::ptrdiff_t step = is_better(-1) ? -1 : is_better(1) ? 1 : 0;
  if (step != 0) {
    while (is_better(2 * step)) step *= 2;
  }
  for (; step != 0; step /= 2) {
    if (!is_better(step)) is_better(-step);
  }
  return multiples[static_cast<std::size_t>(place)];
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
  // The prior of this cluster is that of its own multiple, f B0, which is paid for by log_prior_of().
  const double trace = q.prior_multiple * 2.0 / q.eta * trace_with_b0(q.w);  // tr(f B0 B^-1)
  const double shift = 2.0 / q.eta * q.w.exact(q.m, prior_.m0).value;        // (m - m0)' B^-1 (m - m0)
  const double of_mean = (dimension * prior_.xi0 / q.xi + prior_.xi0 * q.eta * shift - dimension +
                          dimension * std::log(q.xi / prior_.xi0)) /
                         2.0;
  return of_mean + (q.eta - prior_.eta0) / 2.0 * expected_log_det(q) - q.eta / 2.0 * (dimension - trace) -
         log_wishart_normalizer(q.eta, q.log_det_b, d) +
         log_wishart_normalizer(prior_.eta0, evidence_.numbers().log_det_b0 + dimension * std::log(q.prior_multiple),
                                d) -
         evidence_.log_prior_of(q.prior_multiple);
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
