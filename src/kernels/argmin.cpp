// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/argmin.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/argmin.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void Update(const double* costs, std::span<const double> offsets, std::size_t first, std::size_t n_rows,
            RowMinima& minima) {
  const hn::CappedTag<double, 8> d;
  for (std::size_t row = 0; row < n_rows; row += hn::Lanes(d)) {
    auto best = hn::LoadU(d, minima.best.data() + row);
    auto second = hn::LoadU(d, minima.second.data() + row);
    auto index = hn::LoadU(d, minima.index.data() + row);
    for (std::size_t cluster = 0; cluster < offsets.size(); ++cluster) {
      const auto cost =
          hn::Add(hn::LoadU(d, costs + cluster * panel_stride + row), hn::Set(d, offsets[cluster]));
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

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Update);

void RowMinima::reset() noexcept {
  std::ranges::fill(best, std::numeric_limits<double>::infinity());
  std::ranges::fill(second, std::numeric_limits<double>::infinity());
  std::ranges::fill(index, -1.0);
}

void update_minima(const double* costs, std::span<const double> offsets, std::size_t first, std::size_t n_rows,
                   RowMinima& minima) noexcept {
  HWY_DYNAMIC_DISPATCH(Update)(costs, offsets, first, n_rows, minima);
}

}  // namespace coppice::kernels
#endif
