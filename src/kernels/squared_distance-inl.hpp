// SPDX-License-Identifier: BSD-3-Clause
// The squared distance of a stored row from a point; included once for every instruction set.
#if defined(COPPICE_KERNELS_SQUARED_DISTANCE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COPPICE_KERNELS_SQUARED_DISTANCE_INL
#undef COPPICE_KERNELS_SQUARED_DISTANCE_INL
#else
#define COPPICE_KERNELS_SQUARED_DISTANCE_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "kernels/load_values-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

// The row is taken less the origin, as the point is.
template <class Value>
HWY_INLINE double SquaredDistance(const Value* HWY_RESTRICT row, const double* HWY_RESTRICT origin,
                                  const double* HWY_RESTRICT point, std::size_t n_columns) {
  const ValuesTag d;
  ValuesVec sum = hn::Zero(d);
  std::size_t c = 0;
  for (; c + hn::Lanes(d) <= n_columns; c += hn::Lanes(d)) {
    const ValuesVec t = hn::Sub(hn::Sub(LoadValues(row + c), hn::LoadU(d, origin + c)), hn::LoadU(d, point + c));
    sum = hn::MulAdd(t, t, sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; c < n_columns; ++c) {
    const double t = (static_cast<double>(row[c]) - origin[c]) - point[c];
    total += t * t;
  }
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#endif
