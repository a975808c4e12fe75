// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/dot_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dot_products.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;

// V vectors at a time: every load of x serves all of them, and their sums do not wait for each other.
template <std::size_t V>
HWY_INLINE void Products(const double* HWY_RESTRICT x, std::size_t n, const double* HWY_RESTRICT vectors,
                         double* HWY_RESTRICT out) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Tag> sums[V];
  for (std::size_t v = 0; v < V; ++v) sums[v] = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto value = hn::LoadU(d, x + i);
    for (std::size_t v = 0; v < V; ++v) sums[v] = hn::MulAdd(value, hn::LoadU(d, vectors + v * n + i), sums[v]);
  }
  for (std::size_t v = 0; v < V; ++v) {
    out[v] = hn::GetLane(hn::SumOfLanes(d, sums[v]));
    for (std::size_t j = i; j < n; ++j) out[v] += x[j] * vectors[v * n + j];
  }
}

void DotProducts(const double* HWY_RESTRICT x, std::size_t n, const double* HWY_RESTRICT vectors, std::size_t n_vectors,
                 double* HWY_RESTRICT out) {
  std::size_t v = 0;
  for (; v + 4 <= n_vectors; v += 4) Products<4>(x, n, vectors + v * n, out + v);
  for (; v < n_vectors; ++v) Products<1>(x, n, vectors + v * n, out + v);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(DotProducts);

void dot_products(const double* x, std::size_t n, const double* vectors, std::size_t n_vectors, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(DotProducts)(x, n, vectors, n_vectors, out);
}

}  // namespace coppice::kernels
#endif
