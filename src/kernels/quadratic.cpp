// SPDX-License-Identifier: BSD-3-Clause
// ||W (x - m)||^2 with W lower triangular is half the work of (x - m)' A (x - m), and a sum of squares: never negative,
// and nothing cancels. Deviations are taken before anything is multiplied, since labels hang on these costs.

#include "coppice/kernels/quadratic.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quadratic.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

#include "coppice/kernels/aligned.hpp"
#include "kernels/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// Few columns: the whole form stays in registers while the rows stream by.
template <std::size_t D>
void costs_small(const PanelView& panel, const QuadraticForm& form, double* HWY_RESTRICT out) {
  const Tag d;
  Vec m[D];
  Vec w[D][D];
  for (std::size_t i = 0; i < D; ++i) {
    m[i] = hn::Set(d, form.m[i]);
    for (std::size_t j = 0; j <= i; ++j) w[i][j] = hn::Set(d, form.w->at(i, j));
  }
  const Vec a = hn::Set(d, form.a);
  const double* columns = panel.values;
  for (std::size_t row = 0; row < panel.n_rows; row += hn::Lanes(d)) {
    Vec t[D];
    for (std::size_t j = 0; j < D; ++j) t[j] = hn::Sub(hn::LoadU(d, columns + j * panel_stride + row), m[j]);
    Vec cost = a;
    for (std::size_t i = 0; i < D; ++i) {
      Vec y = hn::Mul(w[i][0], t[0]);
      for (std::size_t j = 1; j <= i; ++j) y = hn::MulAdd(w[i][j], t[j], y);
      cost = hn::MulAdd(y, y, cost);
    }
    hn::StoreU(cost, d, out + row);
  }
}

// V vectors of rows against four rows of W at a time: 4 V accumulators, 4 + V loads for 4 V multiply-adds.
template <std::size_t V>
void costs_tile(const PanelView& panel, const QuadraticForm& form, std::size_t row, double* HWY_RESTRICT centred,
                double* HWY_RESTRICT out) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t n = panel.n_columns;
  for (std::size_t j = 0; j < n; ++j) {
    const Vec m = hn::Set(d, form.m[j]);
    for (std::size_t v = 0; v < V; ++v) {
      hn::StoreU(hn::Sub(hn::LoadU(d, panel.column(j) + row + v * lanes), m), d, centred + (j * V + v) * lanes);
    }
  }
  Vec cost[V];
  for (std::size_t v = 0; v < V; ++v) cost[v] = hn::Set(d, form.a);
  for (std::size_t band = 0; 4 * band < n; ++band) {
    // A band of four rows of W: its coefficients lie together for every column (BandedTriangle), zeros above the
    // diagonal included.
    Vec y[4][V];
    for (auto& of_row : y) {
      for (Vec& entry : of_row) entry = hn::Zero(d);
    }
    const double* coefficient = form.w->band(band);
    const std::size_t n_columns = std::min(n, 4 * band + 4);
    for (std::size_t j = 0; j < n_columns; ++j, coefficient += 4) {
      Vec t[V];
      for (std::size_t v = 0; v < V; ++v) t[v] = hn::LoadU(d, centred + (j * V + v) * lanes);
      for (std::size_t i = 0; i < 4; ++i) {
        const Vec w = hn::Set(d, coefficient[i]);
        for (std::size_t v = 0; v < V; ++v) y[i][v] = hn::MulAdd(w, t[v], y[i][v]);
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t v = 0; v < V; ++v) cost[v] = hn::MulAdd(y[i][v], y[i][v], cost[v]);
    }
  }
  for (std::size_t v = 0; v < V; ++v) hn::StoreU(cost[v], d, out + row + v * lanes);
}

void costs_large(const PanelView& panel, const QuadraticForm& form, double* HWY_RESTRICT out) {
  // 12 or 16 sums, V deviations and a coefficient: as many as registers hold.
  constexpr std::size_t V = has_many_registers ? 4 : 3;
  const std::size_t lanes = hn::Lanes(Tag());
  // Centred rows of one tile; kept per thread, since it is as large as the data has columns.
  thread_local AlignedVector<double> centred;
  if (centred.size() < panel.n_columns * V * lanes) centred.resize(panel.n_columns * V * lanes);
  std::size_t row = 0;
  for (; row + V * lanes <= panel.n_rows; row += V * lanes) costs_tile<V>(panel, form, row, centred.data(), out);
  for (; row < panel.n_rows; row += lanes) costs_tile<1>(panel, form, row, centred.data(), out);
}

void Costs(const PanelView& panel, const QuadraticForm& form, double* out) {
  switch (panel.n_columns) {
    case 1:
      return costs_small<1>(panel, form, out);
    case 2:
      return costs_small<2>(panel, form, out);
    case 3:
      return costs_small<3>(panel, form, out);
    case 4:
      return costs_small<4>(panel, form, out);
    default:
      return costs_large(panel, form, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Costs);

void quadratic_costs(const PanelView& panel, const QuadraticForm& form, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(Costs)(panel, form, out);
}

}  // namespace coppice::kernels
#endif
