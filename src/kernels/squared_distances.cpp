// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -ffp-contract=off: see squared_distances.hpp.
// One sum per row and point, column after column, so that a distance does not depend on which of P points it was
// computed with, nor on where the row stands in the panel. Two vectors of rows are under way at once to hide the
// latency of additions.

#include "coppice/kernels/squared_distances.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/squared_distances.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());

// P points at once, so that a column is loaded once for all of them.
template <std::size_t P>
void OfPanelFrom(const PanelView& panel, const double* HWY_RESTRICT points, double* HWY_RESTRICT squared) {
  const Tag d;
  for (std::size_t row = 0; row < panel.n_rows; row += 2 * lanes) {
    Vec low[P];
    Vec high[P];
    for (std::size_t p = 0; p < P; ++p) low[p] = high[p] = hn::Zero(d);
    for (std::size_t c = 0; c < panel.n_columns; ++c) {
      const Vec x_low = hn::LoadU(d, panel.column(c) + row);
      const Vec x_high = hn::LoadU(d, panel.column(c) + row + lanes);
      for (std::size_t p = 0; p < P; ++p) {
        const Vec value = hn::Set(d, points[p * panel.n_columns + c]);
        const Vec t_low = hn::Sub(x_low, value);
        const Vec t_high = hn::Sub(x_high, value);
        low[p] = hn::Add(low[p], hn::Mul(t_low, t_low));
        high[p] = hn::Add(high[p], hn::Mul(t_high, t_high));
      }
    }
    for (std::size_t p = 0; p < P; ++p) {
      hn::StoreU(low[p], d, squared + p * panel_rows + row);
      hn::StoreU(high[p], d, squared + p * panel_rows + row + lanes);
    }
  }
}

void OfPanel(PanelView panel, const double* points, std::size_t n_points, double* squared) {
  std::size_t p = 0;
  for (; p + 4 <= n_points; p += 4) OfPanelFrom<4>(panel, points + p * panel.n_columns, squared + p * panel_rows);
  for (; p < n_points; ++p) OfPanelFrom<1>(panel, points + p * panel.n_columns, squared + p * panel_rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(OfPanel);

void squared_distances(PanelView panel, const double* points, std::size_t n_points, double* squared) noexcept {
  HWY_DYNAMIC_DISPATCH(OfPanel)(panel, points, n_points, squared);
}

}  // namespace coppice::kernels
#endif
