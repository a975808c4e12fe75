// SPDX-License-Identifier: BSD-3-Clause
// A tree search of fixed depth and width over merges, on a matrix of keys that is changed and put back: what a merge
// changes is one row of the matrix, the statistics of one slot, and the list of live slots. Ids go back as well, since
// ties are broken by them and a plan must not leave a trace.

#include "structure/look_ahead.hpp"

#include <algorithm>

#include "structure/pair_scan.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_followed = 8;  // pairs, at every step

class LookAheadPairs final : public ClosestPairs {
 public:
  LookAheadPairs(const Execution& execution, PairGains& gains, std::size_t n, std::size_t depth)
      : execution_(execution), gains_(gains), depth_(depth), live_(all_slots(n)), ids_(all_slots(n)) {
    next_id_ = static_cast<std::uint32_t>(n);
    keys_.resize(n * (n + 1) / 2);
    for (std::size_t slot = 1; slot < n; ++slot) {
      throw_if_stopped(execution_.stop);
      look_at(static_cast<Slot>(slot), std::span(live_).first(slot));
    }
  }

  [[nodiscard]] ClosestPair best() override { return plan(depth_).first; }

  void merge(Slot a, Slot b) override {
    std::erase(live_, b);
    ids_[a] = next_id_++;
    std::vector<Slot> others = live_;
    std::erase(others, a);
    look_at(a, others);
  }

  [[nodiscard]] std::uint64_t n_keys() const override { return n_keys_; }

 private:
  // The first of some merges, with the gain of all of them.
  struct Plan {
    ClosestPair first;
    double gain = 0.0;
  };

  [[nodiscard]] double& key(Slot a, Slot b) noexcept {
    const std::size_t row = std::max(a, b);
    return keys_[row * (row + 1) / 2 + std::min(a, b)];
  }

  void look_at(Slot one, std::span<const Slot> others) {
    found_.resize(others.size());
    gains_.keys(one, others, found_.data());
    for (std::size_t i = 0; i < others.size(); ++i) key(one, others[i]) = rounded_key(found_[i]);
    n_keys_ += others.size();
  }

  [[nodiscard]] Plan plan(std::size_t depth) {
    const bool is_last = depth == 1 || live_.size() == 2;
    Plan best;
    for (const ClosestPair& pair : closest(is_last ? 1 : most_followed)) {
      const double gain = pair.rank.key + (is_last ? 0.0 : gain_after(pair, depth - 1));
      const ClosestPair ranked{pair.a, pair.b, {rounded_key(gain), pair.rank.first_id, pair.rank.second_id}};
      // No plan yet: a pair of a slot with itself.
      if (best.first.a == best.first.b || ranked.rank < best.first.rank) best = {ranked, gain};
    }
    return best;
  }

  // The best gain of the merges that follow this one; it is made and undone.
  [[nodiscard]] double gain_after(const ClosestPair& pair, std::size_t depth) {
    const std::vector<double> stats = gains_.statistics(pair.a);
    const std::vector<Slot> live = live_;
    const std::uint32_t id = ids_[pair.a];
    std::vector<double> keys(live.size());
    std::ranges::transform(live, keys.begin(), [&](Slot other) { return key(pair.a, other); });

    gains_.merge(pair.a, pair.b);
    merge(pair.a, pair.b);
    const double gain = plan(depth).gain;

    live_ = live;
    ids_[pair.a] = id;
    --next_id_;
    // As it was, not taken out again: subtracting would leave rounding behind.
    gains_.restore(pair.a, stats);
    for (std::size_t i = 0; i < live.size(); ++i) key(pair.a, live[i]) = keys[i];
    return gain;
  }

  // The closest pairs, at most n of them, the best first.
  [[nodiscard]] std::vector<ClosestPair> closest(std::size_t n) {
    throw_if_stopped(execution_.stop);
    std::vector<ClosestPair> found;
    for (std::size_t i = 1; i < live_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double at = key(live_[i], live_[j]);
        if (found.size() == n && at > found.back().rank.key) continue;
        insert(found, n, ranked(at, live_[i], live_[j]));
      }
    }
    return found;
  }

  [[nodiscard]] ClosestPair ranked(double value, Slot a, Slot b) const noexcept {
    if (ids_[b] < ids_[a]) std::swap(a, b);
    return {a, b, {value, ids_[a], ids_[b]}};
  }

  static void insert(std::vector<ClosestPair>& found, std::size_t n, const ClosestPair& pair) {
    const auto place = std::ranges::upper_bound(found, pair.rank, {}, &ClosestPair::rank);
    found.insert(place, pair);
    if (found.size() > n) found.pop_back();
  }

  Execution execution_;
  PairGains& gains_;
  std::size_t depth_;
  std::vector<Slot> live_;
  std::vector<std::uint32_t> ids_;  // by slot
  std::uint32_t next_id_ = 0;
  std::vector<double> keys_;  // rounded, a triangle by slots
  std::vector<double> found_;
  std::uint64_t n_keys_ = 0;
};

}  // namespace

std::unique_ptr<ClosestPairs> make_look_ahead_pairs(const Execution& execution, PairGains& gains, std::size_t n,
                                                    std::size_t depth) {
  return std::make_unique<LookAheadPairs>(execution, gains, n, depth);
}

}  // namespace coppice::internal
