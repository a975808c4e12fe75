// SPDX-License-Identifier: BSD-3-Clause
// Pruning for counts and bits. The difference of two linear costs is linear, so its least value over a box is D0 - |a_q
// - a_p|'w, exact, at O(D) for a pair. Where all rows have one total, the box is cut by a plane and the bound is
// tighter: a fractional knapsack over the box, O(D log D), tried only on those that the box alone does not rule out.
// Each candidate meets one rival, the cheapest at the centre.

#include "coppice/kernels/linear_bound.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/linear_bound.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;

// A form seen from the centre of a box: a'c, then the largest sum |a_d x_d| in the box.
void See(const double* HWY_RESTRICT a, const double* HWY_RESTRICT centre, const double* HWY_RESTRICT extent,
         std::size_t n, double* HWY_RESTRICT result) {
  const Tag d;
  auto value = hn::Zero(d);
  auto size = hn::Zero(d);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto of_columns = hn::LoadU(d, a + i);
    value = hn::MulAdd(of_columns, hn::LoadU(d, centre + i), value);
    size = hn::MulAdd(hn::Abs(of_columns), hn::LoadU(d, extent + i), size);
  }
  result[0] = hn::GetLane(hn::SumOfLanes(d, value));
  result[1] = hn::GetLane(hn::SumOfLanes(d, size));
  for (; i < n; ++i) {
    result[0] += a[i] * centre[i];
    result[1] += std::abs(a[i]) * extent[i];
  }
}

// |q - p|' w
double Reach(const double* HWY_RESTRICT p, const double* HWY_RESTRICT q, const double* HWY_RESTRICT width,
             std::size_t n) {
  const Tag d;
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    sum = hn::MulAdd(hn::Abs(hn::Sub(hn::LoadU(d, q + i), hn::LoadU(d, p + i))), hn::LoadU(d, width + i), sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; ++i) total += std::abs(q[i] - p[i]) * width[i];
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(See);
HWY_EXPORT(Reach);

namespace {

// What is left of the total goes to the columns in the order of their slopes.
struct Room {
  double slope = 0.0;
  double width = 0.0;
};

template <class SlopeOf>
double least_with_total(std::size_t n_columns, const double* low, const double* high, double total,
                        const SlopeOf& slope_of) {
  thread_local std::vector<Room> rooms;
  rooms.clear();
  double value = 0.0;
  double left = total;
  for (std::size_t column = 0; column < n_columns; ++column) {
    const double slope = slope_of(column);
    value += slope * low[column];
    left -= low[column];
    if (high[column] > low[column]) rooms.push_back({slope, high[column] - low[column]});
  }
  // In the order of slopes: the cheapest columns first give the least total. Equal slopes come to the same sum
  // whichever goes first, but for rounding, which the margin of the test allows for.
  std::ranges::sort(rooms, {}, &Room::slope);
  for (const Room& room : rooms) {
    const double taken = std::min(room.width, left);
    // Nothing is left; rounding may leave a little less than that.
    if (!(taken > 0.0)) break;
    value += room.slope * taken;
    left -= taken;
  }
  return value;
}

}  // namespace

double least_in_box(const LinearForm& form, std::span<const double> low, std::span<const double> high) noexcept {
  double value = form.b;
  for (std::size_t column = 0; column < low.size(); ++column) {
    value += form.a[column] * (form.a[column] >= 0.0 ? low[column] : high[column]);
  }
  return value;
}

double least_in_box(const LinearForm& form, std::span<const double> low, std::span<const double> high, double total) {
  return form.b + least_with_total(low.size(), low.data(), high.data(), total,
                                   [&](std::size_t column) { return form.a[column]; });
}

void LinearTester::append(const LinearForm& form, double offset) {
  coefficients_.insert(coefficients_.end(), form.a.begin(), form.a.end());
  constants_.push_back({form.b + offset, std::abs(form.b) + std::abs(form.b + offset)});
}

std::size_t LinearTester::drop_beaten(const double* low, const double* high, const PairMargin& margin,
                                      std::span<std::int32_t> candidates, std::vector<double>& scratch) const {
  const std::size_t n = n_columns_;
  if (scratch.size() < 3 * n + candidates.size()) scratch.resize(3 * n + candidates.size());
  double* centre = scratch.data();
  double* width = centre + n;
  double* extent = width + n;
  double* values = extent + n;
  for (std::size_t i = 0; i < n; ++i) {
    centre[i] = 0.5 * (low[i] + high[i]);
    width[i] = std::max(high[i] - centre[i], centre[i] - low[i]);  // the centre is rounded
    extent[i] = std::max(std::abs(low[i]), std::abs(high[i]));
  }
  std::size_t best = 0;
  double reach = 0.0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Constant& constant = constants_[static_cast<std::size_t>(candidates[i])];
    double seen[2];
    HWY_DYNAMIC_DISPATCH(See)(a(candidates[i]), centre, extent, n, seen);
    values[i] = seen[0] + constant.value;
    if (values[i] < values[best]) best = i;
    // As large as the sums get anywhere in the box: rounding errors, and the band of a tie, are measured against that.
    const double of_form = constant.size + 2.0 * seen[1];
    if (std::isfinite(of_form)) reach = std::max(reach, of_form);  // an infinite form is nobody's rival
  }
  const double limit = margin.lead + margin.band * (1.0 + 2.0 * reach);
  const double* p = a(candidates[best]);
  const double least = values[best];
  const double constant_p = constants_[static_cast<std::size_t>(candidates[best])].value;
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double* q = a(candidates[i]);
    bool is_beaten = i != best && values[i] - least - HWY_DYNAMIC_DISPATCH(Reach)(p, q, width, n) > limit;
    if (i != best && !is_beaten && total_) {
      const double constant_q = constants_[static_cast<std::size_t>(candidates[i])].value;
      is_beaten =
          constant_q - constant_p +
              least_with_total(n, low, high, *total_, [&](std::size_t column) { return q[column] - p[column]; }) >
          limit;
    }
    if (!is_beaten) candidates[n_left++] = candidates[i];
  }
  return n_left;
}

}  // namespace coppice::kernels
#endif
