// SPDX-License-Identifier: BSD-3-Clause
// Student-t clusters are not searched for from nothing. They are grown from the clusters that the same kind without
// tails has found, which cut a cluster with tails into pieces by distance from its centre; what is left is to merge
// pieces, to let members weigh what they do, and to fit the freedom. These three wait for one another, which is what
// the rounds and strides are about.

#include "coppice/structure/heavy_tails.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "coppice/assign/naive.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/merge.hpp"
#include "coppice/structure/prior_fit.hpp"

namespace coppice::internal {

namespace {

// Tails that are not far from a Gaussian's, which keep clusters apart that are, and heavy ones, which merge boldly.
constexpr double start_freedoms[] = {16.0, 4.0};
constexpr double hopeless = 0.1;          // nats per row behind the kind's own clusters, after one start
constexpr double worse = 0.02;            // after all of them
constexpr std::size_t most_rounds = 12;   // of merges, sweeps and a fit of the prior
constexpr std::size_t most_partners = 4;  // of a cluster, that are tried
constexpr double first_stride = 4.0;      // times the step of a fit of the freedom

// A start is given up if it is far behind the leader and slow to catch up: before there are merges, which
// gain the most where rows have tails, only if it has hardly come nearer.
constexpr double far_from_leader = 0.1;            // nats per row
constexpr double slow_to_catch_up = 1.0 / 3.0;     // of the way to the leader per round
constexpr double slow_without_merges = 1.0 / 6.0;  // by tails alone

class TailSearch {
 public:
  TailSearch(MaximizationExpectation& me, const SearchGround& ground, const AdjustablePrior& prior,
             const AutoSearchOptions& options, std::optional<double> leader)
      : me_(me), ground_(ground), prior_(prior), options_(options), leader_(leader) {}

  // Nothing if clusters with tails are clearly worse, unless they are asked for. Pieces that rows were cut into by
  // their distance from one centre show no tails before they are merged: so every start is followed as long as the
  // leader is not out of reach.
  void run_from(const Found& gaussian) {
    const std::vector<std::int32_t> labels = gaussian.state.labels.by_row();
    const auto is_behind = [&](double by) {
      return leader_ && best_->state.objective - gaussian.state.objective >= by * ground_.total_weight;
    };
    // The freedom is the last of the prior's numbers.
    for (const double freedom : start_freedoms) {
      std::vector<double> values = gaussian.values;
      values.push_back(freedom);
      me_.journal().begin_search();
      take_prior(std::move(values));
      const bool is_in_reach = climb(me_.from_labels(labels), gaussian.state.objective);
      if (!is_in_reach || (!ground_.gives_nothing_up() && is_behind(hopeless))) break;
    }
    if (is_behind(worse)) best_.reset();
  }

  [[nodiscard]] std::optional<Found>& best() noexcept { return best_; }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;

  // False if the leader is out of reach.
  bool climb(State state, double without_tails) {
    StopReason reason = StopReason::converged;
    bool is_in_reach = false;
    try {
      me_.journal().report(state, "tails");
      is_in_reach = climb_while_in_reach(state, without_tails);
    } catch (const Stopped& stopped) {
      reason = stopped.reason();
    }
    offer(std::move(state), reason);
    if (reason != StopReason::converged && reason != StopReason::iteration_limit) throw Stopped(reason);
    return is_in_reach;
  }

  bool climb_while_in_reach(State& state, double before) {
    stride_ = first_stride;
    me_.converge(state, deaths());
    // Tails that are too heavy may be all that is between nearly Gaussian clusters and the leader.
    const bool may_be_light = leader_ && before - *leader_ <= far_from_leader * ground_.total_weight;
    if (may_be_light && is_out_of_reach(before, state, slow_without_merges) && refit(state))
      me_.converge(state, deaths());
    if (is_out_of_reach(before, state, slow_without_merges)) return false;
    for (std::size_t round = 0; round < most_rounds; ++round) {
      const bool has_merged = !options_.limits.k && merge_while_better(state);
      const bool has_fitted = refit(state);
      if (!has_merged && !has_fitted) break;
      me_.converge(state, deaths());
      if (is_out_of_reach(std::exchange(before, state.objective), state, slow_to_catch_up)) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_out_of_reach(double before, const State& state, double slow_share) const {
    if (!leader_ || ground_.gives_nothing_up()) return false;
    const double behind = state.objective - *leader_;
    return behind > far_from_leader * ground_.total_weight && before - state.objective < slow_share * behind;
  }

  [[nodiscard]] Deaths deaths() const { return options_.limits.k ? Deaths::undone : Deaths::allowed; }

  void take_prior(std::vector<double> values) {
    values_ = std::move(values);
    components_ = prior_.at(values_);
    me_.use({ground_.units(), *components_, ground_.partition, ground_.total_weight}, ground_.assigner);
  }

  // Pairs that are worth a look, by the gain with members weighed as they are in the two clusters. What they would
  // weigh in one is only found by going through them: the true gain is better than that.
  [[nodiscard]] std::vector<Pair> candidates(const State& state) const {
    const MergeGains gains(me_.execution(), me_.problem(), state.stats);
    std::vector<std::size_t> n_partners(state.k(), 0);
    std::vector<Pair> chosen;
    for (const MergeGains::Pair& pair : gains.nearest(state.k() * state.k())) {
      // Pairs come by gain: a cluster's first few partners are its best.
      if (n_partners[pair.a] >= most_partners && n_partners[pair.b] >= most_partners) continue;
      ++n_partners[pair.a];
      ++n_partners[pair.b];
      chosen.emplace_back(pair.a, pair.b);
    }
    return chosen;
  }

  // Change of the objective if the two were one.
  [[nodiscard]] double gain_of(const Execution& execution, const State& state, const Members& members,
                               const Pair& pair) const {
    const auto [a, b] = pair;
    const Problem& problem = me_.problem();
    std::vector<std::size_t> list = members.of(a).members();
    const std::vector<std::size_t> others = members.of(b).members();
    list.insert(list.end(), others.begin(), others.end());
    std::ranges::sort(list);
    const double apart = problem.components.log_evidence(state.stats[a]) +
                         problem.components.log_evidence(state.stats[b]) +
                         problem.partition.merges().pair(state.stats.weight(a), state.stats.weight(b)) +
                         problem.partition.merges().level(problem.total_weight, state.k());
    return apart - evidence_of_both(execution, state, pair, Subset(problem.units, list), apart);
  }

  // Members weigh first what they weigh apart. It is no use to go on where the rest of the way is longer than steps
  // that become shorter and shorter can be.
  [[nodiscard]] double evidence_of_both(const Execution& execution, const State& state, const Pair& pair,
                                        const Subset& subset, double wanted) const {
    constexpr std::size_t most_steps = 30;
    constexpr std::size_t first_steps = 5;  // whatever they gain
    constexpr double longest_way = 20.0;    // in steps as long as the last
    constexpr double enough = 0.01;         // nats
    const std::vector<std::int32_t> labels(subset.size(), 0);
    const std::unique_ptr<Components> cluster = me_.problem().components.clone();
    StatsArena both(1, state.stats.stats_size());
    both.assign(0, state.stats[pair.first]);
    cluster->merge(both[0], state.stats[pair.second]);
    double evidence = cluster->log_evidence(both[0]);
    for (std::size_t step = 0; step < most_steps; ++step) {
      cluster->update(execution, both);
      both = statistics_of_members(execution, subset, *cluster, labels);
      const double before = std::exchange(evidence, cluster->log_evidence(both[0]));
      const double gain = evidence - before;
      if (gain < enough || (step >= first_steps && wanted - evidence > longest_way * gain)) break;
    }
    return evidence;
  }

  // The pairs that lower the objective, the best first.
  [[nodiscard]] std::vector<Pair> improving_pairs(const State& state) {
    const Members members(me_.problem().units, state.labels, state.k());
    const std::vector<Pair> tried = candidates(state);
    me_.journal().counters().merges_tried += tried.size();
    std::vector<std::pair<double, Pair>> found(tried.size());
    LocalExecution alone(1, me_.execution().stop);
    for_each_task(me_.execution(), {.count = tried.size()}, [&](std::size_t i) {
      found[i] = {gain_of(alone.get(), state, members, tried[i]), tried[i]};
    });
    const double least_gain = negligible(state);
    std::erase_if(found, [&](const auto& gain_and_pair) { return !(gain_and_pair.first < -least_gain); });
    std::ranges::sort(found);
    std::vector<Pair> pairs(found.size());
    std::ranges::transform(found, pairs.begin(), [](const auto& gain_and_pair) { return gain_and_pair.second; });
    return pairs;
  }

  // The best merge, and the next best of clusters that are not in one yet; then again, until nothing helps.
  bool merge_while_better(State& state) {
    bool has_merged = false;
    while (state.k() > 1) {
      const std::vector<Pair> pairs = improving_pairs(state);
      if (pairs.empty()) break;
      std::vector<std::int32_t> new_label(state.k());
      std::iota(new_label.begin(), new_label.end(), 0);
      std::vector<bool> is_taken(state.k(), false);
      for (const auto& [a, b] : pairs) {
        if (is_taken[a] || is_taken[b]) continue;
        is_taken[a] = is_taken[b] = true;
        new_label[b] = static_cast<std::int32_t>(a);
      }
      std::vector<std::int32_t> labels = state.labels.by_row();
      for (std::int32_t& label : labels) label = new_label[static_cast<std::size_t>(label)];
      State next = me_.from_labels(labels);
      // Merges were judged one by one; together, members weighed from equal weights may come to less.
      if (next.objective >= state.objective) break;
      me_.journal().counters().merges_accepted += state.k() - next.k();
      state = std::move(next);
      me_.journal().report(state, "merge");
      has_merged = true;
    }
    return has_merged;
  }

  bool refit(State& state) {
    if (options_.prior_fit == PriorFit::as_started) return false;
    FittedPrior fitted = fit_prior(me_.execution(), prior_, values_, state.stats);
    if (!is_worth_it(fitted, ground_.total_weight, components_->n_columns())) return false;
    const double step = std::log(fitted.values.back() / values_.back());
    take_prior(std::move(fitted.values));
    state.objective = me_.problem().objective(me_.execution(), state.stats);
    me_.journal().report(state, "prior");
    if (step != 0.0) go_farther(state, step);
    return true;
  }

  // What rows weigh and the freedom wait for one another: the fit takes short steps, all in one direction. So it is
  // tried whether many of them at once are better than one, once the rows weigh what they do there.
  void go_farther(State& state, double step) {
    const PriorNumber& freedom = prior_.numbers().back();
    for (;; stride_ *= 2.0) {
      me_.sweep(state, deaths());
      std::vector<double> there = values_;
      there.back() = std::clamp(there.back() * std::exp(stride_ * step), freedom.low, freedom.high);
      if (!is_better_at(std::move(there), state)) break;
      me_.journal().report(state, "prior");
    }
    stride_ = std::max(1.0, stride_ / 2.0);
  }

  // Then that is where the state is, after a sweep.
  bool is_better_at(std::vector<double> values, State& state) {
    const std::vector<double> before = values_;
    State trial = state;
    try {
      take_prior(std::move(values));
      trial.objective = me_.problem().objective(me_.execution(), trial.stats);
      me_.sweep(trial, deaths());
    } catch (const Stopped&) {
      take_prior(before);
      throw;
    }
    if (!(trial.objective < state.objective)) {
      take_prior(before);
      return false;
    }
    state = std::move(trial);
    return true;
  }

  void offer(State state, StopReason reason) {
    if (best_ && best_->state.objective <= state.objective) return;
    best_.emplace(Found{std::move(state), values_, prior_.at(values_), reason});
  }

  MaximizationExpectation& me_;
  const SearchGround& ground_;
  const AdjustablePrior& prior_;
  const AutoSearchOptions& options_;
  std::optional<double> leader_;
  double stride_ = first_stride;
  std::vector<double> values_;
  std::unique_ptr<Components> components_;
  std::optional<Found> best_;
};

}  // namespace

std::optional<Found> find_heavy_tails(MaximizationExpectation& me, const SearchGround& ground,
                                      const AdjustablePrior& student, const Found& gaussian,
                                      const AutoSearchOptions& options, std::optional<double> leader) {
  TailSearch search(me, ground, student, options, leader);
  try {
    search.run_from(gaussian);
  } catch (const Stopped&) {
    if (!search.best()) throw;
  }
  return std::move(search.best());
}

}  // namespace coppice::internal
