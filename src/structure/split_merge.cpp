// SPDX-License-Identifier: BSD-3-Clause
// The top-down search of [L] section 6 in larger steps: in a round every cluster is split inside itself, all splits
// that lower F are made, everything settles by sweeps, and pairs are merged while that helps. The paper tries one
// candidate after the other with sweeps over all rows for each. Clusters that resisted are not tried again while their
// members stay the same: they are recognised by their members, not by number or by bits of their statistics. F falls
// with every accepted round, so that it ends.

#include "structure/split_merge.hpp"

#include <algorithm>

#include "coppice/infer/single_moves.hpp"
#include "coppice/infer/soft_bound.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/local_execution.hpp"

namespace coppice::internal {

namespace {

// Clusters with fewer units are split side by side, one per thread; larger ones one after the other, all threads on
// each. The numbers come out the same either way.
constexpr std::size_t many_units = 16 * rows_per_block;

constexpr std::size_t most_failures = 3;  // of exchanges one after the other, each with other splits

// Clusters up to this weight are small enough to draw from all of their rows.
constexpr double enough_weight = 10000.0;

}  // namespace

bool SplitMerge::run_free(State& state, const Patience& goes_on) {
  for (;;) {
    const double before = state.objective;
    const std::size_t n_splits = split(state);
    if (n_splits > 0) {
      me_.journal().report(state, "split");
      settle(state);
    }
    const std::size_t n_merges = merge_while_better(me_, state);
    if (n_merges > 0) {
      me_.journal().report(state, "merge");
      settle(state);
    }
    if (n_splits == 0 && n_merges == 0) {
      if (state.k() > many_clusters) me_.converge(state);
      return true;
    }
    if (goes_on && !goes_on(before, state)) return false;
  }
}

namespace {

void sweep_roughly(MaximizationExpectation& me, State& state, Deaths deaths) {
  constexpr double hardly_anything = 1e-3;  // nats per row
  for (bool has_gained = true; has_gained;) {
    const double before = state.objective;
    has_gained = me.sweep(state, deaths) && before - state.objective > hardly_anything * me.problem().total_weight;
    me.journal().report(state, "sweep");
  }
}

}  // namespace

void SplitMerge::settle(State& state, Deaths deaths) {
  if (state.k() > many_clusters) {
    sweep_roughly(me_, state, deaths);
  } else {
    me_.converge(state, deaths);
  }
  if (limits_.moves_single_rows) move_single_rows(me_, state, deaths, limits_.min_size);
}

// Where no exchange helps with splits as they were found first, others may be drawn.
void SplitMerge::run_fixed(State& state, std::size_t k, const Patience& goes_on) {
  known_ = {};
  reach(state, k);
  if (k > many_clusters) return me_.converge(state, Deaths::undone);
  double before = state.objective;
  for (std::size_t n_failures = 0; n_failures < most_failures;) {
    if (goes_on && !goes_on(before, state)) return;
    before = state.objective;
    n_failures = exchange(state, k) ? 0 : n_failures + 1;
    if (n_failures > 0) known_ = {};
  }
}

std::vector<Split> SplitMerge::find_splits(const State& state, const Members& members, bool retry_failed) {
  resisting_.see(me_.problem().units, state);
  std::vector<std::size_t> to_try;
  for (std::size_t c = 0; c < state.k(); ++c) {
    if (retry_failed || !resisting_.contains(c)) to_try.push_back(c);
  }
  std::vector<Split> splits = find_splits_of(state, members, to_try);
  for (const std::size_t c : to_try) {
    if (std::ranges::find(splits, c, &Split::cluster) == splits.end()) resisting_.insert(c);
  }
  return splits;
}

std::vector<Split> SplitMerge::find_splits_of(const State& state, const Members& members,
                                              std::span<const std::size_t> to_try) {
  // Draws are named by restart, round and content of the cluster, so that threads and numbering do not matter.
  const std::uint64_t stream = (limits_.restart << 20U) + round_++;
  const std::vector<std::vector<std::size_t>> sampled = sampled_members(state);
  std::vector<std::optional<Split>> found(to_try.size());
  std::vector<SplitWork> work(to_try.size());
  const bool goes_down =
      me_.assigner().keeps_to_nodes() || !me_.problem().units.are_in_tree() || split_choice_.goes_down(0);
  const auto try_one = [&](std::size_t i, const Execution& execution) {
    const std::size_t cluster = to_try[i];
    const SplitOptions options{.min_weight = limits_.min_size,
                               .seed = limits_.seed,
                               .stream = stream,
                               .drawn_from = draws_from_sample(state, cluster)
                                                 ? std::span<const std::size_t>(sampled[cluster])
                                                 : std::span<const std::size_t>{},
                               .goes_down = goes_down,
                               .moves_single_rows = limits_.moves_single_rows};
    found[i] = find_split(execution, me_.problem(), state, cluster, members.of(cluster), options, work[i]);
  };
  const auto is_large = [&](std::size_t i) { return members.of(to_try[i]).size() >= many_units; };

  for (std::size_t i = 0; i < to_try.size(); ++i) {
    // All threads on each.
    if (is_large(i)) try_one(i, me_.execution());
  }
  LocalExecution alone(1, me_.execution().stop);
  for_each_task(me_.execution(), {.count = to_try.size()}, [&](std::size_t i) {
    if (!is_large(i)) try_one(i, alone.get());
  });

  note_work(work, goes_down);
  std::vector<Split> splits;
  for (std::size_t i = 0; i < to_try.size(); ++i) {
    if (found[i]) splits.push_back(std::move(*found[i]));
  }
  std::ranges::stable_sort(splits, {}, &Split::pair_gain);
  return splits;
}

// The splits of one round together decide whether those of the next go down the tree.
void SplitMerge::note_work(std::span<const SplitWork> of_splits, bool goes_down) {
  SweepWork total;
  for (const SplitWork& work : of_splits) {
    me_.journal().counters().distances += work.distances;
    me_.journal().counters().nodes_visited += work.nodes_visited;
    total.distances += work.distances;
    total.node_distances += work.node_distances;
    total.full_distances += 2 * work.rows;
    total.rows += work.rows;
  }
  me_.journal().counters().splits_tried += of_splits.size();
  if (goes_down) {
    split_choice_.note_down(0, total);
  } else {
    split_choice_.note_row_by_row(total);
  }
}

// Heavy clusters have enough of the sample to draw from; going by weight, copies count as weights do.
bool SplitMerge::draws_from_sample(const State& state, std::size_t cluster) const {
  return !limits_.sample.empty() && state.stats.weight(cluster) > enough_weight;
}

std::vector<std::vector<std::size_t>> SplitMerge::sampled_members(const State& state) const {
  std::vector<std::vector<std::size_t>> sampled(state.k());
  for (const std::size_t unit : limits_.sample) {
    sampled[static_cast<std::size_t>(state.labels.at(unit))].push_back(unit);
  }
  return sampled;
}

// Makes all splits that lower the objective, the best first; returns how many.
std::size_t SplitMerge::split(State& state) {
  if (state.k() >= limits_.max_k) return 0;
  const Members members(me_.problem().units, state.labels, state.k());
  std::size_t n_made = 0;
  for (const Split& candidate : find_splits(state, members, false)) {
    if (state.k() >= limits_.max_k) break;
    // At the K of by now: every split that is made changes the price of one more.
    const double gain = split_gain(me_.problem(), candidate, state.k());
    if (me_.journal().may_count(state.stats)) me_.journal().note_evidence(state.k() + 1, state.objective + gain);
    if (gain >= -negligible(state)) {
      resisting_.insert(candidate.cluster);
    } else {
      apply_split(me_.execution(), me_.problem(), candidate, members.of(candidate.cluster), state);
      ++n_made;
    }
  }
  me_.journal().counters().splits_accepted += n_made;
  return n_made;
}

// Splits or merges, whether they help or not, until there are k clusters (or no cluster can be split).
void SplitMerge::reach(State& state, std::size_t k) {
  while (state.k() != k) {
    if (state.k() > k) {
      merge_down_to(me_, state, k);
      me_.journal().report(state, "merge");
    } else {
      if (!force_splits(state, k)) return;
      me_.journal().report(state, "split");
    }
    settle(state, Deaths::undone);
  }
}

// All improving splits but not beyond k; if none improves, the one that costs least.
bool SplitMerge::force_splits(State& state, std::size_t k) {
  const Members members(me_.problem().units, state.labels, state.k());
  const std::vector<Split> splits = splits_known_or_found(state, members);
  if (splits.empty()) return false;
  for (std::size_t i = 0; i < splits.size() && state.k() < k; ++i) {
    // One is made whether it helps or not.
    const bool is_needed = i == 0;
    if (!is_needed && split_gain(me_.problem(), splits[i], state.k()) >= 0.0) break;
    apply_split(me_.execution(), me_.problem(), splits[i], members.of(splits[i].cluster), state);
    ++me_.journal().counters().splits_accepted;
  }
  return true;
}

std::vector<Split> SplitMerge::splits_known_or_found(const State& state, const Members& members) {
  known_.see(me_.problem().units, state);
  std::vector<std::size_t> to_try;
  for (std::size_t c = 0; c < state.k(); ++c) {
    if (!known_.has_tried(c)) to_try.push_back(c);
  }
  known_.learn(to_try, find_splits_of(state, members, to_try));
  return known_.all();
}

// Merges one pair, splits elsewhere, and keeps the result if the objective is lower.
bool SplitMerge::exchange(State& state, std::size_t k) {
  // With two clusters, merging and splitting is a split of everything, which was there before.
  if (k < 3 || state.k() != k) return false;
  State trial = state;
  merge_down_to(me_, trial, k - 1);
  settle(trial, Deaths::undone);
  reach(trial, k);
  if (trial.k() != k || trial.objective >= state.objective - negligible(state)) return false;
  state = std::move(trial);
  me_.journal().report(state, "exchange");
  return true;
}

void apply_split(const Execution& execution, const Problem& problem, const Split& split, const Subset& members,
                 State& state) {
  StatsArena stats = state.stats;
  stats.assign(split.cluster, split.halves[0]);
  stats.append(split.halves[1]);
  state.objective = problem.objective(execution, stats);  // stopped here, the state is as it was
  members.relabel(split.sides, static_cast<std::int32_t>(state.k()), state.labels);
  state.stats = std::move(stats);
}

void search_split_merge(MaximizationExpectation& me, State& state, const SearchLimits& limits) {
  SplitMerge search(me, limits);
  const std::size_t most = limits.k.value_or(limits.max_k);
  if (state.k() > most) merge_down_to(me, state, most);
  me.journal().report(state, "start");
  me.converge(state, limits.k ? Deaths::undone : Deaths::allowed);
  if (limits.k) {
    search.run_fixed(state, *limits.k);
  } else {
    search.run_free(state);
  }
}

namespace {

// As far as sweeps leave clusters allowed: rows far from all others would leave one alone again, and merge by merge all
// clusters would be lost to them.
void converge_within(MaximizationExpectation& me, State& state, double min_size) {
  for (bool has_changed = true; has_changed;) {
    State next = state;
    has_changed = me.sweep(next);
    if (has_lighter(next.stats, min_size) && !has_lighter(state.stats, min_size)) return;
    state = std::move(next);
    me.journal().report(state, "sweep");
  }
}

}  // namespace

void enforce_min_size(MaximizationExpectation& me, State& state, double min_size) {
  const auto lightest = [&] {
    std::size_t smallest = 0;
    for (std::size_t c = 1; c < state.k(); ++c) {
      if (state.stats.weight(c) < state.stats.weight(smallest)) smallest = c;
    }
    return smallest;
  };
  while (state.k() > 1 && state.stats.weight(lightest()) < min_size) {
    // Sweeps move rows: who is the lightest is asked again each time.
    merge_into_best_partner(me, state, lightest());
    me.journal().report(state, "min-size");
    converge_within(me, state, min_size);
  }
}

void note_merge_path(MaximizationExpectation& me, const State& state) {
  MergeGains gains(me.execution(), me.problem(), state.stats);
  double objective = state.objective;
  while (gains.n_left() > 1) {
    const MergeGains::Pair best = gains.best();
    objective += best.gain;
    gains.merge(best);
    me.journal().note_evidence(gains.n_left(), objective);
  }
}

}  // namespace coppice::internal
