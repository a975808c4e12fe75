// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The closest pair of a set of clusters that shrinks by merges, under any symmetric key: no metric, possibly negative,
// and not reducible (math of agglomeration: the pair that is best for one of them need not be for the other). All
// structures need memory in proportion to the number of clusters and give the same pairs:
//
// - keys are rounded to 40 significant bits, so that keys that are equal but for rounding tie;
// - ties go to the lexicographically smallest (id, id), the smaller id first. Ids are those of the nodes of the tree:
//   the cluster that starts in slot s has id s, and merge i makes id n + i.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

using Slot = std::uint32_t;

// Where keys come from. Clusters live in slots.
class PairKeys {
 public:
  PairKeys() = default;
  PairKeys(const PairKeys&) = delete;
  PairKeys& operator=(const PairKeys&) = delete;
  virtual ~PairKeys() = default;

  // out[i] = the key of `one` and others[i], the same to the last bit whichever of the two is `one`. Called from
  // several threads at once.
  virtual void keys(Slot one, std::span<const Slot> others, double* out) const = 0;
};

// A pair in the order in which pairs are taken.
struct RankedPair {
  double key = 0.0;  // rounded
  std::uint32_t first_id = 0;
  std::uint32_t second_id = 0;
  auto operator<=>(const RankedPair&) const = default;
};

struct ClosestPair {
  Slot a = 0;  // of the smaller id
  Slot b = 0;
  RankedPair rank = {};
};

class ClosestPairs {
 public:
  ClosestPairs() = default;
  ClosestPairs(const ClosestPairs&) = delete;
  ClosestPairs& operator=(const ClosestPairs&) = delete;
  virtual ~ClosestPairs() = default;

  // Of at least two clusters. May throw Stopped, here and below.
  [[nodiscard]] virtual ClosestPair best() = 0;
  // Slot a holds a new cluster from now on, slot b none. The keys are those of the new cluster already.
  virtual void merge(Slot a, Slot b) = 0;
  // Keys asked for so far.
  [[nodiscard]] virtual std::uint64_t n_keys() const = 0;
};

// Of clusters in the slots 0 .. n - 1. Keep keys and execution while it is in use.
//
//   naive     every cluster knows its nearest; whoever pointed to a merged cluster looks through all at once
//   fastpair  Eppstein's FastPair: every cluster knows the nearest of those before it, and looks again only when what
//             it knew would win
//   conga     Eppstein's conga line: the log n subsets of the clusters have paths that hold the closest pair
[[nodiscard]] std::unique_ptr<ClosestPairs> make_naive_pairs(const Execution& execution, const PairKeys& keys,
                                                             std::size_t n);
[[nodiscard]] std::unique_ptr<ClosestPairs> make_fast_pairs(const Execution& execution, const PairKeys& keys,
                                                            std::size_t n);
[[nodiscard]] std::unique_ptr<ClosestPairs> make_conga_line(const Execution& execution, const PairKeys& keys,
                                                            std::size_t n);
// By those names; "auto" is fastpair. OptionError for others.
[[nodiscard]] std::unique_ptr<ClosestPairs> make_closest_pairs(std::string_view name, const Execution& execution,
                                                               const PairKeys& keys, std::size_t n);

// To 40 significant bits; -0 becomes 0.
[[nodiscard]] double rounded_key(double key) noexcept;

}  // namespace coppice::internal
