// SPDX-License-Identifier: BSD-3-Clause
// Merges with rows: of rows, and of a row and a cluster.
#include "coppice/kernels/merge_many_columns.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/merge_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include "kernels/merge_rank_two-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

using Vec = MergeVec;
constexpr std::size_t block = BlockedTriangle::block;

// Two rows: M is the same B0 for all pairs, so in coordinates that make it a diagonal a pair costs O(D). The columns
// are gone through twice, since r needs the ratio of the finished sums: v^2 - (d v)^2 / d^2 in one pass would cancel
// where d and v are nearly parallel.
void RowLogDets(const RowMetric& metric, const double* weights, const ClusterArrays& rows, std::uint32_t one,
                std::span<const std::uint32_t> others, double* out) {
  const MergeTag tag;
  const std::size_t n = metric.m0.size();
  ForCandidates(others, out, [&](const Candidates& some) HWY_ATTR {
    const MergedWeights merged(hn::Set(tag, weights[one]), some.Of(weights), metric.xi0);
    Vec d, v;
    const auto take = [&](std::size_t column) HWY_ATTR {
      const Vec x_a = hn::Set(tag, rows.at(column, one));
      const Vec x_b = some.Of(rows.entry(column));
      d = hn::Sub(x_b, x_a);
      v = merged.Mean(x_a, x_b, hn::Set(tag, metric.m0[column]));
    };
    Vec dd = hn::Zero(tag);
    Vec vv = hn::Zero(tag);
    Vec dv = hn::Zero(tag);
    for (std::size_t column = 0; column < n; ++column) {
      take(column);
      const Vec inverse = hn::Set(tag, metric.inverse[column]);
      const Vec weighted = hn::Mul(inverse, d);
      dd = hn::MulAdd(weighted, d, dd);
      dv = hn::MulAdd(weighted, v, dv);
      vv = hn::MulAdd(hn::Mul(inverse, v), v, vv);
    }
    const Vec ratio = RankTwoSums<Vec>{dd, vv, dv}.Ratio();
    Vec rr = hn::Zero(tag);
    for (std::size_t column = 0; column < n; ++column) {
      take(column);
      const Vec r = hn::NegMulAdd(ratio, d, v);
      rr = hn::MulAdd(hn::Mul(hn::Set(tag, metric.inverse[column]), r), r, rr);
    }
    return hn::Add(hn::Set(tag, metric.log_det), LogOfRankTwo(merged, dd, vv, rr));
  });
}

// The two functions below do the same sums in the same order: with y = C^-1 (row - mean), every y_i runs over the
// columns from the first to the last, and sums over i are kept in four parts, by i modulo 4.
constexpr std::size_t n_parts = 4;

template <class V>
HWY_INLINE V SumOfParts(const V (&parts)[n_parts]) {
  return hn::Add(hn::Add(parts[0], parts[1]), hn::Add(parts[2], parts[3]));
}

// Several rows at a time. `d` and `y` are room for the differences and for y, a vector for every column.
void LogDetsWithRows(double xi0, const MergeCluster& cluster, const double* weights, const ClusterArrays& rows,
                     std::span<const std::uint32_t> others, double* room, double* out) {
  const MergeTag tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t n = cluster.mean.size();
  const std::size_t padded = cluster.shift.size();
  double* HWY_RESTRICT d = room;
  double* HWY_RESTRICT y = room + padded * lanes;
  ForCandidates(others, out, [&](const Candidates& some) HWY_ATTR {
    for (std::size_t j = 0; j < n; ++j) {
      hn::StoreU(hn::Sub(some.Of(rows.entry(j)), hn::Set(tag, cluster.mean[j])), tag, d + j * lanes);
    }
    for (std::size_t first = 0; first < padded; first += block) {
      // Eight rows of the triangle side by side, with zeros behind the diagonal.
      const double* HWY_RESTRICT w = cluster.inverse.rows(first);
      const std::size_t end = std::min(n, first + block);
      // Eight sums with names of their own hide the latency of a multiply-add, and stay in registers.
      Vec y0 = hn::Zero(tag), y1 = y0, y2 = y0, y3 = y0, y4 = y0, y5 = y0, y6 = y0, y7 = y0;
      for (std::size_t j = 0; j < end; ++j, w += block) {
        const Vec x = hn::LoadU(tag, d + j * lanes);
        y0 = hn::MulAdd(hn::Set(tag, w[0]), x, y0);
        y1 = hn::MulAdd(hn::Set(tag, w[1]), x, y1);
        y2 = hn::MulAdd(hn::Set(tag, w[2]), x, y2);
        y3 = hn::MulAdd(hn::Set(tag, w[3]), x, y3);
        y4 = hn::MulAdd(hn::Set(tag, w[4]), x, y4);
        y5 = hn::MulAdd(hn::Set(tag, w[5]), x, y5);
        y6 = hn::MulAdd(hn::Set(tag, w[6]), x, y6);
        y7 = hn::MulAdd(hn::Set(tag, w[7]), x, y7);
      }
      double* to = y + first * lanes;
      hn::StoreU(y0, tag, to);
      hn::StoreU(y1, tag, to + lanes);
      hn::StoreU(y2, tag, to + 2 * lanes);
      hn::StoreU(y3, tag, to + 3 * lanes);
      hn::StoreU(y4, tag, to + 4 * lanes);
      hn::StoreU(y5, tag, to + 5 * lanes);
      hn::StoreU(y6, tag, to + 6 * lanes);
      hn::StoreU(y7, tag, to + 7 * lanes);
    }
    const MergedWeights merged(hn::Set(tag, cluster.weight), some.Of(weights), xi0);
    // v = (n_a mean + n_b row) / n - m0 = (mean - m0) + (n_b / n) (row - mean): C^-1 v comes from the two vectors that
    // are there.
    const Vec share = hn::Mul(merged.b, merged.share);
    Vec dd[n_parts], vv[n_parts], dv[n_parts], rr[n_parts];
    for (std::size_t k = 0; k < n_parts; ++k) dd[k] = vv[k] = dv[k] = rr[k] = hn::Zero(tag);
    for (std::size_t i = 0; i < padded; i += n_parts) {
      for (std::size_t k = 0; k < n_parts; ++k) {
        const Vec y_i = hn::LoadU(tag, y + (i + k) * lanes);
        const Vec v_i = hn::MulAdd(share, y_i, hn::Set(tag, cluster.shift[i + k]));
        dd[k] = hn::MulAdd(y_i, y_i, dd[k]);
        vv[k] = hn::MulAdd(v_i, v_i, vv[k]);
        dv[k] = hn::MulAdd(y_i, v_i, dv[k]);
      }
    }
    const RankTwoSums<Vec> sums{SumOfParts(dd), SumOfParts(vv), SumOfParts(dv)};
    const Vec ratio = sums.Ratio();
    for (std::size_t i = 0; i < padded; i += n_parts) {
      for (std::size_t k = 0; k < n_parts; ++k) {
        const Vec y_i = hn::LoadU(tag, y + (i + k) * lanes);
        const Vec v_i = hn::MulAdd(share, y_i, hn::Set(tag, cluster.shift[i + k]));
        const Vec r = hn::NegMulAdd(ratio, y_i, v_i);
        rr[k] = hn::MulAdd(r, r, rr[k]);
      }
    }
    return hn::Add(hn::Set(tag, cluster.log_det), LogOfRankTwo(merged, sums.dd, sums.vv, SumOfParts(rr)));
  });
}

// One row: vectors run over i.
using PartTag = hn::CappedTag<double, n_parts>;
using PartVec = hn::Vec<PartTag>;

// The four parts of sums over i, in as many vectors as they need.
class Parts {
 public:
  HWY_INLINE Parts() {
    for (PartVec& part : parts_) part = hn::Zero(PartTag());
  }
  HWY_INLINE void Take(std::size_t i, PartVec a, PartVec b) {
    // By i modulo 4, however many lanes a vector has.
    PartVec& part = parts_[i % n_parts / hn::Lanes(PartTag())];
    part = hn::MulAdd(a, b, part);
  }
  HWY_INLINE Vec Sum() const {
    const std::size_t lanes = hn::Lanes(PartTag());
    double sums[n_parts] = {};
    for (std::size_t k = 0; k < n_parts; k += lanes) hn::StoreU(parts_[k / lanes], PartTag(), sums + k);
    return hn::Set(MergeTag(), (sums[0] + sums[1]) + (sums[2] + sums[3]));
  }

 private:
  PartVec parts_[n_parts];
};

double LogDetOfRow(double xi0, double weight, const double* HWY_RESTRICT row, const MergeCluster& cluster,
                   double* HWY_RESTRICT room) {
  const MergeTag tag;
  const PartTag parts;
  const std::size_t lanes = hn::Lanes(parts);
  const std::size_t n = cluster.mean.size();
  const std::size_t padded = cluster.shift.size();
  double* HWY_RESTRICT d = room;
  double* HWY_RESTRICT y = room + padded;
  for (std::size_t j = 0; j < n; ++j) d[j] = row[j] - cluster.mean[j];
  for (std::size_t first = 0; first < padded; first += block) {
    const double* HWY_RESTRICT w = cluster.inverse.rows(first);
    const std::size_t end = std::min(n, first + block);
    for (std::size_t i = 0; i < block; i += 2 * lanes) {
      PartVec low = hn::Zero(parts);
      PartVec high = low;
      for (std::size_t j = 0; j < end; ++j) {
        const PartVec x = hn::Set(parts, d[j]);
        low = hn::MulAdd(hn::LoadU(parts, w + j * block + i), x, low);
        high = hn::MulAdd(hn::LoadU(parts, w + j * block + i + lanes), x, high);
      }
      hn::StoreU(low, parts, y + first + i);
      hn::StoreU(high, parts, y + first + i + lanes);
    }
  }
  const MergedWeights merged(hn::Set(tag, cluster.weight), hn::Set(tag, weight), xi0);
  const PartVec share = hn::Set(parts, hn::GetLane(hn::Mul(merged.b, merged.share)));
  const auto v_at = [&](std::size_t i, PartVec y_i)
                        HWY_ATTR { return hn::MulAdd(share, y_i, hn::LoadU(parts, cluster.shift.data() + i)); };
  Parts dd, vv, dv, rr;
  for (std::size_t i = 0; i < padded; i += lanes) {
    const PartVec y_i = hn::LoadU(parts, y + i);
    const PartVec v_i = v_at(i, y_i);
    dd.Take(i, y_i, y_i);
    vv.Take(i, v_i, v_i);
    dv.Take(i, y_i, v_i);
  }
  const RankTwoSums<Vec> sums{dd.Sum(), vv.Sum(), dv.Sum()};
  const PartVec ratio = hn::Set(parts, hn::GetLane(sums.Ratio()));
  for (std::size_t i = 0; i < padded; i += lanes) {
    const PartVec y_i = hn::LoadU(parts, y + i);
    const PartVec r = hn::NegMulAdd(ratio, y_i, v_at(i, y_i));
    rr.Take(i, r, r);
  }
  return cluster.log_det + hn::GetLane(LogOfRankTwo(merged, sums.dd, sums.vv, rr.Sum()));
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(RowLogDets);
HWY_EXPORT(LogDetsWithRows);
HWY_EXPORT(LogDetOfRow);

void merged_row_log_dets(const RowMetric& metric, const double* weights, const ClusterArrays& coordinates,
                         std::uint32_t one, std::span<const std::uint32_t> others, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(RowLogDets)(metric, weights, coordinates, one, others, out);
}

void merged_log_dets_with_rows(double xi0, const MergeCluster& one, const double* weights, const ClusterArrays& rows,
                               std::span<const std::uint32_t> others, double* out) {
  constexpr std::size_t most_lanes = 8;
  thread_local AlignedVector<double> room;
  room.resize(2 * most_lanes * one.shift.size());
  HWY_DYNAMIC_DISPATCH(LogDetsWithRows)(xi0, one, weights, rows, others, room.data(), out);
}

double merged_log_det_of_row(double xi0, double weight, std::span<const double> row, const MergeCluster& other) {
  thread_local AlignedVector<double> room;
  room.resize(2 * other.shift.size());
  return HWY_DYNAMIC_DISPATCH(LogDetOfRow)(xi0, weight, row.data(), other, room.data());
}

}  // namespace coppice::kernels
#endif
