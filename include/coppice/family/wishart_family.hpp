// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the families of Gaussian clusters of any shape share whose posterior is Normal-Wishart, whatever their prior.
//
// Legend ([L] Eqs. 16-18, docs/references.md): m, xi = mean and its pseudo-count; eta, B = Wishart degrees of freedom
// and inverse scale, so that E[precision] = eta B^-1. Statistics: weight, mean (D), scatter about the mean (lower
// triangle, D (D + 1) / 2), all in coordinates less the data's origin.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/box.hpp"
#include "coppice/family/precision_root.hpp"
#include "coppice/family/prediction_bounds.hpp"
#include "coppice/family/quadratic_finder.hpp"

namespace coppice::internal {

// What costs and predictive densities need of a posterior; B itself stays in its factor.
struct WishartPosterior {
  std::vector<double> m;
  double xi = 0.0;
  double eta = 0.0;
  double log_det_b = 0.0;
  double prior_multiple = 1.0;  // of B0, that the cluster has taken
  PrecisionRoot w;              // W' W = (eta / 2) B^-1
  double a = 0.0;               // cost(x) = ||W (x - m)||^2 + a
  double tie_ratio = 0.0;
  // The same for B + R, which predictive densities of rounded values go by; empty if nothing is rounded.
  double log_det_next_b = 0.0;
  double rounding_share = 0.0;  // tr(B^-1 R)
  PrecisionRoot next_w;

  [[nodiscard]] bool is_rounded() const noexcept { return next_w.n_columns() > 0; }
};

class WishartFamily {
 public:
  using Posterior = WishartPosterior;
  using Finder = QuadraticFinder;

  explicit WishartFamily(std::size_t n_columns) : n_columns_(n_columns) {}

  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size(n_columns_); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept;

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;
  void subtract(StatsRef from, ConstStatsRef part) const;

  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Finder finder(std::span<const Posterior> clusters) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const { return {q.tie_ratio, q.a}; }
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  static constexpr bool keeps_sums = false;
  void mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& means, double* out) const;
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& q) const;  // A, off the diagonal twice
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(std::span<const Posterior> clusters) const;
  [[nodiscard]] double log_mass(const Posterior& q) const;
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler(std::span<const Posterior> clusters) const;
  // With rounded values an approximation, off by about R / N: R changes the determinant here, but not the distances.
  void log_held_out(const Posterior& q, RowBlock& rows, double* out) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const;  // Normal at mean m and precision eta B^-1
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Posterior> clusters,
                                                  std::span<const double> offsets) const;

  // With columns divided by lengths, if some are given.
  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats, std::span<const double> lengths = {}) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

 private:
  std::size_t n_columns_;
};

}  // namespace coppice::internal
