// SPDX-License-Identifier: BSD-3-Clause
// The middle of a sweep with distance bounds (assign/bounds.cpp): by the triangle inequality a row's own centre is at
// most its drift farther away than it was, and the centres of a group at most the group's drift nearer. Bounds are
// floats to halve the memory that a sweep goes through, N times the number of groups. Every step rounds the upper
// bounds up and the lower ones down, so that a bound is never a lie, however many sweeps it lives.

#include "coppice/kernels/distance_bounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/distance_bounds.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernels/squared_distance-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());

// Two roundings, each by 2^-24 at most or by the smallest normal number, cannot make up for these.
HWY_INLINE Vec Up(Vec x) {
  const Tag d;
  return hn::MulAdd(x, hn::Set(d, 1.0F + 0x1p-22F), hn::Set(d, std::numeric_limits<float>::min()));
}
HWY_INLINE Vec Down(Vec x) {
  const Tag d;
  const Vec lowered = hn::MulSub(x, hn::Set(d, 1.0F - 0x1p-22F), hn::Set(d, std::numeric_limits<float>::min()));
  return hn::Max(lowered, hn::Zero(d));
}

// True also where there is no other centre; false where single precision overflows.
HWY_INLINE hn::Mask<Tag> IsBeaten(Vec lower, Vec upper, const TieLimit& limit) {
  const Tag d;
  // lower^2 - upper^2 as a product: squares of bounds that are close would cancel.
  const Vec difference = hn::Mul(hn::Sub(lower, upper), hn::Add(lower, upper));
  const Vec tie = hn::MulAdd(hn::Mul(hn::Set(d, limit.share), lower), lower, hn::Set(d, limit.reserve));
  return hn::Or(hn::Gt(difference, tie), hn::Eq(lower, hn::Set(d, std::numeric_limits<float>::infinity())));
}

// A vector of rows, of which the first `count` exist.
class RowsOfVector {
 public:
  RowsOfVector(const RowBounds& bounds, std::size_t row, std::size_t count)
      : bounds_(bounds), row_(row), count_(count) {}

  // Whether another centre may be as near, for each row that exists.
  HWY_INLINE hn::Mask<Tag> Move(const LabelPair& labels, const Drifts& drifts, const TieLimit& limit, float* least) {
    const Tag d;
    const hn::RebindToSigned<Tag> integers;
    const auto now = Load(integers, labels.now + row_, -1);
    const auto bounded = Load(integers, labels.bounded + row_, -1);
    const auto is_bounded = hn::RebindMask(d, hn::And(hn::Eq(now, bounded), hn::Gt(now, hn::Set(integers, -1))));
    // Rows without a label take the drift of centre 0, which is then thrown away: a gather must not read in front of
    // the array.
    const Vec drift = hn::GatherIndex(d, drifts.centres, hn::Max(now, hn::Zero(integers)));
    const Vec infinity = hn::Set(d, std::numeric_limits<float>::infinity());
    const Vec upper = hn::IfThenElse(is_bounded, Up(hn::Add(Load(d, bounds_.upper + row_, 0.0F), drift)), infinity);
    Store(upper, bounds_.upper + row_);
    Vec smallest = infinity;
    for (std::size_t g = 0; g < bounds_.n_groups; ++g) {
      float* at = bounds_.lower + g * bounds_.stride + row_;
      const Vec moved = Down(hn::Sub(Load(d, at, 0.0F), hn::Set(d, drifts.groups[g])));
      const Vec lower = hn::IfThenElseZero(is_bounded, moved);
      Store(lower, at);
      smallest = hn::Min(smallest, lower);
    }
    Store(smallest, least + row_);
    return hn::And(hn::Not(IsBeaten(smallest, upper, limit)), hn::FirstN(d, count_));
  }

 private:
  template <class D, class Value>
  HWY_INLINE hn::Vec<D> Load(D d, const Value* from, hn::TFromD<D> otherwise) const {
    if (count_ == lanes) return hn::LoadU(d, from);
    hn::TFromD<D> some[lanes];
    std::fill_n(some, lanes, otherwise);
    std::copy_n(from, count_, some);
    return hn::LoadU(d, some);
  }
  HWY_INLINE void Store(Vec x, float* to) const {
    if (count_ == lanes) return hn::StoreU(x, Tag(), to);
    float some[lanes];
    hn::StoreU(x, Tag(), some);
    std::copy_n(some, count_, to);
  }

  const RowBounds& bounds_;
  std::size_t row_;
  std::size_t count_;
};

std::size_t MoveBounds(const RowBounds& bounds, std::size_t n_rows, const LabelPair& labels, const Drifts& drifts,
                       const TieLimit& limit, float* least, std::uint32_t* reached) {
  std::size_t n_reached = 0;
  for (std::size_t row = 0; row < n_rows; row += lanes) {
    const std::size_t count = std::min(lanes, n_rows - row);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(Tag(), RowsOfVector(bounds, row, count).Move(labels, drifts, limit, least), bits);
    for (std::size_t i = 0; i < count; ++i) {
      // Written first and counted afterwards, without a branch that nobody could foretell.
      reached[n_reached] = static_cast<std::uint32_t>(row + i);
      n_reached += bits[i / 8] >> i % 8 & 1;
    }
  }
  return n_reached;
}

template <class Value>
HWY_INLINE void FromOwn(const Value* values, const StoredRows& rows, std::size_t n_columns, const double* centres,
                        const std::int32_t* labels, double* squared) {
  for (std::size_t i = 0; i < rows.n_rows; ++i) {
    const std::size_t row = rows.index != nullptr ? rows.index[i] : i;
    const double* centre = centres + static_cast<std::size_t>(labels[i]) * n_columns;
    squared[i] = SquaredDistance(values + row * n_columns, rows.origin, centre, n_columns);
  }
}

void DistancesFromOwn(const StoredRows& rows, std::size_t n_columns, const double* centres, const std::int32_t* labels,
                      double* squared) {
  if (rows.doubles != nullptr) return FromOwn(rows.doubles, rows, n_columns, centres, labels, squared);
  FromOwn(rows.floats, rows, n_columns, centres, labels, squared);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(MoveBounds);
HWY_EXPORT(DistancesFromOwn);

std::size_t move_bounds(const RowBounds& bounds, std::size_t n_rows, const LabelPair& labels, const Drifts& drifts,
                        const TieLimit& limit, float* least, std::uint32_t* reached) noexcept {
  return HWY_DYNAMIC_DISPATCH(MoveBounds)(bounds, n_rows, labels, drifts, limit, least, reached);
}

void squared_distances_from_own(const StoredRows& rows, std::size_t n_columns, const double* centres,
                                const std::int32_t* labels, double* squared) noexcept {
  HWY_DYNAMIC_DISPATCH(DistancesFromOwn)(rows, n_columns, centres, labels, squared);
}

}  // namespace coppice::kernels
#endif
