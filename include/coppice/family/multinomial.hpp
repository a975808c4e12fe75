// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The multinomial family with a Dirichlet prior ([L] Eqs. 36-40, where it is symmetric): rows are counts, such as the
// words of a text, and a cluster is a vector of probabilities. Rows may have different totals, and may be sparse.
//
//   FamilyAdapter<Multinomial> symmetric(Multinomial(data.n_columns(), 0.1));
//   FamilyAdapter<Multinomial> by_column(Multinomial(std::vector<double>{0.1, 0.7, 0.4}));
//
// Statistics: weight, sums of the columns (D), summed log multinomial coefficients. Rows have an origin of zeros.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/family/column_prior.hpp"
#include "coppice/family/linear_cost.hpp"

namespace coppice::internal {

class Multinomial {
 public:
  static constexpr bool takes_sparse_rows = true;
  static constexpr bool compares_shares = true;

  // Symbols of [L] Eqs. 36-40: psi_d = psi0_d + sums_d, their sum is psi_total.
  struct Posterior {
    LinearCost cost;  // a_d = digamma(psi_total) - digamma(psi_d), b = 0; the coefficients are left out
    std::vector<double> sums;
    double psi_total = 0.0;
    double weight = 0.0;
  };
  using Finder = LinearFinder;

  // The same pseudo-count for every column, or one for each. `total`: what every row adds up to, if they all add up to
  // the same (shared_total): it sharpens the bounds of boxes. OptionError unless psi0 is positive and finite.
  Multinomial(std::size_t n_columns, double psi0, std::optional<double> total = std::nullopt);
  explicit Multinomial(const std::vector<double>& psi0, std::optional<double> total = std::nullopt);

  [[nodiscard]] std::string_view name() const noexcept { return "multinomial"; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return psi0_.n_columns(); }
  [[nodiscard]] std::size_t stats_size() const noexcept { return n_columns() + 2; }
  [[nodiscard]] const ColumnPrior<double>& psi0() const noexcept { return psi0_; }
  [[nodiscard]] double psi0_total() const noexcept { return psi0_total_; }
  [[nodiscard]] std::optional<double> total() const noexcept { return total_; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  [[nodiscard]] std::unique_ptr<MergedEvidence> merged_evidence(const StatsArena& stats) const;

  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Finder finder(std::span<const Posterior> clusters) const;
  // Without the row's coefficient, which all clusters share.
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, const SparseRow& row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const noexcept { return q.cost.tie_scale(); }
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  static constexpr bool keeps_sums = true;
  void mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& means, double* out) const;
  // Of the summed log coefficients.
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& /*q*/) const { return {-1.0}; }
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Posterior> clusters,
                                                  std::span<const double> offsets) const;
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  // Rows with as many words as all rows have, or a Poisson number about the cluster's mean.
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler(std::span<const Posterior> clusters) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const;
  [[nodiscard]] double kl_to_prior(const Posterior& q) const;

  // Sums of columns say nothing of how columns vary together.
  [[nodiscard]] std::optional<SplitAxis> split_axis(ConstStatsRef /*stats*/) const { return std::nullopt; }
  // Variances are those of a multinomial row of the mean total.
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;
  void check_rows(const Dataset& data) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static Multinomial from_arrays(const NamedArrays& arrays);

 private:
  ColumnPrior<double> psi0_;
  double psi0_total_;
  std::optional<double> total_;
};

static_assert(BoxBounded<Multinomial> && FindsNearest<Multinomial> && MergesFast<Multinomial>);

}  // namespace coppice::internal
