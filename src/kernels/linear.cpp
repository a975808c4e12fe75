// SPDX-License-Identifier: BSD-3-Clause
// Two layouts for two kinds of rows. Dense panels: lanes are rows, and every form goes through all columns. Sparse
// rows: lanes are forms, and every entry of the row goes through all forms, so that only the columns that are there are
// touched, O(K entries) instead of O(K D).

#include "coppice/kernels/linear.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/linear.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// F forms for V vectors of rows: F V sums in registers, and every load of a row serves F forms.
template <std::size_t F, std::size_t V>
HWY_INLINE void CostsOf(const PanelView& panel, const LinearForm* HWY_RESTRICT forms, std::size_t row, double* out) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec cost[F][V];
  for (std::size_t f = 0; f < F; ++f) {
    for (std::size_t v = 0; v < V; ++v) cost[f][v] = hn::Set(d, forms[f].b);
  }
  for (std::size_t column = 0; column < panel.n_columns; ++column) {
    const double* HWY_RESTRICT x = panel.column(column) + row;
    Vec value[V];
    for (std::size_t v = 0; v < V; ++v) value[v] = hn::LoadU(d, x + v * lanes);
    for (std::size_t f = 0; f < F; ++f) {
      const Vec a = hn::Set(d, forms[f].a[column]);
      for (std::size_t v = 0; v < V; ++v) cost[f][v] = hn::MulAdd(a, value[v], cost[f][v]);
    }
  }
  for (std::size_t f = 0; f < F; ++f) {
    for (std::size_t v = 0; v < V; ++v) hn::StoreU(cost[f][v], d, out + f * panel_stride + row + v * lanes);
  }
}

template <std::size_t V>
HWY_INLINE void CostsOfAll(const PanelView& panel, std::span<const LinearForm> forms, std::size_t row, double* out) {
  std::size_t form = 0;
  for (; form + 4 <= forms.size(); form += 4) {
    CostsOf<4, V>(panel, forms.data() + form, row, out + form * panel_stride);
  }
  for (; form < forms.size(); ++form) CostsOf<1, V>(panel, forms.data() + form, row, out + form * panel_stride);
}

void Costs(const PanelView& panel, std::span<const LinearForm> forms, double* out) {
  constexpr std::size_t V = 2;
  const std::size_t lanes = hn::Lanes(Tag());
  std::size_t row = 0;
  for (; row + V * lanes <= panel.n_rows; row += V * lanes) CostsOfAll<V>(panel, forms, row, out);
  for (; row < panel.n_rows; row += lanes) CostsOfAll<1>(panel, forms, row, out);
}

// Forms of a table come in groups of four.
using FourTag = hn::CappedTag<double, 4>;

// V vectors of forms, from `first` on, at one row.
template <std::size_t V, class Value>
HWY_INLINE void AtEntries(const double* HWY_RESTRICT coefficients, std::size_t stride, const std::uint32_t* columns,
                          const Value* values, std::size_t n_entries, double* HWY_RESTRICT out) {
  const FourTag d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<FourTag> sum[V];
  for (std::size_t v = 0; v < V; ++v) sum[v] = hn::LoadU(d, out + v * lanes);
  for (std::size_t entry = 0; entry < n_entries; ++entry) {
    const double* HWY_RESTRICT a = coefficients + columns[entry] * stride;
    const auto x = hn::Set(d, static_cast<double>(values[entry]));
    for (std::size_t v = 0; v < V; ++v) sum[v] = hn::MulAdd(x, hn::LoadU(d, a + v * lanes), sum[v]);
  }
  for (std::size_t v = 0; v < V; ++v) hn::StoreU(sum[v], d, out + v * lanes);
}

// `out` holds the constants; the products are added.
template <class Value>
HWY_INLINE void AddEntries(const double* coefficients, std::size_t stride, std::span<const std::uint32_t> columns,
                           const Value* values, double* out) {
  const std::size_t lanes = hn::Lanes(FourTag());
  std::size_t form = 0;
  // The sums of V vectors of forms stay in registers while the entries pass by.
  const auto add = [&]<std::size_t V>(std::integral_constant<std::size_t, V>) HWY_ATTR {
    AtEntries<V>(coefficients + form, stride, columns.data(), values, columns.size(), out + form);
    form += V * lanes;
  };
  // NOLINTNEXTLINE(bugprone-infinite-loop): add() moves `form` on
  while (form + 8 * lanes <= stride) add(std::integral_constant<std::size_t, 8>());
  // As many vectors at once as are left: every pass over the entries costs as much as any other.
  switch ((stride - form) / lanes) {
    case 1:
      return add(std::integral_constant<std::size_t, 1>());
    case 2:
      return add(std::integral_constant<std::size_t, 2>());
    case 3:
      return add(std::integral_constant<std::size_t, 3>());
    case 4:
      return add(std::integral_constant<std::size_t, 4>());
    case 5:
      return add(std::integral_constant<std::size_t, 5>());
    case 6:
      return add(std::integral_constant<std::size_t, 6>());
    case 7:
      return add(std::integral_constant<std::size_t, 7>());
    default:
      return;
  }
}

void AddFloats(const double* coefficients, std::size_t stride, std::span<const std::uint32_t> columns,
               const float* values, double* out) {
  AddEntries(coefficients, stride, columns, values, out);
}

void AddDoubles(const double* coefficients, std::size_t stride, std::span<const std::uint32_t> columns,
                const double* values, double* out) {
  AddEntries(coefficients, stride, columns, values, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Costs);
HWY_EXPORT(AddFloats);
HWY_EXPORT(AddDoubles);

void linear_costs(const PanelView& panel, std::span<const LinearForm> forms, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(Costs)(panel, forms, out);
}

LinearTable::LinearTable(std::span<const LinearForm> forms, std::size_t n_columns)
    : n_forms_(forms.size()),
      stride_((forms.size() + 3) / 4 * 4),
      coefficients_(n_columns * stride_, 0.0),
      constants_(stride_, 0.0) {
  // A few columns at a time: what is written stays in the cache while the forms pass by.
  constexpr std::size_t step = 64;
  for (std::size_t first = 0; first < n_columns; first += step) {
    const std::size_t last = std::min(first + step, n_columns);
    for (std::size_t form = 0; form < n_forms_; ++form) {
      for (std::size_t column = first; column < last; ++column) {
        coefficients_[column * stride_ + form] = forms[form].a[column];
      }
    }
  }
  for (std::size_t form = 0; form < n_forms_; ++form) constants_[form] = forms[form].b;
}

void LinearTable::at(std::span<const std::uint32_t> columns, std::span<const float> values,
                     double* out) const noexcept {
  std::ranges::copy(constants_, out);
  HWY_DYNAMIC_DISPATCH(AddFloats)(coefficients_.data(), stride_, columns, values.data(), out);
}

void LinearTable::at(std::span<const std::uint32_t> columns, std::span<const double> values,
                     double* out) const noexcept {
  std::ranges::copy(constants_, out);
  HWY_DYNAMIC_DISPATCH(AddDoubles)(coefficients_.data(), stride_, columns, values.data(), out);
}

}  // namespace coppice::kernels
#endif
