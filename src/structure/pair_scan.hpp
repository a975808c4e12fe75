// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the structures for closest pairs share: ids of the clusters in slots, and the nearest of many to one cluster.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "coppice/structure/closest_pairs.hpp"

namespace coppice::internal {

inline constexpr std::uint32_t no_id = std::numeric_limits<std::uint32_t>::max();

// The nearest cluster to one, if there is any.
struct Neighbour {
  Slot slot = no_id;
  RankedPair rank = {std::numeric_limits<double>::infinity(), no_id, no_id};
  [[nodiscard]] bool exists() const noexcept { return slot != no_id; }
};

class PairScan {
 public:
  PairScan(const Execution& execution, const PairKeys& keys, std::size_t n);

  [[nodiscard]] std::uint32_t id(Slot slot) const noexcept { return ids_[slot]; }
  // The cluster in the slot is a new one, the last of all.
  void renew(Slot slot) noexcept { ids_[slot] = next_id_++; }
  [[nodiscard]] RankedPair rank(double key, Slot a, Slot b) const noexcept;

  // The best of the pairs (one, others[i]), by all threads if they are many. Throws Stopped.
  [[nodiscard]] Neighbour nearest(Slot one, std::span<const Slot> others);
  // The same by the calling thread, without counting.
  [[nodiscard]] Neighbour nearest_here(Slot one, std::span<const Slot> others) const;
  // Their keys, rounded, by all threads if they are many.
  void keys(Slot one, std::span<const Slot> others, std::span<double> out);

  [[nodiscard]] const Execution& execution() const noexcept { return execution_; }
  void count(std::uint64_t n_keys) noexcept { n_keys_ += n_keys; }
  [[nodiscard]] std::uint64_t n_keys() const noexcept { return n_keys_; }

 private:
  Execution execution_;
  const PairKeys& keys_;
  std::vector<std::uint32_t> ids_;  // by slot
  std::uint32_t next_id_;
  std::uint64_t n_keys_ = 0;
};

// All slots 0 .. n - 1.
[[nodiscard]] std::vector<Slot> all_slots(std::size_t n);

}  // namespace coppice::internal
