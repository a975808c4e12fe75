// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/least_distance.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/least_distance.cpp"
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

Vec LoadValues(Tag d, const double* values) { return hn::LoadU(d, values); }
Vec LoadValues(Tag d, const float* values) { return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Tag>(), values)); }

template <class Value>
double SquaredDistance(const Value* HWY_RESTRICT row, const double* HWY_RESTRICT origin,
                       const double* HWY_RESTRICT point, std::size_t n) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec sum = hn::Zero(d);
  std::size_t c = 0;
  for (; c + lanes <= n; c += lanes) {
    const Vec t = hn::Sub(hn::Sub(LoadValues(d, row + c), hn::LoadU(d, origin + c)), hn::LoadU(d, point + c));
    sum = hn::MulAdd(t, t, sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; c < n; ++c) {
    const double t = (static_cast<double>(row[c]) - origin[c]) - point[c];
    total += t * t;
  }
  return total;
}

template <class Value>
double Least(const Value* rows, std::size_t n_rows, std::span<const double> origin, std::span<const double> point,
             const double* weights, double limit) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (weights != nullptr && weights[row] <= 0.0) continue;
    const double squared = SquaredDistance(rows + row * point.size(), origin.data(), point.data(), point.size());
    if (squared > 0.0) limit = std::min(limit, squared);  // distance 0: the point itself, or a copy of it
  }
  return limit;
}

double LeastOfFloats(const float* rows, std::size_t n_rows, std::span<const double> origin,
                     std::span<const double> point, const double* weights, double limit) {
  return Least(rows, n_rows, origin, point, weights, limit);
}
double LeastOfDoubles(const double* rows, std::size_t n_rows, std::span<const double> origin,
                      std::span<const double> point, const double* weights, double limit) {
  return Least(rows, n_rows, origin, point, weights, limit);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(LeastOfFloats);
HWY_EXPORT(LeastOfDoubles);

double least_distance(const float* rows, std::size_t n_rows, std::span<const double> origin,
                      std::span<const double> point, const double* weights, double limit) noexcept {
  return HWY_DYNAMIC_DISPATCH(LeastOfFloats)(rows, n_rows, origin, point, weights, limit);
}

double least_distance(const double* rows, std::size_t n_rows, std::span<const double> origin,
                      std::span<const double> point, const double* weights, double limit) noexcept {
  return HWY_DYNAMIC_DISPATCH(LeastOfDoubles)(rows, n_rows, origin, point, weights, limit);
}

}  // namespace coppice::kernels
#endif
