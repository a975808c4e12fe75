// SPDX-License-Identifier: BSD-3-Clause
// The only place where float and double, rows in order and rows by index differ; everything behind a panel knows
// doubles, column by column, alone.

#include "coppice/kernels/panel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/panel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include "kernels/turn_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

template <class Value>
HWY_INLINE void Fill(const Value* values, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                     double* panel) {
  const std::size_t n_columns = origin.size();
  const auto row_at = [=](std::size_t i) { return values + (index != nullptr ? index[i] : i) * n_columns; };
  TurnAll(row_at, n_rows, origin, {panel, panel_stride});
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
