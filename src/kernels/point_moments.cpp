// SPDX-License-Identifier: BSD-3-Clause
// Statistics of centres straight from the table: a sweep of k-means reads every row once for its label and once for
// this, and filling panels in between would be a third time. Lanes are columns, since rows have many of them; four rows
// share the load and the store of a sum. Sums are taken of deviations from one of the rows and moved to the mean in the
// end.

#include "coppice/kernels/point_moments.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/point_moments.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/load_values-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// Rows where they are stored. Behind them in the index may stand others that are read next.
template <class Value>
struct Table {
  const Value* values;
  const std::size_t* index;
  std::size_t n_rows;
  std::size_t n_known;  // with those that are read next
  std::size_t n_columns;

  [[nodiscard]] HWY_INLINE const Value* Row(std::size_t i) const {
    return values + (index != nullptr ? index[i] : i) * n_columns;
  }
};

// Some rows with their weights, and as many rows that are wanted soon.
template <std::size_t R, class Value>
struct RowGroup {
  const Value* rows[R];
  const Value* soon[R];
  double weights[R];
};

// The columns behind the last whole vector, as the end of a vector whose other places are left out.
template <class Value>
struct LastColumns {
  LastColumns(const Value* from, std::size_t n_columns)
      : start(n_columns - hn::Lanes(Tag())),
        n_left_out((n_columns / hn::Lanes(Tag()) + 1) * hn::Lanes(Tag()) - n_columns),
        from_values(LoadValues(from + start)) {}

  HWY_INLINE Vec Deviations(const Value* row) const {
    const Vec t = hn::Sub(LoadValues(row + start), from_values);
    return hn::IfThenZeroElse(hn::FirstN(Tag(), n_left_out), t);
  }

  std::size_t start;
  std::size_t n_left_out;
  Vec from_values;
  Vec sum = hn::Zero(Tag());
};

// w t; without weights t itself.
template <bool are_weighted>
HWY_INLINE Vec Weighted(double weight, Vec t) {
  if constexpr (are_weighted) return hn::Mul(hn::Set(Tag(), weight), t);
  return t;
}

// The columns of a group that fill whole vectors, as deviations from `from`: adds them to the sums and returns their
// squares. Rows are read from end to end, as memory likes it, and share the loads of the sums.
template <bool are_weighted, std::size_t R, class Value>
HWY_INLINE Vec AddGroup(const RowGroup<R, Value>& group, const Value* HWY_RESTRICT from, std::size_t n_columns,
                        double* HWY_RESTRICT sums) {
  constexpr std::size_t cache_line = 64 / sizeof(Value);
  const Tag d;
  Vec squares[R];
  for (Vec& of_row : squares) of_row = hn::Zero(d);
  for (std::size_t c = 0; c + hn::Lanes(d) <= n_columns; c += hn::Lanes(d)) {
    for (std::size_t r = 0; r < R && c % cache_line == 0; ++r) __builtin_prefetch(group.soon[r] + c);
    const Vec start = LoadValues(from + c);
    Vec sum = hn::LoadU(d, sums + c);
    for (std::size_t r = 0; r < R; ++r) {
      const Vec t = hn::Sub(LoadValues(group.rows[r] + c), start);
      const Vec weighted = Weighted<are_weighted>(group.weights[r], t);
      sum = hn::Add(sum, weighted);
      squares[r] = hn::MulAdd(weighted, t, squares[r]);
    }
    hn::StoreU(sum, d, sums + c);
  }
  for (std::size_t r = 1; r < R; ++r) squares[0] = hn::Add(squares[0], squares[r]);
  return squares[0];
}

template <bool are_weighted, std::size_t R, class Value>
HWY_INLINE Vec AddLastColumns(const RowGroup<R, Value>& group, LastColumns<Value>& last) {
  Vec squares = hn::Zero(Tag());
  for (std::size_t r = 0; r < R; ++r) {
    const Vec t = last.Deviations(group.rows[r]);
    const Vec weighted = Weighted<are_weighted>(group.weights[r], t);
    last.sum = hn::Add(last.sum, weighted);
    squares = hn::MulAdd(weighted, t, squares);
  }
  return squares;
}

// Sums of all rows' deviations from one of them: no digits are lost, wherever the rows lie. Returns their squares.
template <bool are_weighted, class Value>
Vec AddRows(const Table<Value>& table, const double* weights, const Value* from, LastColumns<Value>& last,
            std::span<double> sums) {
  // Memory is asked for so many rows in advance.
  constexpr std::size_t bytes_ahead = 8192;
  const std::size_t n = table.n_columns;
  // At least a group in advance, however long rows are.
  const std::size_t rows_ahead = std::max<std::size_t>(4, bytes_ahead / sizeof(Value) / n);
  Vec squares = hn::Zero(Tag());
  const auto add = [&]<std::size_t R>(RowGroup<R, Value> group, std::size_t first) HWY_ATTR {
    for (std::size_t r = 0; r < R; ++r) {
      group.rows[r] = table.Row(first + r);
      group.soon[r] = table.Row(std::min(first + rows_ahead + r, table.n_known - 1));
      group.weights[r] = are_weighted ? weights[first + r] : 1.0;
    }
    squares = hn::Add(squares, AddGroup<are_weighted>(group, from, n, sums.data()));
    if (n % hn::Lanes(Tag()) != 0) squares = hn::Add(squares, AddLastColumns<are_weighted>(group, last));
  };
  std::ranges::fill(sums, 0.0);
  std::size_t i = 0;
  for (; i + 4 <= table.n_rows; i += 4) add(RowGroup<4, Value>{}, i);
  for (; i < table.n_rows; ++i) add(RowGroup<1, Value>{}, i);
  return squares;
}

// Rows of a vector's length or more. Writes the mean deviation and returns the summed squares about it.
template <class Value>
double LongRows(const Table<Value>& table, const double* weights, const Value* from, double total,
                std::span<double> mean) {
  const Tag d;
  const std::size_t n = mean.size();
  LastColumns<Value> last(from, n);
  Vec scatter = weights != nullptr ? AddRows<true>(table, weights, from, last, mean)
                                   : AddRows<false>(table, weights, from, last, mean);
  const Vec share = hn::Set(d, 1.0 / total);
  std::size_t c = 0;
  for (; c + hn::Lanes(d) <= n; c += hn::Lanes(d)) {
    const Vec sum = hn::LoadU(d, &mean[c]);
    const Vec deviation = hn::Mul(sum, share);
    hn::StoreU(deviation, d, &mean[c]);
    // sum w (x - mean)^2 = sum w t^2 - (sum w t)^2 / sum w, column by column.
    scatter = hn::NegMulAdd(deviation, sum, scatter);
  }
  const Vec deviation = hn::Mul(last.sum, share);
  if (c < n) scatter = hn::NegMulAdd(deviation, last.sum, scatter);
  double of_last[hn::MaxLanes(d)];
  hn::StoreU(deviation, d, of_last);
  for (; c < n; ++c) mean[c] = of_last[c - last.start];
  return std::max(hn::GetLane(hn::SumOfLanes(d, scatter)), 0.0);
}

template <class Value>
double Column(const Table<Value>& table, std::size_t c, const double* weights, double from, double total,
              double* mean) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < table.n_rows; ++i) {
    const double t = static_cast<double>(table.Row(i)[c]) - from;
    const double w = weights == nullptr ? 1.0 : weights[i];
    sum += w * t;
    squares += w * t * t;
  }
  *mean = sum / total;
  return std::max(squares - *mean * sum, 0.0);
}

// `first` is the number of a row with weight; the mean is written as a deviation from it.
template <class Value>
double ScatterOf(const Value* values, const StoredRows& rows, const double* weights, std::size_t first, double total,
                 std::span<double> mean) {
  const std::size_t n = mean.size();
  const Table<Value> table{values, rows.index, rows.n_rows, rows.n_rows + rows.n_following, n};
  const Value* from = values + first * n;
  double scatter = 0.0;
  if (n >= hn::Lanes(Tag())) {
    scatter = LongRows(table, weights, from, total, mean);
  } else {
    for (std::size_t c = 0; c < n; ++c) {
      scatter += Column(table, c, weights, static_cast<double>(from[c]), total, &mean[c]);
    }
  }
  for (std::size_t c = 0; c < n; ++c) mean[c] += static_cast<double>(from[c]) - rows.origin[c];
  return scatter;
}

double Scatter(const StoredRows& rows, const double* weights, std::size_t first, double total, std::span<double> mean) {
  return rows.doubles != nullptr ? ScatterOf(rows.doubles, rows, weights, first, total, mean)
                                 : ScatterOf(rows.floats, rows, weights, first, total, mean);
}

double MoveTowards(std::span<double> mean, std::span<const double> other, double share) {
  const Tag d;
  const std::size_t n = mean.size();
  Vec squares = hn::Zero(d);
  std::size_t c = 0;
  for (; c + hn::Lanes(d) <= n; c += hn::Lanes(d)) {
    const Vec from = hn::LoadU(d, &mean[c]);
    const Vec shift = hn::Sub(hn::LoadU(d, &other[c]), from);
    squares = hn::MulAdd(shift, shift, squares);
    hn::StoreU(hn::MulAdd(hn::Set(d, share), shift, from), d, &mean[c]);
  }
  double squared_distance = hn::GetLane(hn::SumOfLanes(d, squares));
  for (; c < n; ++c) {
    const double shift = other[c] - mean[c];
    squared_distance += shift * shift;
    mean[c] += share * shift;
  }
  return squared_distance;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Scatter);
HWY_EXPORT(MoveTowards);

double move_towards(std::span<double> mean, std::span<const double> other, double share) noexcept {
  return HWY_DYNAMIC_DISPATCH(MoveTowards)(mean, other, share);
}

PointMoments point_moments(const StoredRows& rows, std::span<const double> weights, std::span<double> mean) noexcept {
  PointMoments moments{weights.empty() ? static_cast<double>(rows.n_rows) : 0.0, 0.0};
  for (const double weight : weights) moments.weight += weight;
  if (!(moments.weight > 0.0)) {
    std::ranges::fill(mean, 0.0);
    return {};
  }
  // Deviations from the heaviest row: the mean cannot lie so far from it that the scatter about the mean loses digits.
  const std::size_t first =
      weights.empty() ? 0 : static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
  const std::size_t row = rows.index != nullptr ? rows.index[first] : first;
  moments.scatter =
      HWY_DYNAMIC_DISPATCH(Scatter)(rows, weights.empty() ? nullptr : weights.data(), row, moments.weight, mean);
  return moments;
}

}  // namespace coppice::kernels
#endif
