// SPDX-License-Identifier: BSD-3-Clause
// For the scale of the smallest gaps in a table (structure/smallest_distances.hpp). Rows equal to the point do not
// count: copies would make every such scale zero.

#include "coppice/kernels/least_distance.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/least_distance.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/squared_distance-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

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
