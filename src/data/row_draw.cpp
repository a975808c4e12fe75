// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/row_draw.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace coppice {

namespace {

constexpr std::size_t n_buckets = 65536;

std::size_t bucket_of(std::uint64_t hash) noexcept { return static_cast<std::size_t>(hash >> 48U); }

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

std::uint64_t row_hash(const Dataset& data, std::size_t row) noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t c = 0; c < data.n_columns(); ++c) {
    const double value = data.value(row, c);
    hash = mix(hash + std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value));
  }
  return hash;
}

bool content_less(const Dataset& data, std::size_t a, std::size_t b) {
  const std::uint64_t hash_a = row_hash(data, a);
  const std::uint64_t hash_b = row_hash(data, b);
  if (hash_a != hash_b) return hash_a < hash_b;
  for (std::size_t c = 0; c < data.n_columns(); ++c) {
    if (data.value(a, c) != data.value(b, c)) return data.value(a, c) < data.value(b, c);
  }
  return false;
}

std::size_t draw_row(const Dataset& data, std::span<const std::size_t> candidates, std::span<const double> masses,
                     RandomStream& random) {
  std::vector<double> buckets(n_buckets, 0.0);
  std::vector<std::uint16_t> bucket(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    bucket[i] = static_cast<std::uint16_t>(bucket_of(row_hash(data, candidates[i])));
    buckets[bucket[i]] += masses[i];
  }
  double total = 0.0;
  for (const double mass : buckets) total += mass;
  if (!(total > 0.0)) {
    return *std::ranges::min_element(candidates,
                                     [&](std::size_t a, std::size_t b) { return content_less(data, a, b); });
  }

  const std::size_t chosen = pick(n_buckets, random.uniform() * total, [&](std::size_t b) { return buckets[b]; });
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (bucket[i] == chosen && masses[i] > 0.0) inside.push_back(i);
  }
  std::ranges::sort(inside,
                    [&](std::size_t a, std::size_t b) { return content_less(data, candidates[a], candidates[b]); });
  const std::size_t at =
      pick(inside.size(), random.uniform() * buckets[chosen], [&](std::size_t i) { return masses[inside[i]]; });
  return candidates[inside[at]];
}

}  // namespace coppice
