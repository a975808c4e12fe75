// SPDX-License-Identifier: BSD-3-Clause
#include "peak.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "peak.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace coppice::bench {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Twelve independent chains hide the latency of a multiply-add; the sum keeps the compiler from dropping them.
double Chains(std::size_t n_rounds, double& n_multiply_adds) {
  const hn::CappedTag<double, 8> d;
  using Vec = hn::Vec<decltype(d)>;
  Vec chain[12];
  for (std::size_t i = 0; i < 12; ++i) chain[i] = hn::Set(d, 1.0 + static_cast<double>(i));
  const Vec factor = hn::Set(d, 0.999999);
  const Vec addend = hn::Set(d, 1e-9);
  for (std::size_t round = 0; round < n_rounds; ++round) {
    for (Vec& value : chain) value = hn::MulAdd(value, factor, addend);
  }
  Vec sum = chain[0];
  for (std::size_t i = 1; i < 12; ++i) sum = hn::Add(sum, chain[i]);
  n_multiply_adds = static_cast<double>(12 * n_rounds * hn::Lanes(d));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::bench {

HWY_EXPORT(Chains);

double peak_multiply_adds_per_second() {
  static const double peak = [] {
    double best = 0.0;
    volatile double sink = 0.0;
    for (int repetition = 0; repetition < 20; ++repetition) {
      double n_multiply_adds = 0.0;
      const auto start = std::chrono::steady_clock::now();
      sink = HWY_DYNAMIC_DISPATCH(Chains)(2'000'000, n_multiply_adds);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      best = std::max(best, n_multiply_adds / seconds);
    }
    (void)sink;
    return best;
  }();
  return peak;
}

}  // namespace coppice::bench
#endif
