// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/em.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/family/centred_stats.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "infer/expectation.hpp"

namespace coppice {

namespace {

// A cluster with less than this part of the weight is empty: to leave it out changes F by less than rounding does.
constexpr double least_share = 1e-15;

StatsArena without_empty(const StatsArena& stats, double total_weight) {
  StatsArena kept(0, stats.stats_size());
  for (std::size_t c = 0; c < stats.size(); ++c) {
    if (stats.weight(c) > least_share * total_weight) kept.append(stats[c]);
  }
  return kept;
}

}  // namespace

ExpectationMaximization::ExpectationMaximization(const Execution& execution, const Problem& problem, EmOptions options,
                                                 Observer observer)
    : execution_(execution),
      problem_(problem),
      options_(options),
      observer_(std::move(observer)),
      clusters_(problem.components.clone()) {}

State ExpectationMaximization::from_labels(std::span<const std::int32_t> labels) const {
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(labels, k);
  const StatsArena stats =
      statistics_of(execution_, problem_.units, problem_.components, labels_of(problem_.units, numbered), k);
  State state;
  state.stats = without_empty(stats, problem_.total_weight);
  pool(state.stats);
  return state;
}

void ExpectationMaximization::pool(StatsArena& stats) const {
  if (options_.pools_scatter) pool_scatter(stats, problem_.components.n_columns());
}

StatsArena ExpectationMaximization::evaluate(State& state) {
  clusters_->update(execution_, state.stats);
  std::vector<double> log_weights = problem_.offsets(state.stats, state.k());
  for (double& entry : log_weights) entry = -entry;
  Expectation next = expectation(execution_, problem_.units, *clusters_, log_weights);
  counters_.distances += next.distances;
  state.objective = -next.log_likelihood;
  state.labels = Labels(std::move(next.labels));
  if (!std::isfinite(state.objective)) {
    throw NumericError(
        fmt::format("iteration {}: some row has no density under any of the {} clusters; rescale the "
                    "columns",
                    iteration_, state.k()));
  }
  StatsArena stats = without_empty(next.stats, problem_.total_weight);
  pool(stats);
  return stats;
}

void ExpectationMaximization::converge(State& state) {
  const std::size_t start = iteration_;
  StatsArena next = evaluate(state);
  report(state, "start");
  for (bool goes_on = true; goes_on;) {
    throw_if_stopped(execution_.stop);
    if (iteration_ - start >= options_.max_iterations) throw Stopped(StopReason::iteration_limit);
    State after;
    after.stats = std::move(next);
    next = evaluate(after);
    ++iteration_;
    const double gain = state.objective - after.objective;
#ifdef COPPICE_ASSERTIONS
    if (-gain > negligible(state.objective)) {
      throw NumericError(fmt::format("iteration {} raised the objective from {:.17g} to {:.17g}", iteration_,
                                     state.objective, after.objective));
    }
#endif
    goes_on = gain > options_.tolerance * problem_.total_weight;
    if (gain > 0.0) state = std::move(after);  // less is rounding
    report(state, "em");
  }
}

// A row's largest share is its least cost + offset, so that ties are settled as in every assignment.
void ExpectationMaximization::label(State& state) const {
  const std::unique_ptr<Components> clusters = problem_.components.clone();
  clusters->update(execution_, state.stats);
  const std::vector<double> offsets = problem_.offsets(state.stats, state.k());
  const Units& units = problem_.units;
  const auto nobody = [](const Units& of) { return labels_of(of, std::vector<std::int32_t>(of.size(), -1)); };
  if (units.are_in_tree() && units.tree().are_leaves_tied) {
    const TreeUnits loose{units.tree().tree, units.tree().stats};
    const Units rows(loose);
    state.labels = assign(execution_, Part(rows), *clusters, offsets, nobody(rows)).labels;
  } else {
    state.labels = assign(execution_, Part(units), *clusters, offsets, nobody(units)).labels;
  }
}

void ExpectationMaximization::report(State& state, const char* phase) {
  state.progress = {phase, iteration_, state.k(), state.objective, watch_.seconds(), counters_.distances};
  trace_.push_back(state.progress);
  const auto [entry, is_new] = k_evidence_.emplace(state.k(), state.objective);
  if (!is_new) entry->second = std::min(entry->second, state.objective);
  if (observer_ && observer_(state) == Next::stop) throw Stopped(StopReason::cancelled);
}

}  // namespace coppice
