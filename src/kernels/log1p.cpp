// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/log1p.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/log1p.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

HWY_INLINE Vec Log1pOf(const LogOfSquare& form, Vec x) {
  const Tag tag;
  const Vec argument = hn::Max(hn::Set(tag, form.least), hn::Mul(hn::Set(tag, form.scale), x));
  return hn::MulAdd(hn::Set(tag, form.factor), hn::Log1p(tag, argument), hn::Set(tag, form.constant));
}

void TakeLog1p(const LogOfSquare& form, double* HWY_RESTRICT values, std::size_t n) {
  const Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(Log1pOf(form, hn::LoadU(tag, values + i)), tag, values + i);
  if (i == n) return;
  // The end goes through the same vector function, so that a value does not depend on where it stands.
  double last[8] = {};
  std::copy(values + i, values + n, last);
  hn::StoreU(Log1pOf(form, hn::LoadU(tag, last)), tag, last);
  std::copy(last, last + (n - i), values + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(TakeLog1p);

void take_log1p(const LogOfSquare& form, double* values, std::size_t n) noexcept {
  HWY_DYNAMIC_DISPATCH(TakeLog1p)(form, values, n);
}

}  // namespace coppice::kernels
#endif
