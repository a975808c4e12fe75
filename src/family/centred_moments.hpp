// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How statistics in centred form (centred_stats.hpp) take in rows and merge, whatever is kept of the scatter. That is
// up to a `Second`:
//
//   static void add(panel, weights, to);          // products of rows about a point (weighted_sums.hpp)
//   static void add_square(second, v, factor);    // second += factor v v'
//   static void clip(second);                     // variances are not less than 0

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "coppice/family/family.hpp"
#include "coppice/kernels/few_columns.hpp"
#include "coppice/kernels/moments.hpp"
#include "coppice/kernels/weighted_sums.hpp"

namespace coppice::internal {

// Where all rows but tiny shares lie in one place, what is taken off may exceed what is there by a rounding.
inline void clip_rounding(double& variance) { variance = std::max(variance, 0.0); }

// All of the scatter: the lower triangle.
struct PackedSecond {
  static void add(const kernels::PanelView& panel, const kernels::PaddedWeights& weights,
                  const kernels::SumsAbout& to) {
    kernels::add_products(panel, weights, to);
  }
  static void add_square(std::span<double> second, std::span<const double> v, double factor) {
    double* entry = second.data();
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double scaled = factor * v[i];
      for (std::size_t j = 0; j <= i; ++j) *entry++ += scaled * v[j];
    }
  }
  static void clip(std::span<double> second) {
    for (std::size_t i = 0, row = 0; row < second.size(); row += ++i) clip_rounding(second[row + i]);
  }
};

// Its diagonal.
struct DiagonalSecond {
  static void add(const kernels::PanelView& panel, const kernels::PaddedWeights& weights,
                  const kernels::SumsAbout& to) {
    kernels::add_squares(panel, weights, to);
  }
  static void add_square(std::span<double> second, std::span<const double> v, double factor) {
    for (std::size_t i = 0; i < v.size(); ++i) second[i] += factor * v[i] * v[i];
  }
  static void clip(std::span<double> second) { std::ranges::for_each(second, clip_rounding); }
};

// Its trace, a single number.
struct TraceSecond {
  static void add(const kernels::PanelView& panel, const kernels::PaddedWeights& weights,
                  const kernels::SumsAbout& to) {
    thread_local std::vector<double> squares;
    squares.assign(to.about.size(), 0.0);
    kernels::add_squares(panel, weights, {to.about, to.sums, squares});
    to.second[0] += std::accumulate(squares.begin(), squares.end(), 0.0);
  }
  static void add_square(std::span<double> second, std::span<const double> v, double factor) {
    double sum = 0.0;
    for (const double entry : v) sum += entry * entry;
    second[0] += factor * sum;
  }
  static void clip(std::span<double> second) { clip_rounding(second[0]); }
};

// Chan, Golub and LeVeque's update.
template <class Second>
void merge_centred(StatsRef into, ConstStatsRef from, std::size_t n_columns) {
  if (from[0] <= 0.0) return;
  if (into[0] <= 0.0) {
    std::ranges::copy(from, into.begin());
    return;
  }
  double few[kernels::most_few_columns];
  thread_local std::vector<double> many;
  if (n_columns > kernels::most_few_columns) many.resize(n_columns);
  // Statistics are merged very often: few numbers stand on the stack.
  const std::span<double> shift(n_columns > kernels::most_few_columns ? many.data() : few, n_columns);
  const double total = into[0] + from[0];
  const double share = from[0] / total;
  for (std::size_t i = 0; i < n_columns; ++i) {
    shift[i] = from[1 + i] - into[1 + i];
    into[1 + i] += share * shift[i];
  }
  for (std::size_t i = 1 + n_columns; i < into.size(); ++i) into[i] += from[i];
  Second::add_square(into.subspan(1 + n_columns), shift, into[0] * share);
  into[0] = total;
}

// The opposite: takes out what was merged. Nothing is left of statistics less themselves.
template <class Second>
void subtract_centred(StatsRef from, ConstStatsRef part, std::size_t n_columns) {
  // What rounding leaves of a weight is nothing: a mean over it would be anything.
  const double left = from[0] - part[0];
  if (!(left > 1e-9 * from[0])) {
    std::ranges::fill(from, 0.0);
    return;
  }
  thread_local std::vector<double> shift;
  shift.resize(n_columns);
  for (std::size_t i = 0; i < n_columns; ++i) {
    shift[i] = part[1 + i] - from[1 + i];
    from[1 + i] -= part[0] / left * shift[i];
  }
  for (std::size_t i = 1 + n_columns; i < from.size(); ++i) from[i] -= part[i];
  Second::add_square(from.subspan(1 + n_columns), shift, -from[0] * part[0] / left);
  Second::clip(from.subspan(1 + n_columns));
  from[0] = left;
}

// Rows of summed weight `weight` have been added to the second moments about the mean, and their deviations from it to
// `sums`: moves the mean.
//
//   scatter about the new mean = scatter about the old one - W v v',   v = new mean - old mean, W = summed weight
template <class Second>
void move_mean(StatsRef into, std::span<double> sums, double weight) {
  const double total = into[0] + weight;
  for (double& entry : sums) entry /= total;
  Second::add_square(into.subspan(1 + sums.size()), sums, -total);
  Second::clip(into.subspan(1 + sums.size()));
  for (std::size_t i = 0; i < sums.size(); ++i) into[1 + i] += sums[i];
  into[0] = total;
}

// The rows of a panel about the mean that is there: one pass over them.
template <class Second>
void add_about_mean(StatsRef into, const kernels::PanelView& panel, const kernels::PaddedWeights& weights) {
  thread_local std::vector<double> sums;
  sums.assign(panel.n_columns, 0.0);
  Second::add(panel, weights, {into.subspan(1, panel.n_columns), sums, into.subspan(1 + panel.n_columns)});
  move_mean<Second>(into, sums, weights.total());
}

// A panel that weighs no more than what is there moves the mean by so little that at most half of every square cancels;
// others are summed about a mean of their own first.
template <class Second>
void add_centred(StatsRef into, const kernels::PanelView& panel, Weights row_weights) {
  const kernels::PaddedWeights weights(row_weights, panel.n_rows);
  if (!(weights.total() > 0.0)) return;
  if (weights.total() <= into[0]) return add_about_mean<Second>(into, panel, weights);
  thread_local std::vector<double> own;
  // The panel's own mean first: a cluster's first rows would else be summed about 0, and lose the digits that the mean
  // has.
  own.assign(into.size(), 0.0);
  kernels::weighted_means(panel, weights, std::span(own).subspan(1, panel.n_columns));
  add_about_mean<Second>(own, panel, weights);
  merge_centred<Second>(into, own, panel.n_columns);
}

}  // namespace coppice::internal
