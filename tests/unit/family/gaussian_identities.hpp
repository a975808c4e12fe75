// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds for every family of Gaussian clusters with a proper prior, whatever their shape and with rounding too.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {

// log evidence(X) = sum_n log predictive(x_n | x_1 .. x_{n-1})
template <class F>
void expect_chain_rule(const F& family, const Rows& rows) {
  double sum = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    sum += log_predictive_of(family, family.posterior(stats_of(family, rows, 0, row)), rows)[row];
  }
  EXPECT_NEAR(family.log_evidence(stats_of(family, rows)), sum, 1e-10 * std::abs(sum));
}

// log evidence(X) = - sum_n w_n cost(x_n) - KL(posterior || prior), for any weights
template <class F>
void expect_evidence_is_minus_costs_minus_divergence(const F& family, const Rows& rows) {
  for (const bool is_weighted : {false, true}) {
    const std::vector<double> weights =
        is_weighted ? random_weights(rows.size(), 3) : std::vector<double>(rows.size(), 1.0);
    const Stats stats = stats_of(family, rows, weights);
    const typename F::Posterior q = family.posterior(stats);
    double sum = -family.kl_to_prior(q);
    const std::vector<double> costs = costs_of(family, q, rows);
    for (std::size_t row = 0; row < rows.size(); ++row) sum -= weights[row] * costs[row];
    EXPECT_NEAR(family.log_evidence(stats), sum, 1e-10 * (1.0 + std::abs(sum)));
  }
}

// -cost(x) = d/d eps log evidence(stats(X) + eps stats(x)) at eps = 0, here by a one-sided difference of second order.
template <class F>
void expect_cost_is_the_slope(const F& family, const Rows& rows) {
  const Stats stats = stats_of(family, rows, random_weights(rows.size(), 5));
  const Rows query = random_rows(4, rows.n_columns(), rows.n_columns() + 50);
  const std::vector<double> costs = costs_of(family, family.posterior(stats), query);
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto evidence_with = [&](double eps) {
      Stats more = stats;
      const std::vector<double> weight(query.size(), eps);
      family.merge(more, stats_of(family, query, row, row + 1, weight));
      return family.log_evidence(more);
    };
    const double eps = 1e-4;
    const double slope =
        (4.0 * evidence_with(eps) - evidence_with(2.0 * eps) - 3.0 * family.log_evidence(stats)) / (2.0 * eps);
    EXPECT_NEAR(-costs[row], slope, 2e-5 * (1.0 + std::abs(slope)));
  }
}

template <class F>
void expect_node_cost_is_the_sum(const F& family, const Rows& rows) {
  const std::vector<double> weights = random_weights(rows.size(), 8);
  const typename F::Posterior q = family.posterior(stats_of(family, random_rows(20, rows.n_columns(), 9)));
  const std::vector<double> costs = costs_of(family, q, rows);
  double sum = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) sum += weights[row] * costs[row];
  EXPECT_NEAR(family.node_cost(q, stats_of(family, rows, weights)), sum, 1e-11 * std::abs(sum));
}

template <class F>
std::vector<double> log_held_out_of(const F& family, const typename F::Posterior& q, const Rows& rows) {
  return for_rows(rows, [&](RowBlock& block, double* out) { family.log_held_out(q, block, out); });
}

// The largest error of log held_out(x_n) = log evidence(X) - log evidence(X without x_n), over all members.
template <class F>
double error_of_held_out(const F& family, const Rows& rows) {
  const Stats all = stats_of(family, rows);
  const std::vector<double> held_out = log_held_out_of(family, family.posterior(all), rows);
  double largest = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Stats others = stats_of(family, rows, 0, row);
    family.merge(others, stats_of(family, rows, row + 1, rows.size()));
    const double expected = family.log_evidence(all) - family.log_evidence(others);
    largest = std::max(largest, std::abs(held_out[row] - expected) / (1.0 + std::abs(expected)));
  }
  return largest;
}

// Statistics less a part of them are those of the rest; less themselves, nothing.
template <class F>
void expect_subtract_undoes_merge(const F& family, const Rows& rows) {
  const std::vector<double> weights = random_weights(rows.size(), 12);
  const std::size_t half = rows.size() / 2;
  const Stats rest = stats_of(family, rows, 0, half, weights);
  const Stats part = stats_of(family, rows, half, rows.size(), weights);
  Stats both = rest;
  family.merge(both, part);
  family.subtract(both, part);
  for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_NEAR(both[i], rest[i], 1e-11 * (1.0 + std::abs(rest[i]))) << i;
  family.subtract(both, Stats(both));
  EXPECT_EQ(both, Stats(both.size(), 0.0));
}

// The cost in a fixed order of operations is the cost, and its scale is no larger than promised.
template <class F>
void expect_exact_costs(const F& family, const Rows& rows) {
  const typename F::Posterior q = family.posterior(stats_of(family, rows));
  const TieScale promise = family.tie_scale(q);
  const Rows query = random_rows(100, rows.n_columns(), 70);
  const std::vector<double> costs = costs_of(family, q, query);
  std::vector<double> row(rows.n_columns());
  for (std::size_t i = 0; i < query.size(); ++i) {
    query.copy_row(i, row);
    const ExactCost exact = family.exact_cost(q, row);
    EXPECT_NEAR(exact.value, costs[i], 1e-12 * (1.0 + exact.scale));
    EXPECT_LE(exact.scale, promise.ratio * (exact.value - promise.floor) * (1.0 + 1e-9));
  }
}

// A family out of its own arrays has the same arrays and the same evidence.
template <class F>
void expect_travels_through_arrays(const F& family, const Rows& rows) {
  const NamedArrays arrays = family.to_arrays();
  const F copy = F::from_arrays(arrays);
  EXPECT_EQ(copy.to_arrays(), arrays);
  const Stats stats = stats_of(family, rows);
  EXPECT_EQ(copy.log_evidence(stats), family.log_evidence(stats));
}

}  // namespace coppice::internal
