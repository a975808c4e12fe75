// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A family that the library does not know: one column of counts, Poisson with a Gamma prior on the rate.
//
// Legend: a, b = shape and rate of the Gamma distribution, suffix 0 marks the prior. Statistics: weight, sum x, sum
// x^2, sum log x!.

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/family/family.hpp"
#include "coppice/kernels/special.hpp"

namespace outside {

using coppice::kernels::digamma;
using coppice::kernels::log_gamma;

class Poisson {
 public:
  struct Posterior {
    double a = 0.0;
    double b = 0.0;
    double expected_rate = 0.0;
    double expected_log_rate = 0.0;
  };

  Poisson(double a0, double b0) : a0_(a0), b0_(b0) {}

  [[nodiscard]] std::string_view name() const { return "poisson"; }
  [[nodiscard]] std::size_t n_columns() const { return 1; }
  [[nodiscard]] std::size_t stats_size() const { return 4; }

  void add(coppice::StatsRef into, coppice::RowBlock& rows, coppice::Weights weights) const {
    const double* x = rows.panel().column(0);
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      const double w = weights.empty() ? 1.0 : weights[row];
      into[0] += w;
      into[1] += w * x[row];
      into[2] += w * x[row] * x[row];
      into[3] += w * log_gamma(x[row] + 1.0);
    }
  }
  void merge(coppice::StatsRef into, coppice::ConstStatsRef from) const {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
  }

  void add_scaled(coppice::StatsRef into, coppice::ConstStatsRef from, double factor) const {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += factor * from[i];
  }

  [[nodiscard]] Posterior posterior(coppice::ConstStatsRef s) const {
    const double a = a0_ + s[1];
    const double b = b0_ + s[0];
    return {a, b, a / b, digamma(a) - std::log(b)};
  }
  [[nodiscard]] double log_evidence(coppice::ConstStatsRef s) const {
    const Posterior q = posterior(s);
    return a0_ * std::log(b0_) - log_gamma(a0_) + log_gamma(q.a) - q.a * std::log(q.b) - s[3];
  }

  void costs(std::span<const Posterior> all, coppice::RowBlock& rows, double* out) const {
    for_each(all, rows, out, [](const Posterior& q, double x) {
      return q.expected_rate - x * q.expected_log_rate + log_gamma(x + 1.0);
    });
  }
  [[nodiscard]] coppice::ExactCost exact_cost(const Posterior& q, std::span<const double> row) const {
    const double x = row[0];
    const double of_rate = x * q.expected_log_rate;
    return {q.expected_rate - of_rate + log_gamma(x + 1.0), q.expected_rate + std::abs(of_rate) + log_gamma(x + 1.0)};
  }
  // With L the expected log rate and log x! >= 2 L x - exp(2 L): 3 (cost + 2/3 exp(2 L)) covers all summands.
  [[nodiscard]] coppice::TieScale tie_scale(const Posterior& q) const {
    if (q.expected_log_rate <= 0.0) return {1.0, 0.0};
    return {3.0, -2.0 / 3.0 * std::exp(2.0 * q.expected_log_rate)};
  }
  [[nodiscard]] double node_cost(const Posterior& q, coppice::ConstStatsRef s) const {
    return s[0] * q.expected_rate - s[1] * q.expected_log_rate + s[3];
  }
  // Negative binomial.
  void log_predictive(std::span<const Posterior> all, coppice::RowBlock& rows, double* out) const {
    for_each(all, rows, out, [](const Posterior& q, double x) {
      return log_gamma(q.a + x) - log_gamma(q.a) - log_gamma(x + 1.0) + q.a * std::log(q.b / (q.b + 1.0)) -
             x * std::log(q.b + 1.0);
    });
  }
  [[nodiscard]] Posterior plug_in(Posterior q) const {
    q.expected_log_rate = std::log(q.expected_rate);
    return q;
  }
  [[nodiscard]] double kl_to_prior(const Posterior& q) const {
    return (q.a - a0_) * digamma(q.a) - log_gamma(q.a) + log_gamma(a0_) + a0_ * std::log(q.b / b0_) +
           q.a * (b0_ - q.b) / q.b;
  }

  [[nodiscard]] coppice::SplitAxis split_axis(coppice::ConstStatsRef s) const {
    return {{1.0}, column_moments(s).variance[0]};
  }
  [[nodiscard]] coppice::ColumnMoments column_moments(coppice::ConstStatsRef s) const {
    const double mean = s[1] / s[0];
    return {{mean}, {std::max(0.0, s[2] / s[0] - mean * mean)}};
  }

  [[nodiscard]] coppice::NamedArrays to_arrays() const { return {{"a0", {{}, {a0_}}}, {"b0", {{}, {b0_}}}}; }
  static Poisson from_arrays(const coppice::NamedArrays& arrays) {
    return {arrays.at("a0").values[0], arrays.at("b0").values[0]};
  }

 private:
  template <class Function>
  static void for_each(std::span<const Posterior> all, coppice::RowBlock& rows, double* out, const Function& function) {
    const double* x = rows.panel().column(0);
    for (std::size_t c = 0; c < all.size(); ++c) {
      for (std::size_t row = 0; row < rows.n_rows(); ++row) {
        out[c * coppice::kernels::panel_stride + row] = function(all[c], x[row]);
      }
    }
  }

  double a0_;
  double b0_;
};

static_assert(coppice::Family<Poisson>);

}  // namespace outside
