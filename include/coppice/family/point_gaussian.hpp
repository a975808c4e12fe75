// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters of any shape at their maximum-likelihood parameters: a point estimate, no prior. The covariance is
// the scatter over the weight, but no variance, in whatever direction, is smaller than the floor, a number per column.
// With columns divided by the roots of their floors,
//
//   covariance = sum_i max(lambda_i, 1) v_i v_i',   lambda_i, v_i the eigenvalues and -vectors of scatter / weight.
//
// That is the covariance of greatest likelihood among all that keep to the floor, so that steps which fit it never
// lower the likelihood, and clusters of one row or with a constant column work. The cost of a row is minus its log
// density.
//
// Statistics: weight, mean (D), scatter about the mean (lower triangle, D (D + 1) / 2), in coordinates less the data's
// origin. A weight w counts as w rows.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/box.hpp"
#include "coppice/family/prediction_bounds.hpp"
#include "coppice/family/quadratic_finder.hpp"
#include "coppice/kernels/quadratic.hpp"

namespace coppice::internal {

class PointGaussian {
 public:
  // The parameters, with the covariance in its triangular factor.
  struct Posterior {
    std::vector<double> m;
    kernels::BandedTriangle w;            // W' W = covariance^-1 / 2
    double a = 0.0;                       // cost(x) = ||W (x - m)||^2 + a
    std::vector<double> squared_columns;  // of W: the lengths of its columns, squared
    std::vector<double> matrix;           // A = W' W in full, for nodes and boxes
    double tie_ratio = 0.0;
  };
  using Finder = QuadraticFinder;

  // One floor per column: all of them 0, or none. OptionError for numbers that are negative or not finite.
  explicit PointGaussian(std::vector<double> floors);
  PointGaussian(std::size_t n_columns, double floor) : PointGaussian(std::vector<double>(n_columns, floor)) {}

  [[nodiscard]] std::string_view name() const noexcept { return "point-gaussian"; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return floors_.size(); }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size(n_columns()); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept;
  [[nodiscard]] const std::vector<double>& floors() const noexcept { return floors_; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;

  // NumericError if the covariance is singular, which takes a floor of 0.
  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] std::vector<double> covariance(ConstStatsRef stats) const;  // D x D, row by row
  // The summed log density of the rows behind the statistics, at the parameters that these give.
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;

  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Finder finder(std::span<const Posterior> clusters) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const { return {q.tie_ratio, q.a}; }
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  static constexpr bool keeps_sums = false;
  void mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& means, double* out) const;
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& q) const;  // A, off the diagonal twice
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;  // minus the costs
  [[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(std::span<const Posterior> clusters) const;
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler(std::span<const Posterior> clusters) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const { return q; }
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Posterior> clusters,
                                                  std::span<const double> offsets) const;
  [[nodiscard]] double kl_to_prior(const Posterior& /*q*/) const { return 0.0; }

  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static PointGaussian from_arrays(const NamedArrays& arrays);

 private:
  std::vector<double> floors_;
};

static_assert(BoxBounded<PointGaussian> && FindsNearest<PointGaussian>);

}  // namespace coppice::internal
