// SPDX-License-Identifier: BSD-3-Clause
// Pairs have a total order, rounded key first and then the ids of the two clusters, which is why all structures find
// the same pair and threads make no difference: a minimum over blocks is the minimum. Exact ties abound (pairs of rows
// of bits at the same Hamming distance), and rounding must not decide them: keys are compared by 40 bits.

#include "structure/pair_scan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t keys_at_once = 256;     // in a buffer
constexpr std::size_t keys_per_block = 2048;  // of one thread; fewer are not worth waking the others

}  // namespace

double rounded_key(double key) noexcept {
  // An order needs numbers: such a pair comes last.
  if (std::isnan(key)) return std::numeric_limits<double>::infinity();
  constexpr std::uint64_t dropped = 13;  // of the 52 bits behind the leading one
  constexpr std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  constexpr std::uint64_t kept = ~((std::uint64_t{1} << dropped) - 1);
  // Half of what is dropped is added first: to the nearest, away from zero. Adding 0.0 makes one zero of the two.
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(key) + half) & kept) + 0.0;
}

PairScan::PairScan(const Execution& execution, const PairKeys& keys, std::size_t n)
    : execution_(execution), keys_(keys), ids_(all_slots(n)), next_id_(static_cast<std::uint32_t>(n)) {}

RankedPair PairScan::rank(double key, Slot a, Slot b) const noexcept {
  return {key, std::min(ids_[a], ids_[b]), std::max(ids_[a], ids_[b])};
}

Neighbour PairScan::nearest_here(Slot one, std::span<const Slot> others) const {
  Neighbour best;
  std::array<double, keys_at_once> keys;
  for (std::size_t first = 0; first < others.size(); first += keys_at_once) {
    const std::span<const Slot> part = others.subspan(first, std::min(keys_at_once, others.size() - first));
    keys_.keys(one, part, keys.data());
    for (std::size_t i = 0; i < part.size(); ++i) {
      const double key = rounded_key(keys[i]);
      if (!(key <= best.rank.key)) continue;
      const RankedPair found = rank(key, one, part[i]);
      if (found < best.rank) best = {part[i], found};
    }
  }
  return best;
}

Neighbour PairScan::nearest(Slot one, std::span<const Slot> others) {
  throw_if_stopped(execution_.stop);
  count(others.size());
  const Blocks blocks{others.size(), keys_per_block};
  if (blocks.count() < 2 || execution_.n_threads() < 2) return nearest_here(one, others);
  std::vector<Neighbour> best(blocks.count());
  for_each_task(execution_, {.count = blocks.count()}, [&](std::size_t block) {
    best[block] = nearest_here(one, others.subspan(blocks.first(block), blocks.last(block) - blocks.first(block)));
  });
  return *std::ranges::min_element(best, {}, &Neighbour::rank);
}

void PairScan::keys(Slot one, std::span<const Slot> others, std::span<double> out) {
  throw_if_stopped(execution_.stop);
  count(others.size());
  const Blocks blocks{others.size(), keys_per_block};
  const auto fill = [&](std::size_t block) {
    const std::size_t first = blocks.first(block);
    const std::size_t n = blocks.last(block) - first;
    keys_.keys(one, others.subspan(first, n), out.data() + first);
    for (double& key : out.subspan(first, n)) key = rounded_key(key);
  };
  if (blocks.count() == 1) return fill(0);
  for_each_task(execution_, {.count = blocks.count()}, fill);
}

std::vector<Slot> all_slots(std::size_t n) {
  std::vector<Slot> slots(n);
  std::iota(slots.begin(), slots.end(), Slot{0});
  return slots;
}

}  // namespace coppice::internal
