// SPDX-License-Identifier: BSD-3-Clause
// The determinant of an identity plus two squares; included once for every instruction set.
#if defined(COPPICE_KERNELS_MERGE_RANK_TWO_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COPPICE_KERNELS_MERGE_RANK_TWO_INL
#undef COPPICE_KERNELS_MERGE_RANK_TWO_INL
#else
#define COPPICE_KERNELS_MERGE_RANK_TWO_INL
#endif

#include "kernels/merge_parts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

// Sums over the columns of d^2, v^2 and d v. With r = v - (d v / d^2) d, what v has beside d,
//
//   |I + alpha d d' + beta v v'| = 1 + alpha d^2 + beta v^2 + alpha d^2 beta r^2,
//
// which does not cancel, as the product of both less the square of d v would.
template <class V>
struct RankTwoSums {
  V dd, vv, dv;

  HWY_INLINE void Clear() { dd = vv = dv = hn::Zero(hn::DFromV<V>()); }
  HWY_INLINE void Take(V d, V v) {
    dd = hn::MulAdd(d, d, dd);
    vv = hn::MulAdd(v, v, vv);
    dv = hn::MulAdd(d, v, dv);
  }
  // Two rows in one place have d = 0, and then v is all beside d: the ratio 0 says so, without 0 / 0.
  HWY_INLINE V Ratio() const {
    const hn::DFromV<V> tag;
    return hn::IfThenElseZero(hn::Gt(dd, hn::Zero(tag)), hn::Div(dv, dd));
  }
};

HWY_INLINE MergeVec LogOfRankTwo(const MergedWeights& weights, MergeVec dd, MergeVec vv, MergeVec rr) {
  const MergeVec of_d = hn::Mul(weights.alpha, dd);
  const MergeVec of_r = hn::Mul(weights.beta, rr);
  const MergeVec one = hn::Set(MergeTag(), 1.0);
  return LogInRange(hn::MulAdd(of_d, of_r, hn::Add(one, hn::MulAdd(weights.beta, vv, of_d))));
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#endif
