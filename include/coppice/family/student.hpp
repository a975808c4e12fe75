// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Student-t clusters of any shape: Gaussian ones whose rows differ in scale. A row has a hidden precision factor u,
// drawn from Gamma(nu / 2, nu / 2), and is Gaussian with precision u Omega given it; small nu means heavy tails, and as
// nu grows the cluster becomes Gaussian. The prior of mean and precision is Normal-Wishart, as in gaussian.hpp.
//
// There is no evidence in closed form. What stands in its place is the variational bound in which u and the parameters
// are independent: q(u) = Gamma(a, b) with a = (nu + D) / 2 and 2 b = nu + E[(x - m)' Omega (x - m)] at the cluster's
// posterior. So the statistics of a row depend on the cluster that it belongs to (WeighsMembers): add_members() takes
// E[u] and E[log u] at a posterior, add() has u = 1 on average where no posterior is known yet.
// docs/families/student.md derives it.
//
// Statistics: rows n, sum of E[log u], sum of the entropies of q(u), then those of wishart_family.hpp with rows
// weighted by E[u].

#include <cstddef>
#include <span>

#include "coppice/family/gaussian.hpp"

namespace coppice::internal {

// cost(x) = constant + (nu + D) / 2 log((nu + spread + 2 ||W (x - m)||^2) / 2)
struct StudentPosterior {
  WishartPosterior gaussian;
  double spread = 0.0;  // what uncertainty of the mean and rounding add to every squared distance
  double constant = 0.0;
};

class Student {
 public:
  using Posterior = StudentPosterior;

  // OptionError as for Gaussian, and unless `freedom`, nu, is positive and finite.
  Student(NormalWishart prior, double freedom);

  [[nodiscard]] std::string_view name() const noexcept { return "student"; }
  [[nodiscard]] const NormalWishart& prior() const noexcept { return gaussian_.prior(); }
  [[nodiscard]] double freedom() const noexcept { return nu_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return gaussian_.n_columns(); }
  [[nodiscard]] std::size_t stats_size() const noexcept { return n_own_stats + gaussian_.stats_size(); }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void add_members(const Posterior& q, StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const;
  // Exact if the statistics are those of members of q, else an upper bound.
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  // A Student t whose degrees of freedom and scale take in what is not known of the parameters: exact for many rows,
  // and for Gaussian clusters (nu without limit).
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const;  // Student t at mean m and scale B / eta
  [[nodiscard]] double kl_to_prior(const Posterior& q) const { return gaussian_.kl_to_prior(q.gaussian); }

  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const;
  // The variance is that of the scale, which exists for any nu: a row's own is nu / (nu - 2) times as large.
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static Student from_arrays(const NamedArrays& arrays);

 private:
  static constexpr std::size_t n_own_stats = 3;

  [[nodiscard]] double log_factor_normalizer() const;
  [[nodiscard]] double from_squared(const Posterior& q, double squared) const;

  Gaussian gaussian_;
  double nu_;
  double a_;  // (nu + D) / 2
};

static_assert(WeighsMembers<Student>);

}  // namespace coppice::internal
