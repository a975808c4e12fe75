// SPDX-License-Identifier: BSD-3-Clause
// The softmax of every row over the clusters, and its log-sum-exp. The row's maximum is subtracted first, so that no
// exponential overflows, and the sum is at least 1 wherever a row has a density at all. Rows are the lanes, clusters
// the outer loop; three passes over the panel, which stays in the cache: maximum, exponentials with their sum, division
// with the clusters' sums.

#include "coppice/kernels/shares.hpp"

#include "coppice/kernels/weighted_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/shares.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// exp(x) for -42 <= x <= 0, to within 2e-15 of itself, and exp(0) = 1. With x / log 2 = k + f, |f| <= 1/2: 2^k times
// the polynomial of degree 11 that equals 1 at f = 0 and 2^f at the eleven Chebyshev points; its error is below 2e-17
// of 2^f, coefficients rounded.
HWY_INLINE Vec ExpOfGap(Vec x) {
  const Tag d;
  const hn::RebindToSigned<Tag> integers;
  const auto c = [d](double value) HWY_ATTR { return hn::Set(d, value); };
  const Vec log2_e = c(0x1.71547652b82fep0);
  // Added and subtracted, it rounds to whole numbers, which then stand in the lowest bits of the sum.
  const Vec rounder = c(0x1.8p52);
  const Vec shifted = hn::MulAdd(x, log2_e, rounder);
  const Vec f = hn::MulSub(x, log2_e, hn::Sub(shifted, rounder));
  // In pairs, which do not wait for each other.
  const Vec f2 = hn::Mul(f, f);
  const Vec p01 = hn::MulAdd(f, c(0x1.62e42fefa39efp-1), c(1.0));
  const Vec p23 = hn::MulAdd(f, c(0x1.c6b08d704a0c2p-5), c(0x1.ebfbdff82c598p-3));
  const Vec p45 = hn::MulAdd(f, c(0x1.5d87fe78a5276p-10), c(0x1.3b2ab6fba1ddap-7));
  const Vec p67 = hn::MulAdd(f, c(0x1.ffcbfc670dcd4p-17), c(0x1.430913096fd9fp-13));
  const Vec p89 = hn::MulAdd(f, c(0x1.b524fae627834p-24), c(0x1.62bfd47773353p-20));
  const Vec p1011 = hn::MulAdd(f, c(0x1.e9d3fe3952179p-32), c(0x1.e6063f7217bc6p-28));
  const Vec p8 = hn::MulAdd(f2, p1011, p89);
  const Vec p6 = hn::MulAdd(f2, p8, p67);
  const Vec p4 = hn::MulAdd(f2, p6, p45);
  const Vec p2 = hn::MulAdd(f2, p4, p23);
  const Vec polynomial = hn::MulAdd(f2, p2, p01);
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(integers, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(integers, polynomial), exponent));
}

// exp(gap) where that counts.
HWY_INLINE Vec ShareOfGap(Vec gap) {
  const Tag d;
  const auto counts = hn::Ge(gap, hn::Set(d, -widest_gap));
  // The rule where clusters lie apart: no exponential is needed.
  return hn::AllFalse(d, counts) ? hn::Zero(d) : hn::IfThenElseZero(counts, ExpOfGap(gap));
}

// What becomes of a vector of rows.
struct RowSums {
  Vec greatest;  // of log weight + log density
  Vec sum;       // of exp(that - greatest)

  // log sum exp(log weight + log density), times the weight of the row.
  // 0 times minus infinity is not a number: a row of weight 0 must not spoil the sum.
  HWY_INLINE Vec LogLikelihood(Vec weight) const {
    const Tag d;
    const Vec log_sum = hn::Add(hn::Log(d, sum), greatest);
    return hn::IfThenElseZero(hn::Gt(weight, hn::Zero(d)), hn::Mul(weight, log_sum));
  }
  // A row of weight 0, or one without a density anywhere, takes part in nothing: 0, and not 0 / 0.
  HWY_INLINE Vec Factor(Vec weight) const {
    const Tag d;
    const Vec zero = hn::Zero(d);
    return hn::IfThenElseZero(hn::And(hn::Gt(weight, zero), hn::Gt(sum, zero)), hn::Div(weight, sum));
  }
};

// Two vectors of rows, which fill a line of the cache, through all clusters: exp(log weight + log density - greatest)
// in place.
HWY_INLINE void Exponentials(double* HWY_RESTRICT column, std::span<const double> log_weights, RowSums& a, RowSums& b) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  a.greatest = b.greatest = hn::Set(d, -std::numeric_limits<double>::infinity());
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    const double* at = column + c * panel_stride;
    const Vec log_weight = hn::Set(d, log_weights[c]);
    a.greatest = hn::Max(a.greatest, hn::Add(hn::LoadU(d, at), log_weight));
    b.greatest = hn::Max(b.greatest, hn::Add(hn::LoadU(d, at + lanes), log_weight));
  }
  a.sum = b.sum = hn::Zero(d);
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    double* at = column + c * panel_stride;
    const Vec log_weight = hn::Set(d, log_weights[c]);
    const Vec share_a = ShareOfGap(hn::Sub(hn::Add(hn::LoadU(d, at), log_weight), a.greatest));
    const Vec share_b = ShareOfGap(hn::Sub(hn::Add(hn::LoadU(d, at + lanes), log_weight), b.greatest));
    a.sum = hn::Add(a.sum, share_a);
    b.sum = hn::Add(b.sum, share_b);
    hn::StoreU(share_a, d, at);
    hn::StoreU(share_b, d, at + lanes);
  }
}

// Exponentials of all rows, and what every row's have to be multiplied by; returns the log likelihood. Reads and writes
// up to two vectors behind the last row.
HWY_INLINE double TakeExponentials(double* HWY_RESTRICT values, std::span<const double> log_weights, std::size_t n_rows,
                                   const double* HWY_RESTRICT weights, double* HWY_RESTRICT factors) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec log_likelihood = hn::Zero(d);
  for (std::size_t row = 0; row < n_rows; row += 2 * lanes) {
    RowSums a;
    RowSums b;
    Exponentials(values + row, log_weights, a, b);
    const Vec weight_a = hn::LoadU(d, weights + row);
    const Vec weight_b = hn::LoadU(d, weights + row + lanes);
    log_likelihood = hn::Add(log_likelihood, hn::Add(a.LogLikelihood(weight_a), b.LogLikelihood(weight_b)));
    hn::StoreU(a.Factor(weight_a), d, factors + row);
    hn::StoreU(b.Factor(weight_b), d, factors + row + lanes);
  }
  return hn::GetLane(hn::SumOfLanes(d, log_likelihood));
}

void LogSums(const double* HWY_RESTRICT values, std::span<const double> log_weights, std::size_t n_rows,
             double* HWY_RESTRICT out) {
  const Tag d;
  for (std::size_t row = 0; row < n_rows; row += hn::Lanes(d)) {
    RowSums sums{hn::Set(d, -std::numeric_limits<double>::infinity()), hn::Zero(d)};
    for (std::size_t c = 0; c < log_weights.size(); ++c) {
      const Vec joint = hn::Add(hn::LoadU(d, values + c * panel_stride + row), hn::Set(d, log_weights[c]));
      sums.greatest = hn::Max(sums.greatest, joint);
    }
    for (std::size_t c = 0; c < log_weights.size(); ++c) {
      const Vec joint = hn::Add(hn::LoadU(d, values + c * panel_stride + row), hn::Set(d, log_weights[c]));
      sums.sum = hn::Add(sums.sum, ShareOfGap(hn::Sub(joint, sums.greatest)));
    }
    hn::StoreU(hn::Add(hn::Log(d, sums.sum), sums.greatest), d, out + row);
  }
}

// Shares of one cluster, summed up.
struct ClusterSums {
  Vec weight;
  Vec count;

  HWY_INLINE void Clear() { weight = count = hn::Zero(Tag()); }
  HWY_INLINE void Take(double* HWY_RESTRICT values, const double* HWY_RESTRICT factors) {
    const Tag d;
    const Vec share = hn::Mul(hn::LoadU(d, values), hn::LoadU(d, factors));
    hn::StoreU(share, d, values);
    weight = hn::Add(weight, share);
    count = hn::Add(count, hn::IfThenElseZero(hn::Gt(share, hn::Zero(d)), hn::Set(d, 1.0)));
  }
};

// Two vectors at a time, whose sums do not wait for each other.
void Normalize(double* HWY_RESTRICT values, std::size_t n_rows, const double* HWY_RESTRICT factors, double& weight,
               std::uint32_t& count) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  ClusterSums a;
  ClusterSums b;
  a.Clear();
  b.Clear();
  for (std::size_t row = 0; row < n_rows; row += 2 * lanes) {
    a.Take(values + row, factors + row);
    b.Take(values + row + lanes, factors + row + lanes);
  }
  weight = hn::GetLane(hn::SumOfLanes(d, hn::Add(a.weight, b.weight)));
  count = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d, hn::Add(a.count, b.count))));
}

double Shares(double* HWY_RESTRICT values, std::span<const double> log_weights, std::size_t n_rows,
              const double* HWY_RESTRICT weights, const ShareSums& sums) {
  HWY_ALIGN double factors[panel_rows];
  const double log_likelihood = TakeExponentials(values, log_weights, n_rows, weights, factors);
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    Normalize(values + c * panel_stride, n_rows, factors, sums.weights[c], sums.n_rows[c]);
  }
  return log_likelihood;
}

std::size_t ListPositive(const double* HWY_RESTRICT shares, std::size_t n_rows, std::uint32_t* HWY_RESTRICT rows) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t n = 0;
  for (std::size_t row = 0; row < n_rows; row += lanes) {
    const auto is_positive = hn::Gt(hn::LoadU(d, shares + row), hn::Zero(d));
    if (hn::AllFalse(d, is_positive)) continue;
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, is_positive, bits);
    for (std::size_t i = 0; i < lanes; ++i) {
      if ((bits[0] >> i & 1) != 0) rows[n++] = static_cast<std::uint32_t>(row + i);
    }
  }
  return n;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Shares);
HWY_EXPORT(LogSums);
HWY_EXPORT(ListPositive);

double take_shares(double* values, std::span<const double> log_weights, std::size_t n_rows,
                   std::span<const double> weights, const ShareSums& sums) noexcept {
  const PaddedWeights padded(weights, n_rows);
  const double total = HWY_DYNAMIC_DISPATCH(Shares)(values, log_weights, n_rows, padded.data(), sums);
  const std::size_t end = std::min(panel_rows, (n_rows + 15) / 16 * 16);
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    std::fill(values + c * panel_stride + n_rows, values + c * panel_stride + end, 0.0);
  }
  return total;
}

void log_sums(const double* values, std::span<const double> log_weights, std::size_t n_rows, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(LogSums)(values, log_weights, n_rows, out);
}

std::size_t list_positive(const double* shares, std::size_t n_rows, std::uint32_t* rows) noexcept {
  return HWY_DYNAMIC_DISPATCH(ListPositive)(shares, n_rows, rows);
}

}  // namespace coppice::kernels
#endif
