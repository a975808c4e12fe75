// SPDX-License-Identifier: BSD-3-Clause
// R' R by rows of the upper half, right-looking: whole rows are added to whole rows, so that everything is a long
// multiply-add over neighbouring memory and no sum has to be added up over lanes. Four rows at a time quarter the loads
// and stores of the row that is changed; rows begin at a line of the cache and end with zeros (square_matrix.hpp), so
// that loads are aligned and there is no rest. O(n^3 / 3). An own kernel, since Eigen is compiled for the least
// instruction set.

#include "coppice/kernels/cholesky.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cholesky.cpp"
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
constexpr std::size_t line = 8;  // doubles in a line of the cache, where rows begin

// to[first..last) += sum_i factors[i] rows[i], from the line on that `first` is in.
template <std::size_t N>
HWY_INLINE void AddRows(const double* const* HWY_RESTRICT rows, const double* HWY_RESTRICT factors,
                        double* HWY_RESTRICT to, std::size_t first, std::size_t last) {
  const Tag tag;
  Vec factor[N];
  for (std::size_t i = 0; i < N; ++i) factor[i] = hn::Set(tag, factors[i]);
  // From the beginning of the line on: what stands before `first` there gets numbers without meaning, as the header
  // allows for the lower half.
  for (std::size_t j = first / line * line; j < last; j += hn::Lanes(tag)) {
    Vec sum = hn::Load(tag, to + j);
    for (std::size_t i = 0; i < N; ++i) sum = hn::MulAdd(factor[i], hn::Load(tag, rows[i] + j), sum);
    hn::Store(sum, tag, to + j);
  }
}

// Any number of rows, four at a time.
HWY_INLINE void AddAllRows(const double* const* rows, const double* factors, std::size_t n, double* to,
                           std::size_t first, std::size_t last) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) AddRows<4>(rows + i, factors + i, to, first, last);
  for (; i < n; ++i) AddRows<1>(rows + i, factors + i, to, first, last);
}

// Four rows of R at a time are taken from all rows below them.
bool Factorize(SquareMatrix& a) {
  constexpr std::size_t block = 4;
  const std::size_t n = a.n();
  for (std::size_t begin = 0; begin < n; begin += block) {
    const double* rows[block];
    double factors[block];
    const std::size_t end = std::min(n, begin + block);
    for (std::size_t k = begin; k < end; ++k) {
      double* row = a.row(k);
      for (std::size_t i = begin; i < k; ++i) factors[i - begin] = -rows[i - begin][k];
      AddAllRows(rows, factors, k - begin, row, k, n);
      // Written so that a pivot that is not a number fails as well. An infinite one would pass, and leave zeros and
      // what is not a number behind.
      if (!(row[k] > 0.0) || !(row[k] < HUGE_VAL)) return false;
      const double scale = 1.0 / std::sqrt(row[k]);
      for (std::size_t j = k; j < n; ++j) row[j] *= scale;
      rows[k - begin] = row;
    }
    for (std::size_t i = end; i < n; ++i) {
      for (std::size_t k = begin; k < end; ++k) factors[k - begin] = -rows[k - begin][i];
      AddAllRows(rows, factors, end - begin, a.row(i), i, n);
    }
  }
  return true;
}

// With W = R'^-1, row by row: W_i = (e_i - sum_{k < i} R_ki W_k) / R_ii. `rows` and `factors` are room for one entry
// per row.
void InverseOfFactor(const SquareMatrix& r, const double** rows, double* factors, SquareMatrix& w) {
  for (std::size_t i = 0; i < r.n(); ++i) {
    double* row = w.row(i);
    for (std::size_t k = 0; k < i; ++k) factors[k] = -r.row(k)[i];
    // W_k ends at its column k: four rows at a time begin no later than the first of them does.
    AddAllRows(rows, factors, i, row, 0, i);
    const double scale = 1.0 / r.row(i)[i];
    for (std::size_t j = 0; j < i; ++j) row[j] *= scale;
    row[i] = scale;
    rows[i] = row;
  }
}

// W' W as a sum of outer products of W's rows, four rows at a time: W_k is zero behind its diagonal, so rows 0..end-1
// of the sum are all that four rows can reach.
void GramOfTriangle(const SquareMatrix& w, SquareMatrix& gram) {
  constexpr std::size_t block = 4;
  for (std::size_t begin = 0; begin < w.n(); begin += block) {
    const std::size_t end = std::min(w.n(), begin + block);
    const double* rows[block];
    for (std::size_t k = begin; k < end; ++k) rows[k - begin] = w.row(k);
    for (std::size_t i = 0; i < end; ++i) {
      double factors[block];
      for (std::size_t k = begin; k < end; ++k) factors[k - begin] = rows[k - begin][i];
      AddAllRows(rows, factors, end - begin, gram.row(i), 0, end);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Factorize);
HWY_EXPORT(InverseOfFactor);
HWY_EXPORT(GramOfTriangle);

bool factorize(SquareMatrix& a) { return HWY_DYNAMIC_DISPATCH(Factorize)(a); }

double log_det_of_factor(const SquareMatrix& r) {
  double sum = 0.0;
  for (std::size_t i = 0; i < r.n(); ++i) sum += std::log(r.row(i)[i]);
  return 2.0 * sum;
}

SquareMatrix inverse_of_factor(const SquareMatrix& r) {
  SquareMatrix w(r.n());
  std::vector<const double*> rows(r.n());
  std::vector<double> factors(r.n());
  HWY_DYNAMIC_DISPATCH(InverseOfFactor)(r, rows.data(), factors.data(), w);
  return w;
}

SquareMatrix gram_of_triangle(const SquareMatrix& w) {
  SquareMatrix gram(w.n());
  HWY_DYNAMIC_DISPATCH(GramOfTriangle)(w, gram);
  return gram;
}

}  // namespace coppice::kernels
#endif
