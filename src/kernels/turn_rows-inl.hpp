// SPDX-License-Identifier: BSD-3-Clause
// Rows as they are stored become columns of doubles less the origin; included once for every instruction set.
#if defined(COPPICE_KERNELS_TURN_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COPPICE_KERNELS_TURN_ROWS_INL
#undef COPPICE_KERNELS_TURN_ROWS_INL
#else
#define COPPICE_KERNELS_TURN_ROWS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// Two rows or four: at most two blocks of 128 bits, the size within which numbers change places freely.
using TurnTag = hn::CappedTag<double, 4>;
using TurnVec = hn::Vec<TurnTag>;
constexpr std::size_t rows_turned = hn::MaxLanes(TurnTag());

// Columns of doubles, `stride` apart.
struct Columns {
  double* HWY_RESTRICT values;
  std::size_t stride;
};

template <class Value>
HWY_INLINE void TakeRow(const Value* HWY_RESTRICT row, std::span<const double> origin, const Columns& out) {
  for (std::size_t c = 0; c < origin.size(); ++c) out.values[c * out.stride] = static_cast<double>(row[c]) - origin[c];
}

#if HWY_TARGET == HWY_SCALAR
template <class Value>
HWY_INLINE void TurnRows(const Value* const (&rows)[rows_turned], std::span<const double> origin, const Columns& out) {
  TakeRow(rows[0], origin, out);
}
#else
HWY_INLINE TurnVec Widened(TurnVec x) { return x; }
HWY_INLINE TurnVec Widened(hn::Vec<hn::Rebind<float, TurnTag> > x) { return hn::PromoteTo(TurnTag(), x); }

// Columns c and c + 1 of rows `first`, first + 2, ..., a block for every row.
template <class Value>
HWY_INLINE TurnVec LoadBlocks(const Value* const (&rows)[rows_turned], std::size_t first, std::size_t c) {
  const hn::Rebind<Value, TurnTag> d;
  if constexpr (rows_turned == 2) {
    return Widened(hn::LoadU(d, rows[first] + c));
  } else {
    const hn::Half<decltype(d)> half;
    return Widened(hn::Combine(d, hn::LoadU(half, rows[first + 2] + c), hn::LoadU(half, rows[first] + c)));
  }
}

// As many rows as a vector has lanes, two columns at a time, which become two vectors of rows. If the number of columns
// is odd, the last two overlap with those before.
template <class Value>
HWY_INLINE void TurnRows(const Value* const (&rows)[rows_turned], std::span<const double> origin, const Columns& out) {
  const TurnTag d;
  for (std::size_t next = 0; next < origin.size(); next += 2) {
    const std::size_t c = std::min(next, origin.size() - 2);
    const TurnVec even = LoadBlocks(rows, 0, c);
    const TurnVec odd = LoadBlocks(rows, 1, c);
    double* column = out.values + c * out.stride;
    hn::StoreU(hn::Sub(hn::InterleaveLower(d, even, odd), hn::Set(d, origin[c])), d, column);
    hn::StoreU(hn::Sub(hn::InterleaveUpper(d, even, odd), hn::Set(d, origin[c + 1])), d, column + out.stride);
  }
}
#endif

// Rows row_at(0), row_at(1), ... become columns, which end with zeros up to the next multiple of 16.
template <class RowAt>
HWY_INLINE void TurnAll(const RowAt& row_at, std::size_t n_rows, std::span<const double> origin, const Columns& out) {
  using Row = decltype(row_at(0));
  std::size_t row = 0;
  for (; row + rows_turned <= n_rows && origin.size() >= 2; row += rows_turned) {
    Row rows[rows_turned];
    for (std::size_t i = 0; i < rows_turned; ++i) rows[i] = row_at(row + i);
    TurnRows(rows, origin, {out.values + row, out.stride});
  }
  for (; row < n_rows; ++row) TakeRow(row_at(row), origin, {out.values + row, out.stride});
  const std::size_t padded = (n_rows + 15) / 16 * 16;
  // Kernels load whole vectors behind the last row: zeros there are finite, and add nothing.
  if (padded == n_rows) return;
  for (std::size_t c = 0; c < origin.size(); ++c) {
    std::fill(out.values + c * out.stride + n_rows, out.values + c * out.stride + padded, 0.0);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#endif
