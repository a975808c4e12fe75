// SPDX-License-Identifier: BSD-3-Clause
// What a cluster takes of one panel in the step that finds its parameters. For products of columns, centring and
// weighing go into a copy of the panel once (Centre), so that all pairs are plain multiply-adds: each factor carries
// sqrt(w), the product w.

#include "coppice/kernels/weighted_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/weighted_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/moments.hpp"
#include "kernels/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

HWY_INLINE double SumOf(Vec v) { return hn::GetLane(hn::SumOfLanes(Tag(), v)); }

// A columns at a time: their sums hide each other's latency and share the loads of the weights.
template <std::size_t A>
void MeansOf(const PanelView& panel, const PaddedWeights& weights, std::size_t first, double* HWY_RESTRICT means) {
  const Tag d;
  const double* HWY_RESTRICT w = weights.data();
  Vec sum[A];
  for (Vec& of_column : sum) of_column = hn::Zero(d);
  for (std::size_t row = 0; row < panel.n_rows; row += hn::Lanes(d)) {
    const Vec weight = hn::Load(d, w + row);
    for (std::size_t a = 0; a < A; ++a) {
      sum[a] = hn::MulAdd(weight, hn::LoadU(d, panel.column(first + a) + row), sum[a]);
    }
  }
  for (std::size_t a = 0; a < A; ++a) means[first + a] = SumOf(sum[a]) / weights.total();
}

void Means(const PanelView& panel, const PaddedWeights& weights, double* means) {
  std::size_t column = 0;
  for (; column + 4 <= panel.n_columns; column += 4) MeansOf<4>(panel, weights, column, means);
  for (; column < panel.n_columns; ++column) MeansOf<1>(panel, weights, column, means);
}

// What one column adds up.
struct ColumnSums {
  Vec sum;
  Vec square;

  HWY_INLINE void Clear() { sum = square = hn::Zero(Tag()); }
  HWY_INLINE void Take(const double* HWY_RESTRICT x, Vec about, Vec weight) {
    // This way round, the load is part of the subtraction.
    const Vec minus_t = hn::Sub(about, hn::LoadU(Tag(), x));
    const Vec weighted = hn::Mul(weight, minus_t);
    sum = hn::Sub(sum, weighted);
    square = hn::MulAdd(weighted, minus_t, square);
  }
  HWY_INLINE void Store(const SumsAbout& to, std::size_t column) const {
    to.sums[column] += SumOf(sum);
    to.second[column] += SumOf(square);
  }
};

// Four columns share the loads of the weights and hide each other's latency. They have names of their own since the
// compiler would keep an array of them in memory.
void SquaresOfFour(const PanelView& panel, const double* HWY_RESTRICT weights, std::size_t first, const SumsAbout& to) {
  const Tag d;
  const Vec about0 = hn::Set(d, to.about[first]);
  const Vec about1 = hn::Set(d, to.about[first + 1]);
  const Vec about2 = hn::Set(d, to.about[first + 2]);
  const Vec about3 = hn::Set(d, to.about[first + 3]);
  const double* HWY_RESTRICT x = panel.column(first);
  ColumnSums c0;
  ColumnSums c1;
  ColumnSums c2;
  ColumnSums c3;
  c0.Clear();
  c1.Clear();
  c2.Clear();
  c3.Clear();
  for (std::size_t row = 0; row < panel.n_rows; row += hn::Lanes(d)) {
    const Vec weight = hn::LoadU(d, weights + row);
    c0.Take(x + row, about0, weight);
    c1.Take(x + row + panel_stride, about1, weight);
    c2.Take(x + row + 2 * panel_stride, about2, weight);
    c3.Take(x + row + 3 * panel_stride, about3, weight);
  }
  c0.Store(to, first);
  c1.Store(to, first + 1);
  c2.Store(to, first + 2);
  c3.Store(to, first + 3);
}

void SquaresOfOne(const PanelView& panel, const double* HWY_RESTRICT weights, std::size_t column, const SumsAbout& to) {
  const Tag d;
  const Vec about = hn::Set(d, to.about[column]);
  ColumnSums sums;
  sums.Clear();
  for (std::size_t row = 0; row < panel.n_rows; row += hn::Lanes(d)) {
    sums.Take(panel.column(column) + row, about, hn::LoadU(d, weights + row));
  }
  sums.Store(to, column);
}

void Squares(const PanelView& panel, const double* weights, const SumsAbout& to) {
  std::size_t column = 0;
  for (; column + 4 <= panel.n_columns; column += 4) SquaresOfFour(panel, weights, column, to);
  for (; column < panel.n_columns; ++column) SquaresOfOne(panel, weights, column, to);
}

// sqrt(w) t of every column goes to `centred`, laid out as a panel.
void Centre(const PanelView& panel, const double* HWY_RESTRICT weights, const SumsAbout& to,
            double* HWY_RESTRICT centred) {
  const Tag d;
  HWY_ALIGN double roots[panel_rows];
  for (std::size_t row = 0; row < panel.n_rows; row += hn::Lanes(d)) {
    hn::Store(hn::Sqrt(hn::Load(d, weights + row)), d, roots + row);
  }
  for (std::size_t column = 0; column < panel.n_columns; ++column) {
    const double* HWY_RESTRICT x = panel.column(column);
    double* HWY_RESTRICT out = centred + column * panel_stride;
    const Vec about = hn::Set(d, to.about[column]);
    Vec sum = hn::Zero(d);
    for (std::size_t row = 0; row < panel.n_rows; row += hn::Lanes(d)) {
      const Vec root = hn::Load(d, roots + row);
      const Vec t = hn::Mul(root, hn::Sub(hn::LoadU(d, x + row), about));
      sum = hn::MulAdd(root, t, sum);
      hn::StoreU(t, d, out + row);
    }
    to.sums[column] += SumOf(sum);
  }
}

// Products of A columns from i on with B columns from j on, summed over the rows.
template <std::size_t A, std::size_t B>
void ProductsOf(const double* HWY_RESTRICT centred, std::size_t n_rows, std::size_t i, std::size_t j,
                double* HWY_RESTRICT packed) {
  const Tag d;
  Vec sum[A][B];
  for (auto& of_row : sum) {
    for (Vec& entry : of_row) entry = hn::Zero(d);
  }
  for (std::size_t row = 0; row < n_rows; row += hn::Lanes(d)) {
    Vec right[B];
    for (std::size_t b = 0; b < B; ++b) right[b] = hn::LoadU(d, centred + (j + b) * panel_stride + row);
    for (std::size_t a = 0; a < A; ++a) {
      const Vec left = hn::LoadU(d, centred + (i + a) * panel_stride + row);
      for (std::size_t b = 0; b < B; ++b) sum[a][b] = hn::MulAdd(left, right[b], sum[a][b]);
    }
  }
  for (std::size_t a = 0; a < A; ++a) {
    for (std::size_t b = 0; b < B && j + b <= i + a; ++b) packed[packed_index(i + a, j + b)] += SumOf(sum[a][b]);
  }
}

// The lower triangle of A columns from i on.
template <std::size_t A>
void ProductRows(const double* centred, std::size_t n_rows, std::size_t i, double* packed) {
  std::size_t j = 0;
  if constexpr (has_many_registers) {
    for (; j + 6 <= i + A; j += 6) ProductsOf<A, 6>(centred, n_rows, i, j, packed);
  }
  for (; j + 3 <= i + A; j += 3) ProductsOf<A, 3>(centred, n_rows, i, j, packed);
  // Two columns or one may be left before the diagonal.
  if (j + 2 == i + A) ProductsOf<A, 2>(centred, n_rows, i, j, packed);
  if (j + 1 == i + A) ProductsOf<A, 1>(centred, n_rows, i, j, packed);
}

void Products(const PanelView& panel, const double* weights, const SumsAbout& to) {
  // Kept per thread, since it is as large as the data has columns.
  thread_local AlignedVector<double> centred;
  if (centred.size() < panel.n_columns * panel_stride) centred.resize(panel.n_columns * panel_stride);
  Centre(panel, weights, to, centred.data());
  std::size_t i = 0;
  for (; i + 4 <= panel.n_columns; i += 4) ProductRows<4>(centred.data(), panel.n_rows, i, to.second.data());
  if (panel.n_columns - i == 3) ProductRows<3>(centred.data(), panel.n_rows, i, to.second.data());
  if (panel.n_columns - i == 2) ProductRows<2>(centred.data(), panel.n_rows, i, to.second.data());
  if (panel.n_columns - i == 1) ProductRows<1>(centred.data(), panel.n_rows, i, to.second.data());
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Means);
HWY_EXPORT(Squares);
HWY_EXPORT(Products);

PaddedWeights::PaddedWeights(std::span<const double> weights, std::size_t n_rows) noexcept {
  if (weights.empty()) {
    std::fill_n(values_, n_rows, 1.0);
  } else {
    std::copy_n(weights.begin(), n_rows, values_);
  }
  std::fill(values_ + n_rows, values_ + panel_rows, 0.0);
  double parts[8] = {};  // several sums at a time, in a fixed order
  for (std::size_t row = 0; row < panel_rows; row += 8) {
    for (std::size_t i = 0; i < 8; ++i) parts[i] += values_[row + i];
  }
  total_ = ((parts[0] + parts[4]) + (parts[1] + parts[5])) + ((parts[2] + parts[6]) + (parts[3] + parts[7]));
}

void weighted_means(const PanelView& panel, const PaddedWeights& weights, std::span<double> means) noexcept {
  HWY_DYNAMIC_DISPATCH(Means)(panel, weights, means.data());
}

void add_squares(const PanelView& panel, const PaddedWeights& weights, const SumsAbout& to) noexcept {
  HWY_DYNAMIC_DISPATCH(Squares)(panel, weights.data(), to);
}

void add_products(const PanelView& panel, const PaddedWeights& weights, const SumsAbout& to) noexcept {
  HWY_DYNAMIC_DISPATCH(Products)(panel, weights.data(), to);
}

}  // namespace coppice::kernels
#endif
