// SPDX-License-Identifier: BSD-3-Clause
// Greedy merges by gains in closed form. While clusters are few all pairs are kept; among many, each keeps its nearest
// by their means, since the best pair is hardly ever a far one. A link stands in both lists with the same part, and
// each cluster knows its best, so that the best of all takes O(K). After a merge only the pairs with the new cluster
// change (the gain of two hangs on those two alone).

#include "coppice/structure/merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "coppice/infer/near_points.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/little_work.hpp"
#include "structure/pair_gains.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t n_near = 12;              // clusters that one is paired with, where they are many
constexpr std::size_t most_links = 4 * n_near;  // of one that has merged
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

MergeGains::MergeGains(const Execution& execution, const Problem& problem, StatsArena stats,
                       std::size_t most_for_all_pairs)
    : execution_(execution),
      problem_(problem),
      most_for_all_pairs_(most_for_all_pairs),
      owner_(stats.size()),
      is_alive_(stats.size(), true),
      links_(stats.size()),
      best_(stats.size()),
      n_left_(stats.size()) {
  std::iota(owner_.begin(), owner_.end(), std::size_t{0});
  gains_ = std::make_unique<PairGains>(problem.components, problem.partition, std::move(stats));
  link();
  for (const Links& links : links_) n_first_pairs_ += links.size();
  n_first_pairs_ /= 2;
}

MergeGains::~MergeGains() = default;

double MergeGains::level() const { return problem_.partition.merges().level(problem_.total_weight, n_left_); }

std::vector<std::uint32_t> MergeGains::alive() const {
  std::vector<std::uint32_t> alive;
  for (std::size_t c = 0; c < is_alive_.size(); ++c) {
    if (is_alive_[c]) alive.push_back(static_cast<std::uint32_t>(c));
  }
  return alive;
}

// For every cluster that is left, those it is paired with, by places among them.
std::vector<std::vector<std::uint32_t>> MergeGains::partners(const StatsArena& alive) const {
  const std::size_t k = alive.size();
  std::vector<std::vector<std::uint32_t>> partners(k);
  if (k <= most_for_all_pairs_) {
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        if (i != j) partners[i].push_back(static_cast<std::uint32_t>(j));
      }
    }
    return partners;
  }
  const std::vector<std::vector<std::uint32_t>> near = nearest_clusters(execution_, problem_.components, alive, n_near);
  for (std::size_t i = 0; i < k; ++i) {
    for (const std::uint32_t j : near[i]) {
      partners[i].push_back(j);
      partners[j].push_back(static_cast<std::uint32_t>(i));
    }
  }
  for (std::vector<std::uint32_t>& of_one : partners) {
    std::ranges::sort(of_one);
    of_one.erase(std::unique(of_one.begin(), of_one.end()), of_one.end());
  }
  return partners;
}

void MergeGains::link() {
  const std::vector<std::uint32_t> left = alive();
  const std::vector<std::vector<std::uint32_t>> partners_of = partners(stats());
  for_each_task(execution_, {.count = left.size()}, [&](std::size_t i) {
    throw_if_stopped_before(execution_.stop, problem_.components.operations_per_cluster());
    Links& links = links_[left[i]];
    links.clear();
    for (const std::uint32_t j : partners_of[i]) links.push_back({left[j]});
    take_parts(left[i], links);
    find_best(left[i]);
  });
  n_linked_ = n_left_;
}

// A pair's part is the same to the last bit from either end.
void MergeGains::take_parts(std::size_t cluster, Links& links) const {
  std::vector<Slot> others(links.size());
  std::ranges::transform(links, others.begin(), &Link::to);
  std::vector<double> parts(links.size());
  gains_->keys(static_cast<Slot>(cluster), others, parts.data());
  for (std::size_t i = 0; i < links.size(); ++i) links[i].part = parts[i];
}

MergeGains::Link MergeGains::nobody(std::size_t cluster) { return {static_cast<std::uint32_t>(cluster), infinity}; }

void MergeGains::find_best(std::size_t cluster) {
  Link best = nobody(cluster);
  for (const Link& link : links_[cluster]) {
    // What is not a number is as bad as can be, but a partner all the same.
    const double part = std::isnan(link.part) ? infinity : link.part;
    // Ties by the smaller number, so that the order of the list does not show.
    const bool is_first = best.to == cluster;
    if (is_first || part < best.part || (part == best.part && link.to < best.to)) best = {link.to, part};
  }
  best_[cluster] = best;
}

void MergeGains::set_link(std::size_t from, std::size_t to, double part) {
  const auto link = std::ranges::find(links_[from], to, &Link::to);
  if (link == links_[from].end()) {
    links_[from].push_back({static_cast<std::uint32_t>(to), part});
  } else {
    link->part = part;
  }
  find_best(from);
}

void MergeGains::unlink(std::size_t from, std::size_t to) {
  std::erase_if(links_[from], [&](const Link& link) { return link.to == to; });
  if (best_[from].to == to) find_best(from);
}

MergeGains::Pair MergeGains::best() const {
  std::optional<std::size_t> first;
  for (std::size_t c = 0; c < best_.size(); ++c) {
    if (best_[c].to == c) continue;  // nobody, or gone
    if (!first || best_[c].part < best_[*first].part) first = c;
  }
  if (!first) {
    const std::vector<std::uint32_t> left = alive();
    return {left[0], left[1], infinity};
  }
  // Equal parts: the first is the smaller of the two.
  return {*first, best_[*first].to, best_[*first].part + level()};
}

std::vector<MergeGains::Pair> MergeGains::nearest(std::size_t n) const {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < links_.size(); ++a) {
    for (const Link& link : links_[a]) {
      if (a < link.to) pairs.push_back({a, link.to, link.part + level()});
    }
  }
  std::ranges::sort(pairs, {}, [](const Pair& pair) { return std::tuple(pair.gain, pair.a, pair.b); });
  pairs.resize(std::min(n, pairs.size()));
  return pairs;
}

MergeGains::Pair MergeGains::best_of(std::size_t cluster) const {
  const std::size_t other = best_[cluster].to;
  return {std::min(cluster, other), std::max(cluster, other), best_[cluster].part + level()};
}

void MergeGains::merge(const Pair& pair) {
  gains_->merge(static_cast<Slot>(pair.a), static_cast<Slot>(pair.b));
  is_alive_[pair.b] = false;
  owner_[pair.b] = pair.a;
  --n_left_;
  Links& links = links_[pair.a];
  for (const Link& link : std::exchange(links_[pair.b], {})) {
    unlink(link.to, pair.b);
    // Whoever was near one of the two is near both together.
    if (link.to != pair.a && std::ranges::find(links, link.to, &Link::to) == links.end()) links.push_back(link);
  }
  best_[pair.b] = nobody(pair.b);
  // Who was near once is far beside those that have grown: partners are chosen anew when half of the clusters are gone,
  // and all pairs are looked at as soon as that is affordable.
  const bool are_few = n_left_ <= most_for_all_pairs_;
  if (n_linked_ > most_for_all_pairs_ && (are_few || 2 * n_left_ <= n_linked_)) return link();
  take_parts(pair.a, links);
  keep_best(pair.a);
  for (const Link& link : links) set_link(link.to, pair.a, link.part);
  find_best(pair.a);
}

// A cluster that has swallowed many is near too many to look at all of them again and again.
void MergeGains::keep_best(std::size_t cluster) {
  Links& links = links_[cluster];
  if (links.size() <= std::max(most_links, most_for_all_pairs_)) return;
  std::ranges::sort(links, {}, [](const Link& link) { return std::pair(link.part, link.to); });
  for (std::size_t i = most_links; i < links.size(); ++i) unlink(links[i].to, cluster);
  links.resize(most_links);
}

std::vector<std::int32_t> MergeGains::numbering() const {
  std::vector<std::int32_t> number(is_alive_.size(), 0);
  std::int32_t next = 0;
  for (std::size_t c = 0; c < is_alive_.size(); ++c) {
    if (is_alive_[c]) number[c] = next++;
  }
  std::vector<std::int32_t> result(is_alive_.size());
  for (std::size_t c = 0; c < is_alive_.size(); ++c) {
    std::size_t owner = c;
    // Owners may have been merged since.
    while (!is_alive_[owner]) owner = owner_[owner];
    result[c] = number[owner];
  }
  return result;
}

StatsArena MergeGains::stats() const {
  StatsArena left(0, problem_.components.stats_size());
  for (const std::uint32_t c : alive()) left.append(gains_->statistics(c));
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
  me.journal().counters().merges_tried += gains.n_first_pairs();
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
  me.journal().counters().merges_tried += gains.n_first_pairs();
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
