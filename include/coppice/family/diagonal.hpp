// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaussian clusters whose columns are independent, parameters integrated out: column by column the Gaussian family
// (gaussian.hpp) of one column, with the Normal-Gamma prior of normal_gamma.hpp.

#include "coppice/family/axis_family.hpp"
#include "coppice/family/normal_gamma.hpp"

namespace coppice::internal {

struct DiagonalPosterior : AxisForm {
  double xi = 0.0;
  double eta = 0.0;
  std::vector<double> b;
  std::vector<double> b_and_rounding;  // b + R: what one more row makes of b, less its distance
  double log_b = 0.0;                  // summed over columns
};

class DiagonalGaussian : public AxisCosts<DiagonalPosterior> {
 public:
  // OptionError unless the prior is proper.
  explicit DiagonalGaussian(NormalGamma prior);

  [[nodiscard]] std::string_view name() const noexcept { return "diagonal"; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return statistics_.size(); }
  [[nodiscard]] const NormalGamma& prior() const noexcept { return prior_; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const { statistics_.add(into, rows, weights); }
  void merge(StatsRef into, ConstStatsRef from) const { statistics_.merge(into, from); }
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
    statistics_.add_scaled(into, from, factor);
  }
  void subtract(StatsRef from, ConstStatsRef part) const { statistics_.subtract(from, part); }
  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const { return posterior(stats, stats[0]); }
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const { return log_evidence(stats, stats[0]); }
  // The same for n rows that count in the statistics by precision factors and not by 1 each (student.hpp).
  [[nodiscard]] Posterior posterior(ConstStatsRef stats, double n_rows) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats, double n_rows) const;
  [[nodiscard]] std::unique_ptr<MergedEvidence> merged_evidence(const StatsArena& stats) const;
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const { return statistics_.cost(q, stats); }
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& q) const { return precisions_of(q); }
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds(std::span<const Posterior> clusters) const;
  [[nodiscard]] double log_mass(const Posterior& q) const;
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler(std::span<const Posterior> clusters) const;
  void log_held_out(const Posterior& q, RowBlock& rows, double* out) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const;  // Normal at mean m and precisions eta / b
  [[nodiscard]] double kl_to_prior(const Posterior& q) const;
  [[nodiscard]] std::vector<double> column_lengths() const;  // square roots of b0
  // Squares by column do not tell a slanted direction.
  [[nodiscard]] std::optional<SplitAxis> split_axis(ConstStatsRef /*stats*/) const { return std::nullopt; }
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const { return statistics_.column_moments(stats); }
  [[nodiscard]] NamedArrays to_arrays() const { return internal::to_arrays(prior_); }
  static DiagonalGaussian from_arrays(const NamedArrays& arrays);

 private:
  [[nodiscard]] std::vector<double> posterior_b(ConstStatsRef stats) const;
  [[nodiscard]] double rounding(std::size_t column) const {
    return prior_.rounding.empty() ? 0.0 : prior_.rounding[column];
  }

  NormalGamma prior_;
  AxisStatistics statistics_;
};

static_assert(BoxBounded<DiagonalGaussian> && FindsNearest<DiagonalGaussian> && MovesSingleRows<DiagonalGaussian> &&
              MergesFast<DiagonalGaussian>);

}  // namespace coppice::internal
