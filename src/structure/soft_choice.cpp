// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/soft_choice.hpp"

#include <algorithm>

#include "coppice/infer/soft_bound.hpp"
#include "coppice/structure/merge.hpp"
#include "structure/split_merge.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_pairs = 6;
constexpr std::size_t most_splits = 5;
constexpr std::size_t most_finalists = 3;  // splits that are followed to the end
constexpr SoftLimits short_trial{.max_iterations = 12, .tolerance = 1e-2};
constexpr double least_gain = 0.01;  // nats

class SoftSearch {
 public:
  SoftSearch(MaximizationExpectation& me, const SearchLimits& limits) : me_(me), limits_(limits), moves_(me, limits) {}

  [[nodiscard]] std::optional<SoftChoice> run(const State& state) {
    now_ = soft(state.stats);
    while (split() || merge()) {
    }
    if (now_.stats.size() == state.k()) return std::nullopt;
    return SoftChoice{std::move(now_.stats)};
  }

 private:
  SoftClusters soft(StatsArena start, const SoftLimits& limits = {}) {
    return soften(me_.execution(), me_.problem(), std::move(start), limits);
  }

  bool keep_if_better(SoftClusters trial) {
    if (!(trial.bound < now_.bound - least_gain) || trial.stats.size() > limits_.max_k) return false;
    now_ = std::move(trial);
    return true;
  }

  bool merge() {
    if (now_.stats.size() < 2) return false;
    const MergeGains gains(me_.execution(), me_.problem(), now_.stats);
    for (const MergeGains::Pair& pair : gains.nearest(most_pairs)) {
      StatsArena merged = now_.stats;
      me_.problem().components.merge(merged[pair.a], merged[pair.b]);
      merged.erase(pair.b);
      if (keep_if_better(soft(std::move(merged)))) return true;
    }
    return false;
  }

  // The clusters that hard labels would split first, in two; the best of them to the end.
  bool split() {
    if (now_.stats.size() >= limits_.max_k) return false;
    State hard = me_.from_clusters(now_.stats, Deaths::allowed);
    if (hard.k() != now_.stats.size()) return false;
    const Members members(me_.problem().units, hard.labels, hard.k());
    std::vector<SoftClusters> trials;
    std::vector<Split> splits = moves_.find_splits(hard, members, true);
    splits.resize(std::min(splits.size(), most_splits));
    for (const Split& split : splits) {
      StatsArena halves = now_.stats;
      halves.assign(split.cluster, split.halves[0]);
      halves.append(split.halves[1]);
      trials.push_back(soft(std::move(halves), short_trial));
    }
    std::ranges::stable_sort(trials, {}, &SoftClusters::bound);
    trials.resize(std::min(trials.size(), most_finalists));
    for (SoftClusters& trial : trials) {
      if (keep_if_better(soft(std::move(trial.stats)))) return true;
    }
    return false;
  }

  MaximizationExpectation& me_;
  const SearchLimits& limits_;
  SplitMerge moves_;
  SoftClusters now_;
};

}  // namespace

std::optional<SoftChoice> choose_softly(MaximizationExpectation& me, const State& state, const SearchLimits& limits) {
  return SoftSearch(me, limits).run(state);
}

}  // namespace coppice::internal
