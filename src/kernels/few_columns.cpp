// SPDX-License-Identifier: BSD-3-Clause
// The leaf code of a sweep down a tree, where blocks are 32 to a few hundred rows and panels would cost more than they
// bring: rows are turned into vectors of columns by interleaved loads, looked at once, and forgotten. The number of
// columns is a template parameter throughout, so that the form, the deviations and the sums of products all stay in
// registers.

#include "coppice/kernels/few_columns.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/few_columns.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "coppice/kernels/moments.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// One vector's worth of rows, column by column.
template <std::size_t D>
HWY_INLINE void Deinterleave(const double* HWY_RESTRICT rows, Vec (&x)[D]) {
  const Tag d;
  if constexpr (D == 1) {
    x[0] = hn::LoadU(d, rows);
  } else if constexpr (D == 2) {
    hn::LoadInterleaved2(d, rows, x[0], x[1]);
  } else if constexpr (D == 3) {
    hn::LoadInterleaved3(d, rows, x[0], x[1], x[2]);
  } else {
    hn::LoadInterleaved4(d, rows, x[0], x[1], x[2], x[3]);
  }
}

template <std::size_t D>
HWY_INLINE void Deinterleave(const float* HWY_RESTRICT rows, Vec (&x)[D]) {
  const Tag d;
  double wide[D * HWY_MAX_BYTES / sizeof(double)];
  for (std::size_t i = 0; i < D * hn::Lanes(d); ++i) wide[i] = static_cast<double>(rows[i]);
  Deinterleave<D>(wide, x);
}

// A vector of rows, from `row` on; lanes first..last-1 have not been there before.
struct Lanes {
  std::size_t row;
  std::size_t first;
  std::size_t last;
};

// Calls use(x, lanes) for one vector of rows after the other, x less the origin. What is left at the end comes with
// rows that have been there before in front of it; if there are none, copies of the last row stand behind it.
template <std::size_t D, class Value, class Use>
HWY_INLINE void ForEachVector(const Value* HWY_RESTRICT rows, std::size_t n_rows, const double* origin,
                              const Use& use) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec shift[D];
  for (std::size_t c = 0; c < D; ++c) shift[c] = hn::Set(d, origin[c]);
  Vec x[D];
  const auto take = [&](const Value* HWY_RESTRICT from, const Lanes& of) HWY_ATTR {
    Deinterleave<D>(from, x);
    for (std::size_t c = 0; c < D; ++c) x[c] = hn::Sub(x[c], shift[c]);
    use(x, of);
  };
  std::size_t row = 0;
  for (; row + lanes <= n_rows; row += lanes) take(rows + row * D, {row, 0, lanes});
  if (row == n_rows) return;
  if (row > 0) return take(rows + (n_rows - lanes) * D, {n_rows - lanes, lanes - (n_rows - row), lanes});
  Value rest[D * HWY_MAX_BYTES / sizeof(double)];
  for (std::size_t i = 0; i < lanes; ++i) {
    std::memcpy(rest + i * D, rows + std::min(i, n_rows - 1) * D, D * sizeof(Value));
  }
  take(rest, {0, 0, n_rows});
}

template <std::size_t D>
HWY_INLINE Vec ValueOf(const double* HWY_RESTRICT record, double offset, const Vec (&x)[D]) {
  const Tag d;
  Vec t[D];
  for (std::size_t j = 0; j < D; ++j) t[j] = hn::Sub(x[j], hn::Set(d, record[j]));
  const double* w = record + D;
  // The same multiply-adds in the same order as costs_small of quadratic.cpp, but the offset joins a first.
  Vec value = hn::Set(d, w[packed_size(D)] + offset);
  for (std::size_t i = 0; i < D; ++i) {
    Vec y = hn::Mul(hn::Set(d, *w++), t[0]);
    for (std::size_t j = 1; j <= i; ++j) y = hn::MulAdd(hn::Set(d, *w++), t[j], y);
    value = hn::MulAdd(y, y, value);
  }
  return value;
}

template <std::size_t D, class Value>
std::size_t NearestOf(const Value* rows, const FewForms::Query& query, const double* HWY_RESTRICT records,
                      std::int32_t* HWY_RESTRICT winners, std::uint32_t* HWY_RESTRICT doubtful) {
  constexpr std::size_t record_size = D + packed_size(D) + 1;
  const Tag d;
  const hn::Rebind<std::int32_t, Tag> integers;
  const Vec infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  const DoubtLimits& limits = query.limits;
  std::size_t n_doubtful = 0;
  ForEachVector<D>(rows, query.rows.n_rows, query.rows.origin, [&](const Vec(&x)[D], const Lanes& of) HWY_ATTR {
    Vec best = infinity;
    Vec second = infinity;
    Vec winner = hn::Set(d, static_cast<double>(query.competing.front()));
    for (const std::int32_t form : query.competing) {
      const auto at = static_cast<std::size_t>(form);
      const Vec value = ValueOf<D>(records + at * record_size, query.offsets[at], x);
      const auto is_better = hn::Lt(value, best);
      second = hn::Min(second, hn::Max(best, value));
      best = hn::Min(best, value);
      winner = hn::IfThenElse(is_better, hn::Set(d, static_cast<double>(form)), winner);
    }
    const auto labels = hn::DemoteTo(integers, winner);
    if (of.last == hn::Lanes(d)) {
      hn::StoreU(labels, integers, winners + of.row);
    } else {
      std::int32_t rest[HWY_MAX_BYTES / sizeof(double)];
      hn::StoreU(labels, integers, rest);
      std::copy_n(rest, of.last, winners + of.row);
    }
    const Vec excess = hn::Max(hn::Sub(best, hn::Set(d, limits.floor)), hn::Zero(d));
    const Vec of_size = hn::MulAdd(hn::Abs(best), hn::Set(d, limits.per_size), hn::Set(d, limits.base));
    const Vec limit = hn::MulAdd(excess, hn::Set(d, limits.per_excess), of_size);
    const auto is_doubtful = hn::Le(hn::Sub(second, best), limit);
    if (HWY_LIKELY(hn::AllFalse(d, is_doubtful))) return;
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, is_doubtful, bits);
    for (std::size_t i = of.first; i < of.last; ++i) {
      if ((bits[0] >> i & 1) != 0) doubtful[n_doubtful++] = static_cast<std::uint32_t>(of.row + i);
    }
  });
  return n_doubtful;
}

// The first of the heaviest rows. Which one that is nobody can foretell, so that nothing branches on single rows.
HWY_INLINE std::size_t HeaviestRow(const double* HWY_RESTRICT weights, std::size_t n_rows) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec greatest = hn::Zero(d);
  std::size_t row = 0;
  for (; row + lanes <= n_rows; row += lanes) greatest = hn::Max(greatest, hn::LoadU(d, weights + row));
  double most = hn::GetLane(hn::MaxOfLanes(d, greatest));
  for (std::size_t i = row; i < n_rows; ++i) most = std::max(most, weights[i]);
  for (std::size_t i = 0; i < row; i += lanes) {
    const std::intptr_t found = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, weights + i), hn::Set(d, most)));
    if (found >= 0) return i + static_cast<std::size_t>(found);
  }
  while (weights[row] != most) ++row;
  return row;
}

// In one pass, as deviations from the heaviest row: no digits are lost, wherever the rows lie.
template <std::size_t D, class Value>
double MomentsOf(const Value* rows, std::size_t n_rows, const double* origin, const double* HWY_RESTRICT weights,
                 double* HWY_RESTRICT mean, double* HWY_RESTRICT packed) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  // Deviations are taken from a row of the set: its mean is not known yet. From the heaviest one, since then the mean
  // cannot lie so far away that taking the mean's square out of the sums below costs digits; from a row of next to no
  // weight it could.
  const std::size_t first = weights == nullptr ? 0 : HeaviestRow(weights, n_rows);
  if (weights != nullptr && !(weights[first] > 0.0)) return 0.0;
  double start[D];
  for (std::size_t c = 0; c < D; ++c) start[c] = static_cast<double>(rows[first * D + c]);

  // The weights of a vector of rows; 0 for those that do not count.
  const auto weight_of = [=](const Lanes& of) HWY_ATTR {
    const auto has_been = hn::FirstN(d, of.first);
    if (weights == nullptr)
      return hn::IfThenZeroElse(has_been, hn::IfThenElseZero(hn::FirstN(d, of.last), hn::Set(d, 1.0)));
    if (of.last == lanes) return hn::IfThenZeroElse(has_been, hn::LoadU(d, weights + of.row));
    double rest[HWY_MAX_BYTES / sizeof(double)] = {};
    std::copy_n(weights + of.row, of.last, rest);
    return hn::LoadU(d, rest);
  };
  Vec weight = hn::Zero(d);
  Vec sum[D];
  Vec product[packed_size(D)];
  for (Vec& entry : sum) entry = hn::Zero(d);
  for (Vec& entry : product) entry = hn::Zero(d);
  ForEachVector<D>(rows, n_rows, start, [&](const Vec(&t)[D], const Lanes& of) HWY_ATTR {
    const Vec w = weight_of(of);
    weight = hn::Add(weight, w);
    for (std::size_t i = 0; i < D; ++i) {
      const Vec weighted = hn::Mul(w, t[i]);
      sum[i] = hn::Add(sum[i], weighted);
      for (std::size_t j = 0; j <= i; ++j) {
        product[packed_index(i, j)] = hn::MulAdd(weighted, t[j], product[packed_index(i, j)]);
      }
    }
  });

  const auto sum_of = [d](Vec v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, v)); };
  const double total = sum_of(weight);
  double sums[D];
  for (std::size_t i = 0; i < D; ++i) {
    sums[i] = sum_of(sum[i]);
    const double deviation = sums[i] / total;
    for (std::size_t j = 0; j < i; ++j) {
      packed[packed_index(i, j)] = sum_of(product[packed_index(i, j)]) - deviation * sums[j];
    }
    // A variance that rounds below zero is zero; anything less would fail in a factorization.
    packed[packed_index(i, i)] = std::max(sum_of(product[packed_index(i, i)]) - deviation * sums[i], 0.0);
    mean[i] = (start[i] - origin[i]) + deviation;
  }
  return total;
}

template <std::size_t D>
std::size_t NearestIn(const FewForms::Table& forms, const FewForms::Query& query, std::int32_t* winners,
                      std::uint32_t* doubtful) {
  return query.rows.doubles != nullptr ? NearestOf<D>(query.rows.doubles, query, forms.records, winners, doubtful)
                                       : NearestOf<D>(query.rows.floats, query, forms.records, winners, doubtful);
}

std::size_t Nearest(const FewForms::Table& forms, const FewForms::Query& query, std::int32_t* winners,
                    std::uint32_t* doubtful) {
  switch (forms.n_columns) {
    case 1:
      return NearestIn<1>(forms, query, winners, doubtful);
    case 2:
      return NearestIn<2>(forms, query, winners, doubtful);
    case 3:
      return NearestIn<3>(forms, query, winners, doubtful);
    default:
      return NearestIn<4>(forms, query, winners, doubtful);
  }
}

template <std::size_t D>
double MomentsIn(const StoredRows& rows, const double* weights, double* mean, double* packed) {
  return rows.doubles != nullptr ? MomentsOf<D>(rows.doubles, rows.n_rows, rows.origin, weights, mean, packed)
                                 : MomentsOf<D>(rows.floats, rows.n_rows, rows.origin, weights, mean, packed);
}

double Moments(const StoredRows& rows, const double* weights, std::size_t n_columns, double* mean, double* packed) {
  switch (n_columns) {
    case 1:
      return MomentsIn<1>(rows, weights, mean, packed);
    case 2:
      return MomentsIn<2>(rows, weights, mean, packed);
    case 3:
      return MomentsIn<3>(rows, weights, mean, packed);
    default:
      return MomentsIn<4>(rows, weights, mean, packed);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Nearest);
HWY_EXPORT(Moments);

void FewForms::append(const QuadraticForm& form) {
  records_.insert(records_.end(), form.m.begin(), form.m.end());
  for (std::size_t i = 0; i < n_columns_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) records_.push_back(form.w->at(i, j));
  }
  records_.push_back(form.a);
}

std::size_t FewForms::nearest(const Query& query, std::int32_t* winners, std::uint32_t* doubtful) const noexcept {
  return HWY_DYNAMIC_DISPATCH(Nearest)(Table{records_.data(), n_columns_}, query, winners, doubtful);
}

double few_moments(const StoredRows& rows, std::span<const double> weights, std::span<double> mean,
                   std::span<double> packed_scatter) noexcept {
  std::ranges::fill(mean, 0.0);
  std::ranges::fill(packed_scatter, 0.0);
  return HWY_DYNAMIC_DISPATCH(Moments)(rows, weights.empty() ? nullptr : weights.data(), mean.size(), mean.data(),
                                       packed_scatter.data());
}

}  // namespace coppice::kernels
#endif
