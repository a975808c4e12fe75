// SPDX-License-Identifier: BSD-3-Clause
// FastPair (Eppstein 2000, section 4), with every pair in one place only: a cluster knows the nearest of those with
// smaller ids. A new cluster has the largest id and so knows the nearest of all; nobody else needs to hear of it, and
// what a cluster knows can only get worse. It is kept as a bound after the neighbour is gone, and the cluster looks
// again only when that bound comes first of all.
#include <algorithm>
#include <bit>

#include "coppice/runtime/for_each_task.hpp"
#include "structure/pair_scan.hpp"

namespace coppice::internal {

namespace {

// The smallest of n ranks that change one at a time.
class Tournament {
 public:
  explicit Tournament(std::size_t n) : n_leaves_(std::bit_ceil(std::max<std::size_t>(n, 2))), nodes_(2 * n_leaves_) {}

  [[nodiscard]] Slot winner() const noexcept { return nodes_[1].slot; }
  [[nodiscard]] const Neighbour& of(Slot slot) const noexcept { return neighbours_[slot]; }

  // All at once.
  void fill(std::vector<Neighbour> neighbours) {
    neighbours_ = std::move(neighbours);
    for (std::size_t slot = 0; slot < neighbours_.size(); ++slot) {
      nodes_[n_leaves_ + slot] = {neighbours_[slot].rank, static_cast<Slot>(slot)};
    }
    for (std::size_t node = n_leaves_; node-- > 1;) play(node);
  }
  void set(Slot slot, const Neighbour& neighbour) {
    neighbours_[slot] = neighbour;
    nodes_[n_leaves_ + slot].rank = neighbour.rank;
    for (std::size_t node = (n_leaves_ + slot) / 2; node > 0; node /= 2) play(node);
  }

 private:
  struct Node {
    RankedPair rank = Neighbour{}.rank;
    Slot slot = no_id;
  };

  void play(std::size_t node) noexcept {
    const Node& left = nodes_[2 * node];
    const Node& right = nodes_[2 * node + 1];
    nodes_[node] = right.rank < left.rank ? right : left;
  }

  std::size_t n_leaves_;
  std::vector<Node> nodes_;  // node i's children are 2 i and 2 i + 1
  std::vector<Neighbour> neighbours_;
};

class FastPairs final : public ClosestPairs {
 public:
  FastPairs(const Execution& execution, const PairKeys& keys, std::size_t n)
      : scan_(execution, keys, n), live_(all_slots(n)), is_live_(n, 1), nearest_(n) {
    std::vector<Neighbour> found(n);
    // Cluster i looks at i others: short blocks, the longest first, so that no thread is left with a long one in the
    // end.
    constexpr std::size_t clusters_per_block = 16;
    const Blocks blocks{n, clusters_per_block};
    for_each_task(execution, {.count = blocks.count()}, [&](std::size_t task) {
      const std::size_t block = blocks.count() - 1 - task;  // the longest first
      for (std::size_t slot = blocks.first(block); slot < blocks.last(block); ++slot) {
        found[slot] = scan_.nearest_here(static_cast<Slot>(slot), std::span(live_).first(slot));
      }
    });
    scan_.count(std::uint64_t{n} * (n - 1) / 2);
    nearest_.fill(std::move(found));
  }

  [[nodiscard]] ClosestPair best() override {
    // Lower bounds: a winner that is true cannot be beaten by one that is only known to be worse.
    while (!is_true(nearest_.of(nearest_.winner()))) look_again(nearest_.winner());
    const Neighbour& found = nearest_.of(nearest_.winner());
    return {found.slot, nearest_.winner(), found.rank};
  }

  void merge(Slot a, Slot b) override {
    live_.erase(place_of(a));
    live_.erase(place_of(b));
    is_live_[b] = 0;
    nearest_.set(b, {});
    scan_.renew(a);
    nearest_.set(a, scan_.nearest(a, live_));
    // The new cluster has the largest id, so the list stays in order.
    live_.push_back(a);
  }

  [[nodiscard]] std::uint64_t n_keys() const override { return scan_.n_keys(); }

 private:
  // Whether the neighbour is still what it was.
  [[nodiscard]] bool is_true(const Neighbour& neighbour) const noexcept {
    return is_live_[neighbour.slot] != 0 && scan_.id(neighbour.slot) == neighbour.rank.first_id;
  }
  void look_again(Slot slot) { nearest_.set(slot, scan_.nearest(slot, {live_.cbegin(), place_of(slot)})); }
  [[nodiscard]] std::vector<Slot>::const_iterator place_of(Slot slot) const {
    return std::ranges::lower_bound(live_, scan_.id(slot), {}, [&](Slot at) { return scan_.id(at); });
  }

  PairScan scan_;
  std::vector<Slot> live_;             // in increasing order of ids
  std::vector<std::uint8_t> is_live_;  // by slot
  Tournament nearest_;
};

}  // namespace

std::unique_ptr<ClosestPairs> make_fast_pairs(const Execution& execution, const PairKeys& keys, std::size_t n) {
  return std::make_unique<FastPairs>(execution, keys, n);
}

}  // namespace coppice::internal
