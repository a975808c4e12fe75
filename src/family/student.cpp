// SPDX-License-Identifier: BSD-3-Clause
// Tails by a hidden factor per row (docs/families/student.md): everything is a Gaussian cluster of rows weighted by
// E[u], plus three sums over rows. Statistics therefore hang on the posterior by which rows were weighed. add() knows
// none and takes u at its prior mean of 1; add_members() weighs by a posterior; alternating the two raises the bound at
// every step, slowly along the factor that all rows have in common, which balance() finds at once.

#include "coppice/family/student.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coppice/family/normal_gamma.hpp"
#include "coppice/kernels/log1p.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "family/student_kinds.hpp"
#include "family/student_prediction.hpp"

namespace coppice::internal {

namespace {

const double log_2_pi = std::log(2.0 * std::numbers::pi);

enum Own : std::size_t { n_rows, log_factors, entropies, n_own };

template <class Double>
std::span<Double> weighted_part(std::span<Double> stats) {
  return stats.subspan(n_own);
}

double weight_of(Weights weights, std::size_t row) { return weights.empty() ? 1.0 : weights[row]; }

// Entropy of Gamma(a, b) less -log b.
double entropy_of_shape(double a) { return a + kernels::log_gamma(a) + (1.0 - a) * kernels::digamma(a); }

// log of the factors' density at u = 1, but for the exponential: nu / 2 log(nu / 2) - log Gamma(nu / 2)
double log_factor_normalizer(double nu) { return nu / 2.0 * std::log(nu / 2.0) - kernels::log_gamma(nu / 2.0); }

}  // namespace

template <class Kind>
StudentOf<Kind>::StudentOf(Prior prior, double freedom)
    : kind_(std::move(prior)), nu_(freedom), a_((freedom + static_cast<double>(kind_.n_columns())) / 2.0) {
  static_assert(n_own == n_own_stats);
  if (!(freedom > 0.0) || !std::isfinite(freedom)) {
    throw OptionError(
        fmt::format("the degrees of freedom of Student-t clusters are {}, but must be positive and finite", freedom));
  }
}

template <class Kind>
void StudentOf<Kind>::add(StatsRef into, RowBlock& rows, Weights weights) const {
  double n = 0.0;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) n += weight_of(weights, row);
  into[n_rows] += n;
  into[log_factors] += n * (kernels::digamma(a_) - std::log(a_));  // b = a, so that E[u] = 1
  into[entropies] += n * (entropy_of_shape(a_) - std::log(a_));
  kind_.add(weighted_part(into), rows, weights);
}

template <class Kind>
void StudentOf<Kind>::add_members(const Posterior& q, StatsRef into, RowBlock& rows, Weights weights) const {
  thread_local std::vector<double> factors;  // squared distances, then row weights times E[u]
  thread_local std::vector<double> logs;     // of b
  factors.resize(kernels::panel_stride);
  half_squares(q.gaussian, rows.panel(), factors.data());
  logs.assign(factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(rows.n_rows()));
  // b = least_b + half of (x - m)' E[Omega] (x - m): never below least_b, so that no factor overflows.
  const double least_b = (nu_ + q.spread) / 2.0;
  kernels::take_log1p({std::log(least_b), 1.0, 1.0 / least_b, 0.0}, logs.data(), logs.size());
  double n = 0.0;
  double log_b = 0.0;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    const double weight = weight_of(weights, row);
    n += weight;
    if (weight > 0.0) log_b += weight * logs[row];
    factors[row] = weight * a_ / (least_b + factors[row]);
  }
  into[n_rows] += n;
  into[log_factors] += n * kernels::digamma(a_) - log_b;
  into[entropies] += n * entropy_of_shape(a_) - log_b;
  kind_.add(weighted_part(into), rows, std::span(factors).first(rows.n_rows()));
}

// The bound has no slope in the common factor c where c nu sum u + c sum u E[d^2] = n (nu + D), the mean being over the
// posterior that c itself gives. There sum u E[d^2] hardly depends on c, unless the prior outweighs the rows.
template <class Kind>
void StudentOf<Kind>::balance(StatsRef stats) const {
  constexpr double nothing = 1e-9;
  const double n = stats[n_rows];
  if (n <= 0.0) return;
  const ConstStatsRef part = weighted_part(ConstStatsRef(stats));
  const double factor = 2.0 * (n * a_ - summed_half_squares(posterior(stats), stats)) / (nu_ * part[0]);
  if (!(factor > 0.0) || !std::isfinite(factor) || std::abs(factor - 1.0) < nothing) return;
  std::vector<double> scaled(stats.begin(), stats.begin() + n_own);
  scaled.resize(stats.size(), 0.0);
  scaled[log_factors] += n * std::log(factor);
  scaled[entropies] += n * std::log(factor);
  kind_.add_scaled(weighted_part(StatsRef(scaled)), part, factor);
  // The factor is a guess where the prior outweighs the rows: only a better bound is taken.
  if (log_evidence(scaled) > log_evidence(stats)) std::ranges::copy(scaled, stats.begin());
}

template <class Kind>
void StudentOf<Kind>::merge(StatsRef into, ConstStatsRef from) const {
  for (std::size_t i = 0; i < n_own; ++i) into[i] += from[i];
  kind_.merge(weighted_part(into), weighted_part(from));
}

template <class Kind>
void StudentOf<Kind>::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  for (std::size_t i = 0; i < n_own; ++i) into[i] += factor * from[i];
  kind_.add_scaled(weighted_part(into), weighted_part(from), factor);
}

template <class Kind>
typename StudentOf<Kind>::Posterior StudentOf<Kind>::posterior(ConstStatsRef stats) const {
  const auto dimension = static_cast<double>(n_columns());
  Posterior q{kind_.posterior(weighted_part(stats), stats[n_rows]), 0.0, 0.0};
  q.spread = dimension / q.gaussian.xi + rounding_square(kind_, q.gaussian);
  q.constant =
      (dimension * log_2_pi - expected_log_det(q.gaussian)) / 2.0 - kernels::log_gamma(a_) - log_factor_normalizer(nu_);
  return q;
}

// The bound: the Gaussian's evidence of the weighted rows, E[log u] for each of their D columns, and E[log p(u)] plus
// the entropy of q(u).
template <class Kind>
double StudentOf<Kind>::log_evidence(ConstStatsRef stats) const {
  if (stats[n_rows] <= 0.0) return 0.0;
  return kind_.log_evidence(weighted_part(stats), stats[n_rows]) + evidence_of_factors(stats, nu_, n_columns());
}

template <class Kind>
double StudentOf<Kind>::evidence_of_factors(ConstStatsRef stats, double freedom, std::size_t n_columns) {
  const double sum_of_factors = weighted_part(stats)[0];
  return (static_cast<double>(n_columns) / 2.0 + freedom / 2.0 - 1.0) * stats[log_factors] -
         freedom / 2.0 * sum_of_factors + stats[n_rows] * log_factor_normalizer(freedom) + stats[entropies];
}

// The cost rises with the logarithm of the distance: far rows do not outweigh all others.
template <class Kind>
double StudentOf<Kind>::from_squared(const Posterior& q, double squared) const {
  return q.constant + a_ * std::log((nu_ + q.spread) / 2.0 + squared);
}

template <class Kind>
void StudentOf<Kind>::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const kernels::PanelView panel = rows.panel();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    double* of_cluster = out + c * kernels::panel_stride;
    half_squares(q.gaussian, panel, of_cluster);
    kernels::take_log1p({from_squared(q, 0.0), a_, 2.0 / (nu_ + q.spread), 0.0}, of_cluster, rows.n_rows());
  }
}

template <class Kind>
ExactCost StudentOf<Kind>::exact_cost(const Posterior& q, std::span<const double> row) const {
  const kernels::ExactQuadratic exact = exact_half_square(q.gaussian, row);
  const double slope = a_ / ((nu_ + q.spread) / 2.0 + exact.value);
  return {from_squared(q, exact.value), slope * exact.scale};
}

// The Gaussian's scale is at most ratio ||W (x - m)||^2, and the slope of the logarithm takes all but a (nu + D) / 2 of
// that away. No cost is below the one at m, so that one nat below that is a floor to measure a constant by.
template <class Kind>
TieScale StudentOf<Kind>::tie_scale(const Posterior& q) const {
  return {a_ * tie_ratio(q.gaussian), from_squared(q, 0.0) - 1.0};
}

template <class Kind>
double StudentOf<Kind>::node_cost(const Posterior& q, ConstStatsRef stats) const {
  const auto dimension = static_cast<double>(n_columns());
  const double n = stats[n_rows];
  return n * (dimension * log_2_pi - expected_log_det(q.gaussian)) / 2.0 - n * log_factor_normalizer(nu_) -
         (dimension / 2.0 + nu_ / 2.0 - 1.0) * stats[log_factors] + nu_ / 2.0 * weighted_part(stats)[0] +
         summed_half_squares(q, stats) - stats[entropies];
}

// Half of the sum of E[u] E[(x - mu)' Omega (x - mu)]
template <class Kind>
double StudentOf<Kind>::summed_half_squares(const Posterior& q, ConstStatsRef stats) const {
  const double sum_of_factors = weighted_part(stats)[0];
  return kind_.node_cost(q.gaussian, weighted_part(stats)) + sum_of_factors * (q.spread / 2.0 - q.gaussian.a);
}

template <class Kind>
void StudentOf<Kind>::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    log_prediction(kind_, clusters[c].gaussian, nu_, rows.panel(), out + c * kernels::panel_stride);
  }
}

template <class Kind>
double StudentOf<Kind>::log_mass(const Posterior& q) const {
  return log_prediction_mass(kind_, q.gaussian);
}

namespace {

template <class Kind>
std::vector<const typename Kind::Posterior*> gaussians_of(std::span<const StudentPosterior<Kind>> clusters) {
  std::vector<const typename Kind::Posterior*> gaussians;
  for (const StudentPosterior<Kind>& q : clusters) gaussians.push_back(&q.gaussian);
  return gaussians;
}

}  // namespace

template <class Kind>
std::unique_ptr<PredictionBounds> StudentOf<Kind>::prediction_bounds(std::span<const Posterior> clusters) const {
  return internal::prediction_bounds(kind_, gaussians_of<Kind>(clusters), nu_);
}

template <class Kind>
std::unique_ptr<RowSampler> StudentOf<Kind>::row_sampler(std::span<const Posterior> clusters) const {
  return prediction_sampler(kind_, gaussians_of<Kind>(clusters), nu_);
}

template <class Kind>
typename StudentOf<Kind>::Posterior StudentOf<Kind>::plug_in(Posterior q) const {
  const auto dimension = static_cast<double>(n_columns());
  q.spread = 0.0;
  q.constant = (dimension * (log_2_pi - std::log(q.gaussian.eta)) + log_det_b(q.gaussian)) / 2.0 -
               kernels::log_gamma(a_) - log_factor_normalizer(nu_);
  return q;
}

template <class Kind>
ColumnMoments StudentOf<Kind>::column_moments(ConstStatsRef stats) const {
  ColumnMoments moments = kind_.column_moments(weighted_part(stats));
  const double sum_of_factors = weighted_part(stats)[0];
  for (double& variance : moments.variance) variance *= stats[n_rows] > 0.0 ? sum_of_factors / stats[n_rows] : 0.0;
  return moments;
}

template <class Kind>
NamedArrays StudentOf<Kind>::to_arrays() const {
  NamedArrays arrays = kind_.to_arrays();
  arrays["freedom"] = {{}, {nu_}};
  return arrays;
}

template <class Kind>
StudentOf<Kind> StudentOf<Kind>::from_arrays(const NamedArrays& arrays) {
  return {Kind::from_arrays(arrays).prior(), prior_array(arrays, "freedom", student_name<Kind>)[0]};
}

template class StudentOf<Gaussian>;
template class StudentOf<DiagonalGaussian>;
template class StudentOf<SphericalGaussian>;

}  // namespace coppice::internal
