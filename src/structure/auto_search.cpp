// SPDX-License-Identifier: BSD-3-Clause
// The search over one family (docs/methods/bkm.md). No single start finds everything: from one cluster, splits find
// what is far apart; from above, merges find what splits cut across; clusters in hundreds are found from cells of a few
// rows. Every start climbs by the same moves, the prior is fitted between rounds, and the best end is kept with its
// prior. Limits are nats per row, since the objective itself shifts with the units of the columns.

#include "coppice/structure/auto_search.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/infer/soft_bound.hpp"
#include "coppice/structure/merge.hpp"
#include "coppice/structure/over_segmentation.hpp"
#include "coppice/structure/prior_fit.hpp"
#include "structure/some_of_many.hpp"
#include "structure/split_merge.hpp"
#include "structure/stall_moves.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_fits = 3;        // of the prior, per start
constexpr std::size_t clusters_above = 30;  // of the first start from above, if there are rows enough
constexpr std::size_t few_clusters = 30;    // are found from below, or from there
constexpr std::size_t few_topics = 12;      // of counts or bits: are found from below
constexpr double rows_per_cluster = 8.0;    // there, at least
constexpr double large_gain = 0.02;         // nats per row: a fit that gains more gives failed splits another chance
constexpr double hopeless = 0.1;            // nats per row behind the leader
constexpr double out_of_reach = 1.0;        // nats per row behind the leader: for any start, if two are
constexpr double far_out_of_reach = 3.0;    // for any start, if one is
constexpr double slow = 1.0 / 3.0;          // of the way to the leader per round
constexpr std::size_t most_stall_moves = 50;

// The same clusters, whatever their numbers.
bool have_same_clusters(const State& a, const State& b) {
  if (a.k() != b.k()) return false;
  const std::vector<std::int32_t> of_a = a.labels.by_row();
  const std::vector<std::int32_t> of_b = b.labels.by_row();
  std::vector<std::int32_t> number(a.k(), -1);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    std::int32_t& known = number[static_cast<std::size_t>(of_a[i])];
    if (known < 0) known = of_b[i];
    if (known != of_b[i]) return false;
  }
  return true;  // as many as there are, and none is empty
}

}  // namespace

bool SearchGround::gives_nothing_up() const {
  constexpr double few_rows_per_column = 20.0;
  constexpr double few_values = 5e4;
  const auto n_columns = static_cast<double>(units().rows().n_columns());
  return total_weight <= few_rows_per_column * n_columns && total_weight * n_columns <= few_values;
}

AutoSearch::AutoSearch(MaximizationExpectation& me, SearchGround ground, const AdjustablePrior& prior,
                       AutoSearchOptions options, Leader& leader)
    : me_(me), ground_(std::move(ground)), prior_(prior), options_(options), leader_(leader) {
  if (!options_.has_rivals) return;
  options_.limits.max_k = std::min(options_.limits.max_k, prior_.most_clusters(ground_.total_weight));
}

Problem AutoSearch::problem() const { return {ground_.units(), *components_, ground_.partition, ground_.total_weight}; }

void AutoSearch::take_prior(std::vector<double> values) {
  values_ = std::move(values);
  components_ = prior_.at(values_);
  me_.use(problem(), ground_.assigner);
}

std::size_t AutoSearch::most_clusters() const {
  return options_.limits.k.value_or(std::min(options_.limits.max_k, ground_.units().size()));
}

State AutoSearch::from_above(std::size_t k) {
  const SearchLimits& limits = options_.limits;
  return me_.from_labels(over_segmented(me_.execution(), ground_.units().rows(), ground_.variance, k, limits.seed,
                                        (limits.restart << 8U) + n_starts_));
}

// Shared rows find their way out of cells that are not pure, where rows of one label each would stay.
State AutoSearch::from_too_many() {
  constexpr SoftLimits limits{.max_iterations = 80, .tolerance = 0.1};
  const State cells = me_.from_labels(ground_.fine->too_many);
  return me_.from_clusters(soften(me_.execution(), problem(), cells.stats, limits).stats, Deaths::allowed);
}

// Where the first start is out of the leader's reach, the one from above comes next; if it is, too, or if the first was
// far out of reach, the others would be.
void AutoSearch::run() {
  std::vector<std::function<void()>> starts;
  if (!best_ && ground_.fine && ground_.fine->k > few_clusters) {
    starts.emplace_back([this] { run_from(ground_.fine->labels); });
  }
  for (const std::vector<double>& values : prior_.starts()) {
    starts.emplace_back([&] { climb_from(values, [&] { return me_.single_cluster(); }); });
  }
  starts.front()();
  if (is_behind_by(far_out_of_reach)) return;
  const bool is_behind = is_behind_by(out_of_reach);
  if (is_behind) climb_from_above();
  for (std::size_t i = 1; i < starts.size() && !is_behind_by(out_of_reach); ++i) starts[i]();
  if (!is_behind) climb_from_above();
}

bool AutoSearch::is_behind_by(double nats_per_row) const {
  if (!options_.has_rivals || ground_.gives_nothing_up()) return false;
  return best_->state.objective - leader_.objective > nats_per_row * ground_.total_weight;
}

void AutoSearch::climb_from_above() {
  const std::size_t k = std::min(
      {clusters_above, options_.limits.max_k, static_cast<std::size_t>(ground_.total_weight / rows_per_cluster)});
  if (k < 2 || options_.moves == Moves::paper) return;
  if (!ground_.variance.empty()) {
    climb_from(
        prior_.starts().front(), [&] { return from_above(k); }, true);
  } else if (ground_.fine && best_->state.k() > few_topics) {
    climb_from(
        prior_.starts().front(), [&] { return from_too_many(); }, true);
  }
}

void AutoSearch::try_fine_start() {
  climb_from(
      prior_.starts().front(), [&] { return me_.from_labels(ground_.fine->labels); }, true, Climb::brief);
}

void AutoSearch::climb_on() { continue_from(best_->copy(), best_->state.labels.by_row()); }

void AutoSearch::run_from(std::span<const std::int32_t> labels) {
  climb_from(
      prior_.starts().front(), [&] { return me_.from_labels(labels); }, true);
}

void AutoSearch::continue_from(const Found& found) {
  climb_from(found.values, [&] { return me_.from_clusters(found.state.stats, Deaths::allowed); });
}

void AutoSearch::continue_from(const Found& found, std::span<const std::int32_t> labels) {
  climb_from(found.values, [&] { return me_.from_labels(labels); });
}

void AutoSearch::settle_from(const Found& found, bool has_labels) {
  me_.journal().begin_search();
  take_prior(found.values);
  State state = has_labels ? with_labels(found.state) : me_.from_clusters(found.state.stats, Deaths::allowed);
  StopReason reason = StopReason::converged;
  try {
    me_.journal().report(state, "start");
    me_.converge(state, Deaths::undone);
    if (options_.limits.min_size > 0.0) enforce_min_size(me_, state, options_.limits.min_size);
    if (!me_.problem().components.weighs_members()) note_merge_path(me_, state);
  } catch (const Stopped& stopped) {
    reason = stopped.reason();
  }
  offer(std::move(state), reason);
  if (reason == StopReason::cancelled || reason == StopReason::time_limit) throw Stopped(reason);
}

// The state as it is; units in a tree have their labels in another form.
State AutoSearch::with_labels(const State& state) const {
  if (ground_.units().are_in_tree()) return me_.from_labels(state.labels.by_row());
  State same = state;
  same.objective = me_.problem().objective(me_.execution(), same.stats);
  return same;
}

void AutoSearch::polish() {
  if (!best_) return;
  const Found& start = *best_;
  const std::size_t k = start.state.k();
  if (k > many_clusters) return;
  if (!options_.limits.k) {
    climb_from(start.values, [&] {
      State state = best_->state;
      SplitMerge moves(me_, options_.limits);
      try {
        for (std::size_t i = 0; i < most_stall_moves && try_stall_moves(me_, moves, state, options_.limits); ++i) {
        }
      } catch (const Stopped& stopped) {
        if (stopped.reason() != StopReason::iteration_limit) {
          offer(std::move(state), stopped.reason());
          throw;
        }
      }
      return state;
    });
  }
  if (ground_.variance.empty() || options_.moves == Moves::paper) return;
  const std::size_t more = std::min({2 * k + 4, options_.limits.max_k, ground_.units().size()});
  climb_from(best_->values, [&] { return from_above(more); });
}

// `fits_first`: the start knows more of the clusters than the prior does.
void AutoSearch::climb_from(std::vector<double> values, const Start& start, bool fits_first, Climb how) {
  me_.journal().begin_search();
  take_prior(std::move(values));
  ++n_starts_;
  State state = start();
  try {
    if (fits_first) refit(state);
    const bool merges_first = !options_.limits.k && how == Climb::whole;
    if (merges_first && merge_while_better(me_, state) > 0) me_.journal().report(state, "merge");
    if (how == Climb::brief) {
      climb_briefly(state);
    } else {
      climb(state);
    }
    if (options_.limits.min_size > 0.0) enforce_min_size(me_, state, options_.limits.min_size);
    note_merge_path(me_, state);
  } catch (const Stopped& stopped) {
    offer(std::move(state), stopped.reason());
    if (stopped.reason() == StopReason::iteration_limit) return;  // the end of this start alone
    throw;
  }
  offer(std::move(state), StopReason::converged);
}

void AutoSearch::climb(State& state) {
  SplitMerge moves(me_, options_.limits);
  for (std::size_t n_fits = 0; move(moves, state) && n_fits < most_fits; ++n_fits) {
    const double gain = refit(state);
    if (gain <= 0.0) return;
    if (gain > large_gain * ground_.total_weight) moves.forget_failures();
  }
  if (has_arrived(state)) refit(state);
}

// Sweeps, a fit and merges; given up as soon as it will not come near the leader.
void AutoSearch::climb_briefly(State& state) {
  if (state.k() > most_clusters()) merge_down_to(me_, state, most_clusters());
  SplitMerge moves(me_, options_.limits);
  const Deaths deaths = options_.limits.k ? Deaths::undone : Deaths::allowed;
  for (;;) {
    const double before = state.objective;
    const bool has_changed = me_.sweep(state, deaths);
    me_.journal().report(state, "sweep");
    if (is_far_behind(before, state)) return;
    if (!has_changed || before - state.objective < 1e-3 * ground_.total_weight) break;
  }
  refit(state);
  if (is_far_behind(state.objective, state)) return;
  if (!options_.limits.k && merge_while_better(me_, state) > 0) me_.journal().report(state, "merge");
  moves.settle(state, deaths);
  refit(state);
}

// Splits and merges under the present prior; false if the start is given up.
bool AutoSearch::move(SplitMerge& moves, State& state) {
  const SearchLimits& limits = options_.limits;
  if (options_.moves == Moves::paper) {
    search_paper(me_, state, limits);
    return true;
  }
  if (state.k() > most_clusters()) merge_down_to(me_, state, most_clusters());
  me_.journal().report(state, "start");
  moves.settle(state, limits.k ? Deaths::undone : Deaths::allowed);
  const auto patience = [&](double before, const State& now) { return goes_on(before, now); };
  if (limits.k) {
    moves.run_fixed(state, *limits.k, patience);
    return true;
  }
  if (has_arrived(state)) return false;
  return moves.run_free(state, patience);
}

// Not with as many clusters as the leader, far behind it and slow to catch up; nor from where the best start has ended.
bool AutoSearch::goes_on(double before, const State& state) const {
  return !(state.k() >= leader_.k && is_far_behind(before, state)) && !has_arrived(state);
}

bool AutoSearch::has_arrived(const State& state) const {
  return best_ && best_->reason == StopReason::converged && have_same_clusters(best_->state, state);
}

bool AutoSearch::is_far_behind(double before, const State& state) const {
  if (ground_.gives_nothing_up()) return false;
  const double behind = state.objective - leader_.objective;
  return behind > hopeless * ground_.total_weight && before - state.objective < slow * behind;
}

// Fits the prior to the clusters; by how much that lowers the objective, 0 if it is not worth it.
double AutoSearch::refit(State& state) {
  if (options_.prior_fit == PriorFit::as_started || prior_.numbers().empty()) return 0.0;
  FittedPrior fitted = fit_prior(me_.execution(), prior_, values_, some_of_many(state.stats));
  const std::unique_ptr<Components> family = prior_.at(fitted.values);
  const Problem under_it{ground_.units(), *family, ground_.partition, ground_.total_weight};
  const double objective = under_it.objective(me_.execution(), state.stats);
  fitted.gain = state.objective - objective;  // of all clusters
  if (!is_worth_it(fitted, ground_.total_weight, components_->n_columns())) return 0.0;
  take_prior(std::move(fitted.values));
  state.objective = objective;
  me_.journal().report(state, "prior");
  return fitted.gain;
}

void AutoSearch::offer(State state, StopReason reason) {
  const auto rank = standing(state, options_.limits.k);
  if (!rank.first) leader_.hear(state);
  if (best_ && standing(best_->state, options_.limits.k) <= rank) return;
  best_.emplace(Found{std::move(state), values_, prior_.at(values_), reason});
}

}  // namespace coppice::internal
