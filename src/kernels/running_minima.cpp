// SPDX-License-Identifier: BSD-3-Clause
// Drawing rows with probabilities in proportion to their distances (k-means++) needs sums of minima that are the same
// for shuffled rows. Terms are rounded up to whole numbers for that: sums of whole numbers are exact below 2^53, in any
// order and in any number of lanes. Rounded up, so that no row that is away from all chosen ones has mass 0.

#include "coppice/kernels/running_minima.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/running_minima.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

double LowerTo(double* HWY_RESTRICT least, const double* HWY_RESTRICT values, std::size_t n, double floor) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec most = hn::Set(d, floor);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const Vec lower = hn::Min(hn::LoadU(d, least + i), hn::LoadU(d, values + i));
    hn::StoreU(lower, d, least + i);
    most = hn::Max(most, lower);
  }
  double largest = hn::GetLane(hn::MaxOfLanes(d, most));
  for (; i < n; ++i) {
    least[i] = std::min(least[i], values[i]);
    largest = std::max(largest, least[i]);
  }
  return largest;
}

double WholeSum(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, double scale, std::size_t n) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const Vec factor = hn::Set(d, scale);
  Vec sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    sum = hn::Add(sum, hn::Ceil(hn::Mul(factor, hn::Min(hn::LoadU(d, a + i), hn::LoadU(d, b + i)))));
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; ++i) total += static_cast<double>(rounded_up(scale * std::min(a[i], b[i])));
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(LowerTo);
HWY_EXPORT(WholeSum);

double lower_to(double* least, const double* values, std::size_t n, double floor) noexcept {
  return HWY_DYNAMIC_DISPATCH(LowerTo)(least, values, n, floor);
}

double whole_sum_of_minima(const double* a, const double* b, double scale, std::size_t n) noexcept {
  return HWY_DYNAMIC_DISPATCH(WholeSum)(a, b, scale, n);
}

}  // namespace coppice::kernels
#endif
