// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The moves that all searches make: splits inside clusters, closed-form merges, exchanges, each followed by sweeps over
// everything.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "coppice/assign/sweep_choice.hpp"
#include "coppice/structure/merge.hpp"
#include "coppice/structure/search.hpp"
#include "coppice/structure/split.hpp"
#include "structure/known_splits.hpp"

namespace coppice::internal {

// Clusters that no split would improve, as long as their members stay the same.
class Resisting {
 public:
  // What is known of the clusters of a new state; keeps its labels.
  void see(const Units& units, const State& state) {
    std::vector<bool> resists(state.k(), false);
    if (labels_.size() > 0) {
      const std::vector<std::int32_t> before = same_clusters(units, labels_, resists_.size(), state.labels, state.k());
      for (std::size_t c = 0; c < state.k(); ++c) {
        resists[c] = before[c] >= 0 && resists_[static_cast<std::size_t>(before[c])];
      }
    }
    labels_ = state.labels;
    resists_ = std::move(resists);
  }
  // Clusters are those of the state seen last.
  [[nodiscard]] bool contains(std::size_t cluster) const { return resists_[cluster]; }
  void insert(std::size_t cluster) { resists_[cluster] = true; }

 private:
  Labels labels_;
  std::vector<bool> resists_;
};

class SplitMerge {
 public:
  // Asked after every round whether to go on, with the objective before it.
  using Patience = std::function<bool(double before, const State& state)>;

  SplitMerge(MaximizationExpectation& me, const SearchLimits& limits)
      : me_(me), limits_(limits), split_choice_(me.problem().components.n_columns()) {}

  // K as the objective wants it; false if patience ran out on the way.
  bool run_free(State& state, const Patience& goes_on = {});

  // Exactly k clusters: there by the best splits or merges, then, unless they are many, exchanges of one merge for one
  // split while they help. Patience is asked before every exchange.
  void run_fixed(State& state, std::size_t k, const Patience& goes_on = {});

  // Sweeps until nothing changes, and single moves if they are asked for. Of many clusters, sweeps until they hardly
  // gain anything: other moves gain more in the time that the last of them take.
  void settle(State& state, Deaths deaths = Deaths::allowed);

  // Clusters that resisted are worth another try: under another prior, say.
  void forget_failures() { resisting_ = {}; }

  // A split of every cluster, the best first; none where no split is possible. Unless all are asked for, clusters that
  // have not changed since they last resisted are left out.
  [[nodiscard]] std::vector<Split> find_splits(const State& state, const Members& members, bool retry_failed);
  // Of the given clusters alone.
  [[nodiscard]] std::vector<Split> find_splits_of(const State& state, const Members& members,
                                                  std::span<const std::size_t> to_try);

 private:
  void note_work(std::span<const SplitWork> of_splits, bool goes_down);
  [[nodiscard]] bool draws_from_sample(const State& state, std::size_t cluster) const;
  [[nodiscard]] std::vector<std::vector<std::size_t>> sampled_members(const State& state) const;
  std::size_t split(State& state);
  void reach(State& state, std::size_t k);
  bool force_splits(State& state, std::size_t k);
  [[nodiscard]] std::vector<Split> splits_known_or_found(const State& state, const Members& members);
  bool exchange(State& state, std::size_t k);

  MaximizationExpectation& me_;
  SearchLimits limits_;
  Resisting resisting_;
  KnownSplits known_;  // under the present prior, while K is fixed
  std::uint64_t round_ = 0;
  SweepChoice split_choice_;
};

}  // namespace coppice::internal
