// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters of any shape, with the Normal-Wishart prior.
//
// Legend ([L] Eqs. 16-18, docs/references.md): m, xi = mean and its pseudo-count; eta, B = Wishart degrees of freedom
// and inverse scale, so that E[precision] = eta B^-1. Suffix 0 marks the prior. Statistics: weight, mean (D), scatter
// about the mean (lower triangle, D (D + 1) / 2), all in coordinates less the data's origin.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/family/box.hpp"
#include "coppice/family/quadratic_finder.hpp"
#include "coppice/kernels/quadratic.hpp"

namespace coppice {

struct NormalWishart {
  std::vector<double> m0;
  double xi0 = 0.1;
  double eta0 = 0.0;
  std::vector<double> b0;  // D x D, row by row
};

class Gaussian {
 public:
  // What costs and predictive densities need of a posterior; B itself stays in its triangular factor.
  struct Posterior {
    std::vector<double> m;
    double xi = 0.0;
    double eta = 0.0;
    double log_det_b = 0.0;
    kernels::BandedTriangle w;  // W' W = (eta / 2) B^-1
    double a = 0.0;             // cost(x) = ||W (x - m)||^2 + a
    double squared_norm_of_w = 0.0;
    std::vector<double> matrix;  // A = W' W in full, for bounds over boxes
    double tie_ratio = 0.0;
  };

  using Finder = QuadraticFinder;

  // OptionError unless xi0 > 0, eta0 > D - 1, and B0 is symmetric and positive definite.
  explicit Gaussian(NormalWishart prior);

  [[nodiscard]] std::string_view name() const noexcept { return "gaussian"; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return prior_.m0.size(); }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size(n_columns()); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept;
  [[nodiscard]] const NormalWishart& prior() const noexcept { return prior_; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] std::vector<double> posterior_b(ConstStatsRef stats) const;  // D x D, row by row
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;

  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Finder finder(std::span<const Posterior> clusters) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const { return {q.tie_ratio, q.a}; }
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const;  // Normal at mean m and precision eta B^-1
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Posterior> clusters,
                                                  std::span<const double> offsets) const;
  [[nodiscard]] double kl_to_prior(const Posterior& q) const;

  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static Gaussian from_arrays(const NamedArrays& arrays);

 private:
  NormalWishart prior_;
  double log_det_b0_ = 0.0;
  double log_multigamma0_ = 0.0;  // log Gamma_D(eta0 / 2)
};

static_assert(BoxBounded<Gaussian> && FindsNearest<Gaussian>);

}  // namespace coppice
