// SPDX-License-Identifier: BSD-3-Clause
// What soft mixtures with independent columns add up: sum w x and sum w x^2 of every cluster. Taken about the origin
// and not about each cluster's mean, a row and its square serve all clusters at once. That is fast and loses digits
// where a cluster is narrow and far from the origin: keep_digits says so, and the caller then takes the slow way about
// the mean.

#include "coppice/kernels/shared_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/shared_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <concepts>
#include <limits>

#include "kernels/load_values-inl.hpp"
#include "kernels/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

HWY_INLINE double SumOf(Vec v) { return hn::GetLane(hn::SumOfLanes(Tag(), v)); }

// Few columns: lanes are rows. A sets of weights and B columns at a time.
template <std::size_t A, std::size_t B>
void AlongRows(const PanelView& panel, const SharedSums* sets, std::size_t column) {
  const Tag d;
  Vec sum[A][B];
  Vec square[A][B];
  for (std::size_t a = 0; a < A; ++a) {
    for (std::size_t b = 0; b < B; ++b) sum[a][b] = square[a][b] = hn::Zero(d);
  }
  const double* HWY_RESTRICT first = panel.column(column);
  for (std::size_t row = 0; row < panel.n_rows; row += hn::Lanes(d)) {
    Vec weight[A];
    for (std::size_t a = 0; a < A; ++a) weight[a] = hn::LoadU(d, sets[a].weights + row);
    for (std::size_t b = 0; b < B; ++b) {
      const Vec x = hn::LoadU(d, first + b * panel_stride + row);
      const Vec x2 = hn::Mul(x, x);
      for (std::size_t a = 0; a < A; ++a) {
        sum[a][b] = hn::MulAdd(weight[a], x, sum[a][b]);
        square[a][b] = hn::MulAdd(weight[a], x2, square[a][b]);
      }
    }
  }
  for (std::size_t a = 0; a < A; ++a) {
    for (std::size_t b = 0; b < B; ++b) {
      sets[a].sums[column + b] = SumOf(sum[a][b]);
      sets[a].squares[column + b] = SumOf(square[a][b]);
    }
  }
}

template <std::size_t B>
void AlongRowsOfAll(const PanelView& panel, std::span<const SharedSums> sets, std::size_t column) {
  std::size_t set = 0;
  for (; set + 2 <= sets.size(); set += 2) AlongRows<2, B>(panel, &sets[set], column);
  if (set < sets.size()) AlongRows<1, B>(panel, &sets[set], column);
}

void SumsOfPanel(const PanelView& panel, std::span<const SharedSums> sets) {
  std::size_t column = 0;
  for (; column + 2 <= panel.n_columns; column += 2) AlongRowsOfAll<2>(panel, sets, column);
  if (column < panel.n_columns) AlongRowsOfAll<1>(panel, sets, column);
}

// Many columns: lanes are columns, so that no sum has to be added up over its lanes in the end. As many sets at a time
// as leave their sums in registers; a square costs a multiplication for all of them.
constexpr std::size_t sets_at_once = has_many_registers ? 8 : 6;

// Rows one after the other.
template <class Value>
struct RunOfRows {
  const Value* values;
  std::size_t n_rows;
  std::size_t n_columns;
  const double* origin;
};

// The weights of set a are those of the first set, a * panel_stride places on: one pointer instead of A.
template <std::size_t A, class Value>
HWY_INLINE void AlongColumns(const RunOfRows<Value>& rows, std::size_t column, const double* HWY_RESTRICT weights,
                             const SharedSums* sets) {
  const Tag d;
  Vec sum[A];
  Vec square[A];
  for (std::size_t a = 0; a < A; ++a) sum[a] = square[a] = hn::Zero(d);
  const Vec origin = hn::LoadU(d, rows.origin + column);
  const Value* HWY_RESTRICT at = rows.values + column;
  for (std::size_t row = 0; row < rows.n_rows; ++row, at += rows.n_columns) {
    const Vec x = hn::Sub(LoadValues(at), origin);
    const Vec x2 = hn::Mul(x, x);
    for (std::size_t a = 0; a < A; ++a) {
      const Vec weight = hn::Set(d, weights[a * panel_stride + row]);
      sum[a] = hn::MulAdd(weight, x, sum[a]);
      square[a] = hn::MulAdd(weight, x2, square[a]);
    }
  }
  for (std::size_t a = 0; a < A; ++a) {
    hn::StoreU(sum[a], d, sets[a].sums + column);
    hn::StoreU(square[a], d, sets[a].squares + column);
  }
}

// The weights of A sets, panel_stride apart: where they are, or copied.
template <std::size_t A>
class WeightsInPlace {
 public:
  WeightsInPlace(const SharedSums* sets, std::size_t n_rows) : values_(sets[0].weights) {
    bool are_in_place = true;
    for (std::size_t a = 1; a < A; ++a) are_in_place &= sets[a].weights == values_ + a * panel_stride;
    if (are_in_place) return;
    for (std::size_t a = 0; a < A; ++a) std::copy_n(sets[a].weights, n_rows, copied_ + a * panel_stride);
    values_ = copied_;
  }
  WeightsInPlace(const WeightsInPlace&) = delete;
  WeightsInPlace& operator=(const WeightsInPlace&) = delete;
  [[nodiscard]] const double* values() const { return values_; }

 private:
  const double* values_;
  double copied_[A * panel_stride];
};

// The last vector of columns may overlap with the one before: what they share is computed twice, to the same bits.
template <std::size_t A, class Value>
void AlongAllColumns(const RunOfRows<Value>& rows, const SharedSums* sets) {
  const WeightsInPlace<A> weights(sets, rows.n_rows);
  const std::size_t lanes = hn::Lanes(Tag());
  for (std::size_t next = 0; next < rows.n_columns; next += lanes) {
    AlongColumns<A>(rows, std::min(next, rows.n_columns - lanes), weights.values(), sets);
  }
}

template <class Value>
void SumsOfRows(const RunOfRows<Value>& rows, std::span<const SharedSums> sets) {
  constexpr std::size_t A = sets_at_once;
  std::size_t set = 0;
  for (; set + A <= sets.size(); set += A) AlongAllColumns<A>(rows, &sets[set]);
  for (; set + 4 <= sets.size(); set += 4) AlongAllColumns<4>(rows, &sets[set]);
  for (; set + 2 <= sets.size(); set += 2) AlongAllColumns<2>(rows, &sets[set]);
  if (set < sets.size()) AlongAllColumns<1>(rows, &sets[set]);
}

void SumsOfStored(const StoredRows& rows, std::size_t n_columns, std::span<const SharedSums> sets) {
  if (rows.doubles != nullptr) {
    return SumsOfRows(RunOfRows<double>{rows.doubles, rows.n_rows, n_columns, rows.origin}, sets);
  }
  SumsOfRows(RunOfRows<float>{rows.floats, rows.n_rows, n_columns, rows.origin}, sets);
}

// Calls take(tag, column) for all columns: vectors first, then one by one.
template <class Take>
HWY_INLINE void ForColumns(std::size_t n_columns, const Take& take) {
  const Tag d;
  std::size_t column = 0;
  for (; column + hn::Lanes(d) <= n_columns; column += hn::Lanes(d)) take(d, column);
  for (; column < n_columns; ++column) take(hn::CappedTag<double, 1>(), column);
}

// The squares less what they would be if all rows were the mean.
template <class D>
HWY_INLINE hn::Vec<D> SquaresAboutMean(D d, const SetSums& set, std::size_t column, hn::Vec<D> mean) {
  return hn::NegMulAdd(hn::LoadU(d, &set.sums[column]), mean, hn::LoadU(d, &set.squares[column]));
}

bool KeepDigits(const SetSums& set) {
  bool are_kept = true;
  ForColumns(set.sums.size(), [&](auto d, std::size_t column) HWY_ATTR {
    const auto mean = hn::Mul(hn::LoadU(d, &set.sums[column]), hn::Set(d, 1.0 / set.weight));
    const auto left = SquaresAboutMean(d, set, column, mean);
    // Not a number fails both comparisons.
    const auto least = hn::Mul(hn::Set(d, 0x1p-20), hn::LoadU(d, &set.squares[column]));
    const auto is_kept =
        hn::And(hn::Ge(left, least), hn::Lt(left, hn::Set(d, std::numeric_limits<double>::infinity())));
    are_kept = are_kept && hn::AllTrue(d, is_kept);
  });
  return are_kept;
}

// Chan, Golub and LeVeque's update.
void MergeSums(const SetSums& set, double weight, std::span<double> mean, std::span<double> squares) {
  const double share = set.weight / (weight + set.weight);
  const bool is_by_column = squares.size() == mean.size();
  Vec over_columns = hn::Zero(Tag());
  double last = 0.0;
  ForColumns(mean.size(), [&](auto d, std::size_t column) HWY_ATTR {
    const auto of_set = hn::Mul(hn::LoadU(d, &set.sums[column]), hn::Set(d, 1.0 / set.weight));
    const auto before = hn::LoadU(d, &mean[column]);
    const auto shift = hn::Sub(of_set, before);
    const auto added =
        hn::MulAdd(hn::Mul(hn::Set(d, weight * share), shift), shift, SquaresAboutMean(d, set, column, of_set));
    hn::StoreU(hn::MulAdd(hn::Set(d, share), shift, before), d, &mean[column]);
    if (is_by_column) {
      hn::StoreU(hn::Add(hn::LoadU(d, &squares[column]), added), d, &squares[column]);
    } else if constexpr (std::same_as<decltype(d), Tag>) {
      over_columns = hn::Add(over_columns, added);
    } else {
      last += hn::GetLane(added);
    }
  });
  if (!is_by_column) squares[0] += SumOf(over_columns) + last;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(SumsOfPanel);
HWY_EXPORT(SumsOfStored);
HWY_EXPORT(KeepDigits);
HWY_EXPORT(MergeSums);

void shared_sums(const PanelView& panel, std::span<const SharedSums> sets) noexcept {
  HWY_DYNAMIC_DISPATCH(SumsOfPanel)(panel, sets);
}

void shared_sums(const StoredRows& rows, std::size_t n_columns, std::span<const SharedSums> sets) noexcept {
  HWY_DYNAMIC_DISPATCH(SumsOfStored)(rows, n_columns, sets);
}

bool keep_digits(const SetSums& set) noexcept { return HWY_DYNAMIC_DISPATCH(KeepDigits)(set); }

void merge_sums(const SetSums& set, double weight, std::span<double> mean, std::span<double> squares) noexcept {
  HWY_DYNAMIC_DISPATCH(MergeSums)(set, weight, mean, squares);
}

}  // namespace coppice::kernels
#endif
