// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/diagonal.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/diagonal.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// V vectors of rows at a time: as many sums as hide the latency of a multiply-add.
template <bool Negated, std::size_t V>
HWY_INLINE void CostsOf(const PanelView& panel, const DiagonalForm& form, std::size_t row, double* HWY_RESTRICT out) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec cost[V];
  for (Vec& of_rows : cost) of_rows = hn::Set(d, form.a);
  for (std::size_t column = 0; column < panel.n_columns; ++column) {
    const double* HWY_RESTRICT x = panel.column(column) + row;
    const Vec m = hn::Set(d, form.m[column]);
    const Vec scale = hn::Set(d, form.scale[column]);
    for (std::size_t v = 0; v < V; ++v) {
      const Vec t = hn::Mul(hn::Sub(hn::LoadU(d, x + v * lanes), m), scale);
      cost[v] = hn::MulAdd(t, t, cost[v]);
    }
  }
  for (std::size_t v = 0; v < V; ++v) {
    hn::StoreU(Negated ? hn::Neg(cost[v]) : cost[v], d, out + row + v * lanes);
  }
}

// All forms for some rows before the next rows: those stay in the cache meanwhile.
template <bool Negated, std::size_t V>
HWY_INLINE void CostsOfAll(const PanelView& panel, std::span<const DiagonalForm> forms, std::size_t row, double* out) {
  for (std::size_t i = 0; i < forms.size(); ++i) CostsOf<Negated, V>(panel, forms[i], row, out + i * panel_stride);
}

template <bool Negated>
HWY_INLINE void CostsOfPanel(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) {
  constexpr std::size_t V = 8;
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t row = 0;
  for (; row + V * lanes <= panel.n_rows; row += V * lanes) CostsOfAll<Negated, V>(panel, forms, row, out);
  for (; row < panel.n_rows; row += lanes) CostsOfAll<Negated, 1>(panel, forms, row, out);
}

void Costs(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) {
  CostsOfPanel<false>(panel, forms, out);
}

void LogDensities(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) {
  CostsOfPanel<true>(panel, forms, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Costs);
HWY_EXPORT(LogDensities);

void diagonal_costs(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(Costs)(panel, forms, out);
}

void diagonal_log_densities(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(LogDensities)(panel, forms, out);
}

}  // namespace coppice::kernels
#endif
