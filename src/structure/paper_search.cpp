// SPDX-License-Identifier: BSD-3-Clause
// The box "Top-Down Bayesian K-Means" of [L] section 6, with what it leaves open settled: candidates that fail are
// tried again only after the next acceptance, at most ten merges per round, and whole objectives are compared after
// sweeps over everything. Each acceptance lowers F strictly and partitions are finitely many, so that it ends.

#include <algorithm>
#include <numeric>

#include "coppice/structure/criteria.hpp"
#include "coppice/structure/merge.hpp"
#include "coppice/structure/search.hpp"
#include "coppice/structure/split.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_merges_tried = 10;  // per round; the paper leaves it open

class PaperSearch {
 public:
  PaperSearch(MaximizationExpectation& me, const SearchLimits& limits) : me_(me), limits_(limits) {}

  void run(State& state) {
    for (;;) {
      while (split_once(state)) {
      }
      if (!merge_once(state)) return;
    }
  }

 private:
  // Keeps the trial if it is better than the state after sweeps over everything.
  bool decide(State& state, State trial, const char* phase) {
    me_.converge(trial);
    if (me_.journal().may_count(trial.stats)) me_.journal().note_evidence(trial.k(), trial.objective);
    if (trial.objective >= state.objective - negligible(state)) return false;
    if (trial.k() > limits_.max_k) return false;
    state = std::move(trial);
    me_.journal().report(state, phase);
    return true;
  }

  // Box, steps 2i to 2iv: clusters in the order of J_split; true as soon as a split is accepted.
  bool split_once(State& state) {
    if (state.k() >= limits_.max_k) return false;
    const SplitMergeCriteria criteria = split_merge_criteria(me_.execution(), me_.problem(), state.stats);
    std::vector<std::size_t> ranked(state.k());
    std::iota(ranked.begin(), ranked.end(), std::size_t{0});
    std::ranges::stable_sort(ranked, std::ranges::greater{}, [&](std::size_t c) { return criteria.split[c]; });
    const Members members(me_.problem().units, state.labels, state.k());
    for (const std::size_t cluster : ranked) {
      ++me_.journal().counters().splits_tried;
      if (try_split(state, cluster, members.of(cluster))) {
        ++me_.journal().counters().splits_accepted;
        return true;
      }
    }
    return false;
  }

  bool try_split(State& state, std::size_t cluster, const Subset& members) {
    if (members.size() < 2) return false;
    Assignment halves = divide(me_.execution(), members, me_.problem().components,
                               principal_plane(me_.problem(), state.stats[cluster], members));
    const Split split{cluster, std::move(halves.labels), std::move(halves.stats), 0.0};
    const double lighter = std::min(split.halves.weight(0), split.halves.weight(1));
    if (lighter <= 0.0 || lighter < limits_.min_size) return false;
    State trial = state;
    apply_split(me_.execution(), me_.problem(), split, members, trial);
    return decide(state, std::move(trial), "split");
  }

  // Box, steps 3i to 3iv: pairs in the order of J_merge.
  bool merge_once(State& state) {
    const std::size_t k = state.k();
    if (k < 2) return false;
    const SplitMergeCriteria criteria = split_merge_criteria(me_.execution(), me_.problem(), state.stats);
    std::vector<std::size_t> pairs;
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = a + 1; b < k; ++b) pairs.push_back(a * k + b);
    }
    std::ranges::stable_sort(pairs, std::ranges::greater{}, [&](std::size_t pair) { return criteria.merge[pair]; });
    for (std::size_t i = 0; i < std::min(pairs.size(), most_merges_tried); ++i) {
      ++me_.journal().counters().merges_tried;
      State trial = state;
      merge_pair(me_, trial, pairs[i] / k, pairs[i] % k);
      if (decide(state, std::move(trial), "merge")) {
        ++me_.journal().counters().merges_accepted;
        return true;
      }
    }
    return false;
  }

  MaximizationExpectation& me_;
  SearchLimits limits_;
};

}  // namespace

void search_paper(MaximizationExpectation& me, State& state, const SearchLimits& limits) {
  if (state.k() > limits.max_k) merge_down_to(me, state, limits.max_k);
  me.journal().report(state, "start");
  me.converge(state);
  PaperSearch(me, limits).run(state);
}

}  // namespace coppice::internal
