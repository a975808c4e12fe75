// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -ffp-contract=off: see closest_row.hpp.
#include "coppice/kernels/closest_row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/closest_row.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());
constexpr std::size_t n_together = 4;  // vectors of rows, so that additions need not wait for one another

// Squared distances of n_together * lanes rows, from this one on.
// Product and sum are rounded one after the other, never fused: (a - b)^2 and (b - a)^2 are then the same number, and
// so are the distances of a from b and of b from a. A nearest-neighbour chain (structure/neighbour_chain.hpp) need not
// end without that.
HWY_INLINE void SquaredDistances(const PanelView& panel, const double* HWY_RESTRICT point, std::size_t row,
                                 Vec (&sums)[n_together]) {
  const Tag d;
  for (std::size_t v = 0; v < n_together; ++v) sums[v] = hn::Zero(d);
  for (std::size_t c = 0; c < panel.n_columns; ++c) {
    const Vec value = hn::Set(d, point[c]);
    const double* column = panel.column(c) + row;
    for (std::size_t v = 0; v < n_together; ++v) {
      const Vec t = hn::Sub(hn::LoadU(d, column + v * lanes), value);
      sums[v] = hn::Add(sums[v], hn::Mul(t, t));
    }
  }
}

double LowerToDistances(PanelView panel, const double* point, double* least) {
  const Tag d;
  Vec smallest = hn::Set(d, std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < panel.n_rows; row += n_together * lanes) {
    Vec squared[n_together];
    SquaredDistances(panel, point, row, squared);
    for (std::size_t v = 0; v < n_together; ++v) {
      double* at = least + row + v * lanes;
      const Vec lower = hn::Min(hn::LoadU(d, at), squared[v]);
      hn::StoreU(lower, d, at);
      smallest = hn::Min(smallest, lower);
    }
  }
  return hn::GetLane(hn::MinOfLanes(d, smallest));
}

double ScaledDistances(PanelView panel, const double* scales, const double* point, double scale, double* values) {
  const Tag d;
  Vec smallest = hn::Set(d, std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < panel.n_rows; row += n_together * lanes) {
    Vec squared[n_together];
    SquaredDistances(panel, point, row, squared);
    for (std::size_t v = 0; v < n_together; ++v) {
      const std::size_t at = row + v * lanes;
      const Vec value = hn::Div(squared[v], hn::Add(hn::LoadU(d, scales + at), hn::Set(d, scale)));
      hn::StoreU(value, d, values + at);
      smallest = hn::Min(smallest, value);
    }
  }
  return hn::GetLane(hn::MinOfLanes(d, smallest));
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(LowerToDistances);
HWY_EXPORT(ScaledDistances);

double lower_to_distances(PanelView panel, const double* point, double* least) noexcept {
  return HWY_DYNAMIC_DISPATCH(LowerToDistances)(panel, point, least);
}

double scaled_distances(PanelView panel, const double* scales, const double* point, double scale,
                        double* values) noexcept {
  return HWY_DYNAMIC_DISPATCH(ScaledDistances)(panel, scales, point, scale, values);
}

}  // namespace coppice::kernels
#endif
