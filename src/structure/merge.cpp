// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/merge.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice::internal {

MergeGains::MergeGains(const Execution& execution, const Problem& problem, const StatsArena& stats)
    : execution_(execution),
      problem_(problem),
      stats_(stats),
      owner_(stats.size()),
      is_alive_(stats.size(), true),
      parts_(stats.size() * stats.size(), 0.0),
      n_left_(stats.size()) {
  for (std::size_t c = 0; c < stats_.size(); ++c) owner_[c] = c;
  log_evidence_ = problem_.components.log_evidences(execution_, stats_);
  for_each_task(execution_, {.count = stats_.size()}, [&](std::size_t a) {
    for (std::size_t b = a + 1; b < stats_.size(); ++b) part(a, b) = pair_part(a, b);
  });
}

double MergeGains::pair_part(std::size_t a, std::size_t b) const {
  throw_if_stopped_before(execution_.stop, problem_.components.operations_per_cluster());
  std::vector<double> both(stats_[a].begin(), stats_[a].end());
  problem_.components.merge(both, stats_[b]);
  return log_evidence_[a] + log_evidence_[b] - problem_.components.log_evidence(both) +
         problem_.partition.merges().pair(stats_.weight(a), stats_.weight(b));
}

MergeGains::Pair MergeGains::best() const {
  Pair best{0, 0, std::numeric_limits<double>::infinity()};
  for (std::size_t a = 0; a < stats_.size(); ++a) {
    if (!is_alive_[a]) continue;
    for (std::size_t b = a + 1; b < stats_.size(); ++b) {
      if (is_alive_[b] && parts_[a * stats_.size() + b] < best.gain) best = {a, b, parts_[a * stats_.size() + b]};
    }
  }
  best.gain += problem_.partition.merges().level(problem_.total_weight, n_left_);
  return best;
}

std::vector<MergeGains::Pair> MergeGains::nearest(std::size_t n) const {
  std::vector<Pair> pairs;
  const double level = problem_.partition.merges().level(problem_.total_weight, n_left_);
  for (std::size_t a = 0; a < stats_.size(); ++a) {
    for (std::size_t b = a + 1; b < stats_.size(); ++b) {
      if (is_alive_[a] && is_alive_[b]) pairs.push_back({a, b, parts_[a * stats_.size() + b] + level});
    }
  }
  std::ranges::stable_sort(pairs, {}, &Pair::gain);
  pairs.resize(std::min(n, pairs.size()));
  return pairs;
}

MergeGains::Pair MergeGains::best_of(std::size_t cluster) const {
  Pair best{0, 0, std::numeric_limits<double>::infinity()};
  for (std::size_t c = 0; c < stats_.size(); ++c) {
    if (!is_alive_[c] || c == cluster) continue;
    const std::size_t a = std::min(c, cluster);
    const std::size_t b = std::max(c, cluster);
    if (parts_[a * stats_.size() + b] < best.gain) best = {a, b, parts_[a * stats_.size() + b]};
  }
  best.gain += problem_.partition.merges().level(problem_.total_weight, n_left_);
  return best;
}

void MergeGains::merge(const Pair& pair) {
  problem_.components.merge(stats_[pair.a], stats_[pair.b]);
  log_evidence_[pair.a] = problem_.components.log_evidence(stats_[pair.a]);
  is_alive_[pair.b] = false;
  for (std::size_t& owner : owner_) owner = owner == pair.b ? pair.a : owner;
  --n_left_;
  for (std::size_t c = 0; c < stats_.size(); ++c) {
    if (!is_alive_[c] || c == pair.a) continue;
    part(std::min(pair.a, c), std::max(pair.a, c)) = pair_part(std::min(pair.a, c), std::max(pair.a, c));
  }
}

std::vector<std::int32_t> MergeGains::numbering() const {
  std::vector<std::int32_t> number(stats_.size(), 0);
  std::int32_t next = 0;
  for (std::size_t c = 0; c < stats_.size(); ++c) {
    if (is_alive_[c]) number[c] = next++;
  }
  std::vector<std::int32_t> result(stats_.size());
  for (std::size_t c = 0; c < stats_.size(); ++c) result[c] = number[owner_[c]];
  return result;
}

StatsArena MergeGains::stats() const {
  StatsArena left(0, stats_.stats_size());
  for (std::size_t c = 0; c < stats_.size(); ++c) {
    if (is_alive_[c]) left.append(stats_[c]);
  }
  return left;
}

namespace {

// The state with the merges made so far.
void apply(const MergeGains& gains, const MaximizationExpectation& me, State& state) {
  StatsArena stats = gains.stats();
  state.objective = me.problem().objective(me.execution(), stats);  // stopped here, the state is as it was
  state.labels.renumber(gains.numbering());
  state.stats = std::move(stats);
}

}  // namespace

std::size_t merge_while_better(MaximizationExpectation& me, State& state) {
  if (state.k() < 2) return 0;
  MergeGains gains(me.execution(), me.problem(), state.stats);
  const std::size_t k = state.k();
  me.journal().counters().merges_tried += k * (k - 1) / 2;
  const double least_gain = negligible(state);
  while (gains.n_left() > 1) {
    const MergeGains::Pair best = gains.best();
    if (best.gain >= -least_gain) break;
    gains.merge(best);
  }
  const std::size_t n_merged = k - gains.n_left();
  if (n_merged > 0) apply(gains, me, state);
  me.journal().counters().merges_accepted += n_merged;
  return n_merged;
}

void merge_down_to(MaximizationExpectation& me, State& state, std::size_t k) {
  if (state.k() <= k) return;
  MergeGains gains(me.execution(), me.problem(), state.stats);
  me.journal().counters().merges_tried += state.k() * (state.k() - 1) / 2;
  while (gains.n_left() > k) {
    gains.merge(gains.best());
    ++me.journal().counters().merges_accepted;
  }
  apply(gains, me, state);
}

void merge_pair(MaximizationExpectation& me, State& state, std::size_t a, std::size_t b) {
  StatsArena stats = state.stats;
  me.problem().components.merge(stats[a], stats[b]);
  stats.erase(b);
  state.objective = me.problem().objective(me.execution(), stats);  // stopped here, the state is as it was
  state.stats = std::move(stats);
  std::vector<std::int32_t> number(state.k() + 1);
  for (std::size_t c = 0; c < number.size(); ++c) number[c] = static_cast<std::int32_t>(c > b ? c - 1 : c);
  number[b] = static_cast<std::int32_t>(a);
  state.labels.renumber(number);
}

void merge_into_best_partner(MaximizationExpectation& me, State& state, std::size_t cluster) {
  const MergeGains::Pair best = MergeGains(me.execution(), me.problem(), state.stats).best_of(cluster);
  merge_pair(me, state, best.a, best.b);
}

}  // namespace coppice::internal
