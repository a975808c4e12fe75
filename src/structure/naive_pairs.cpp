// SPDX-License-Identifier: BSD-3-Clause
// Every cluster knows the nearest of all others. A merge compares the new cluster with all, and whoever pointed to one
// of the two that are gone looks through all others at once.
#include <algorithm>

#include "coppice/runtime/for_each_task.hpp"
#include "structure/pair_scan.hpp"

namespace coppice::internal {

namespace {

class NaivePairs final : public ClosestPairs {
 public:
  NaivePairs(const Execution& execution, const PairKeys& keys, std::size_t n)
      : scan_(execution, keys, n), live_(all_slots(n)), nearest_(n) {
    for_each_task(execution, {.count = n}, [&](std::size_t slot) {
      nearest_[slot] = scan_.nearest_here(static_cast<Slot>(slot), without(static_cast<Slot>(slot)));
    });
    // Each pair from both its ends.
    scan_.count(std::uint64_t{n} * (n - 1));
  }

  [[nodiscard]] ClosestPair best() override {
    const Slot found = *std::ranges::min_element(live_, {}, [&](Slot slot) { return nearest_[slot].rank; });
    const Slot other = nearest_[found].slot;
    const bool is_first = scan_.id(found) < scan_.id(other);
    return {is_first ? found : other, is_first ? other : found, nearest_[found].rank};
  }

  void merge(Slot a, Slot b) override {
    std::erase(live_, b);
    scan_.renew(a);
    const std::vector<Slot> others = without(a);
    std::vector<double> keys(others.size());
    scan_.keys(a, others, keys);
    nearest_[a] = {};
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Slot other = others[i];
      const RankedPair rank = scan_.rank(keys[i], a, other);
      if (rank < nearest_[a].rank) nearest_[a] = {other, rank};
      Neighbour& known = nearest_[other];
      // What it pointed to is gone; any other cluster may be its nearest now.
      if (known.slot == a || known.slot == b) {
        known = scan_.nearest(other, without(other));
      } else if (rank < known.rank) {
        known = {a, rank};
      }
    }
  }

  [[nodiscard]] std::uint64_t n_keys() const override { return scan_.n_keys(); }

 private:
  [[nodiscard]] std::vector<Slot> without(Slot slot) const {
    std::vector<Slot> others;
    others.reserve(live_.size());
    std::ranges::copy_if(live_, std::back_inserter(others), [&](Slot other) { return other != slot; });
    return others;
  }

  PairScan scan_;
  std::vector<Slot> live_;
  std::vector<Neighbour> nearest_;  // by slot
};

}  // namespace

std::unique_ptr<ClosestPairs> make_naive_pairs(const Execution& execution, const PairKeys& keys, std::size_t n) {
  return std::make_unique<NaivePairs>(execution, keys, n);
}

}  // namespace coppice::internal
