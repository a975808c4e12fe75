// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A cluster that is nothing but its centre, as in k-means: a row costs its squared distance from the mean. There is no
// prior and no density; the "log evidence" of a cluster is minus the summed squared distances of its rows, so that the
// objective of a clustering is its quantization error.
//
// Statistics: weight, mean (D), summed squared distance from the mean, all in coordinates less the data's origin.

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/family/box.hpp"
#include "coppice/kernels/few_columns.hpp"
#include "coppice/kernels/nearest_centres.hpp"

namespace coppice::internal {

class Centroid {
 public:
  static constexpr bool has_density = false;
  static constexpr double tie_unit = 0.0;

  struct Posterior {
    std::vector<double> m;
    double length = 0.0;  // root mean square of the rows' distances from the origin: what the mean's rounding goes by
  };

  // Few columns as they are, by differences; many by a matrix product in single precision, and once more in double
  // precision for the rows that it leaves in doubt.
  class Finder {
   public:
    Finder() = default;
    Finder(std::span<const Posterior> clusters, std::size_t n_columns);
    // One after the other.
    [[nodiscard]] std::span<const double> centres() const noexcept { return centres_; }
    std::optional<std::size_t> find(const RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                    std::uint32_t* doubtful) const;

   private:
    [[nodiscard]] std::size_t find_by_product(const RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                              std::uint32_t* doubtful) const;

    [[nodiscard]] kernels::TwoNearest find_in_double(const RowBlock& rows, std::size_t first, std::size_t i,
                                                     const kernels::DoubtfulRows& doubts) const;

    std::size_t n_columns_ = 0;
    kernels::FewForms few_;
    kernels::PackedCentres packed_;
    std::vector<double> centres_;
  };

  explicit Centroid(std::size_t n_columns) : n_columns_(n_columns) {}

  [[nodiscard]] std::string_view name() const noexcept { return "centroid"; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] std::size_t stats_size() const noexcept { return stats_size(n_columns_); }
  [[nodiscard]] static std::size_t stats_size(std::size_t n_columns) noexcept { return n_columns + 2; }

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;

  [[nodiscard]] Posterior posterior(ConstStatsRef stats) const;
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const { return -stats.back(); }

  void costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Finder finder(std::span<const Posterior> clusters) const { return {clusters, n_columns_}; }
  [[nodiscard]] ExactCost exact_cost(const Posterior& q, std::span<const double> row) const;
  [[nodiscard]] TieScale tie_scale(const Posterior& q) const;
  // Two centres tie only if their squared distances differ by no more than the tie band's share of 2.5 times their sum,
  // plus this.
  [[nodiscard]] static double tie_reserve(std::span<const Posterior> clusters);
  [[nodiscard]] double node_cost(const Posterior& q, ConstStatsRef stats) const;
  static constexpr bool keeps_sums = false;
  void mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& means, double* out) const;
  [[nodiscard]] std::vector<double> scatter_costs(const Posterior& /*q*/) const { return {1.0}; }
  // Minus the cost: centres rank rows, they have no density.
  void log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const;
  [[nodiscard]] Posterior plug_in(Posterior q) const { return q; }
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Posterior> clusters,
                                                  std::span<const double> offsets) const;
  [[nodiscard]] double kl_to_prior(const Posterior& /*q*/) const { return 0.0; }

  // All directions are alike to a centre.
  [[nodiscard]] SplitAxis split_axis(ConstStatsRef stats) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

  [[nodiscard]] NamedArrays to_arrays() const;
  static Centroid from_arrays(const NamedArrays& arrays);

 private:
  std::size_t n_columns_;
};

static_assert(BoxBounded<Centroid> && FindsNearest<Centroid>);

// Statistics of clusters that are single points of weight 1: centres (one after the other) to start from.
[[nodiscard]] StatsArena centre_statistics(std::span<const double> centres, std::size_t n_columns);

}  // namespace coppice::internal
