// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters without correlations, at their maximum-likelihood parameters: point_gaussian.hpp with a variance
// for every column (PointDiagonal) or one for all (PointSpherical). No variance is smaller than the floor. Time and
// memory grow with the number of columns, not with its square.
//
// Statistics: weight, mean (D), and the squared distances from the mean, summed up: column by column (D numbers), or
// over all columns (one number).

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/box.hpp"
#include "coppice/family/quadratic_finder.hpp"

namespace coppice {

// The parameters of either: cost(x) = sum over columns of (scale (x - m))^2, plus a.
struct AxisNormal {
  std::vector<double> m;
  std::vector<double> scale;  // 1 / sqrt(2 variance)
  double a = 0.0;
  double squared_norm = 0.0;  // of scale
  double tie_ratio = 0.0;
};

// What both have in common: everything but the statistics.
class AxisNormals {
 public:
  using Posterior = AxisNormal;
  using Finder = QuadraticFinder;

  // OptionError unless the floor is finite and not negative.
  AxisNormals(std::size_t n_columns, double floor);

  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] double floor() const noexcept { return floor_; }

  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Finder finder(std::span<const Posterior> clusters) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const { return {q.tie_ratio, q.a}; }
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;  // minus the costs
  [[nodiscard]] Posterior plug_in(Posterior q) const { return q; }
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Posterior> clusters,
                                                  std::span<const double> offsets) const;
  [[nodiscard]] double kl_to_prior(const Posterior& /*q*/) const { return 0.0; }
  [[nodiscard]] NamedArrays to_arrays() const;

 protected:
  // From the mean and the variance of every column. NumericError if a variance is 0, which takes a floor of 0.
  [[nodiscard]] Posterior normal(ConstStatsRef stats, std::span<const double> variances) const;

 private:
  std::size_t n_columns_;
  double floor_;
};

class PointDiagonal : public AxisNormals {
 public:
  using AxisNormals::AxisNormals;

  [[nodiscard]] std::string_view name() const noexcept { return "point-diagonal"; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size(n_columns()); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept { return 1 + 2 * n_columns; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  // The summed log density of the rows behind the statistics, at the parameters that these give.
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;
  static PointDiagonal from_arrays(const NamedArrays& arrays);

 private:
  [[nodiscard]] std::vector<double> variances(ConstStatsRef stats) const;
};

class PointSpherical : public AxisNormals {
 public:
  using AxisNormals::AxisNormals;

  [[nodiscard]] std::string_view name() const noexcept { return "point-spherical"; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size(n_columns()); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept { return 2 + n_columns; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;  // as above
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  // All directions are alike: the first column stands for them.
  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;
  static PointSpherical from_arrays(const NamedArrays& arrays);

 private:
  [[nodiscard]] double variance(ConstStatsRef stats) const;
};

static_assert(BoxBounded<PointDiagonal> && FindsNearest<PointDiagonal>);
static_assert(BoxBounded<PointSpherical> && FindsNearest<PointSpherical>);

}  // namespace coppice
