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

// Pairs of doubles, the commonest table: whole vectors are taken apart at once. Returns how many rows were done.
std::size_t LoadPairs(const double* HWY_RESTRICT rows, std::size_t n_rows, const double* origin,
                      double* HWY_RESTRICT panel) {
  const hn::CappedTag<double, 8> d;
  const auto origin0 = hn::Set(d, origin[0]);
  const auto origin1 = hn::Set(d, origin[1]);
  std::size_t row = 0;
  for (; row + hn::Lanes(d) <= n_rows; row += hn::Lanes(d)) {
    hn::Vec<decltype(d)> x0;
    hn::Vec<decltype(d)> x1;
    hn::LoadInterleaved2(d, rows + 2 * row, x0, x1);
    hn::StoreU(hn::Sub(x0, origin0), d, panel + row);
    hn::StoreU(hn::Sub(x1, origin1), d, panel + panel_stride + row);
  }
  return row;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(LoadPairs);

namespace {

// A fixed number of columns lets the compiler keep the origin in registers.
template <std::size_t D, class Value>
void load_rows(const Value* rows, const std::size_t* index, std::size_t first, std::size_t n_rows,
               std::span<const double> origin, double* panel) noexcept {
  const std::size_t n_columns = D == 0 ? origin.size() : D;
  for (std::size_t row = first; row < n_rows; ++row) {
    const Value* values = rows + (index != nullptr ? index[row] : row) * n_columns;
    for (std::size_t c = 0; c < n_columns; ++c) {
      panel[c * panel_stride + row] = static_cast<double>(values[c]) - origin[c];
    }
  }
}

template <class Value>
void load(const Value* rows, const std::size_t* index, std::size_t first, std::size_t n_rows,
          std::span<const double> origin, double* panel) noexcept {
  switch (origin.size()) {
    case 1:
      load_rows<1>(rows, index, first, n_rows, origin, panel);
      break;
    case 2:
      load_rows<2>(rows, index, first, n_rows, origin, panel);
      break;
    case 3:
      load_rows<3>(rows, index, first, n_rows, origin, panel);
      break;
    case 4:
      load_rows<4>(rows, index, first, n_rows, origin, panel);
      break;
    default:
      load_rows<0>(rows, index, first, n_rows, origin, panel);
      break;
  }
  const std::size_t padded = std::min(panel_rows, (n_rows + 15) / 16 * 16);
  for (std::size_t c = 0; c < origin.size(); ++c) {
    std::fill(panel + c * panel_stride + n_rows, panel + c * panel_stride + padded, 0.0);
  }
}

}  // namespace

void load_panel(const float* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept {
  load(rows, index, 0, n_rows, origin, panel);
}

void load_panel(const double* rows, const std::size_t* index, std::size_t n_rows, std::span<const double> origin,
                double* panel) noexcept {
  const bool are_pairs = index == nullptr && origin.size() == 2;
  const std::size_t done = are_pairs ? HWY_DYNAMIC_DISPATCH(LoadPairs)(rows, n_rows, origin.data(), panel) : 0;
  load(rows, index, done, n_rows, origin, panel);
}

}  // namespace coppice::kernels
#endif
