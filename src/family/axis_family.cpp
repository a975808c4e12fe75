// SPDX-License-Identifier: BSD-3-Clause
// What families without correlations share: weight, mean and squares by column, and costs that are sums over columns of
// (scale (x - m))^2. Statistics take D numbers where a matrix takes D^2 / 2, and all questions take O(D).

#include "coppice/family/axis_family.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/family/centred_stats.hpp"
#include "family/centred_moments.hpp"
#include "family/pair_test.hpp"

namespace coppice::internal {

void set_precisions(AxisForm& form, std::vector<double> precisions) {
  form.scale = std::move(precisions);
  // The root of the precision: a square of scale (x - m) is then formed once, and cannot be negative.
  for (double& value : form.scale) value = std::sqrt(value);
}

std::vector<double> precisions_of(const AxisForm& form) {
  std::vector<double> precisions = form.scale;
  for (double& value : precisions) value *= value;
  return precisions;
}

ExactCost exact_axis_cost(const AxisForm& form, std::span<const double> row) {
  const kernels::ExactQuadratic exact = kernels::exact_diagonal(row, {form.m, form.scale, form.a});
  return {exact.value, exact.scale};
}

void append_axis_form(QuadraticFinder& finder, const AxisForm& form) {
  kernels::BandedTriangle w(form.scale.size());
  for (std::size_t i = 0; i < form.scale.size(); ++i) w.at(i, i) = form.scale[i];
  finder.append({form.m, &w, form.a});
}

std::unique_ptr<BoxTest> axis_box_test(std::span<const kernels::DiagonalForm> forms, std::span<const double> offsets) {
  const std::size_t d = forms.front().scale.size();
  // The test of full matrices, most of whose entries are 0 here: O(D^2) for a pair, with few columns where trees are of
  // use.
  auto test = std::make_unique<QuadraticPairTest>(d);
  std::vector<double> matrix(d * d, 0.0);
  for (std::size_t c = 0; c < forms.size(); ++c) {
    for (std::size_t i = 0; i < d; ++i) matrix[i * (d + 1)] = forms[c].scale[i] * forms[c].scale[i];
    test->append(forms[c].m, matrix, forms[c].a + offsets[c]);
  }
  return test;
}

std::vector<double> AxisStatistics::variances(ConstStatsRef stats) const {
  std::vector<double> variances;
  for (const double sum : squares(stats)) variances.push_back(stats[0] > 0.0 ? sum / stats[0] : 0.0);
  return variances;
}

// Few columns are so cheap that all of their products do no harm, and need no panel.
void AxisStatistics::add(StatsRef into, RowBlock& rows, Weights weights) const {
  if (!rows.is_run() || n_columns_ > kernels::most_few_columns) {
    return add_centred<DiagonalSecond>(into, rows.panel(), weights);
  }
  double block[1 + 2 * kernels::most_few_columns];
  double products[kernels::packed_size(kernels::most_few_columns)];
  const std::size_t d = n_columns_;
  block[0] = kernels::few_moments(rows.stored(), weights, {block + 1, d}, {products, kernels::packed_size(d)});
  for (std::size_t i = 0; i < d; ++i) block[1 + d + i] = products[kernels::packed_index(i, i)];
  merge(into, {block, size()});
}

void AxisStatistics::merge(StatsRef into, ConstStatsRef from) const {
  merge_centred<DiagonalSecond>(into, from, n_columns_);
}

void AxisStatistics::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  add_scaled_centred(into, from, factor, n_columns_,
                     [this](StatsRef all, ConstStatsRef scaled) { merge(all, scaled); });
}

void AxisStatistics::subtract(StatsRef from, ConstStatsRef part) const {
  subtract_centred<DiagonalSecond>(from, part, n_columns_);
}

double AxisStatistics::cost(const AxisForm& form, ConstStatsRef stats) const {
  double of_mean = form.a;
  double of_squares = 0.0;
  for (std::size_t i = 0; i < n_columns_; ++i) {
    const double t = form.scale[i] * (stats[1 + i] - form.m[i]);
    of_mean += t * t;
    of_squares += form.scale[i] * form.scale[i] * stats[1 + n_columns_ + i];
  }
  return stats[0] * of_mean + of_squares;
}

SplitAxis AxisStatistics::widest_column(ConstStatsRef stats) const {
  const std::vector<double> spread = variances(stats);
  // Squares by column do not tell a slanted direction.
  const auto widest = std::ranges::max_element(spread);
  SplitAxis axis{std::vector<double>(n_columns_, 0.0), *widest};
  axis.direction[static_cast<std::size_t>(widest - spread.begin())] = 1.0;
  return axis;
}

ColumnMoments AxisStatistics::column_moments(ConstStatsRef stats) const {
  const std::span<const double> means = mean(stats);
  return {{means.begin(), means.end()}, variances(stats)};
}

}  // namespace coppice::internal
