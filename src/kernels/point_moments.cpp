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

// V vectors of columns over all rows, as deviations from one of them: no digits are lost, wherever the rows lie. Writes
// the mean deviation and returns the summed squares about it.
template <std::size_t V, class Value>
HWY_INLINE double Columns(const Value* HWY_RESTRICT values, const std::size_t* HWY_RESTRICT index, std::size_t n_rows,
                          std::size_t stride, const double* HWY_RESTRICT weights, const Value* HWY_RESTRICT from,
                          double total, double* HWY_RESTRICT mean) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec start[V];
  Vec sum[V];
  Vec squares = hn::Zero(d);
  Vec more_squares = hn::Zero(d);
  for (std::size_t v = 0; v < V; ++v) {
    start[v] = LoadValues(from + v * lanes);
    sum[v] = hn::Zero(d);
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    const Value* row = values + (index != nullptr ? index[i] : i) * stride;
    if (index != nullptr) __builtin_prefetch(values + index[std::min(i + 4, n_rows - 1)] * stride);
    if (weights == nullptr) {
      for (std::size_t v = 0; v < V; ++v) {
        const Vec t = hn::Sub(LoadValues(row + v * lanes), start[v]);
        sum[v] = hn::Add(sum[v], t);
        (v % 2 == 0 ? squares : more_squares) = hn::MulAdd(t, t, v % 2 == 0 ? squares : more_squares);
      }
    } else {
      const Vec w = hn::Set(d, weights[i]);
      for (std::size_t v = 0; v < V; ++v) {
        const Vec t = hn::Sub(LoadValues(row + v * lanes), start[v]);
        const Vec weighted = hn::Mul(w, t);
        sum[v] = hn::Add(sum[v], weighted);
        (v % 2 == 0 ? squares : more_squares) = hn::MulAdd(weighted, t, v % 2 == 0 ? squares : more_squares);
      }
    }
  }
  Vec scatter = hn::Add(squares, more_squares);
  const Vec share = hn::Set(d, 1.0 / total);
  for (std::size_t v = 0; v < V; ++v) {
    const Vec deviation = hn::Mul(sum[v], share);
    hn::StoreU(deviation, d, mean + v * lanes);
    scatter = hn::NegMulAdd(deviation, sum[v], scatter);
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
  const std::size_t lanes = hn::Lanes(Tag());
  const std::size_t n = mean.size();
  const Value* from = values + first * n;
  double scatter = 0.0;
  std::size_t c = 0;
  for (; c + 4 * lanes <= n; c += 4 * lanes)
    scatter += Columns<4>(values + c, rows.index, rows.n_rows, n, weights, from + c, total, &mean[c]);
  for (; c + 2 * lanes <= n; c += 2 * lanes)
    scatter += Columns<2>(values + c, rows.index, rows.n_rows, n, weights, from + c, total, &mean[c]);
  for (; c + lanes <= n; c += lanes)
    scatter += Columns<1>(values + c, rows.index, rows.n_rows, n, weights, from + c, total, &mean[c]);
  for (; c < n; ++c) scatter += Column(values + c, rows.index, rows.n_rows, n, weights, from + c, total, &mean[c]);
  for (c = 0; c < n; ++c) mean[c] += static_cast<double>(from[c]) - rows.origin[c];
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
