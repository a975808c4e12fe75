// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A product of Bernoullis with Beta priors ([L] Eqs. 42-46, where they are symmetric): rows are 0 and 1, and a cluster
// is a probability of 1 for every column. Rows may be sparse.
//
//   FamilyAdapter<Bernoulli> symmetric(Bernoulli(data.n_columns(), 0.1));
//   FamilyAdapter<Bernoulli> by_column(Bernoulli({{.zeros = 0.1, .ones = 0.3}, {.zeros = 2.0, .ones = 0.1}}));
//
// Statistics: weight, number of ones by column (D). Rows have an origin of zeros.

#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/family/column_prior.hpp"
#include "coppice/family/linear_cost.hpp"

namespace coppice::internal {

// Pseudo-counts of a column's zeros and ones.
struct BetaCounts {
  double zeros = 0.0;
  double ones = 0.0;

  auto operator<=>(const BetaCounts&) const = default;
};

class Bernoulli {
 public:
  static constexpr bool takes_sparse_rows = true;

  // Symbols of [L] Eqs. 42-46: w1_d = prior ones_d + ones_d, w0_d = prior zeros_d + weight - ones_d, w_d = w0_d + w1_d.
  struct Posterior {
    LinearCost cost;     // a_d = digamma(w0_d) - digamma(w1_d), b = sum_d digamma(w_d) - digamma(w0_d)
    LinearCost plug_in;  // -log density at the means w1_d / w_d, which is the predictive density too
    double weight = 0.0;
    std::vector<double> ones;
  };
  using Finder = LinearFinder;

  // The same pseudo-count for zeros and ones of every column, or others for each. OptionError unless they are positive
  // and finite.
  Bernoulli(std::size_t n_columns, double omega0);
  explicit Bernoulli(const std::vector<BetaCounts>& prior);

  [[nodiscard]] std::string_view name() const noexcept { return "bernoulli"; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return prior_.n_columns(); }
  [[nodiscard]] std::size_t stats_size() const noexcept { return n_columns() + 1; }
  [[nodiscard]] const ColumnPrior<BetaCounts>& prior() const noexcept { return prior_; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const;
  [[nodiscard]] std::unique_ptr<MergedEvidence> merged_evidence(const StatsArena& stats) const;

  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Finder finder(std::span<const Posterior> clusters) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, const SparseRow& row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const noexcept { return q.cost.tie_scale(); }
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  static constexpr bool keeps_sums = true;
  void mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& means, double* out) const;
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& /*q*/) const { return {}; }
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Posterior> clusters,
                                                  std::span<const double> offsets) const;
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler(std::span<const Posterior> clusters) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const;
  [[nodiscard]] double kl_to_prior(const Posterior& q) const;

  // Sums of columns say nothing of how columns vary together.
  [[nodiscard]] std::optional<SplitAxis> split_axis(ConstStatsRef /*stats*/) const { return std::nullopt; }
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;
  void check_rows(const Dataset& data) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static Bernoulli from_arrays(const NamedArrays& arrays);

 private:
  ColumnPrior<BetaCounts> prior_;
};

static_assert(BoxBounded<Bernoulli> && FindsNearest<Bernoulli> && MergesFast<Bernoulli>);

}  // namespace coppice::internal
