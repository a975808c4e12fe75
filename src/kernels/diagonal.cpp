// SPDX-License-Identifier: BSD-3-Clause
// Costs of clusters without correlations, and the log densities of their predictive Student t, which are sums over
// columns of log(b + k (x - m)^2). That would be D logarithms per row and form; so the factors are multiplied, and the
// logarithm is taken once of the product (LogProduct).

#include "coppice/kernels/diagonal.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/diagonal.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// Costs that labels hang on are computed from x - m, whatever it is multiplied by. V vectors of rows at a time: as many
// sums as hide the latency of a multiply-add.
template <std::size_t V>
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
  for (std::size_t v = 0; v < V; ++v) hn::StoreU(cost[v], d, out + row + v * lanes);
}

// All forms for some rows before the next rows: those stay in the cache meanwhile.
template <std::size_t V>
HWY_INLINE void CostsOfAll(const PanelView& panel, std::span<const DiagonalForm> forms, std::size_t row, double* out) {
  for (std::size_t i = 0; i < forms.size(); ++i) CostsOf<V>(panel, forms[i], row, out + i * panel_stride);
}

// The logarithm of a product, taken once: after every factor its power of two is put aside.
struct LogProduct {
  Vec significand;
  hn::Vec<hn::RebindToUnsigned<Tag>> exponents;

  HWY_INLINE void Start() {
    significand = hn::Set(Tag(), 1.0);
    exponents = hn::Zero(hn::RebindToUnsigned<Tag>());
  }
  // A significand from 1 to 2 times a normal factor is not subnormal: its power of two is all in the bits that are
  // taken out. That is why factors must be normal.
  HWY_INLINE void Times(Vec factor) {
    const hn::RebindToUnsigned<Tag> integers;
    const auto bits = hn::BitCast(integers, hn::Mul(significand, factor));
    exponents = hn::Add(exponents, hn::ShiftRight<52>(bits));
    const auto fraction = hn::And(bits, hn::Set(integers, 0x000fffffffffffffU));
    significand = hn::BitCast(Tag(), hn::Or(fraction, hn::Set(integers, 0x3ff0000000000000U)));
  }
  // After n factors: each has brought the bias of its exponent along.
  HWY_INLINE Vec Log(std::size_t n) const {
    const Tag d;
    const hn::RebindToSigned<Tag> integers;
    const auto bias = hn::Set(integers, 1023 * static_cast<std::int64_t>(n));
    const Vec powers = hn::ConvertTo(d, hn::Sub(hn::BitCast(integers, exponents), bias));
    return hn::MulAdd(powers, hn::Set(d, std::numbers::ln2), hn::Log(d, significand));
  }
};

template <std::size_t V>
HWY_INLINE void LogProductsOf(const PanelView& panel, const DiagonalProduct& form, std::size_t row,
                              double* HWY_RESTRICT out) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const Vec k = hn::Set(d, form.k);
  const Vec least = hn::Set(d, form.least);
  LogProduct products[V];
  for (LogProduct& product : products) product.Start();
  for (std::size_t column = 0; column < panel.n_columns; ++column) {
    const double* HWY_RESTRICT x = panel.column(column) + row;
    const Vec m = hn::Set(d, form.m[column]);
    const Vec b = hn::Set(d, form.b[column]);
    for (std::size_t v = 0; v < V; ++v) {
      const Vec t = hn::Sub(hn::LoadU(d, x + v * lanes), m);
      products[v].Times(hn::Max(hn::MulAdd(hn::Mul(k, t), t, b), least));
    }
  }
  for (std::size_t v = 0; v < V; ++v) hn::StoreU(products[v].Log(panel.n_columns), d, out + row + v * lanes);
}

void LogProducts(const PanelView& panel, std::span<const DiagonalProduct> forms, double* out) {
  // Fewer vectors than for costs: every product holds two registers.
  constexpr std::size_t V = 4;
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t row = 0;
  for (; row + V * lanes <= panel.n_rows; row += V * lanes) {
    for (std::size_t i = 0; i < forms.size(); ++i) LogProductsOf<V>(panel, forms[i], row, out + i * panel_stride);
  }
  for (; row < panel.n_rows; row += lanes) {
    for (std::size_t i = 0; i < forms.size(); ++i) LogProductsOf<1>(panel, forms[i], row, out + i * panel_stride);
  }
}

void Costs(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) {
  constexpr std::size_t V = 8;
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t row = 0;
  for (; row + V * lanes <= panel.n_rows; row += V * lanes) CostsOfAll<V>(panel, forms, row, out);
  for (; row < panel.n_rows; row += lanes) CostsOfAll<1>(panel, forms, row, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Costs);
HWY_EXPORT(LogProducts);

void diagonal_costs(const PanelView& panel, std::span<const DiagonalForm> forms, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(Costs)(panel, forms, out);
}

void diagonal_log_products(const PanelView& panel, std::span<const DiagonalProduct> forms, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(LogProducts)(panel, forms, out);
}

}  // namespace coppice::kernels
#endif
