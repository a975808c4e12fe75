// SPDX-License-Identifier: BSD-3-Clause
// Agglomeration asks for about N^2 pairs, and with up to three columns a pair is a few dozen operations: M is expanded
// (two columns) or factorized (three) in registers, with the lanes of a vector for as many pairs. The determinant lemma
// for two squares gives |M + alpha d d' + beta v v'| as a sum of terms none of which is negative, with the adjugate M*
// and, in three columns, the cross product,
//
//    |M| + alpha d'M*d + beta v'M*v + alpha beta (d x v)'M(d x v),
//
// so that v may be large (a pair far from m0) and no digit is lost.

#include "coppice/kernels/merge_few_columns.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/merge_few_columns.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <algorithm>

#include "kernels/merge_parts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

using Vec = MergeVec;

HWY_INLINE Vec Square(Vec x) { return hn::Mul(x, x); }

// Symmetric matrices: the lower triangle.
struct Pair {
  Vec x0, x1;
};
struct Matrix2 {
  Vec m00, m10, m11;
  HWY_INLINE Vec Form(const Pair& v) const {  // v' M v
    const Vec first = hn::MulAdd(m00, v.x0, hn::Mul(m10, v.x1));
    const Vec second = hn::MulAdd(m10, v.x0, hn::Mul(m11, v.x1));
    return hn::MulAdd(v.x0, first, hn::Mul(v.x1, second));
  }
};
struct Triple {
  Vec x0, x1, x2;
};
struct Matrix3 {
  Vec m00, m10, m11, m20, m21, m22;
};
// L of M = L D L', with ones on its diagonal, and D.
struct Factor3 {
  HWY_INLINE explicit Factor3(const Matrix3& m) : d0(m.m00) {
    l10 = hn::Div(m.m10, d0);
    l20 = hn::Div(m.m20, d0);
    d1 = hn::NegMulAdd(l10, m.m10, m.m11);
    const Vec left = hn::NegMulAdd(l10, m.m20, m.m21);
    l21 = hn::Div(left, d1);
    d2 = hn::NegMulAdd(l21, left, hn::NegMulAdd(l20, m.m20, m.m22));
  }
  HWY_INLINE Triple Solve(const Triple& v) const {
    const Vec z1 = hn::NegMulAdd(l10, v.x0, v.x1);
    return {v.x0, z1, hn::NegMulAdd(l21, z1, hn::NegMulAdd(l20, v.x0, v.x2))};
  }

  Vec d0, d1, d2;
  Vec l10, l20, l21;
};

// det(M + alpha d d' + beta v v') in terms none of which is negative: far from m0, where beta v v' outweighs the rest,
// nothing cancels.
HWY_INLINE Vec Determinant(const Matrix2& m, const Pair& d, const Pair& v, const MergedWeights& w) {
  const Matrix2 adjugate{m.m11, hn::Neg(m.m10), m.m00};
  const Vec cross = hn::MulSub(d.x0, v.x1, hn::Mul(d.x1, v.x0));
  const Vec of_m = hn::MulSub(m.m00, m.m11, Square(m.m10));
  const Vec of_d = hn::MulAdd(hn::Mul(w.beta, cross), cross, adjugate.Form(d));
  return hn::MulAdd(w.alpha, of_d, hn::MulAdd(w.beta, adjugate.Form(v), of_m));
}
HWY_INLINE Vec Cross(Vec a0, Vec a1, Vec b0, Vec b1) { return hn::MulSub(a0, b1, hn::Mul(a1, b0)); }
// The same with L^-1 M L'^-1, a diagonal, in place of M: to expand M itself would cancel more than to factorize it.
HWY_INLINE Vec Determinant(const Matrix3& m, const Triple& between, const Triple& mean, const MergedWeights& w) {
  const Factor3 f(m);
  const Triple d = f.Solve(between);
  const Triple v = f.Solve(mean);
  const Triple pairs{hn::Mul(f.d1, f.d2), hn::Mul(f.d0, f.d2), hn::Mul(f.d0, f.d1)};
  const auto form = [](const Triple& weights, const Triple& x) HWY_ATTR {
    return hn::MulAdd(weights.x0, Square(x.x0),
                      hn::MulAdd(weights.x1, Square(x.x1), hn::Mul(weights.x2, Square(x.x2))));
  };
  const Triple cross{Cross(d.x1, d.x2, v.x1, v.x2), Cross(d.x0, d.x2, v.x0, v.x2), Cross(d.x0, d.x1, v.x0, v.x1)};
  const Vec of_d = hn::MulAdd(w.beta, form({f.d0, f.d1, f.d2}, cross), form(pairs, d));
  return hn::MulAdd(w.alpha, of_d, hn::MulAdd(w.beta, form(pairs, v), hn::Mul(f.d0, pairs.x0)));
}

// One against many. Where the numbers stand is worked out once.
class Merging {
 public:
  Merging(const MergePrior& prior, const ClusterArrays& clusters, std::uint32_t one)
      : xi0_(prior.xi0), n_columns_(prior.m0.size()) {
    const std::size_t n_entries = 1 + n_columns_ + prior.b0.size();
    for (std::size_t i = 0; i < n_entries; ++i) {
      entries_[i] = clusters.entry(i);
      one_[i] = clusters.at(i, one);
    }
    std::copy(prior.m0.begin(), prior.m0.end(), m0_);
    std::copy(prior.b0.begin(), prior.b0.end(), b0_);
  }

  HWY_INLINE MergedWeights Weights(const Candidates& others) const { return {One(0), others.Of(entries_[0]), xi0_}; }
  HWY_INLINE void Means(const Candidates& others, const MergedWeights& weights, std::size_t column, Vec& d,
                        Vec& v) const {
    const Vec x_a = One(1 + column);
    const Vec x_b = others.Of(entries_[1 + column]);
    d = hn::Sub(x_b, x_a);
    v = weights.Mean(x_a, x_b, hn::Set(MergeTag(), m0_[column]));
  }
  HWY_INLINE Vec Scatter(const Candidates& others, std::size_t i) const {
    const std::size_t entry = 1 + n_columns_ + i;
    return hn::Add(hn::Set(MergeTag(), b0_[i]), hn::Add(One(entry), others.Of(entries_[entry])));
  }

 private:
  static constexpr std::size_t most_entries = 10;
  HWY_INLINE Vec One(std::size_t entry) const { return hn::Set(MergeTag(), one_[entry]); }

  double xi0_;
  std::size_t n_columns_;
  // 1 weight, 3 means and 6 entries of a triangle.
  const double* entries_[most_entries];
  double one_[most_entries];
  double m0_[most_columns_to_expand];
  double b0_[6];
};

HWY_INLINE Vec LogDet1(const Merging& merging, const Candidates& others) {
  const MergedWeights weights = merging.Weights(others);
  Vec d, v;
  merging.Means(others, weights, 0, d, v);
  const Vec of_v = hn::Mul(weights.beta, Square(v));
  return LogInRange(hn::Add(hn::MulAdd(weights.alpha, Square(d), of_v), merging.Scatter(others, 0)));
}
HWY_INLINE Vec LogDet2(const Merging& merging, const Candidates& others) {
  const MergedWeights weights = merging.Weights(others);
  Pair d, v;
  merging.Means(others, weights, 0, d.x0, v.x0);
  merging.Means(others, weights, 1, d.x1, v.x1);
  const Matrix2 m{merging.Scatter(others, 0), merging.Scatter(others, 1), merging.Scatter(others, 2)};
  return LogInRange(Determinant(m, d, v, weights));
}
HWY_INLINE Vec LogDet3(const Merging& merging, const Candidates& others) {
  const MergedWeights weights = merging.Weights(others);
  Triple d, v;
  merging.Means(others, weights, 0, d.x0, v.x0);
  merging.Means(others, weights, 1, d.x1, v.x1);
  merging.Means(others, weights, 2, d.x2, v.x2);
  const Matrix3 m{merging.Scatter(others, 0), merging.Scatter(others, 1), merging.Scatter(others, 2),
                  merging.Scatter(others, 3), merging.Scatter(others, 4), merging.Scatter(others, 5)};
  return LogInRange(Determinant(m, d, v, weights));
}

void LogDets(const MergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
             std::span<const std::uint32_t> others, double* out) {
  const Merging merging(prior, clusters, one);
  switch (prior.m0.size()) {
    case 1:
      return ForCandidates(others, out, [&](const Candidates& some) HWY_ATTR { return LogDet1(merging, some); });
    case 2:
      return ForCandidates(others, out, [&](const Candidates& some) HWY_ATTR { return LogDet2(merging, some); });
    default:
      return ForCandidates(others, out, [&](const Candidates& some) HWY_ATTR { return LogDet3(merging, some); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(LogDets);

void merged_log_dets(const MergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
                     std::span<const std::uint32_t> others, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(LogDets)(prior, clusters, one, others, out);
}

}  // namespace coppice::kernels
#endif
