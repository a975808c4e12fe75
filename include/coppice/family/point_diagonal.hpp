// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters without correlations, at their maximum-likelihood parameters: point_gaussian.hpp with a variance
// for every column (PointDiagonal) or one for all (PointSpherical). No variance is smaller than its floor. Time and
// memory grow with the number of columns, not with its square.
//
// Statistics: weight, mean (D), and the squared distances from the mean, summed up: column by column (D numbers), or
// over all columns (one number).

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "coppice/family/axis_family.hpp"

namespace coppice::internal {

// What both have in common: everything but the statistics. Precisions are 1 / (2 variance).
class PointAxes : public AxisCosts<AxisForm> {
 public:
  // One floor per column. OptionError for numbers that are negative or not finite.
  explicit PointAxes(std::vector<double> floors);

  [[nodiscard]] const std::vector<double>& floors() const noexcept { return floors_; }
  static constexpr bool shares_by_column = true;
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;  // minus the costs
  [[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(std::span<const Posterior> clusters) const;
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler(std::span<const Posterior> clusters) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const { return q; }
  [[nodiscard]] double kl_to_prior(const Posterior& /*q*/) const { return 0.0; }
  [[nodiscard]] NamedArrays to_arrays() const;

 protected:
  // From the mean and the variance of every column. NumericError if a variance is 0, which takes a floor of 0.
  [[nodiscard]] Posterior normal(ConstStatsRef stats, std::span<const double> variances) const;

 private:
  std::vector<double> floors_;
};

class PointDiagonal : public PointAxes {
 public:
  explicit PointDiagonal(std::vector<double> floors) : PointAxes(std::move(floors)), statistics_(n_columns()) {}
  PointDiagonal(std::size_t n_columns, double floor) : PointDiagonal(std::vector<double>(n_columns, floor)) {}

  [[nodiscard]] std::string_view name() const noexcept { return "point-diagonal"; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return statistics_.size(); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept {
    return AxisStatistics::size(n_columns);
  }

  void add(StatsRef into, RowBlock& rows, Weights weights) const { statistics_.add(into, rows, weights); }
  void merge(StatsRef into, ConstStatsRef from) const { statistics_.merge(into, from); }
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
    statistics_.add_scaled(into, from, factor);
  }
  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  // The summed log density of the rows behind the statistics, at the parameters that these give.
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const { return statistics_.cost(q, stats); }
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& q) const { return precisions_of(q); }
  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const { return statistics_.widest_column(stats); }
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const { return statistics_.column_moments(stats); }
  static PointDiagonal from_arrays(const NamedArrays& arrays);

 private:
  AxisStatistics statistics_;
};

class PointSpherical : public PointAxes {
 public:
  PointSpherical(std::size_t n_columns, double floor) : PointAxes(std::vector<double>(n_columns, floor)) {}

  [[nodiscard]] std::string_view name() const noexcept { return "point-spherical"; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size(n_columns()); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept { return 2 + n_columns; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;
  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;  // as above
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& q) const { return {q.scale[0] * q.scale[0]}; }
  // All directions are alike: the first column stands for them.
  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;
  static PointSpherical from_arrays(const NamedArrays& arrays);

 private:
  [[nodiscard]] double variance(ConstStatsRef stats) const;
};

static_assert(BoxBounded<PointDiagonal> && FindsNearest<PointDiagonal>);
static_assert(BoxBounded<PointSpherical> && FindsNearest<PointSpherical>);

}  // namespace coppice::internal
