// SPDX-License-Identifier: BSD-3-Clause
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

// exp(x) for -42 <= x <= 0, to within 1.5 units in the last place. With x = k log 2 + r, |r| <= log(2) / 2: the Taylor
// polynomial of degree 13 in r, whose rest is below 1e-17, times 2^k.
HWY_INLINE Vec ExpOfGap(Vec x) {
  const Tag d;
  const hn::RebindToSigned<Tag> integers;
  // Added and subtracted, it rounds to whole numbers, which then stand in the lowest bits of the sum.
  const Vec rounder = hn::Set(d, 0x1.8p52);
  const Vec shifted = hn::MulAdd(x, hn::Set(d, 0x1.71547652b82fep0), rounder);
  const Vec k = hn::Sub(shifted, rounder);
  const Vec r =
      hn::NegMulAdd(k, hn::Set(d, 0x1.abc9e3b39803fp-56), hn::NegMulAdd(k, hn::Set(d, 0x1.62e42fefa39efp-1), x));
  const auto c = [d](double value) HWY_ATTR { return hn::Set(d, value); };
  // Estrin's scheme: short chains of operations.
  const Vec r2 = hn::Mul(r, r);
  const Vec r4 = hn::Mul(r2, r2);
  const Vec r8 = hn::Mul(r4, r4);
  const Vec p01 = hn::Add(r, c(1.0));
  const Vec p23 = hn::MulAdd(r, c(1.0 / 6.0), c(0.5));
  const Vec p45 = hn::MulAdd(r, c(1.0 / 120.0), c(1.0 / 24.0));
  const Vec p67 = hn::MulAdd(r, c(1.0 / 5040.0), c(1.0 / 720.0));
  const Vec p89 = hn::MulAdd(r, c(1.0 / 362880.0), c(1.0 / 40320.0));
  const Vec p1011 = hn::MulAdd(r, c(1.0 / 39916800.0), c(1.0 / 3628800.0));
  const Vec p1213 = hn::MulAdd(r, c(1.0 / 6227020800.0), c(1.0 / 479001600.0));
  const Vec p03 = hn::MulAdd(r2, p23, p01);
  const Vec p47 = hn::MulAdd(r2, p67, p45);
  const Vec p811 = hn::MulAdd(r2, p1011, p89);
  const Vec low = hn::MulAdd(r4, p47, p03);
  const Vec high = hn::MulAdd(r4, p1213, p811);
  const Vec polynomial = hn::MulAdd(r8, high, low);
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
  HWY_INLINE Vec LogLikelihood(Vec weight) const {
    const Tag d;
    const Vec log_sum = hn::Add(hn::Log(d, sum), greatest);
    return hn::IfThenElseZero(hn::Gt(weight, hn::Zero(d)), hn::Mul(weight, log_sum));
  }
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

// Reads and writes up to two vectors behind the last row.
double Shares(double* HWY_RESTRICT values, std::span<const double> log_weights, std::size_t n_rows,
              const double* HWY_RESTRICT weights) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec total = hn::Zero(d);
  for (std::size_t row = 0; row < n_rows; row += 2 * lanes) {
    RowSums a;
    RowSums b;
    Exponentials(values + row, log_weights, a, b);
    const Vec weight_a = hn::LoadU(d, weights + row);
    const Vec weight_b = hn::LoadU(d, weights + row + lanes);
    total = hn::Add(total, hn::Add(a.LogLikelihood(weight_a), b.LogLikelihood(weight_b)));
    const Vec factor_a = a.Factor(weight_a);
    const Vec factor_b = b.Factor(weight_b);
    for (std::size_t c = 0; c < log_weights.size(); ++c) {
      double* at = values + c * panel_stride + row;
      hn::StoreU(hn::Mul(hn::LoadU(d, at), factor_a), d, at);
      hn::StoreU(hn::Mul(hn::LoadU(d, at + lanes), factor_b), d, at + lanes);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, total));
}

void SumUp(const double* HWY_RESTRICT shares, std::size_t n_clusters, std::size_t n_rows, const ShareSums& sums) {
  const Tag d;
  const Vec zero = hn::Zero(d);
  const Vec one = hn::Set(d, 1.0);
  for (std::size_t c = 0; c < n_clusters; ++c, shares += panel_stride) {
    Vec weight = zero;
    Vec count = zero;
    for (std::size_t row = 0; row < n_rows; row += hn::Lanes(d)) {
      const Vec share = hn::LoadU(d, shares + row);
      weight = hn::Add(weight, share);
      count = hn::Add(count, hn::IfThenElseZero(hn::Gt(share, zero), one));
    }
    sums.weights[c] = hn::GetLane(hn::SumOfLanes(d, weight));
    sums.n_rows[c] = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d, count)));
  }
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
HWY_EXPORT(SumUp);
HWY_EXPORT(ListPositive);

double take_shares(double* values, std::span<const double> log_weights, std::size_t n_rows,
                   std::span<const double> weights, const ShareSums& sums) noexcept {
  const PaddedWeights padded(weights, n_rows);
  const double total = HWY_DYNAMIC_DISPATCH(Shares)(values, log_weights, n_rows, padded.data());
  const std::size_t end = std::min(panel_rows, (n_rows + 15) / 16 * 16);
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    std::fill(values + c * panel_stride + n_rows, values + c * panel_stride + end, 0.0);
  }
  HWY_DYNAMIC_DISPATCH(SumUp)(values, log_weights.size(), n_rows, sums);
  return total;
}

std::size_t list_positive(const double* shares, std::size_t n_rows, std::uint32_t* rows) noexcept {
  return HWY_DYNAMIC_DISPATCH(ListPositive)(shares, n_rows, rows);
}

}  // namespace coppice::kernels
#endif
