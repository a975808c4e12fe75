// SPDX-License-Identifier: BSD-3-Clause
// Merges of clusters without correlations: B is a diagonal, and its log determinant a sum of logarithms. They are taken
// eight factors at a time: one logarithm of a product in the place of eight. Each term is positive, so nothing cancels,
// however far a pair is from m0.

#include "coppice/kernels/merge_axes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/merge_axes.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include "kernels/merge_parts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

using Vec = MergeVec;

// alpha d^2 + beta v^2 in one column
HWY_INLINE Vec Spread(const MergedWeights& weights, Vec x_a, Vec x_b, Vec m0) {
  const Vec d = hn::Sub(x_b, x_a);
  const Vec v = weights.Mean(x_a, x_b, m0);
  return hn::MulAdd(hn::Mul(weights.alpha, d), d, hn::Mul(hn::Mul(weights.beta, v), v));
}

class AxisMerging {
 public:
  AxisMerging(const AxisMergePrior& prior, const ClusterArrays& clusters, std::uint32_t one)
      : prior_(prior), clusters_(clusters), one_(one) {}

  HWY_INLINE MergedWeights Weights(const Candidates& others) const {
    return {One(0), others.Of(clusters_.entry(0)), prior_.xi0};
  }
  HWY_INLINE Vec SpreadOf(const Candidates& others, const MergedWeights& weights, std::size_t column) const {
    return Spread(weights, One(1 + column), others.Of(clusters_.entry(1 + column)),
                  hn::Set(MergeTag(), prior_.m0[column]));
  }
  HWY_INLINE Vec Scatter(const Candidates& others, std::size_t i) const {
    const std::size_t entry = 1 + prior_.m0.size() + i;
    return hn::Add(hn::Set(MergeTag(), prior_.b0[i]), hn::Add(One(entry), others.Of(clusters_.entry(entry))));
  }

 private:
  HWY_INLINE Vec One(std::size_t entry) const { return hn::Set(MergeTag(), clusters_.at(entry, one_)); }

  const AxisMergePrior& prior_;
  const ClusterArrays& clusters_;
  std::uint32_t one_;
};

void AxisLogDets(const AxisMergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
                 std::span<const std::uint32_t> others, double* out) {
  const MergeTag tag;
  const AxisMerging merging(prior, clusters, one);
  const std::size_t n = prior.m0.size();
  ForCandidates(others, out, [&](const Candidates& some) HWY_ATTR {
    // LogInRange answers NaN where eight factors leave its range, and the caller takes such pairs the careful way.
    constexpr std::size_t factors = 8;  // of one logarithm
    const MergedWeights weights = merging.Weights(some);
    Vec log_det = hn::Zero(tag);
    for (std::size_t first = 0; first < n; first += factors) {
      Vec product = hn::Set(tag, 1.0);
      for (std::size_t column = first; column < std::min(n, first + factors); ++column) {
        product = hn::Mul(product, hn::Add(merging.Scatter(some, column), merging.SpreadOf(some, weights, column)));
      }
      log_det = hn::Add(log_det, LogInRange(product));
    }
    return log_det;
  });
}

void RoundLogs(const AxisMergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
               std::span<const std::uint32_t> others, double* out) {
  const AxisMerging merging(prior, clusters, one);
  const std::size_t n = prior.m0.size();
  ForCandidates(others, out, [&](const Candidates& some) HWY_ATTR {
    const MergedWeights weights = merging.Weights(some);
    Vec b = merging.Scatter(some, 0);
    for (std::size_t column = 0; column < n; ++column) b = hn::Add(b, merging.SpreadOf(some, weights, column));
    return LogInRange(b);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(AxisLogDets);
HWY_EXPORT(RoundLogs);

void merged_axis_log_dets(const AxisMergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
                          std::span<const std::uint32_t> others, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(AxisLogDets)(prior, clusters, one, others, out);
}

void merged_round_logs(const AxisMergePrior& prior, const ClusterArrays& clusters, std::uint32_t one,
                       std::span<const std::uint32_t> others, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(RoundLogs)(prior, clusters, one, others, out);
}

}  // namespace coppice::kernels
#endif
