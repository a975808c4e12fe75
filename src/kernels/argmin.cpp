// SPDX-License-Identifier: BSD-3-Clause
// Best and second best are kept together: the gap between them is what tells later whether rounding, or a tie, may have
// decided the winner (family/tie_rule.hpp). Nothing branches on which cluster wins, since no predictor can know it:
// minimum, maximum and a masked choice of the index do the work.

#include "coppice/kernels/argmin.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/argmin.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void Update(const double* costs, std::span<const double> offsets, std::size_t first, std::size_t n_rows,
            RowMinima& minima) {
  const hn::CappedTag<double, 8> d;
  const auto infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < n_rows; row += hn::Lanes(d)) {
    auto best = first == 0 ? infinity : hn::LoadU(d, minima.best.data() + row);
    auto second = first == 0 ? infinity : hn::LoadU(d, minima.second.data() + row);
    auto index = first == 0 ? hn::Zero(d) : hn::LoadU(d, minima.index.data() + row);
    for (std::size_t cluster = 0; cluster < offsets.size(); ++cluster) {
      const auto cost = hn::Add(hn::LoadU(d, costs + cluster * panel_stride + row), hn::Set(d, offsets[cluster]));
      // Strictly less: among equal costs the cluster that came first stays, as the exact rule wants it.
      const auto is_better = hn::Lt(cost, best);
      second = hn::Min(second, hn::Max(best, cost));
      best = hn::Min(best, cost);
      index = hn::IfThenElse(is_better, hn::Set(d, static_cast<double>(first + cluster)), index);
    }
    hn::StoreU(best, d, minima.best.data() + row);
    hn::StoreU(second, d, minima.second.data() + row);
    hn::StoreU(index, d, minima.index.data() + row);
  }
}

std::size_t Winners(const RowMinima& minima, std::size_t n_rows, const DoubtLimits& limits, std::int32_t* winners,
                    std::uint32_t* doubtful) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<std::int32_t, decltype(d)> integers;
  const auto floor = hn::Set(d, limits.floor);
  std::size_t n_doubtful = 0;
  for (std::size_t row = 0; row < n_rows; row += hn::Lanes(d)) {
    const auto best = hn::LoadU(d, minima.best.data() + row);
    const auto gap = hn::Sub(hn::LoadU(d, minima.second.data() + row), best);
    const auto excess = hn::Max(hn::Sub(best, floor), hn::Zero(d));
    const auto of_size = hn::MulAdd(hn::Abs(best), hn::Set(d, limits.per_size), hn::Set(d, limits.base));
    const auto is_doubtful = hn::Le(gap, hn::MulAdd(excess, hn::Set(d, limits.per_excess), of_size));
    hn::StoreU(hn::DemoteTo(integers, hn::LoadU(d, minima.index.data() + row)), integers, winners + row);
    if (hn::AllFalse(d, is_doubtful)) continue;
    for (std::size_t i = row; i < std::min(n_rows, row + hn::Lanes(d)); ++i) {
      const double limit = limits.base + limits.per_size * std::abs(minima.best[i]) +
                           limits.per_excess * std::max(minima.best[i] - limits.floor, 0.0);
      // Twice the limit: this scalar form may round otherwise than the vector above, and a row too many does no harm.
      if (minima.second[i] - minima.best[i] <= 2.0 * limit) doubtful[n_doubtful++] = static_cast<std::uint32_t>(i);
    }
  }
  return n_doubtful;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Update);
HWY_EXPORT(Winners);

void update_minima(const double* costs, std::span<const double> offsets, std::size_t first, std::size_t n_rows,
                   RowMinima& minima) noexcept {
  HWY_DYNAMIC_DISPATCH(Update)(costs, offsets, first, n_rows, minima);
}

std::size_t take_winners(const RowMinima& minima, std::size_t n_rows, const DoubtLimits& limits, std::int32_t* winners,
                         std::uint32_t* doubtful) noexcept {
  return HWY_DYNAMIC_DISPATCH(Winners)(minima, n_rows, limits, winners, doubtful);
}

}  // namespace coppice::kernels
#endif
