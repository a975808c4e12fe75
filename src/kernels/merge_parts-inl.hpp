// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of merged clusters share; included once for every instruction set.
//
// Legend: n = weight; xi0, m0 = pseudo-count and place of the prior's mean; a is one cluster, b another, and merged
//
//   n = n_a + n_b,   v = (n_a x_a + n_b x_b) / n - m0,   d = x_b - x_a,
//   B = B0 + S_a + S_b + alpha d d' + beta v v',   alpha = n_a n_b / n,   beta = n xi0 / (n + xi0)
//
// Everything here is the same to the last bit if a and b change places: sums of products over both clusters are not
// fused (CMakeLists.txt), and d changes its sign alone.
#if defined(COPPICE_KERNELS_MERGE_PARTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COPPICE_KERNELS_MERGE_PARTS_INL
#undef COPPICE_KERNELS_MERGE_PARTS_INL
#else
#define COPPICE_KERNELS_MERGE_PARTS_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using MergeTag = hn::CappedTag<double, 8>;
using MergeVec = hn::Vec<MergeTag>;

// values[places[0]], values[places[1]], ... Loads and shuffles are quicker than the gathers of many machines.
template <class Tag>
HWY_INLINE hn::Vec<Tag> Collect(Tag d, const double* HWY_RESTRICT values, const std::uint32_t* HWY_RESTRICT places) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, values[places[0]]);
#else
  if constexpr (hn::MaxLanes(Tag()) <= 2) {
    return hn::InterleaveLower(d, hn::Set(d, values[places[0]]), hn::Set(d, values[places[1]]));
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(d, Collect(half, values, places + hn::MaxLanes(half)), Collect(half, values, places));
  }
#endif
}

// As many clusters as fill a vector, to be taken out of arrays over all clusters.
class Candidates {
 public:
  HWY_INLINE explicit Candidates(const std::uint32_t* HWY_RESTRICT clusters) : clusters_(clusters) {
    are_neighbours_ = true;
    for (std::uint32_t i = 1; i < hn::Lanes(MergeTag()); ++i) are_neighbours_ &= clusters[i] == clusters[0] + i;
  }
  HWY_INLINE MergeVec Of(const double* HWY_RESTRICT values) const {
    const MergeTag d;
    return are_neighbours_ ? hn::LoadU(d, values + clusters_[0]) : Collect(d, values, clusters_);
  }

 private:
  const std::uint32_t* clusters_;
  bool are_neighbours_;
};

// What merging makes of the weights.
struct MergedWeights {
  HWY_INLINE MergedWeights(MergeVec n_a, MergeVec n_b, double pseudo_count) : a(n_a), b(n_b) {
    const MergeTag d;
    const MergeVec xi0 = hn::Set(d, pseudo_count);
    const MergeVec n = hn::Add(a, b);
    const MergeVec xi = hn::Add(n, xi0);
    // A pair without weight divides by zero and ends as NaN, as the headers promise.
    const MergeVec inverse = hn::Div(hn::Set(d, 1.0), hn::Mul(n, xi));  // a single division for both
    share = hn::Mul(xi, inverse);
    alpha = hn::Mul(hn::Mul(a, b), share);
    beta = hn::Mul(hn::Mul(n, xi0), hn::Mul(n, inverse));
  }
  // v, in one column
  HWY_INLINE MergeVec Mean(MergeVec x_a, MergeVec x_b, MergeVec m0) const {
    return hn::MulSub(hn::Add(hn::Mul(a, x_a), hn::Mul(b, x_b)), share, m0);
  }

  MergeVec a;
  MergeVec b;
  MergeVec share;  // 1 / n
  MergeVec alpha;
  MergeVec beta;
};

// NaN where numbers have left the range in which the logarithm can be trusted.
HWY_INLINE MergeVec LogInRange(MergeVec x) {
  const MergeTag d;
  // Far inside what a double holds: a sum or product of a few more terms must not slip out of range unseen.
  const auto is_safe = hn::And(hn::Gt(x, hn::Set(d, 1e-290)), hn::Lt(x, hn::Set(d, 1e290)));
  return hn::IfThenElse(is_safe, hn::Log(d, x), hn::Set(d, std::numeric_limits<double>::quiet_NaN()));
}

// out[i] = function(clusters[i]) for as many at a time as fill a vector. At the end the last cluster fills up.
template <class Function>
HWY_INLINE void ForCandidates(std::span<const std::uint32_t> clusters, double* HWY_RESTRICT out,
                              const Function& function) {
  const MergeTag d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= clusters.size(); i += lanes) {
    hn::StoreU(function(Candidates(clusters.data() + i)), d, out + i);
  }
  if (i == clusters.size()) return;
  std::uint32_t last[8];
  double results[8];
  std::fill(last, last + 8, clusters.back());
  std::copy(clusters.begin() + static_cast<std::ptrdiff_t>(i), clusters.end(), last);
  hn::StoreU(function(Candidates(last)), d, results);
  std::copy(results, results + (clusters.size() - i), out + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#endif
