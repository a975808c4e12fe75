// SPDX-License-Identifier: BSD-3-Clause
// The extreme-vertex test of the filtering algorithm, without looking for the vertex: over a box the difference of two
// squared distances is linear, so half widths times slopes give its least value. With equal matrices the pair test of
// pair_bound.hpp comes to the same; this is what is left of it when A is the identity. Every candidate is compared with
// one alone, the nearest to the centre: that takes O(K D) for a box and not O(K^2 D), and keeps a few that only a third
// would beat.

#include "coppice/kernels/bisector.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bisector.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

HWY_INLINE double SquaredDistance(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t n) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// 2 |p - q|' w
HWY_INLINE double Reach(const double* HWY_RESTRICT p, const double* HWY_RESTRICT q, const double* HWY_RESTRICT width,
                        std::size_t n) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += std::abs(p[i] - q[i]) * width[i];
  return 2.0 * sum;
}

// Scratch: centre, half width, values. D = 0: any number of columns.
template <std::size_t D>
std::size_t DropBeaten(const BisectorTester::Points& points, const double* low, const double* high,
                       const PairMargin& margin, std::int32_t* HWY_RESTRICT candidates, std::size_t n_candidates,
                       double* HWY_RESTRICT scratch) {
  // A number that the compiler knows unrolls the loops over columns: boxes of trees have few of them, and the loops
  // would cost more than what is in them.
  const std::size_t n = D == 0 ? points.n_columns : D;
  double* HWY_RESTRICT centre = scratch;
  double* HWY_RESTRICT width = scratch + n;
  double* HWY_RESTRICT values = scratch + 2 * n;
  double squared_radius = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    centre[i] = 0.5 * (low[i] + high[i]);
    width[i] = std::max(high[i] - centre[i], centre[i] - low[i]);  // the centre is rounded
    squared_radius += width[i] * width[i];
  }
  const auto record = [&](std::size_t i) { return points.records + static_cast<std::size_t>(candidates[i]) * (n + 1); };

  std::size_t best = 0;
  for (std::size_t i = 0; i < n_candidates; ++i) {
    values[i] = SquaredDistance(centre, record(i), n) + record(i)[n];
    if (values[i] < values[best]) best = i;
  }
  const double* p = record(best);
  const double least = values[best];
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < n_candidates; ++i) {
    const double difference = values[i] - least;
    // ||x - c||^2 <= 2 (||centre - c||^2 + ||w||^2) for both, and 1.5 times as much for what ties are measured by.
    const double size = std::abs(p[n]) + std::abs(record(i)[n]) + std::abs(values[i]) + std::abs(least);
    const double limit = margin.lead + margin.band * 10.0 * (size + squared_radius);
    const bool is_beaten = difference - Reach(p, record(i), width, n) > limit;
    candidates[n_left] = candidates[i];
    // Written first and counted afterwards: whether a candidate goes is not to be foretold, so nothing branches on it.
    n_left += is_beaten ? 0 : 1;
  }
  return n_left;
}

BisectorTester::Drop ChooseBisectorDrop(std::size_t n_columns) {
  switch (n_columns) {
    case 1:
      return DropBeaten<1>;
    case 2:
      return DropBeaten<2>;
    case 3:
      return DropBeaten<3>;
    case 4:
      return DropBeaten<4>;
    default:
      return DropBeaten<0>;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(ChooseBisectorDrop);

BisectorTester::BisectorTester(std::size_t n_columns)
    : n_columns_(n_columns), drop_(HWY_DYNAMIC_DISPATCH(ChooseBisectorDrop)(n_columns)) {}

void BisectorTester::append(std::span<const double> point, double offset) {
  records_.insert(records_.end(), point.begin(), point.end());
  records_.push_back(offset);
}

}  // namespace coppice::kernels
#endif
