// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/panel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/panel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// Two rows or four: at most two blocks of 128 bits, the size within which numbers change places freely.
using Tag = hn::CappedTag<double, 4>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());

template <class Value>
HWY_INLINE void TakeRow(const Value* HWY_RESTRICT row, std::span<const double> origin, double* HWY_RESTRICT panel) {
  for (std::size_t c = 0; c < origin.size(); ++c) panel[c * panel_stride] = static_cast<double>(row[c]) - origin[c];
}

#if HWY_TARGET == HWY_SCALAR
template <class Value>
HWY_INLINE void TurnRows(const Value* const (&rows)[lanes], std::span<const double> origin, double* panel) {
  TakeRow(rows[0], origin, panel);
}
#else
HWY_INLINE Vec Widened(Vec x) { return x; }
HWY_INLINE Vec Widened(hn::Vec<hn::Rebind<float, Tag> > x) { return hn::PromoteTo(Tag(), x); }

// Columns c and c + 1 of rows `first`, first + 2, ..., a block for every row.
template <class Value>
HWY_INLINE Vec LoadBlocks(const Value* const (&rows)[lanes], std::size_t first, std::size_t c) {
  const hn::Rebind<Value, Tag> d;
  if constexpr (lanes == 2) {
    return Widened(hn::LoadU(d, rows[first] + c));
  } else {
    const hn::Half<decltype(d)> half;
    return Widened(hn::Combine(d, hn::LoadU(half, rows[first + 2] + c), hn::LoadU(half, rows[first] + c)));
  }
}

// As many rows as a vector has lanes, two columns at a time, which become two vectors of rows. If the number of columns
// is odd, the last two overlap with those before.
template <class Value>
HWY_INLINE void TurnRows(const Value* const (&rows)[lanes], std::span<const double> origin,
                         double* HWY_RESTRICT panel) {
  const Tag d;
  for (std::size_t next = 0; next < origin.size(); next += 2) {
    const std::size_t c = std::min(next, origin.size() - 2);
    const Vec even = LoadBlocks(rows, 0, c);
    const Vec odd = LoadBlocks(rows, 1, c);
    double* out = panel + c * panel_stride;
    hn::StoreU(hn::Sub(hn::InterleaveLower(d, even, odd), hn::Set(d, origin[c])), d, out);
    hn::StoreU(hn::Sub(hn::InterleaveUpper(d, even, odd), hn::Set(d, origin[c + 1])), d, out + panel_stride);
  }
}
#endif

template <class Value>
HWY_INLINE void Fill(const Value* values, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                     double* HWY_RESTRICT panel) {
  const std::size_t n_columns = origin.size();
  const auto row_at = [=](std::size_t i) { return values + (index != nullptr ? index[i] : i) * n_columns; };
  std::size_t row = 0;
  for (; row + lanes <= n_rows && n_columns >= 2; row += lanes) {
    const Value* rows[lanes];
    for (std::size_t i = 0; i < lanes; ++i) rows[i] = row_at(row + i);
    TurnRows(rows, origin, panel + row);
  }
  for (; row < n_rows; ++row) TakeRow(row_at(row), origin, panel + row);
  const std::size_t padded = std::min(panel_rows, (n_rows + 15) / 16 * 16);
  for (std::size_t c = 0; c < n_columns; ++c) {
    std::fill(panel + c * panel_stride + n_rows, panel + c * panel_stride + padded, 0.0);
  }
}

void FillFromFloats(const float* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                    double* panel) {
  Fill(rows, index, n_rows, origin, panel);
}

void FillFromDoubles(const double* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                     double* panel) {
  Fill(rows, index, n_rows, origin, panel);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(FillFromFloats);
HWY_EXPORT(FillFromDoubles);

void load_panel(const float* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept {
  HWY_DYNAMIC_DISPATCH(FillFromFloats)(rows, index, n_rows, origin, panel);
}

void load_panel(const double* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept {
  HWY_DYNAMIC_DISPATCH(FillFromDoubles)(rows, index, n_rows, origin, panel);
}

}  // namespace coppice::kernels
#endif
