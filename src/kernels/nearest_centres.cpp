// SPDX-License-Identifier: BSD-3-Clause
// k-means spends its time here. A block of rows times a tile of 16 centres is a small matrix product: rows_at_once rows
// by N vectors of sums stay in registers while the columns pass by, so that every load of a centre serves several rows.
// The product is never written down; its values go straight into the best and second best of each lane. Single
// precision doubles the lanes and halves the memory, and is wrong by a known amount (float_roundings): rows whose gap
// is not wider than that are handed on to double precision (DoubtfulRows). So labels are exact although the arithmetic
// is not.

#include "coppice/kernels/nearest_centres.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/nearest_centres.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "kernels/read_ahead.hpp"
#include "kernels/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, PackedCentres::tile>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());
constexpr std::size_t n_vectors = PackedCentres::tile / lanes;
// Where the last tile is at most half full, the other half is left out. Vectors of half a tile's length take half the
// time of whole ones, or there are two of those at least.
using HalfTag = hn::CappedTag<float, PackedCentres::tile / 2>;
constexpr std::size_t half_vectors = PackedCentres::tile / 2 / hn::MaxLanes(HalfTag());
// Sums that leave room for the centres, N vectors of them, and for one number of a row in sixteen registers, or in
// thirty-two. There a tile is one vector: three of them share a number of a row.
constexpr std::size_t n_sums = has_many_registers ? 24 : 12;
constexpr std::size_t tiles_at_once = has_many_registers ? 3 : 1;
constexpr std::size_t most_rows_at_once = 12;
template <std::size_t N>
constexpr std::size_t rows_at_once = std::clamp<std::size_t>(n_sums / N, 1, most_rows_at_once);
constexpr std::size_t sums_stride = tiles_at_once * PackedCentres::tile;

// Running values of some rows: lane i looks after every lanes-th centre.
struct LaneMinima {
  float best[lanes];
  float second[lanes];
  float vector[lanes];  // the number of the vector that the best came from
};

// Calls take(0) to take(N - 1), each of them a constant. An array whose places are all named by constants stays in
// registers; one that a loop goes over waits in memory before and after the product.
template <std::size_t N, class Take>
HWY_INLINE void ForEach(const Take& take) {
  [&]<std::size_t... I>(std::index_sequence<I...>) HWY_ATTR { (take(std::integral_constant<std::size_t, I>()), ...); }
  (std::make_index_sequence<N>());
}

// Some columns of R rows, `stride` apart, against those of N vectors of centres, added to v. The vectors are those of
// one tile or of several, each of which has `stride` columns.
template <class D, std::size_t R, std::size_t N>
HWY_INLINE void AddProduct(const float* HWY_RESTRICT rows, std::size_t stride, const float* HWY_RESTRICT centres,
                           std::size_t n_columns, const ReadAhead::Lines& lines, hn::Vec<D> (&v)[R][N]) {
  const D d;
  for (std::size_t c = 0; c < n_columns; ++c) {
    if (c < lines.n) __builtin_prefetch(lines.first + c * ReadAhead::line, 0, 2);
    hn::Vec<D> centre[N];
    ForEach<N>([&](auto i) HWY_ATTR {
      const std::size_t column = i / n_vectors * stride + c;
      centre[i] = hn::LoadU(d, centres + column * PackedCentres::tile + i % n_vectors * hn::MaxLanes(D()));
    });
    ForEach<R>([&](auto r) HWY_ATTR {
      const hn::Vec<D> x = hn::Set(d, rows[r * stride + c]);
      ForEach<N>([&](auto i) HWY_ATTR { v[r][i] = hn::MulAdd(x, centre[i], v[r][i]); });
    });
  }
}

template <class D, std::size_t R, std::size_t N>
HWY_INLINE void TakeValues(const hn::Vec<D> (&v)[R][N], std::size_t tile, LaneMinima* HWY_RESTRICT minima) {
  const D d;
  ForEach<R>([&](auto r) HWY_ATTR {
    hn::Vec<D> best = hn::LoadU(d, minima[r].best);
    hn::Vec<D> second = hn::LoadU(d, minima[r].second);
    hn::Vec<D> vector = hn::LoadU(d, minima[r].vector);
    ForEach<N>([&](auto i) HWY_ATTR {
      // Rows that single precision cannot hold bring values here that are not numbers. Their squared length is
      // infinite, which puts them in doubt (DoubtfulRows) whatever these minima make of them.
      const auto is_better = hn::Gt(v[r][i], best);
      second = hn::Max(second, hn::Min(best, v[r][i]));
      best = hn::Max(best, v[r][i]);
      vector = hn::IfThenElse(is_better, hn::Set(d, static_cast<float>(tile * n_vectors + i)), vector);
    });
    hn::StoreU(best, d, minima[r].best);
    hn::StoreU(second, d, minima[r].second);
    hn::StoreU(vector, d, minima[r].vector);
  });
}

// Some columns of one tile, or of several.
struct Chunk {
  std::size_t tile;  // the first
  std::size_t first;
  std::size_t n_columns;
  bool is_first;
  bool is_last;
};

// Adds the sums of the chunks before, and leaves them for the chunk after.
template <class D, std::size_t R, std::size_t N>
HWY_INLINE void TakeSums(const Chunk& chunk, float* HWY_RESTRICT sums, hn::Vec<D> (&v)[R][N]) {
  const D d;
  const auto at = [&](std::size_t r, std::size_t i) { return sums + r * sums_stride + i * hn::MaxLanes(D()); };
  if (!chunk.is_first) {
    ForEach<R>([&](auto r) HWY_ATTR {
      ForEach<N>([&](auto i) HWY_ATTR { v[r][i] = hn::Add(v[r][i], hn::LoadU(d, at(r, i))); });
    });
  }
  if (!chunk.is_last) {
    ForEach<R>([&](auto r) HWY_ATTR { ForEach<N>([&](auto i) HWY_ATTR { hn::StoreU(v[r][i], d, at(r, i)); }); });
  }
}

// The sums of the last chunk are complete and go on to the minima; those before wait in `sums`.
template <class D, std::size_t R, std::size_t N>
HWY_INLINE void TakeChunk(const float* HWY_RESTRICT rows, const PackedCentres::Tiles& tiles, const Chunk& chunk,
                          const ReadAhead::Lines& lines, float* HWY_RESTRICT sums, LaneMinima* HWY_RESTRICT minima) {
  const D d;
  hn::Vec<D> v[R][N];
  const float* halves = tiles.halves + chunk.tile * PackedCentres::tile;
  ForEach<N>([&](auto i) HWY_ATTR {
    const hn::Vec<D> start = chunk.is_first ? hn::Neg(hn::LoadU(d, halves + i * hn::MaxLanes(D()))) : hn::Zero(d);
    ForEach<R>([&](auto r) HWY_ATTR { v[r][i] = start; });
  });
  const float* centres = tiles.values + (chunk.tile * tiles.n_columns + chunk.first) * PackedCentres::tile;
  AddProduct<D>(rows + chunk.first, tiles.n_columns, centres, chunk.n_columns, lines, v);
  TakeSums<D>(chunk, sums, v);
  if (chunk.is_last) TakeValues<D>(v, chunk.tile, minima);
}

// Rows with what is known of them so far.
struct RowRange {
  const float* values;
  std::size_t n_rows;
  float* sums;  // sums_stride per row
  LaneMinima* minima;
  ReadAhead* read_ahead;
};

// The n < R + 1 rows that are left at the end of a range, all at once: one by one they would wait for their sums.
template <class D, std::size_t R, std::size_t N>
void TakeRest(const RowRange& rows, std::size_t n, const PackedCentres::Tiles& tiles, const Chunk& chunk) {
  if constexpr (R > 0) {
    if (n < R) return TakeRest<D, R - 1, N>(rows, n, tiles, chunk);
    const std::size_t row = rows.n_rows - R;
    TakeChunk<D, R, N>(rows.values + row * tiles.n_columns, tiles, chunk, {}, rows.sums + row * sums_stride,
                       rows.minima + row);
  }
}

template <class D, std::size_t N>
void TakeRows(const RowRange& rows, const PackedCentres::Tiles& tiles, const Chunk& chunk) {
  std::size_t row = 0;
  for (; row + rows_at_once<N> <= rows.n_rows; row += rows_at_once<N>) {
    TakeChunk<D, rows_at_once<N>, N>(rows.values + row * tiles.n_columns, tiles, chunk,
                                     rows.read_ahead->next(chunk.n_columns), rows.sums + row * sums_stride,
                                     rows.minima + row);
  }
  TakeRest<D, rows_at_once<N> - 1, N>(rows, rows.n_rows - row, tiles, chunk);
}

// The rows against T tiles, or fewer where fewer are left.
template <std::size_t T>
void TakeTilesOf(const RowRange& rows, const PackedCentres::Tiles& tiles, const Chunk& chunk) {
  if constexpr (T == 1) {
    const bool is_half = tiles.n_centres - chunk.tile * PackedCentres::tile <= PackedCentres::tile / 2;
    is_half ? TakeRows<HalfTag, half_vectors>(rows, tiles, chunk) : TakeRows<Tag, n_vectors>(rows, tiles, chunk);
  } else {
    const bool are_enough = tiles.n_tiles - chunk.tile >= T;
    are_enough ? TakeRows<Tag, T * n_vectors>(rows, tiles, chunk) : TakeTilesOf<T - 1>(rows, tiles, chunk);
  }
}

// Chunks of columns keep tiles in the nearest cache, and their sums add up with less rounding than one long sum.
void TakeTiles(const RowRange& rows, const PackedCentres::Tiles& tiles) {
  for (std::size_t tile = 0; tile < tiles.n_tiles; tile += tiles_at_once) {
    for (std::size_t first = 0; first < tiles.n_columns; first += PackedCentres::chunk_columns) {
      const std::size_t n_columns = std::min(PackedCentres::chunk_columns, tiles.n_columns - first);
      const Chunk chunk{tile, first, n_columns, first == 0, first + n_columns == tiles.n_columns};
      TakeTilesOf<tiles_at_once>(rows, tiles, chunk);
    }
  }
}

// How often TakeTiles takes a whole group of rows, but for a last few tiles; once at least.
std::size_t NGroups(std::size_t n_rows, const PackedCentres::Tiles& tiles) {
  const std::size_t n_chunks = (tiles.n_columns + PackedCentres::chunk_columns - 1) / PackedCentres::chunk_columns;
  const std::size_t n_times = std::max<std::size_t>(tiles.n_tiles / tiles_at_once, 1) * n_chunks;
  return std::max<std::size_t>(n_rows / rows_at_once<tiles_at_once * n_vectors> * n_times, 1);
}

void Nearest(const FloatRows& rows, const PackedCentres::Tiles& tiles, std::span<const std::byte> read_next,
             NearestCentres& out) {
  const Tag d;
  const Vec lowest = hn::Set(d, -std::numeric_limits<float>::infinity());
  thread_local std::vector<LaneMinima> minima;
  minima.resize(std::max(minima.size(), rows.n_rows));
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    hn::StoreU(lowest, d, minima[row].best);
    hn::StoreU(lowest, d, minima[row].second);
    hn::StoreU(hn::Zero(d), d, minima[row].vector);
  }
  thread_local std::vector<float> sums;
  sums.resize(std::max(sums.size(), rows.n_rows * sums_stride));
  ReadAhead read_ahead(read_next, NGroups(rows.n_rows, tiles));
  TakeTiles({rows.values.data(), rows.n_rows, sums.data(), minima.data(), &read_ahead}, tiles);

  const Vec lane_numbers = hn::Iota(d, 0.0F);
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const Vec best = hn::LoadU(d, minima[row].best);
    const Vec greatest = hn::MaxOfLanes(d, best);
    const auto is_greatest = hn::Eq(best, greatest);
    // Whole numbers below 2^24 are exact in single precision.
    const Vec centre =
        hn::MulAdd(hn::LoadU(d, minima[row].vector), hn::Set(d, static_cast<float>(lanes)), lane_numbers);
    // Among lanes with the same value the smallest number wins; which one does not matter, since rows that tie are in
    // doubt.
    const Vec winner =
        hn::MinOfLanes(d, hn::IfThenElse(is_greatest, centre, hn::Set(d, std::numeric_limits<float>::max())));
    // The runner-up is another lane's best or anybody's second.
    const Vec others = hn::IfThenElse(hn::Eq(centre, winner), lowest, best);
    const Vec second = hn::MaxOfLanes(d, hn::Max(others, hn::LoadU(d, minima[row].second)));
    const float nearest = hn::GetLane(winner);
    // Numbers that are not numbers may leave no winner, or a place behind the last centre; such rows are in doubt
    // anyway.
    out.nearest[row] = nearest < static_cast<float>(tiles.n_centres) ? static_cast<std::int32_t>(nearest) : 0;
    out.best[row] = hn::GetLane(greatest);
    out.second[row] = hn::GetLane(second);
  }
}

HWY_INLINE Vec Difference(const float* row, const float* origin) {
  const Tag d;
  return hn::Sub(hn::LoadU(d, row), hn::LoadU(d, origin));
}
HWY_INLINE Vec Difference(const double* row, const double* origin) {
  float narrow[lanes];
  for (std::size_t i = 0; i < lanes; ++i) narrow[i] = static_cast<float>(row[i] - origin[i]);
  return hn::LoadU(Tag(), narrow);
}

// The columns from `first` on, fewer than a vector, as the end of the row's last whole vector: the columns before them,
// which are known already, are written again. Returns the last columns alone, with zeros before them.
template <class Value>
HWY_INLINE Vec LoadEnd(const Value* HWY_RESTRICT row, const Value* HWY_RESTRICT origin, std::size_t first,
                       std::size_t n, float* HWY_RESTRICT out) {
  const Tag d;
  const std::size_t start = n - lanes;
  const Vec x = Difference(row + start, origin + start);
  hn::StoreU(x, d, out + start);
  const auto is_known = hn::FirstN(d, first - start);
  return hn::IfThenZeroElse(is_known, x);
}

// One row less the origin; returns its squared length, chunk by chunk as the products are summed.
template <class Value>
HWY_INLINE float LoadRow(const Value* HWY_RESTRICT row, const Value* HWY_RESTRICT origin, std::size_t n,
                         float* HWY_RESTRICT out) {
  const Tag d;
  double total = 0.0;
  for (std::size_t c = 0; c < n;) {
    const std::size_t end = std::min(n, c + PackedCentres::chunk_columns);
    Vec sum = hn::Zero(d);
    for (; c + lanes <= end; c += lanes) {
      const Vec x = Difference(row + c, origin + c);
      hn::StoreU(x, d, out + c);
      sum = hn::MulAdd(x, x, sum);
    }
    if (c < end) {
      const Vec x = LoadEnd(row, origin, c, n, out);
      sum = hn::MulAdd(x, x, sum);
      c = end;
    }
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
  return static_cast<float>(total);
}

// Rows shorter than a vector.
template <class Value>
HWY_INLINE float LoadShortRow(const Value* HWY_RESTRICT row, const Value* HWY_RESTRICT origin, std::size_t n,
                              float* HWY_RESTRICT out) {
  double total = 0.0;
  for (std::size_t c = 0; c < n; ++c) {
    out[c] = static_cast<float>(row[c] - origin[c]);
    total += static_cast<double>(out[c] * out[c]);
  }
  return static_cast<float>(total);
}

template <class Value>
void LoadRows(const Value* rows, const Value* origin, const StoredRows& which, std::size_t n_columns, FloatRows& out) {
  for (std::size_t i = 0; i < which.n_rows; ++i) {
    const std::size_t row = which.index != nullptr ? which.index[i] : i;
    const Value* from = rows + row * n_columns;
    float* to = out.values.data() + i * n_columns;
    out.squared_lengths[i] =
        n_columns < lanes ? LoadShortRow(from, origin, n_columns, to) : LoadRow(from, origin, n_columns, to);
  }
}

void LoadFloats(const StoredRows& rows, std::size_t n_columns, FloatRows& out) {
  if (rows.doubles != nullptr) return LoadRows(rows.doubles, rows.origin, rows, n_columns, out);
  thread_local std::vector<float> origin;  // rounded to 8 bits, hence a float as well
  origin.assign(rows.origin, rows.origin + n_columns);
  LoadRows(rows.floats, static_cast<const float*>(origin.data()), rows, n_columns, out);
}

// Centres of v at least `least` for one row, and those whose v is not a number.
void CentresFrom(const float* row, const PackedCentres::Tiles& tiles, float least, std::vector<std::int32_t>& found) {
  const Tag d;
  for (std::size_t tile = 0; tile < tiles.n_tiles; ++tile) {
    float sums[PackedCentres::tile];
    LaneMinima unused[1];
    for (std::size_t first = 0; first < tiles.n_columns; first += PackedCentres::chunk_columns) {
      const std::size_t n_columns = std::min(PackedCentres::chunk_columns, tiles.n_columns - first);
      TakeChunk<Tag, 1, n_vectors>(row, tiles, {tile, first, n_columns, first == 0, false}, {}, sums, unused);
    }
    for (std::size_t i = 0; i < n_vectors; ++i) {
      if (hn::AllTrue(d, hn::Lt(hn::LoadU(d, sums + i * lanes), hn::Set(d, least)))) continue;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t place = i * lanes + lane;
        if (!(sums[place] < least)) found.push_back(static_cast<std::int32_t>(tile * PackedCentres::tile + place));
      }
    }
  }
}

// By differences: rows that come here are those for which the expanded form was not good enough. Two sums, so that one
// multiply-add need not wait for the other.
double SquaredDistanceOf(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t n) {
  const hn::CappedTag<double, 8> d;
  const std::size_t step = hn::Lanes(d);
  auto even = hn::Zero(d);
  auto odd = hn::Zero(d);
  std::size_t c = 0;
  for (; c + 2 * step <= n; c += 2 * step) {
    const auto t = hn::Sub(hn::LoadU(d, a + c), hn::LoadU(d, b + c));
    const auto u = hn::Sub(hn::LoadU(d, a + c + step), hn::LoadU(d, b + c + step));
    even = hn::MulAdd(t, t, even);
    odd = hn::MulAdd(u, u, odd);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  for (; c < n; ++c) total += (a[c] - b[c]) * (a[c] - b[c]);
  return total;
}

TwoNearest NearestTwo(std::span<const double> row, std::span<const double> centres,
                      std::span<const std::int32_t> competing) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  TwoNearest found{competing.front(), infinity, infinity};
  for (const std::int32_t k : competing) {
    const double* centre = centres.data() + static_cast<std::size_t>(k) * row.size();
    const double squared = SquaredDistanceOf(row.data(), centre, row.size());
    if (squared < found.best) {
      found = {k, squared, found.best};
    } else {
      found.second = std::min(found.second, squared);
    }
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Nearest);
HWY_EXPORT(LoadFloats);
HWY_EXPORT(CentresFrom);
HWY_EXPORT(NearestTwo);

PackedCentres::PackedCentres(std::span<const double> centres, std::size_t n_columns)
    : n_columns_(n_columns), n_centres_(centres.size() / n_columns) {
  const std::size_t n_tiles = (n_centres_ + tile - 1) / tile;
  values_.resize(n_tiles * tile * n_columns);
  // Behind the last centre of the last tile, half an infinite length makes v = -infinity: never the nearest.
  halves_.assign(n_tiles * tile, std::numeric_limits<float>::infinity());
  for (std::size_t k = 0; k < n_centres_; ++k) {
    const std::span<const double> centre = centres.subspan(k * n_columns, n_columns);
    double half = 0.0;
    for (const double value : centre) half += 0.5 * value * value;
    // Products of rows and centres that fit stay in range. A centre so far away that it does not fit stays infinitely
    // far; nearest() says which rows it might win.
    if (!(half <= 0.25 * static_cast<double>(std::numeric_limits<float>::max()))) {
      least_left_out_ = std::min(least_left_out_, std::sqrt(half) * std::numbers::sqrt2);
      continue;
    }
    float* packed = values_.data() + k / tile * tile * n_columns + k % tile;
    for (std::size_t c = 0; c < n_columns; ++c) packed[c * tile] = static_cast<float>(centre[c]);
    halves_[k] = static_cast<float>(half);
  }
}

void PackedCentres::nearest(const FloatRows& rows, NearestCentres& out, std::span<const std::byte> read_next) const {
  out.nearest.resize(rows.n_rows);
  out.best.resize(rows.n_rows);
  out.second.resize(rows.n_rows);
  HWY_DYNAMIC_DISPATCH(Nearest)
  (rows, tiles(), read_next, out);
  if (std::isfinite(least_left_out_)) doubt_rows_near_those_left_out(rows, out);
}

// Those that are as far as a centre that was left out may be near.
void PackedCentres::doubt_rows_near_those_left_out(const FloatRows& rows, NearestCentres& out) const {
  constexpr double for_rounding = 0.999;
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const double squared_length = rows.squared_lengths[row];
    const auto doubt = [&](float& v) {
      const double distance = std::sqrt(std::max(squared_length - 2.0 * v, 0.0));
      const bool is_nearer = std::sqrt(squared_length) + distance < for_rounding * least_left_out_;
      if (!is_nearer) v = std::numeric_limits<float>::quiet_NaN();
    };
    doubt(out.best[row]);
    doubt(out.second[row]);
  }
}

TwoNearest two_nearest(std::span<const double> row, std::span<const double> centres,
                       std::span<const std::int32_t> competing) noexcept {
  return HWY_DYNAMIC_DISPATCH(NearestTwo)(row, centres, competing);
}

void PackedCentres::centres_from(const float* row, float least, std::vector<std::int32_t>& found) const {
  found.clear();
  HWY_DYNAMIC_DISPATCH(CentresFrom)(row, tiles(), least, found);
  // Places behind the last centre: only if nothing at all is known of a row.
  while (!found.empty() && static_cast<std::size_t>(found.back()) >= n_centres_) found.pop_back();
}

void load_floats(const StoredRows& rows, std::size_t n_columns, FloatRows& out) {
  out.n_rows = rows.n_rows;
  out.values.resize(rows.n_rows * n_columns);
  out.squared_lengths.resize(rows.n_rows);
  HWY_DYNAMIC_DISPATCH(LoadFloats)(rows, n_columns, out);
}

// A sum of n products in chunks of c is wrong by at most (c + n / c) 2^-24 of the summed sizes, v of a centre hence by
// (s - 1) 2^-24 ||x|| ||c|| plus the rounding of ||c||^2 / 2, with s counting two roundings of the numbers themselves
// too; a squared distance by s 2^-24 (||x||^2 + ||c||^2).
double float_roundings(std::size_t n_columns) noexcept {
  const std::size_t n_chunks = (n_columns + PackedCentres::chunk_columns - 1) / PackedCentres::chunk_columns;
  return static_cast<double>(std::min(n_columns, PackedCentres::chunk_columns) + n_chunks + 4);
}

// A centre that comes near the best one's squared distance d has ||c||^2 <= 2 ||x||^2 + 2 d. Both centres' errors
// together stay below s 2^-24 (6 ||x||^2 + 4 d); half as much again is allowed, and what is lost below the smallest
// normal number.
DoubtfulRows::DoubtfulRows(std::size_t n_columns, double band)
    : unit_(static_cast<float>(1.5 * float_roundings(n_columns) * 0x1p-24 + 4.0 * band)),
      least_(8.0F * (static_cast<float>(n_columns) + 4.0F) * std::numeric_limits<float>::min()) {}

float DoubtfulRows::limit(float squared_length, float best) const noexcept {
  const float distance = std::max(squared_length - 2.0F * best, 0.0F);
  return least_ + unit_ * (6.0F * squared_length + 4.0F * distance);
}

std::size_t DoubtfulRows::list(const FloatRows& rows, const NearestCentres& found,
                               std::uint32_t* doubtful) const noexcept {
  std::size_t n_doubtful = 0;
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const float most = limit(rows.squared_lengths[row], found.best[row]);
    // Not a number counts as doubt.
    doubtful[n_doubtful] = static_cast<std::uint32_t>(row);
    n_doubtful += 2.0F * (found.best[row] - found.second[row]) > most ? 0 : 1;
  }
  return n_doubtful;
}

}  // namespace coppice::kernels
#endif
