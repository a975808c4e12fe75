// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/point_moments.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/point_moments.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

HWY_INLINE Vec LoadValues(const double* values) { return hn::LoadU(Tag(), values); }
HWY_INLINE Vec LoadValues(const float* values) {
  const hn::Rebind<float, Tag> floats;
  return hn::PromoteTo(Tag(), hn::LoadU(floats, values));
}

// Some rows with their weights, and the rows that follow them.
template <std::size_t R, class Value>
struct RowGroup {
  const Value* rows[R];
  const Value* next[R];
  double weights[R];
};

// The columns of a group that fill whole vectors, as deviations from `from`: adds them to the sums and returns their
// squares. Rows are read from end to end, as memory likes it, and share the loads of the sums.
template <std::size_t R, class Value>
HWY_INLINE Vec AddGroup(const RowGroup<R, Value>& group, const Value* HWY_RESTRICT from, std::size_t n_columns,
                        double* HWY_RESTRICT sums) {
  constexpr std::size_t cache_line = 64 / sizeof(Value);
  const Tag d;
  Vec squares[R];
  for (Vec& of_row : squares) of_row = hn::Zero(d);
  for (std::size_t c = 0; c + hn::Lanes(d) <= n_columns; c += hn::Lanes(d)) {
    for (std::size_t r = 0; r < R && c % cache_line == 0; ++r) __builtin_prefetch(group.next[r] + c);
    const Vec start = LoadValues(from + c);
    Vec sum = hn::LoadU(d, sums + c);
    for (std::size_t r = 0; r < R; ++r) {
      const Vec t = hn::Sub(LoadValues(group.rows[r] + c), start);
      const Vec weighted = hn::Mul(hn::Set(d, group.weights[r]), t);
      sum = hn::Add(sum, weighted);
      squares[r] = hn::MulAdd(weighted, t, squares[r]);
    }
    hn::StoreU(sum, d, sums + c);
  }
  for (std::size_t r = 1; r < R; ++r) squares[0] = hn::Add(squares[0], squares[r]);
  return squares[0];
}

// The columns that fill whole vectors over all rows, as deviations from one of them: no digits are lost, wherever the
// rows lie. Writes the mean deviation and returns the summed squares about it.
template <class Value>
double WholeVectors(const Value* values, const StoredRows& rows, const double* weights, const Value* from, double total,
                    std::span<double> mean) {
  const Tag d;
  const std::size_t n = mean.size();
  const auto row = [&](std::size_t i) { return values + (rows.index != nullptr ? rows.index[i] : i) * n; };
  Vec scatter = hn::Zero(d);
  const auto add = [&]<std::size_t R>(RowGroup<R, Value> group, std::size_t first) HWY_ATTR {
    for (std::size_t r = 0; r < R; ++r) {
      group.rows[r] = row(first + r);
      group.next[r] = row(std::min(first + R + r, rows.n_rows - 1));
      group.weights[r] = weights == nullptr ? 1.0 : weights[first + r];
    }
    scatter = hn::Add(scatter, AddGroup(group, from, n, mean.data()));
  };
  std::ranges::fill(mean, 0.0);
  std::size_t i = 0;
  for (; i + 4 <= rows.n_rows; i += 4) add(RowGroup<4, Value>{}, i);
  for (; i < rows.n_rows; ++i) add(RowGroup<1, Value>{}, i);
  const Vec share = hn::Set(d, 1.0 / total);
  for (std::size_t c = 0; c + hn::Lanes(d) <= n; c += hn::Lanes(d)) {
    const Vec sum = hn::LoadU(d, &mean[c]);
    const Vec deviation = hn::Mul(sum, share);
    hn::StoreU(deviation, d, &mean[c]);
    scatter = hn::NegMulAdd(deviation, sum, scatter);
  }
  return std::max(hn::GetLane(hn::SumOfLanes(d, scatter)), 0.0);
}

template <class Value>
double Column(const Value* values, const std::size_t* index, std::size_t n_rows, std::size_t stride,
              const double* weights, const Value* from, double total, double* mean) {
  const auto start = static_cast<double>(*from);
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double t = static_cast<double>(values[(index != nullptr ? index[i] : i) * stride]) - start;
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
  const std::size_t in_vectors = n / hn::Lanes(Tag()) * hn::Lanes(Tag());
  const Value* from = values + first * n;
  double scatter = in_vectors > 0 ? WholeVectors(values, rows, weights, from, total, mean) : 0.0;
  for (std::size_t c = in_vectors; c < n; ++c) {
    scatter += Column(values + c, rows.index, rows.n_rows, n, weights, from + c, total, &mean[c]);
  }
  for (std::size_t c = 0; c < n; ++c) mean[c] += static_cast<double>(from[c]) - rows.origin[c];
  return scatter;
}

double Scatter(const StoredRows& rows, const double* weights, std::size_t first, double total, std::span<double> mean) {
  return rows.doubles != nullptr ? ScatterOf(rows.doubles, rows, weights, first, total, mean)
                                 : ScatterOf(rows.floats, rows, weights, first, total, mean);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Scatter);

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
