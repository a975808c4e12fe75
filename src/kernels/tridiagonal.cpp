// SPDX-License-Identifier: BSD-3-Clause
// The scale of a cluster's prior is sought among many multiples f of B0, and each asks for log |f I + S'| of the same
// matrix. A factorization for every f would be O(n^3) each time; reduced to a tridiagonal T once, which is O(n^3) as
// well, any f takes O(n).

#include "coppice/kernels/tridiagonal.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tridiagonal.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// A -= v w' + w v', of the step before, and v of this one, to be multiplied with what comes out of that.
struct Step {
  const double* HWY_RESTRICT v_before;
  const double* HWY_RESTRICT w_before;
  const double* HWY_RESTRICT v;
  std::size_t begin;  // columns; those before have been dealt with
  std::size_t end;
};

// Some rows from `row` on, both in one pass; product[i] = A[i]'v.
template <std::size_t N>
HWY_INLINE void UpdateAndMultiply(const Step& step, SquareMatrix& a, std::size_t row, double* HWY_RESTRICT product) {
  const Tag tag;
  double* HWY_RESTRICT rows[N];
  Vec of_v[N];
  Vec of_w[N];
  Vec sums[N];
  for (std::size_t i = 0; i < N; ++i) {
    rows[i] = a.row(row + i);
    of_v[i] = hn::Set(tag, step.v_before[row + i]);
    of_w[i] = hn::Set(tag, step.w_before[row + i]);
    sums[i] = hn::Zero(tag);
  }
  for (std::size_t j = step.begin; j < step.end; j += hn::Lanes(tag)) {
    const Vec v_before = hn::Load(tag, step.v_before + j);
    const Vec w_before = hn::Load(tag, step.w_before + j);
    const Vec v = hn::Load(tag, step.v + j);
    for (std::size_t i = 0; i < N; ++i) {
      const Vec less_one = hn::NegMulAdd(of_v[i], w_before, hn::Load(tag, rows[i] + j));
      const Vec entry = hn::NegMulAdd(of_w[i], v_before, less_one);
      hn::Store(entry, tag, rows[i] + j);
      sums[i] = hn::MulAdd(entry, v, sums[i]);
    }
  }
  for (std::size_t i = 0; i < N; ++i) product[row + i] = hn::GetLane(hn::SumOfLanes(tag, sums[i]));
}

HWY_INLINE double Dot(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t n) {
  const Tag tag;
  Vec sum = hn::Zero(tag);
  for (std::size_t j = 0; j < n; j += hn::Lanes(tag)) sum = hn::MulAdd(hn::Load(tag, a + j), hn::Load(tag, b + j), sum);
  return hn::GetLane(hn::SumOfLanes(tag, sum));
}

// to = factor a + other b
HWY_INLINE void Combine(double factor, const double* HWY_RESTRICT a, double other, const double* HWY_RESTRICT b,
                        double* HWY_RESTRICT to, std::size_t n) {
  const Tag tag;
  const Vec of_a = hn::Set(tag, factor);
  const Vec of_b = hn::Set(tag, other);
  for (std::size_t j = 0; j < n; j += hn::Lanes(tag)) {
    hn::Store(hn::MulAdd(of_a, hn::Load(tag, a + j), hn::Mul(of_b, hn::Load(tag, b + j))), tag, to + j);
  }
}

// `room` has place for four vectors of a row's stride, all zeros. The reflection of step k, I - tau v v', makes column
// k end at its second entry; what it does to the rest is -= v w' + w v', w = tau A v - (tau^2 / 2) (v'A v) v, which
// waits for the next step's product so that the matrix is gone through once for both.
void Tridiagonalize(SquareMatrix& a, double* room, Tridiagonal& t) {
  constexpr double nothing = 1e-280;  // squares below it have lost their digits
  const std::size_t n = a.n();
  const std::size_t stride = a.stride();
  double* v_before = room;
  double* w_before = room + stride;
  double* v = room + 2 * stride;
  double* product = room + 3 * stride;
  for (std::size_t k = 0; k < n; ++k) {
    double* row = a.row(k);
    const double of_v = v_before[k];
    const double of_w = w_before[k];
    for (std::size_t j = k; j < n; ++j) row[j] -= of_v * w_before[j] + of_w * v_before[j];
    t.diagonal[k] = row[k];
    if (k + 1 == n) return;
    v_before[k] = w_before[k] = v[k] = product[k] = 0.0;
    // What the reflection has to bring to zero. If there is nothing, the column is tridiagonal already and is left as
    // it is.
    double beyond = 0.0;
    for (std::size_t j = k + 2; j < n; ++j) beyond += row[j] * row[j];
    const double square = row[k + 1] * row[k + 1] + beyond;
    t.squares[k] = square;
    double tau = 0.0;
    if (beyond > nothing) {
      // Of the two signs the one that does not cancel in v[k + 1] -= alpha.
      const double alpha = row[k + 1] > 0.0 ? -std::sqrt(square) : std::sqrt(square);
      tau = 1.0 / (alpha * (alpha - row[k + 1]));
      for (std::size_t j = k + 1; j < n; ++j) v[j] = row[j];
      v[k + 1] -= alpha;
    } else {
      std::fill(v + k + 1, v + n, 0.0);
    }
    const Step step{v_before, w_before, v, (k + 1) / 8 * 8, stride};
    std::size_t i = k + 1;
    for (; i + 4 <= n; i += 4) UpdateAndMultiply<4>(step, a, i, product);
    for (; i < n; ++i) UpdateAndMultiply<1>(step, a, i, product);
    const double half = tau * tau / 2.0 * Dot(product, v, stride);
    Combine(tau, product, -half, v, w_before, stride);
    std::swap(v, v_before);
  }
}

// Pivots of T + s I, a shift to a lane: d_i = t_i + s - e_{i-1}^2 / d_{i-1}, none of which is below s. In units of s
// they are 1 or more.
HWY_INLINE Vec LogDets(const Tridiagonal& t, Vec shift) {
  const Tag tag;
  const Vec one = hn::Set(tag, 1.0);
  const Vec inverse = hn::Div(one, shift);
  const Vec inverse_square = hn::Mul(inverse, inverse);
  const std::size_t n = t.diagonal.size();
  Vec sum = hn::Mul(hn::Set(tag, static_cast<double>(n)), hn::Log(tag, shift));
  Vec product = one;
  Vec pivot = one;
  for (std::size_t i = 0; i < n; ++i) {
    Vec next = hn::MulAdd(hn::Set(tag, t.diagonal[i]), inverse, one);
    if (i > 0) next = hn::Sub(next, hn::Div(hn::Mul(hn::Set(tag, t.squares[i - 1]), inverse_square), pivot));
    // Without negative eigenvalues no pivot is below the shift; where rounding says otherwise, the bound is right.
    pivot = hn::Max(next, one);
    product = hn::Mul(product, pivot);
    if (i % 4 != 3 && i + 1 < n) continue;
    sum = hn::Add(sum, hn::Log(tag, product));
    product = one;
  }
  return sum;
}

void ShiftedLogDets(const Tridiagonal& t, std::span<const double> shifts, double* out) {
  const Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t first = 0; first < shifts.size(); first += lanes) {
    const std::size_t count = std::min(lanes, shifts.size() - first);
    double some[8];
    for (std::size_t lane = 0; lane < lanes; ++lane) some[lane] = shifts[first + std::min(lane, count - 1)];
    hn::StoreU(LogDets(t, hn::LoadU(tag, some)), tag, some);
    std::copy(some, some + count, out + first);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Tridiagonalize);
HWY_EXPORT(ShiftedLogDets);

Tridiagonal tridiagonalize(SquareMatrix& matrix) {
  const std::size_t n = matrix.n();
  Tridiagonal t{std::vector<double>(n), std::vector<double>(n > 0 ? n - 1 : 0)};
  thread_local AlignedVector<double> room;
  room.assign(4 * matrix.stride(), 0.0);
  HWY_DYNAMIC_DISPATCH(Tridiagonalize)(matrix, room.data(), t);
  return t;
}

void shifted_log_dets(const Tridiagonal& t, std::span<const double> shifts, double* out) {
  HWY_DYNAMIC_DISPATCH(ShiftedLogDets)(t, shifts, out);
}

}  // namespace coppice::kernels
#endif
