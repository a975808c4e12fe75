// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all families whose clusters have no correlations share: costs are sums over columns,
//
//   cost(x) = sum over columns of (scale (x - m))^2, plus a,
//
// and statistics are the weight, the mean (D numbers) and the squared distances from it, summed up column by column (D
// numbers). Time and memory grow with the number of columns, not with its square.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/box.hpp"
#include "coppice/family/prediction_bounds.hpp"
#include "coppice/family/quadratic_finder.hpp"
#include "coppice/kernels/diagonal.hpp"

namespace coppice::internal {

struct AxisForm {
  std::vector<double> m;
  std::vector<double> scale;
  double a = 0.0;
};

// Sets scale to the square roots of these precisions, all positive.
void set_precisions(AxisForm& form, std::vector<double> precisions);
[[nodiscard]] ExactCost exact_axis_cost(const AxisForm& form, std::span<const double> row);
void append_axis_form(QuadraticFinder& finder, const AxisForm& form);

// The precisions, one per column.
[[nodiscard]] std::vector<double> precisions_of(const AxisForm& form);

// Judges boxes by the forms' costs + offsets.
[[nodiscard]] std::unique_ptr<BoxTest> axis_box_test(std::span<const kernels::DiagonalForm> forms,
                                                     std::span<const double> offsets);

// Costs and what is derived from them, for clusters given by an AxisForm with more to it.
template <std::derived_from<AxisForm> Q>
class AxisCosts {
 public:
  using Posterior = Q;
  using Finder = QuadraticFinder;

  explicit AxisCosts(std::size_t n_columns) : n_columns_(n_columns) {}
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }

  static constexpr bool keeps_sums = false;
  void costs(std::span<const Q> clusters, RowBlock& rows, double* out) const {
    mean_costs(clusters, rows.panel(), out);
  }
  void mean_costs(std::span<const Q> clusters, const kernels::PanelView& panel, double* out) const {
    kernels::diagonal_costs(panel, forms_of(clusters), out);
  }
  [[nodiscard]] Finder finder(std::span<const Q> clusters) const {
    Finder finder(n_columns_);
    if (!finder.wants_forms()) return finder;
    for (const Q& q : clusters) append_axis_form(finder, q);
    return finder;
  }
  [[nodiscard]] ExactCost exact_cost(const Q& q, std::span<const double> row) const { return exact_axis_cost(q, row); }
  [[nodiscard]] TieScale tie_scale(const Q& q) const { return {1.0, q.a}; }  // nothing cancels
  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const Q> clusters, std::span<const double> offsets) const {
    return axis_box_test(forms_of(clusters), offsets);
  }

 protected:
  // Valid until the next call on this thread.
  [[nodiscard]] static std::span<const kernels::DiagonalForm> forms_of(std::span<const Q> clusters) {
    thread_local std::vector<kernels::DiagonalForm> forms;
    forms.clear();
    for (const Q& q : clusters) forms.push_back({q.m, q.scale, q.a});
    return forms;
  }

 private:
  std::size_t n_columns_;
};

// The statistics: weight, mean, squares by column.
class AxisStatistics {
 public:
  explicit AxisStatistics(std::size_t n_columns) : n_columns_(n_columns) {}

  [[nodiscard]] std::size_t size() const noexcept { return size(n_columns_); }
  [[nodiscard]] static std::size_t size(std::size_t n_columns) noexcept { return 1 + 2 * n_columns; }
  [[nodiscard]] std::span<const double> mean(ConstStatsRef stats) const { return stats.subspan(1, n_columns_); }
  [[nodiscard]] std::span<const double> squares(ConstStatsRef stats) const { return stats.subspan(1 + n_columns_); }
  [[nodiscard]] std::vector<double> variances(ConstStatsRef stats) const;

  void add(StatsRef into, RowBlock& rows, Weights weights) const;
  void merge(StatsRef into, ConstStatsRef from) const;
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const;
  void subtract(StatsRef from, ConstStatsRef part) const;
  // n cost(xbar) + sum over columns of scale^2 squares
  [[nodiscard]] double cost(const AxisForm& form, ConstStatsRef stats) const;
  [[nodiscard]] SplitAxis widest_column(ConstStatsRef stats) const;
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const;

 private:
  std::size_t n_columns_;
};

}  // namespace coppice::internal
