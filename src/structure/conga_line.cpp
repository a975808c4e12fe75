// SPDX-License-Identifier: BSD-3-Clause
// The conga line (Eppstein 2000, section 3; [L] section 9.2). The clusters are divided into about log n subsets. Every
// subset has a path: from a member it goes on to the nearest of all clusters that are not on the path yet, from others
// to the nearest such member, as long as there is one. Whoever of the closest pair comes first on the path of a subset
// that holds one of them leads on to the other, so that the closest pair is a step of some path. A merge takes away the
// steps to the two clusters; those who made them move to a new subset together with the new cluster.
#include <algorithm>
#include <bit>

#include "structure/pair_scan.hpp"

namespace coppice::internal {

namespace {

// A set of slots with room for all, from which any can be taken out at once.
class SlotSet {
 public:
  explicit SlotSet(std::size_t n) : place_(n, no_id) {}

  [[nodiscard]] std::span<const Slot> slots() const noexcept { return slots_; }
  [[nodiscard]] bool contains(Slot slot) const noexcept { return place_[slot] != no_id; }
  void insert(Slot slot) {
    place_[slot] = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back(slot);
  }
  void erase(Slot slot) {
    if (!contains(slot)) return;
    const Slot last = slots_.back();
    slots_[place_[slot]] = last;
    place_[last] = place_[slot];
    place_[slot] = no_id;
    slots_.pop_back();
  }
  void clear() {
    for (const Slot slot : slots_) place_[slot] = no_id;
    slots_.clear();
  }

 private:
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> place_;  // by slot
};

struct Step {
  Slot from = 0;
  Neighbour to = {};
};

struct Subset {
  std::vector<Slot> members;
  std::vector<Step> path;  // less the steps whose ends are gone
};

class CongaLine final : public ClosestPairs {
 public:
  CongaLine(const Execution& execution, const PairKeys& keys, std::size_t n)
      : scan_(execution, keys, n), live_(all_slots(n)), waiting_(n), waiting_members_(n), is_leaving_(n, 0) {
    add_subset(live_);
  }

  [[nodiscard]] ClosestPair best() override {
    Step found;
    for (const Subset& subset : subsets_) {
      for (const Step& step : subset.path) {
        if (step.to.rank < found.to.rank) found = step;
      }
    }
    const bool is_first = scan_.id(found.from) == found.to.rank.first_id;
    return {is_first ? found.from : found.to.slot, is_first ? found.to.slot : found.from, found.to.rank};
  }

  void merge(Slot a, Slot b) override {
    std::vector<Slot> uprooted = remove_steps(a, b);
    leave_subsets(uprooted, a, b);
    std::erase(live_, b);
    scan_.renew(a);
    uprooted.push_back(a);
    add_subset(std::move(uprooted));
    while (subsets_.size() > std::bit_width(live_.size())) join_two_subsets();
  }

  [[nodiscard]] std::uint64_t n_keys() const override { return scan_.n_keys(); }

 private:
  // Takes away all steps from and to a and b; those who lose one this way, each once.
  [[nodiscard]] std::vector<Slot> remove_steps(Slot a, Slot b) {
    std::vector<Slot> uprooted;
    const auto is_gone = [&](Slot slot) { return slot == a || slot == b; };
    for (Subset& subset : subsets_) {
      std::erase_if(subset.path, [&](const Step& step) {
        if (!is_gone(step.from) && is_gone(step.to.slot)) uprooted.push_back(step.from);
        return is_gone(step.from) || is_gone(step.to.slot);
      });
    }
    std::ranges::sort(uprooted);
    uprooted.erase(std::unique(uprooted.begin(), uprooted.end()), uprooted.end());
    return uprooted;
  }

  void leave_subsets(std::span<const Slot> uprooted, Slot a, Slot b) {
    const auto mark = [&](std::uint8_t value) {
      for (const Slot slot : uprooted) is_leaving_[slot] = value;
      is_leaving_[a] = is_leaving_[b] = value;
    };
    mark(1);
    for (Subset& subset : subsets_) std::erase_if(subset.members, [&](Slot slot) { return is_leaving_[slot] != 0; });
    std::erase_if(subsets_, [](const Subset& subset) { return subset.members.empty(); });
    mark(0);
  }

  // Those of most similar sizes: then a cluster changes its subset log n times.
  void join_two_subsets() {
    std::ranges::sort(subsets_, {}, [](const Subset& subset) { return subset.members.size(); });
    const auto ratio = [&](std::size_t i) {
      return static_cast<double>(subsets_[i + 1].members.size()) / static_cast<double>(subsets_[i].members.size());
    };
    std::size_t chosen = 0;
    for (std::size_t i = 1; i + 1 < subsets_.size(); ++i) {
      if (ratio(i) < ratio(chosen)) chosen = i;
    }
    std::vector<Slot> members = std::move(subsets_[chosen].members);
    members.insert(members.end(), subsets_[chosen + 1].members.begin(), subsets_[chosen + 1].members.end());
    const auto first = subsets_.begin() + static_cast<std::ptrdiff_t>(chosen);
    subsets_.erase(first, first + 2);
    add_subset(std::move(members));
  }

  void add_subset(std::vector<Slot> members) {
    waiting_.clear();
    waiting_members_.clear();
    for (const Slot slot : live_) waiting_.insert(slot);
    for (const Slot slot : members) waiting_members_.insert(slot);
    std::vector<Slot> is_member_of = members;
    std::ranges::sort(is_member_of);
    std::vector<Step> path;
    for (Slot at = members.front();;) {
      waiting_.erase(at);
      waiting_members_.erase(at);
      const bool is_member = std::ranges::binary_search(is_member_of, at);
      const std::span<const Slot> next = is_member ? waiting_.slots() : waiting_members_.slots();
      if (next.empty()) break;
      path.push_back({at, scan_.nearest(at, next)});
      at = path.back().to.slot;
    }
    subsets_.push_back({std::move(members), std::move(path)});
  }

  PairScan scan_;
  std::vector<Slot> live_;
  std::vector<Subset> subsets_;
  SlotSet waiting_;          // not on the path that is being made
  SlotSet waiting_members_;  // of the subset whose path it is
  std::vector<std::uint8_t> is_leaving_;
};

}  // namespace

std::unique_ptr<ClosestPairs> make_conga_line(const Execution& execution, const PairKeys& keys, std::size_t n) {
  return std::make_unique<CongaLine>(execution, keys, n);
}

}  // namespace coppice::internal
