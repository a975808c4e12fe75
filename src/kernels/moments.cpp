// SPDX-License-Identifier: BSD-3-Clause
// The scatter is a product of the centred panel with itself, of which the lower triangle is computed in tiles of 4 x 3
// columns: 12 sums in registers for 7 loads. Two passes over the panel are cheap, since it stays in the cache; one pass
// about zero would lose all digits where a mean is large against the spread.

#include "coppice/kernels/moments.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/moments.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// Products of A columns from i on with B columns from j on, summed over the rows.
template <std::size_t A, std::size_t B>
void products(const double* HWY_RESTRICT panel, std::size_t n_rows, std::size_t i, std::size_t j,
              std::span<double> packed) {
  const Tag d;
  Vec sum[A][B];
  for (auto& of_row : sum) {
    for (Vec& entry : of_row) entry = hn::Zero(d);
  }
  for (std::size_t row = 0; row < n_rows; row += hn::Lanes(d)) {
    Vec right[B];
    for (std::size_t b = 0; b < B; ++b) right[b] = hn::LoadU(d, panel + (j + b) * panel_stride + row);
    for (std::size_t a = 0; a < A; ++a) {
      const Vec left = hn::LoadU(d, panel + (i + a) * panel_stride + row);
      for (std::size_t b = 0; b < B; ++b) sum[a][b] = hn::MulAdd(left, right[b], sum[a][b]);
    }
  }
  for (std::size_t a = 0; a < A; ++a) {
    for (std::size_t b = 0; b < B && j + b <= i + a; ++b) {
      packed[packed_index(i + a, j + b)] = hn::GetLane(hn::SumOfLanes(d, sum[a][b]));
    }
  }
}

void Scatter(const double* panel, std::size_t n_rows, std::size_t n_columns, std::span<double> packed) {
  std::size_t i = 0;
  for (; i + 4 <= n_columns; i += 4) {
    std::size_t j = 0;
    // A tile may reach over the diagonal; what lies above it is computed and left out.
    for (; j + 3 <= n_columns && j < i + 4; j += 3) products<4, 3>(panel, n_rows, i, j, packed);
    for (; j < i + 4; ++j) products<4, 1>(panel, n_rows, i, j, packed);
  }
  for (; i < n_columns; ++i) {
    for (std::size_t j = 0; j <= i; ++j) products<1, 1>(panel, n_rows, i, j, packed);
  }
}

// Sum over rows of a column, times the weights where there are any.
double ColumnSum(const double* HWY_RESTRICT column, const double* HWY_RESTRICT weights, std::size_t n_rows) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec sum = hn::Zero(d);
  std::size_t row = 0;
  for (; row + lanes <= n_rows; row += lanes) {
    const Vec x = hn::LoadU(d, column + row);
    sum = weights == nullptr ? hn::Add(sum, x) : hn::MulAdd(x, hn::LoadU(d, weights + row), sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; row < n_rows; ++row) total += column[row] * (weights == nullptr ? 1.0 : weights[row]);
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Scatter);
HWY_EXPORT(ColumnSum);

namespace {

double total_weight(std::span<const double> weights, std::size_t n_rows) {
  if (weights.empty()) return static_cast<double>(n_rows);
  double total = 0.0;
  for (const double weight : weights.first(n_rows)) total += weight;
  return total;
}

// sqrt(weight) (x - mean) in place; the rows behind the last one become zero.
void centre(double* column, std::size_t n_rows, double mean, const double* root_weights) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    column[row] = (column[row] - mean) * (root_weights == nullptr ? 1.0 : root_weights[row]);
  }
  // Kernels read whole vectors: what stands behind the last row must add nothing.
  std::fill(column + n_rows, column + std::min(panel_rows, (n_rows + 15) / 16 * 16), 0.0);
}

}  // namespace

double panel_moments(double* panel, std::size_t n_rows, std::span<const double> weights, std::span<double> mean,
                     std::span<double> packed_scatter) noexcept {
  std::ranges::fill(mean, 0.0);
  std::ranges::fill(packed_scatter, 0.0);
  const double total = total_weight(weights, n_rows);
  if (!(total > 0.0)) return 0.0;

  double root_weights[panel_rows];
  for (std::size_t row = 0; row < n_rows && !weights.empty(); ++row) root_weights[row] = std::sqrt(weights[row]);
  const double* weight = weights.empty() ? nullptr : weights.data();
  for (std::size_t c = 0; c < mean.size(); ++c) {
    double* column = panel + c * panel_stride;
    mean[c] = HWY_DYNAMIC_DISPATCH(ColumnSum)(column, weight, n_rows) / total;
    centre(column, n_rows, mean[c], weights.empty() ? nullptr : root_weights);
  }
  HWY_DYNAMIC_DISPATCH(Scatter)(panel, n_rows, mean.size(), packed_scatter);
  return total;
}

}  // namespace coppice::kernels
#endif
