// SPDX-License-Identifier: BSD-3-Clause
// Stored values, float or double, as a vector of doubles; included once for every instruction set.
#if defined(COPPICE_KERNELS_LOAD_VALUES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COPPICE_KERNELS_LOAD_VALUES_INL
#undef COPPICE_KERNELS_LOAD_VALUES_INL
#else
#define COPPICE_KERNELS_LOAD_VALUES_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using ValuesTag = hn::CappedTag<double, 8>;
using ValuesVec = hn::Vec<ValuesTag>;

HWY_INLINE ValuesVec LoadValues(const double* values) { return hn::LoadU(ValuesTag(), values); }
HWY_INLINE ValuesVec LoadValues(const float* values) {
  const hn::Rebind<float, ValuesTag> floats;
  return hn::PromoteTo(ValuesTag(), hn::LoadU(floats, values));
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#endif
