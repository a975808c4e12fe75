// SPDX-License-Identifier: BSD-3-Clause
// Maximization-expectation ([L] section 5, Eqs. 19, 20, 23 and 24; complete objectives, docs/errata.md, 5). A sweep
// takes the posteriors of all clusters as they are and relabels every unit; statistics follow from the labels, and the
// objective from the statistics alone. Under a finite Dirichlet prior this is coordinate descent and F never rises.
// Under the Dirichlet process it may when a cluster dies (erratum 8), and then the dying cluster keeps its units. A
// state is replaced only by a whole one that is better, so that whoever stops a sweep finds the one before.

#include "coppice/infer/me.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/assign/naive.hpp"
#include "coppice/infer/empty_clusters.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/local_execution.hpp"

namespace coppice::internal {

namespace {

constexpr double least_weighing_gain = 0.05;  // nats, of a sweep that only weighs members anew

// Chooses the clusters that are lost as well; false if there are none. Units that go back to chosen clusters are missed
// elsewhere: others may be lost by that and follow, until in the end nothing has moved.
template <class IsLost>
bool choose_lost(std::vector<bool>& is_chosen, const IsLost& is_lost) {
  bool has_more = false;
  for (std::size_t c = 0; c < is_chosen.size(); ++c) {
    if (!is_chosen[c] && is_lost(c)) is_chosen[c] = has_more = true;
  }
  return has_more;
}

}  // namespace

double negligible(double objective, double total_weight) {
  constexpr double per_weight = 1e-9;  // nats
  constexpr double rounded = 1e-13;    // of the objective, a sum of terms of its size
  return per_weight * (1.0 + total_weight) + rounded * std::abs(objective);
}

double negligible(const State& state) {
  const std::vector<double> weights = state.stats.weights();
  return negligible(state.objective, std::accumulate(weights.begin(), weights.end(), 0.0));
}

double Problem::objective(const Execution& execution, const StatsArena& stats) const {
  const std::vector<double> log_evidence = components.log_evidences(execution, stats);
  double data_part = 0.0;
  for (const double evidence : log_evidence) data_part -= evidence;
  return data_part + partition.objective(stats.weights(), total_weight);
}

double Problem::objective(const StatsArena& stats) const {
  LocalExecution alone(1);
  return objective(alone.get(), stats);
}

double MaximizationExpectation::objective(const StatsArena& stats) {
  // Equal to the last bit: what is taken over is what would have been computed.
  const std::vector<std::int32_t> same = same_statistics(evident_, stats);
  std::vector<double> log_evidences(stats.size());
  const Components& components = problem_->components;
  for_each_task(execution_, {stats.size(), components.operations_per_cluster()}, [&](std::size_t c) {
    log_evidences[c] =
        same[c] >= 0 ? log_evidences_[static_cast<std::size_t>(same[c])] : components.log_evidence(stats[c]);
  });
  double data_part = 0.0;
  for (const double evidence : log_evidences) data_part -= evidence;
  // 16 MB.
  constexpr std::size_t most_kept = std::size_t{1} << 21;  // numbers of statistics
  evident_ = stats.values().size() <= most_kept ? stats : StatsArena();
  log_evidences_ = std::move(log_evidences);
  return data_part + problem_->partition.objective(stats.weights(), problem_->total_weight);
}

std::vector<double> Problem::offsets(const StatsArena& stats) const {
  return offsets_of(partition, stats.weights(), total_weight);
}

std::vector<double> Problem::offsets(const StatsArena& stats, std::span<const double> others) const {
  std::vector<double> sizes = stats.weights();
  sizes.insert(sizes.end(), others.begin(), others.end());
  std::vector<double> offsets(stats.size());
  partition.offsets(sizes, total_weight, offsets);
  return offsets;
}

void drop_empty_clusters(State& state) {
  std::vector<std::int32_t> new_label(state.k(), 0);
  StatsArena kept(0, state.stats.stats_size());
  for (std::size_t c = 0; c < state.k(); ++c) {
    if (state.stats.weight(c) <= 0.0) continue;
    new_label[c] = static_cast<std::int32_t>(kept.size());
    kept.append(state.stats[c]);
  }
  if (kept.size() == state.k()) return;
  state.labels.renumber(new_label);
  state.stats = std::move(kept);
}

MaximizationExpectation::MaximizationExpectation(const Execution& execution, const Problem& problem, Journal& journal,
                                                 Assigner& assigner)
    : execution_(execution),
      problem_(problem),
      journal_(journal),
      assigner_(&assigner),
      clusters_(problem.components.clone()) {
  journal.set_model(problem.components, problem.partition);
}

MaximizationExpectation::MaximizationExpectation(const Execution& execution, const Problem& problem, Journal& journal)
    : execution_(execution),
      problem_(problem),
      journal_(journal),
      own_assigner_(make_assigner(problem.units)),
      assigner_(own_assigner_.get()),
      clusters_(problem.components.clone()) {
  journal.set_model(problem.components, problem.partition);
}

void MaximizationExpectation::use(const Problem& problem) { use(problem, *assigner_); }

void MaximizationExpectation::use(const Problem& problem, Assigner& assigner) {
  problem_.emplace(problem);
  clusters_ = problem.components.clone();
  assigner_ = &assigner;
  assigner_->forget();
  evident_ = {};
  resting_ = {};
  journal_.set_model(problem.components, problem.partition);
}

State MaximizationExpectation::single_cluster() const { return from(one_label(problem_->units), 1); }

State MaximizationExpectation::from_labels(std::span<const std::int32_t> labels) const {
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(labels, k);
  return from(labels_of(problem_->units, numbered), k);
}

State MaximizationExpectation::from(Labels labels, std::size_t k) const {
  State state;
  state.labels = std::move(labels);
  state.stats = statistics_of(execution_, problem_->units, problem_->components, state.labels, k);
  drop_empty_clusters(state);
  state.objective = problem_->objective(execution_, state.stats);
  return state;
}

void MaximizationExpectation::converge(State& state, Deaths deaths) {
  for (bool has_changed = true; has_changed;) {
    has_changed = sweep(state, deaths);
    journal_.report(state, "sweep");
  }
}

bool MaximizationExpectation::sweep(State& state, Deaths deaths) {
  check_limits();
  State next = relabelled(state);
  journal_.count_iteration();
  const bool weighs_members = problem_->components.weighs_members();
  if (have_same_labels(state, next) && !weighs_members) return false;
  treat_deaths(state, next, deaths);
  next.objective = objective(next.stats);
  // Some families have no evidence for a cluster of few rows (docs/errata.md, 12): such a state is not to be evaluated
  // but avoided.
  if (!std::isfinite(next.objective)) next = possible(state, deaths);
#ifdef COPPICE_ASSERTIONS
  // Terms of log-gammas, N log N large, may cancel; their rounding does not. k-means has an objective in squared units.
  const double rounding = 1e-14 * problem_->total_weight * std::log1p(problem_->total_weight);
  if (next.objective > state.objective + 1e-9 * (1.0 + std::abs(state.objective)) + rounding) {
    throw NumericError(fmt::format("sweep {} raised the objective from {:.17g} to {:.17g}", journal_.iterations(),
                                   state.objective, next.objective));
  }
#endif
  // Label changes that gain nothing are rounding: going on with them could go on for ever.
  if (next.objective >= state.objective) return false;
  // Where only weights of members change, gains shrink by and by and need not end.
  const bool gains_little = have_same_labels(state, next) && state.objective - next.objective < least_weighing_gain;
  state = std::move(next);
  return !gains_little;
}

// On every rank.
bool MaximizationExpectation::have_same_labels(const State& a, const State& b) const {
  return execution_.communicator.max(a.labels == b.labels ? 0.0 : 1.0) == 0.0;
}

State MaximizationExpectation::from_clusters(const StatsArena& clusters, Deaths deaths) {
  check_limits();
  Progress start = journal_.now("start", clusters.size(), 0.0);
  // Without a present label ties go to the smallest index.
  Assignment assignment = assign_units(clusters, one_label(problem_->units, -1));
  start.objective = assignment.data_term;
  journal_.note(std::move(start));
  journal_.count_iteration();
  State state;
  state.labels = std::move(assignment.labels);
  state.stats = std::move(assignment.stats);
  if (deaths == Deaths::reseeded) fill_empty_clusters(execution_, *problem_, state);
  drop_empty_clusters(state);
  state.objective = problem_->objective(execution_, state.stats);
  return state;
}

Assignment MaximizationExpectation::assign_units(const StatsArena& clusters, const Labels& present) {
  clusters_->update(execution_, clusters);
  const std::vector<double> offsets = problem_->offsets(clusters);
  Assignment assignment = assigner_->sweep(execution_, *clusters_, offsets, present);
  // For clusters that weigh their members: one factor common to all of them, which the alternation would come near
  // slowly.
  clusters_->balance(execution_, assignment.stats);
  journal_.counters().distances += assignment.distances;
  journal_.counters().nodes_visited += assignment.nodes_visited;
  return assignment;
}

void MaximizationExpectation::treat_deaths(const State& before, State& after, Deaths deaths) const {
  if (deaths == Deaths::kept) return;
  bool has_dead = false;
  for (std::size_t c = 0; c < after.k(); ++c) has_dead = has_dead || after.stats.weight(c) <= 0.0;
  if (!has_dead) return;
  // Only where the prior may raise F by a death is the objective asked for; elsewhere a death lowers it.
  const bool may_raise =
      !problem_->partition.is_monotone() && problem_->objective(execution_, after.stats) > before.objective;
  if (deaths == Deaths::undone || may_raise) revive_dead(before, after);
  if (deaths == Deaths::reseeded) fill_empty_clusters(execution_, *problem_, after);
  drop_empty_clusters(after);
}

State MaximizationExpectation::relabelled(const State& state) {
  Assignment assignment = assign_units(state.stats, state.labels);
  State next;
  next.labels = std::move(assignment.labels);
  next.stats = std::move(assignment.stats);
  return next;
}

void MaximizationExpectation::revive(const State& before, State& after, const std::vector<bool>& is_chosen) const {
  after.labels.overlay(before.labels, is_chosen);
  after.stats = statistics_of(execution_, problem_->units, problem_->components, after.labels, before.k());
}

void MaximizationExpectation::revive_dead(const State& before, State& after) const {
  std::vector<bool> is_chosen(before.k(), false);
  const auto is_dead = [&](std::size_t c) { return after.stats.weight(c) <= 0.0; };
  while (choose_lost(is_chosen, is_dead)) revive(before, after, is_chosen);
}

State MaximizationExpectation::possible(const State& state, Deaths deaths) {
  State next = relabelled(state);
  std::vector<bool> is_chosen(state.k(), false);
  const auto is_impossible = [&](std::size_t c) {
    return !std::isfinite(problem_->components.log_evidence(next.stats[c]));
  };
  while (choose_lost(is_chosen, is_impossible)) revive(state, next, is_chosen);
  treat_deaths(state, next, deaths);
  next.objective = problem_->objective(execution_, next.stats);
  return next;
}

void MaximizationExpectation::check_limits() const {
  throw_if_stopped(execution_);
  journal_.check_iterations();
}

}  // namespace coppice::internal
