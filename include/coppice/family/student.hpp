// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Student-t clusters: Gaussian ones of some kind (gaussian.hpp, diagonal.hpp, spherical.hpp) whose rows differ in
// scale. A row has a hidden precision factor u, drawn from Gamma(nu / 2, nu / 2), and is Gaussian with precision u
// Omega given it; small nu means heavy tails, and as nu grows the cluster becomes Gaussian. Shape and prior of Omega
// are those of the kind.
//
// There is no evidence in closed form. What stands in its place is the variational bound in which u and the parameters
// are independent: q(u) = Gamma(a, b) with a = (nu + D) / 2 and 2 b = nu + E[(x - m)' Omega (x - m)] at the cluster's
// posterior. So the statistics of a row depend on the cluster that it belongs to (WeighsMembers): add_members() takes
// E[u] and E[log u] at a posterior, add() has u = 1 on average where no posterior is known yet.
// docs/families/student.md derives it.
//
// Statistics: rows n, sum of E[log u], sum of the entropies of q(u), then those of the kind with rows weighted by E[u].

#include <cstddef>
#include <span>

#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/spherical.hpp"

namespace coppice::internal {

// cost(x) = constant + (nu + D) / 2 log((nu + spread + (x - m)' E[Omega] (x - m)) / 2)
template <class Kind>
struct StudentPosterior {
  typename Kind::Posterior gaussian;
  double spread = 0.0;  // what uncertainty of the mean and rounding add to every squared distance
  double constant = 0.0;
};

template <class Kind>
inline constexpr std::string_view student_name{};
template <>
inline constexpr std::string_view student_name<Gaussian> = "student";
template <>
inline constexpr std::string_view student_name<DiagonalGaussian> = "student-diagonal";
template <>
inline constexpr std::string_view student_name<SphericalGaussian> = "student-spherical";

// `Kind` is one of the three; student.cpp has what they need beyond their own interface.
template <class Kind>
class StudentOf {
 public:
  using Posterior = StudentPosterior<Kind>;
  using Prior = std::remove_cvref_t<decltype(std::declval<Kind>().prior())>;

  // OptionError as for the kind, and unless `freedom`, nu, is positive and finite.
  StudentOf(Prior prior, double freedom);

  [[nodiscard]] std::string_view name() const noexcept { return student_name<Kind>; }
  [[nodiscard]] const Prior& prior() const noexcept { return kind_.prior(); }
  [[nodiscard]] double freedom() const noexcept { return nu_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return kind_.n_columns(); }
  [[nodiscard]] std::size_t stats_size() const noexcept { return n_own_stats + kind_.stats_size(); }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void add_members(const Posterior& q, StatsRef into, RowBlock& rows, Weights weights) const;
  void balance(StatsRef stats) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  // The log evidence is that of a Gaussian cluster of the weighted rows, whose number is stats[0], and this.
  [[nodiscard]] static double evidence_of_factors(ConstStatsRef stats, double freedom, std::size_t n_columns);
  [[nodiscard]] static ConstStatsRef weighted_rows(ConstStatsRef stats) { return stats.subspan(n_own_stats); }
  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const;
  // Exact if the statistics are those of members of q, else an upper bound.
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  // Takes in what is not known of the parameters (student_prediction.hpp).
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  // Null of columns that are independent given the row's factor.
  [[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(std::span<const Posterior> clusters) const;
  [[nodiscard]] double log_mass(const Posterior& q) const;
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler(std::span<const Posterior> clusters) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const;  // Student t at mean m and the kind's mean precision
  [[nodiscard]] double kl_to_prior(const Posterior& q) const { return kind_.kl_to_prior(q.gaussian); }

  [[nodiscard]] std::vector<double> column_lengths() const {
    if constexpr (requires(const Kind& kind) { kind.column_lengths(); }) {
      return kind_.column_lengths();
    } else {
      return {};
    }
  }
  [[nodiscard]] auto split_axis(ConstStatsRef stats, std::span<const double> lengths = {}) const {
    if constexpr (requires(const Kind& kind) { kind.split_axis(stats, lengths); }) {
      return kind_.split_axis(stats.subspan(n_own_stats), lengths);
    } else {
      return kind_.split_axis(stats.subspan(n_own_stats));
    }
  }
  // The variance is that of the scale, which exists for any nu: a row's own is nu / (nu - 2) times as large.
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static StudentOf from_arrays(const NamedArrays& arrays);

 private:
  static constexpr std::size_t n_own_stats = 3;

  [[nodiscard]] double from_squared(const Posterior& q, double squared) const;
  [[nodiscard]] double summed_half_squares(const Posterior& q, ConstStatsRef stats) const;

  Kind kind_;
  double nu_;
  double a_;  // (nu + D) / 2
};

using Student = StudentOf<Gaussian>;
using StudentDiagonal = StudentOf<DiagonalGaussian>;
using StudentSpherical = StudentOf<SphericalGaussian>;

static_assert(WeighsMembers<Student> && WeighsMembers<StudentDiagonal> && WeighsMembers<StudentSpherical>);

}  // namespace coppice::internal
