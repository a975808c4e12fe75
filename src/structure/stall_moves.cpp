// SPDX-License-Identifier: BSD-3-Clause
// At a standstill no split pays and no merge does, each judged with the other clusters as they are. A move that costs
// little may pay once all units have moved, which takes sweeps to find out: so only the nearest few are tried, and
// nothing that costs more than 0.05 nats per row at first.

#include "structure/stall_moves.hpp"

#include <algorithm>

namespace coppice::internal {

namespace {

constexpr std::size_t most_pairs = 8;
constexpr std::size_t most_splits = 4;
constexpr double hopeless = 0.05;  // nats per row that a move may cost at first

class StallMoves {
 public:
  StallMoves(MaximizationExpectation& me, SplitMerge& moves, const SearchLimits& limits)
      : me_(me), moves_(moves), limits_(limits) {}

  bool improve(State& state) { return improve_by_merging(state) || improve_by_splitting(state); }

 private:
  [[nodiscard]] double affordable() const { return hopeless * me_.problem().total_weight; }

  bool keep_if_better(State& state, State& trial, const char* phase) {
    try {
      moves_.settle(trial);
      if (merge_while_better(me_, trial) > 0) moves_.settle(trial);
    } catch (const Stopped&) {
      if (trial.k() <= limits_.max_k && trial.objective < state.objective) state = std::move(trial);
      throw;
    }
    if (trial.k() > limits_.max_k || trial.objective >= state.objective - negligible(state)) return false;
    state = std::move(trial);
    me_.journal().report(state, phase);
    return true;
  }

  bool improve_by_merging(State& state) {
    if (state.k() < 2) return false;
    for (const MergeGains::Pair& pair : MergeGains(me_.execution(), me_.problem(), state.stats).nearest(most_pairs)) {
      // Pairs come by gain: the others cost more still.
      if (pair.gain > affordable()) return false;
      State merged = state;
      merge_pair(me_, merged, pair.a, pair.b);
      State trial = merged;
      if (keep_if_better(state, trial, "merge")) return true;
      if (resplit(merged, pair.a) && keep_if_better(state, merged, "exchange")) return true;
    }
    return false;
  }

  bool resplit(State& state, std::size_t cluster) {
    const Members members(me_.problem().units, state.labels, state.k());
    const std::vector<Split> splits = moves_.find_splits_of(state, members, {&cluster, 1});
    if (splits.empty()) return false;
    apply_split(me_.execution(), me_.problem(), splits.front(), members.of(cluster), state);
    return true;
  }

  bool improve_by_splitting(State& state) {
    if (state.k() >= limits_.max_k) return false;
    const Members members(me_.problem().units, state.labels, state.k());
    std::vector<Split> splits = moves_.find_splits(state, members, true);
    splits.resize(std::min(splits.size(), most_splits));
    for (const Split& split : splits) {
      if (split_gain(me_.problem(), split, state.k()) > affordable()) return false;
      State trial = state;
      apply_split(me_.execution(), me_.problem(), split, members.of(split.cluster), trial);
      if (keep_if_better(state, trial, "split")) return true;
    }
    return false;
  }

  MaximizationExpectation& me_;
  SplitMerge& moves_;
  const SearchLimits& limits_;
};

}  // namespace

bool try_stall_moves(MaximizationExpectation& me, SplitMerge& moves, State& state, const SearchLimits& limits) {
  return StallMoves(me, moves, limits).improve(state);
}

}  // namespace coppice::internal
