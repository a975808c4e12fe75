// SPDX-License-Identifier: BSD-3-Clause
// A draw sorts no table. Buckets, by the first 16 bits of the hash, are in content order by themselves, and inside
// the one that is drawn there are few rows: a draw is O(N), and a short sort.

#include "coppice/data/row_draw.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t n_buckets = 65536;

std::size_t bucket_of(std::uint64_t hash) noexcept { return static_cast<std::size_t>(hash >> 48U); }

// A number without its power of two: columns in other units, 2^n times as large, hash alike. Zero, which has no power,
// stays apart.
std::uint64_t digits_of(double value) noexcept {
  constexpr std::uint64_t exponent = 0x7ff0000000000000ULL;
  constexpr std::uint64_t exponent_of_one = 0x3ff0000000000000ULL;
  return value == 0.0 ? 0 : (std::bit_cast<std::uint64_t>(value) & ~exponent) | exponent_of_one;
}

// The finalizer of a 64-bit multiply-shift hash: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t h) noexcept {
  h ^= h >> 32U;
  h *= 0xd6e8feb86659fd93ULL;
  h ^= h >> 32U;
  h *= 0xd6e8feb86659fd93ULL;
  h ^= h >> 32U;
  return h;
}

// The item at which the running sum of masses passes the target.
template <class Mass>
std::size_t pick(std::size_t n, double target, const Mass& mass_of) {
  std::size_t last_with_mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double mass = mass_of(i);
    if (mass <= 0.0) continue;
    last_with_mass = i;
    if (target < mass) return i;
    target -= mass;
  }
  return last_with_mass;  // rounding left a crumb behind the last one
}

}  // namespace

namespace {

// Zeros that are stored count as little as those that are not.
std::uint64_t sparse_row_hash(const SparseRow& entries) noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    const double value = entries.value(entry);
    // The column is part of it: what is left out between two entries leaves no other trace.
    if (value != 0.0) hash = mix(mix(hash + entries.columns[entry]) + std::bit_cast<std::uint64_t>(value));
  }
  return hash;
}

}  // namespace

std::uint64_t row_hash(const Dataset& data, std::size_t row) noexcept {
  if (data.is_sparse()) return sparse_row_hash(data.sparse_row(row));
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t c = 0; c < data.n_columns(); ++c) {
    const double value = data.value(row, c);
    hash = mix(hash + std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value));
  }
  return hash;
}

std::uint64_t unit_free_hash(const Dataset& data, std::size_t row) noexcept {
  if (data.is_sparse()) return sparse_row_hash(data.sparse_row(row));
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t c = 0; c < data.n_columns(); ++c) hash = mix(hash + digits_of(data.value(row, c)));
  return hash;
}

namespace {

// The order of the dense rows, from the entries alone.
bool sparse_less(const SparseRow& a, const SparseRow& b) {
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool has_a = i < a.size() && (j == b.size() || a.columns[i] <= b.columns[j]);
    const bool has_b = j < b.size() && (i == a.size() || b.columns[j] <= a.columns[i]);
    const double of_a = has_a ? a.value(i++) : 0.0;
    const double of_b = has_b ? b.value(j++) : 0.0;
    if (of_a != of_b) return of_a < of_b;
  }
  return false;
}

}  // namespace

namespace {

bool values_less(const Dataset& data, std::size_t a, std::size_t b) {
  if (data.is_sparse()) return sparse_less(data.sparse_row(a), data.sparse_row(b));
  for (std::size_t c = 0; c < data.n_columns(); ++c) {
    if (data.value(a, c) != data.value(b, c)) return data.value(a, c) < data.value(b, c);
  }
  return false;
}

}  // namespace

bool content_less(const Dataset& data, std::size_t a, std::size_t b) {
  const std::uint64_t hash_a = row_hash(data, a);
  const std::uint64_t hash_b = row_hash(data, b);
  return hash_a != hash_b ? hash_a < hash_b : values_less(data, a, b);
}

bool unit_free_less(const Dataset& data, std::size_t a, std::size_t b) {
  const std::uint64_t hash_a = unit_free_hash(data, a);
  const std::uint64_t hash_b = unit_free_hash(data, b);
  return hash_a != hash_b ? hash_a < hash_b : values_less(data, a, b);
}

namespace {

struct KeyedRow {
  std::uint64_t hash = 0;
  std::size_t row = 0;
};

// The rows with weight whose hash is at most `highest`, in content order.
std::vector<KeyedRow> rows_up_to(const Execution& execution, const Dataset& data, std::uint64_t highest) {
  const Blocks blocks{.n_items = data.n_rows(), .items_per_block = 16 * rows_per_block};
  std::vector<std::vector<KeyedRow>> of_block(blocks.count());
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      const std::uint64_t hash = unit_free_hash(data, row);
      if (hash <= highest && data.weight(row) > 0.0) of_block[block.number].push_back({hash, row});
    }
  });
  std::vector<KeyedRow> rows;
  for (const auto& some : of_block) rows.insert(rows.end(), some.begin(), some.end());
  std::ranges::sort(rows, [&](const KeyedRow& a, const KeyedRow& b) {
    return a.hash != b.hash ? a.hash < b.hash : unit_free_less(data, a.row, b.row);
  });
  return rows;
}

// How many of the rows, which are in content order, have one of the n lowest contents; all of them if there are fewer.
std::size_t count_of_lowest(const Dataset& data, std::span<const KeyedRow> rows, std::size_t n) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_new =
        i == 0 || rows[i].hash != rows[i - 1].hash || unit_free_less(data, rows[i - 1].row, rows[i].row);
    if (is_new && n-- == 0) return i;
  }
  return rows.size();
}

}  // namespace

std::vector<std::size_t> content_sample(const Execution& execution, const Dataset& data, std::size_t n) {
  constexpr std::uint64_t every_hash = std::numeric_limits<std::uint64_t>::max();
  // Twice the share that distinct rows would need, and more if there are too many copies.
  const double share = data.n_rows() == 0 ? 1.0 : 2.0 * static_cast<double>(n) / static_cast<double>(data.n_rows());
  std::uint64_t highest = share < 1.0 ? static_cast<std::uint64_t>(share * 0x1p64) : every_hash;
  std::vector<std::size_t> sample;
  while (n > 0) {
    const std::vector<KeyedRow> rows = rows_up_to(execution, data, highest);
    const std::size_t count = count_of_lowest(data, rows, n);
    // A row behind the last one taken shows that there are contents enough, and that no copy of the last is missing.
    if (count < rows.size() || highest == every_hash) {
      for (std::size_t i = 0; i < count; ++i) sample.push_back(rows[i].row);
      break;
    }
    highest = highest > every_hash / 8 ? every_hash : 8 * highest;
  }
  std::ranges::sort(sample);
  return sample;
}

namespace {

struct Bucket {
  std::size_t number = 0;
  double mass = 0.0;
};

// The buckets that hold anything, in their order. Masses inside one are added up in the order of the candidates.
std::vector<Bucket> filled_buckets(std::span<const std::uint16_t> bucket, std::span<const double> masses) {
  std::vector<Bucket> filled;
  constexpr std::size_t few = n_buckets / 16;  // for which all the buckets would be more work than to sort
  if (bucket.size() > few) {
    std::vector<double> all(n_buckets, 0.0);
    for (std::size_t i = 0; i < bucket.size(); ++i) all[bucket[i]] += masses[i];
    for (std::size_t b = 0; b < n_buckets; ++b) {
      if (all[b] > 0.0) filled.push_back({b, all[b]});
    }
    return filled;
  }
  std::vector<std::uint32_t> order(bucket.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(bucket[i], i); });
  for (const std::uint32_t i : order) {
    if (filled.empty() || filled.back().number != bucket[i]) filled.push_back({bucket[i], 0.0});
    filled.back().mass += masses[i];
  }
  return filled;
}

}  // namespace

std::size_t draw_row(const Dataset& data, std::span<const std::size_t> candidates, std::span<const double> masses,
                     RandomStream& random) {
  std::vector<std::uint16_t> bucket(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    bucket[i] = static_cast<std::uint16_t>(bucket_of(unit_free_hash(data, candidates[i])));
  }
  const std::vector<Bucket> buckets = filled_buckets(bucket, masses);
  double total = 0.0;
  for (const Bucket& filled : buckets) total += filled.mass;
  if (!(total > 0.0)) {
    return *std::ranges::min_element(candidates,
                                     [&](std::size_t a, std::size_t b) { return unit_free_less(data, a, b); });
  }

  const Bucket& chosen =
      buckets[pick(buckets.size(), random.uniform() * total, [&](std::size_t b) { return buckets[b].mass; })];
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (bucket[i] == chosen.number && masses[i] > 0.0) inside.push_back(i);
  }
  std::ranges::sort(inside,
                    [&](std::size_t a, std::size_t b) { return unit_free_less(data, candidates[a], candidates[b]); });
  const std::size_t at =
      pick(inside.size(), random.uniform() * chosen.mass, [&](std::size_t i) { return masses[inside[i]]; });
  return candidates[inside[at]];
}

}  // namespace coppice::internal
