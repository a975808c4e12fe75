// SPDX-License-Identifier: BSD-3-Clause
// Merges of clusters with scatter: factors of M for several pairs at a time, a pair to a lane.
#include "coppice/kernels/merge_many_columns.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/merge_factors.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include "kernels/merge_rank_two-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

using Vec = MergeVec;

// M = C C' with two more rows below, which become C^-1 d and C^-1 v: a vector for every entry of the triangle, row by
// row.
// Matrices are small here and pairs are many: one matrix to a lane keeps all lanes busy at any size, where vectors
// inside a matrix would be short. The price is memory, a vector for every entry of the triangle.
class LaneFactors {
 public:
  LaneFactors(std::size_t n, double* room) : n_(n), values_(room) {}

  HWY_INLINE double* Row(std::size_t i) const {
    const std::size_t before = i <= n_ ? i * (i + 1) / 2 : n_ * (n_ + 3) / 2;
    return values_ + before * hn::Lanes(MergeTag());
  }
  // Column by column: every entry less what the columns before it account for.
  HWY_INLINE Vec Factorize() const {
    const MergeTag tag;
    Vec log_det = hn::Zero(tag);
    Vec product = hn::Set(tag, 1.0);
    for (std::size_t j = 0; j < n_; ++j) {
      std::size_t i = j;
      // The two rows below go through the same elimination, which solves C y = d and C y = v on the way, at no extra
      // pass.
      for (; i + 4 <= n_ + 2; i += 4) SubtractFour(i, j);
      for (; i < n_ + 2; ++i) SubtractOne(i, j);
      const Vec pivot = hn::LoadU(tag, At(Row(j), j));
      // A pivot that is not positive leaves NaN, which goes on into the result; the caller takes that pair the careful
      // way.
      const Vec inverse = hn::Div(hn::Set(tag, 1.0), hn::Sqrt(pivot));
      for (i = j + 1; i < n_ + 2; ++i) {
        double* entry = At(Row(i), j);
        hn::StoreU(hn::Mul(hn::LoadU(tag, entry), inverse), tag, entry);
      }
      // Logarithms of products of four: B0 has a unit diagonal, which keeps pivots from being tiny.
      product = hn::Mul(product, pivot);
      if (j % 4 != 3 && j + 1 < n_) continue;
      log_det = hn::Add(log_det, LogInRange(product));
      product = hn::Set(tag, 1.0);
    }
    return log_det;
  }

 private:
  HWY_INLINE static double* At(double* row, std::size_t column) { return row + column * hn::Lanes(MergeTag()); }

  HWY_INLINE void SubtractOne(std::size_t i, std::size_t j) const {
    const MergeTag tag;
    double* row = Row(i);
    const double* pivot_row = Row(j);
    Vec sum = hn::LoadU(tag, At(row, j));
    for (std::size_t k = 0; k < j * hn::Lanes(tag); k += hn::Lanes(tag)) {
      sum = hn::NegMulAdd(hn::LoadU(tag, row + k), hn::LoadU(tag, pivot_row + k), sum);
    }
    hn::StoreU(sum, tag, At(row, j));
  }
  HWY_INLINE void SubtractFour(std::size_t i, std::size_t j) const {
    const MergeTag tag;
    const double* pivot_row = Row(j);
    double* row0 = Row(i);
    double* row1 = Row(i + 1);
    double* row2 = Row(i + 2);
    double* row3 = Row(i + 3);
    Vec sum0 = hn::LoadU(tag, At(row0, j));
    Vec sum1 = hn::LoadU(tag, At(row1, j));
    Vec sum2 = hn::LoadU(tag, At(row2, j));
    Vec sum3 = hn::LoadU(tag, At(row3, j));
    for (std::size_t k = 0; k < j * hn::Lanes(tag); k += hn::Lanes(tag)) {
      const Vec factor = hn::LoadU(tag, pivot_row + k);
      sum0 = hn::NegMulAdd(hn::LoadU(tag, row0 + k), factor, sum0);
      sum1 = hn::NegMulAdd(hn::LoadU(tag, row1 + k), factor, sum1);
      sum2 = hn::NegMulAdd(hn::LoadU(tag, row2 + k), factor, sum2);
      sum3 = hn::NegMulAdd(hn::LoadU(tag, row3 + k), factor, sum3);
    }
    hn::StoreU(sum0, tag, At(row0, j));
    hn::StoreU(sum1, tag, At(row1, j));
    hn::StoreU(sum2, tag, At(row2, j));
    hn::StoreU(sum3, tag, At(row3, j));
  }
  std::size_t n_;
  double* values_;
};

// Puts M, d and v of the pairs (one, others[lane]) in their places; returns their weights.
HWY_INLINE MergedWeights Fill(const MergePrior& prior, const MergeCluster& one, const MergeCluster* const* others,
                              const LaneFactors& to) {
  const MergeTag tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t n = one.mean.size();
  double* HWY_RESTRICT scatter = to.Row(0);
  double* HWY_RESTRICT d = to.Row(n);
  double* HWY_RESTRICT v = to.Row(n + 1);
  double weights[8];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const MergeCluster& other = *others[lane];
    weights[lane] = other.weight;
    for (std::size_t e = 0; e < other.scatter.size(); ++e) scatter[e * lanes + lane] = other.scatter[e];
    for (std::size_t i = 0; i < n; ++i) d[i * lanes + lane] = other.mean[i];
  }
  for (std::size_t e = 0; e < one.scatter.size(); ++e) {
    const Vec sum = hn::Add(hn::Set(tag, one.scatter[e]), hn::LoadU(tag, scatter + e * lanes));
    // The two scatters first, and B0 to their sum: swapped clusters give the same bits.
    hn::StoreU(hn::Add(hn::Set(tag, prior.b0[e]), sum), tag, scatter + e * lanes);
  }
  const MergedWeights merged(hn::Set(tag, one.weight), hn::LoadU(tag, weights), prior.xi0);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec x_a = hn::Set(tag, one.mean[i]);
    const Vec x_b = hn::LoadU(tag, d + i * lanes);
    hn::StoreU(hn::Sub(x_b, x_a), tag, d + i * lanes);
    hn::StoreU(merged.Mean(x_a, x_b, hn::Set(tag, prior.m0[i])), tag, v + i * lanes);
  }
  return merged;
}

HWY_INLINE Vec LogDetOfLanes(const MergePrior& prior, const MergeCluster& one, const MergeCluster* const* others,
                             double* room) {
  const MergeTag tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t n = one.mean.size();
  const LaneFactors factors(n, room);
  const MergedWeights merged = Fill(prior, one, others, factors);
  const Vec log_det = factors.Factorize();
  const double* HWY_RESTRICT d = factors.Row(n);
  const double* HWY_RESTRICT v = factors.Row(n + 1);
  RankTwoSums<Vec> sums;
  sums.Clear();
  for (std::size_t i = 0; i < n; ++i) sums.Take(hn::LoadU(tag, d + i * lanes), hn::LoadU(tag, v + i * lanes));
  const Vec ratio = sums.Ratio();
  Vec rr = hn::Zero(tag);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec r = hn::NegMulAdd(ratio, hn::LoadU(tag, d + i * lanes), hn::LoadU(tag, v + i * lanes));
    rr = hn::MulAdd(r, r, rr);
  }
  return hn::Add(log_det, LogOfRankTwo(merged, sums.dd, sums.vv, rr));
}

void LogDetsOfClusters(const MergePrior& prior, const MergeCluster& one, std::span<const MergeCluster* const> others,
                       double* room, double* out) {
  const MergeTag tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t i = 0; i < others.size(); i += lanes) {
    const std::size_t count = std::min(lanes, others.size() - i);
    const MergeCluster* some[8];  // the last one fills up
    double results[8];
    for (std::size_t lane = 0; lane < lanes; ++lane) some[lane] = others[i + std::min(lane, count - 1)];
    hn::StoreU(LogDetOfLanes(prior, one, some, room), tag, results);
    std::copy(results, results + count, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(LogDetsOfClusters);

void merged_log_dets_of_clusters(const MergePrior& prior, const MergeCluster& one,
                                 std::span<const MergeCluster* const> others, double* out) {
  constexpr std::size_t most_lanes = 8;
  const std::size_t n = one.mean.size();
  thread_local AlignedVector<double> room;
  room.resize(most_lanes * (one.scatter.size() + 2 * n));
  HWY_DYNAMIC_DISPATCH(LogDetsOfClusters)(prior, one, others, room.data(), out);
}

}  // namespace coppice::kernels
#endif
