// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/student.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coppice/family/normal_gamma.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

const double log_pi = std::log(std::numbers::pi);
const double log_2_pi = std::log(2.0 * std::numbers::pi);

enum Own : std::size_t { n_rows, log_factors, entropies, n_own };

template <class Double>
std::span<Double> weighted_part(std::span<Double> stats) {
  return stats.subspan(n_own);
}

double weight_of(Weights weights, std::size_t row) { return weights.empty() ? 1.0 : weights[row]; }

// Entropy of Gamma(a, b) less -log b.
double entropy_of_shape(double a) { return a + kernels::log_gamma(a) + (1.0 - a) * kernels::digamma(a); }

}  // namespace

Student::Student(NormalWishart prior, double freedom)
    : gaussian_(std::move(prior)), nu_(freedom), a_((freedom + static_cast<double>(gaussian_.n_columns())) / 2.0) {
  static_assert(n_own == n_own_stats);
  if (!(freedom > 0.0) || !std::isfinite(freedom)) {
    throw OptionError(
        fmt::format("the degrees of freedom of Student-t clusters are {}, but must be positive and finite", freedom));
  }
}

void Student::add(StatsRef into, RowBlock& rows, Weights weights) const {
  double n = 0.0;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) n += weight_of(weights, row);
  into[n_rows] += n;
  into[log_factors] += n * (kernels::digamma(a_) - std::log(a_));  // b = a, so that E[u] = 1
  into[entropies] += n * (entropy_of_shape(a_) - std::log(a_));
  gaussian_.add(weighted_part(into), rows, weights);
}

void Student::add_members(const Posterior& q, StatsRef into, RowBlock& rows, Weights weights) const {
  thread_local std::vector<double> factors;  // squared distances, then row weights times E[u]
  factors.resize(kernels::panel_stride);
  q.gaussian.w.costs(rows.panel(), q.gaussian.m, 0.0, factors.data());
  double n = 0.0;
  double log_b = 0.0;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    const double weight = weight_of(weights, row);
    const double b = (nu_ + q.spread) / 2.0 + factors[row];
    n += weight;
    log_b += weight * std::log(b);
    factors[row] = weight * a_ / b;
  }
  into[n_rows] += n;
  into[log_factors] += n * kernels::digamma(a_) - log_b;
  into[entropies] += n * entropy_of_shape(a_) - log_b;
  gaussian_.add(weighted_part(into), rows, std::span(factors).first(rows.n_rows()));
}

void Student::merge(StatsRef into, ConstStatsRef from) const {
  for (std::size_t i = 0; i < n_own; ++i) into[i] += from[i];
  gaussian_.merge(weighted_part(into), weighted_part(from));
}

void Student::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  for (std::size_t i = 0; i < n_own; ++i) into[i] += factor * from[i];
  gaussian_.add_scaled(weighted_part(into), weighted_part(from), factor);
}

// log of the factors' density at u = 1, but for the exponential: nu / 2 log(nu / 2) - log Gamma(nu / 2)
double Student::log_factor_normalizer() const {
  return nu_ / 2.0 * std::log(nu_ / 2.0) - kernels::log_gamma(nu_ / 2.0);
}

Student::Posterior Student::posterior(ConstStatsRef stats) const {
  const auto dimension = static_cast<double>(n_columns());
  Posterior q{gaussian_.posterior(weighted_part(stats), stats[n_rows]), 0.0, 0.0};
  q.spread = dimension / q.gaussian.xi + q.gaussian.eta * q.gaussian.rounding_share;
  q.constant =
      (dimension * log_2_pi - expected_log_det(q.gaussian)) / 2.0 - kernels::log_gamma(a_) - log_factor_normalizer();
  return q;
}

// The bound: the Gaussian's evidence of the weighted rows, E[log u] for each of their D columns, and E[log p(u)] plus
// the entropy of q(u).
double Student::log_evidence(ConstStatsRef stats) const {
  if (stats[n_rows] <= 0.0) return 0.0;
  const auto dimension = static_cast<double>(n_columns());
  const double sum_of_factors = weighted_part(stats)[0];
  return gaussian_.log_evidence(weighted_part(stats), stats[n_rows]) +
         (dimension / 2.0 + nu_ / 2.0 - 1.0) * stats[log_factors] - nu_ / 2.0 * sum_of_factors +
         stats[n_rows] * log_factor_normalizer() + stats[entropies];
}

double Student::from_squared(const Posterior& q, double squared) const {
  return q.constant + a_ * std::log((nu_ + q.spread) / 2.0 + squared);
}

void Student::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const kernels::PanelView panel = rows.panel();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Posterior& q = clusters[c];
    double* of_cluster = out + c * kernels::panel_stride;
    q.gaussian.w.costs(panel, q.gaussian.m, 0.0, of_cluster);
    for (std::size_t row = 0; row < rows.n_rows(); ++row) of_cluster[row] = from_squared(q, of_cluster[row]);
  }
}

ExactCost Student::exact_cost(const Posterior& q, std::span<const double> row) const {
  const kernels::ExactQuadratic exact = q.gaussian.w.exact(row, q.gaussian.m);
  const double slope = a_ / ((nu_ + q.spread) / 2.0 + exact.value);
  return {from_squared(q, exact.value), slope * exact.scale};
}

// The Gaussian's scale is at most ratio ||W (x - m)||^2, and the slope of the logarithm takes all but a (nu + D) / 2 of
// that away. No cost is below the one at m, so that one nat below that is a floor to measure a constant by.
TieScale Student::tie_scale(const Posterior& q) const {
  return {a_ * q.gaussian.tie_ratio, from_squared(q, 0.0) - 1.0};
}

double Student::node_cost(const Posterior& q, ConstStatsRef stats) const {
  const auto dimension = static_cast<double>(n_columns());
  const double n = stats[n_rows];
  const double sum_of_factors = weighted_part(stats)[0];
  const double squared = gaussian_.node_cost(q.gaussian, weighted_part(stats)) - sum_of_factors * q.gaussian.a;
  return n * (dimension * log_2_pi - expected_log_det(q.gaussian)) / 2.0 - n * log_factor_normalizer() -
         (dimension / 2.0 + nu_ / 2.0 - 1.0) * stats[log_factors] + (nu_ + q.spread) / 2.0 * sum_of_factors + squared -
         stats[entropies];
}

void Student::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const auto dimension = static_cast<double>(n_columns());
  const kernels::PanelView panel = rows.panel();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const WishartPosterior& q = clusters[c].gaussian;
    const double own = q.eta - dimension + 1.0;  // the degrees of freedom of a Gaussian cluster's prediction
    const double freedom = 1.0 / (1.0 / nu_ + 1.0 / own);
    const double widening = (q.xi + 1.0) / (q.xi * own);  // the scale is B (or B + R) times this
    const double log_det = (q.is_rounded() ? q.log_det_next_b : q.log_det_b) + dimension * std::log(widening);
    const double constant = kernels::log_gamma((freedom + dimension) / 2.0) - kernels::log_gamma(freedom / 2.0) -
                            (dimension * (std::log(freedom) + log_pi) + log_det) / 2.0;
    double* of_cluster = out + c * kernels::panel_stride;
    (q.is_rounded() ? q.next_w : q.w).costs(panel, q.m, 0.0, of_cluster);
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      const double squared = 2.0 / q.eta * of_cluster[row] / widening;
      of_cluster[row] = constant - (freedom + dimension) / 2.0 * std::log1p(squared / freedom);
    }
  }
}

Student::Posterior Student::plug_in(Posterior q) const {
  const auto dimension = static_cast<double>(n_columns());
  q.spread = 0.0;
  q.constant = (dimension * (log_2_pi - std::log(q.gaussian.eta)) + q.gaussian.log_det_b) / 2.0 -
               kernels::log_gamma(a_) - log_factor_normalizer();
  return q;
}

SplitAxis Student::split_axis(ConstStatsRef stats) const { return gaussian_.split_axis(weighted_part(stats)); }

ColumnMoments Student::column_moments(ConstStatsRef stats) const {
  ColumnMoments moments = gaussian_.column_moments(weighted_part(stats));
  const double sum_of_factors = weighted_part(stats)[0];
  for (double& variance : moments.variance) variance *= stats[n_rows] > 0.0 ? sum_of_factors / stats[n_rows] : 0.0;
  return moments;
}

NamedArrays Student::to_arrays() const {
  NamedArrays arrays = gaussian_.to_arrays();
  arrays["freedom"] = {{}, {nu_}};
  return arrays;
}

Student Student::from_arrays(const NamedArrays& arrays) {
  return {Gaussian::from_arrays(arrays).prior(), prior_array(arrays, "freedom", "student")[0]};
}

}  // namespace coppice::internal
