// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// When two clusters are equally good for a row. Clusters p and q tie if
//
//   |d_p - d_q| <= 2^-36 (unit + |d_p| + |d_q| + s_p + s_q),
//
// d being the cost with its offset and s the size of what was summed up, both in the fixed order of exact_cost. The
// unit is 1 for costs in nats, and 0 where the cost has the data's own units (k-means), so that these do not matter.
// Ties keep the present label, else the smallest index that costs no more than the present label. The band is so much
// wider than any rounding error of the fast kernels that every way to compute labels, given the same parameters, gives
// the same ones.
//
// For very flat clusters s, and with it a tie, may be many nats wide. That is right while a row has a label, which it
// may keep; a row without one gets the smallest index among costs in nats that differ by no more than rounding of the
// costs themselves, s = 0: exact costs are the same, whoever asks for them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "coppice/family/family.hpp"
#include "coppice/kernels/argmin.hpp"

namespace coppice {

inline constexpr double tie_band = 0x1p-36;

[[nodiscard]] inline bool is_tie(const ExactCost& p, const ExactCost& q, double unit = 1.0) noexcept {
  if (!std::isfinite(p.value) || !std::isfinite(q.value)) return p.value == q.value;  // an empty cluster of a DP
  const double band = tie_band * (unit + std::abs(p.value) + std::abs(q.value) + p.scale + q.scale);
  return std::abs(p.value - q.value) <= band;
}

// The label by the rule above. `cost_of(cluster)` is the exact cost with its offset.
template <class CostOf>
[[nodiscard]] std::int32_t settle(std::span<const std::int32_t> candidates, std::int32_t present, const CostOf& cost_of,
                                  double unit = 1.0) {
  ExactCost best{std::numeric_limits<double>::infinity(), 0.0};
  std::int32_t winner = candidates.front();
  for (const std::int32_t candidate : candidates) {
    const ExactCost cost = cost_of(candidate);
    if (cost.value < best.value) {
      best = cost;
      winner = candidate;
    }
  }
  const bool has_present = std::ranges::find(candidates, present) != candidates.end();
  if (has_present && (present == winner || is_tie(cost_of(present), best, unit))) return present;
  // Nor must a tie take a row where it costs more than at present.
  const double most = has_present ? cost_of(present).value : std::numeric_limits<double>::infinity();
  const auto is_as_good = [&](const ExactCost& cost) {
    if (has_present || !(unit > 0.0)) return is_tie(cost, best, unit);
    return is_tie({cost.value, 0.0}, {best.value, 0.0}, unit);
  };
  for (const std::int32_t candidate : candidates) {
    if (candidate >= winner) continue;
    const ExactCost cost = cost_of(candidate);
    if (cost.value <= most && is_as_good(cost)) winner = candidate;
  }
  return winner;
}

// The tie band as a share of what it is measured by, plus the rounding of bounds and fast costs, which for n summands
// is below n 2^-50 of that, and for n squares of sums of n products below n^2 2^-52.
[[nodiscard]] inline double widest_band(std::size_t n_columns) noexcept {
  const auto n = static_cast<double>(n_columns);
  return 1.01 * (tie_band + 0x1p-50 * (n + 8.0) + 0x1p-52 * n * n);
}

// How far behind the best a fast cost must lie to be out of the question. A runner-up `gap` behind has, by the promise
// of TieScale, a scale of at most ratio (best - floor + gap), so that a tie means
//
//   gap <= band (unit + 2 |best| + gap + ratio (2 (best - floor) + gap)),
//
// solved for the gap. If that holds for any gap (very flat clusters), every row is in doubt.
[[nodiscard]] inline kernels::DoubtLimits doubt_limits(const TieScale& widest, std::size_t n_columns,
                                                       double unit = 1.0) noexcept {
  const double share = widest_band(n_columns) * (1.0 + widest.ratio);
  if (!(share < 1.0)) {
    return {.base = std::numeric_limits<double>::infinity(), .per_size = 0.0, .per_excess = 0.0, .floor = widest.floor};
  }
  const double band = widest_band(n_columns) / (1.0 - share);
  return {.base = band * unit, .per_size = 2.0 * band, .per_excess = 2.0 * widest.ratio * band, .floor = widest.floor};
}

}  // namespace coppice
