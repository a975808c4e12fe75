// SPDX-License-Identifier: BSD-3-Clause
// One iteration is one pass: shares at the present parameters, and with them the statistics of the next ones. So the
// objective that a pass finds belongs to the parameters it began with, and a state is kept together with the statistics
// that its objective is of; the next statistics wait beside it.

#include "coppice/infer/em.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/family/centred_stats.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "infer/expectation.hpp"

namespace coppice::internal {

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
                                                 Journal& journal)
    : execution_(execution),
      problem_(problem),
      options_(options),
      journal_(journal),
      clusters_(problem.components.clone()) {
  journal.set_model(problem.components, problem.partition);
}

State ExpectationMaximization::from_labels(std::span<const std::int32_t> labels) const {
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(labels, k);
  // Labels are of rows, whatever ties them together later.
  const Units units = problem_.units.untied();
  const StatsArena stats = statistics_of(execution_, units, problem_.components, labels_of(units, numbered), k);
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
  std::vector<double> log_weights = problem_.offsets(state.stats);
  // Offsets are costs, shares go by log weights.
  for (double& entry : log_weights) entry = -entry;
  const ExpectationOptions options{.gives_labels =
                                       journal_.has_observer() || takes_long(problem_.units, *clusters_, state.k())};
  Expectation next = expectation(execution_, problem_.units, *clusters_, log_weights, options);
  journal_.counters().distances += next.distances;
  state.objective = -next.log_likelihood;
  state.labels = labels_by_unit(problem_.units, std::move(next.labels));
  if (!std::isfinite(state.objective)) {
    throw NumericError(
        fmt::format("iteration {}: some row has no density under any of the {} clusters; rescale the "
                    "columns",
                    journal_.iterations(), state.k()));
  }
  StatsArena stats = without_empty(next.stats, problem_.total_weight);
  pool(stats);
  return stats;
}

void ExpectationMaximization::converge(State& state) {
  journal_.begin_search();
  StatsArena next = evaluate(state);
  journal_.report(state, "start");
  for (bool goes_on = true; goes_on;) {
    throw_if_stopped(execution_.stop);
    journal_.check_iterations();
    State after;
    after.stats = std::move(next);
    next = evaluate(after);
    journal_.count_iteration();
    const double gain = state.objective - after.objective;
#ifdef COPPICE_ASSERTIONS
    if (-gain > 1e-9 * (1.0 + std::abs(state.objective))) {
      throw NumericError(fmt::format("iteration {} raised the objective from {:.17g} to {:.17g}", journal_.iterations(),
                                     state.objective, after.objective));
    }
#endif
    // By the weight of the rows and not by |F|: F shifts with the units of the columns, gains do not.
    goes_on = gain > options_.tolerance * problem_.total_weight;
    if (gain > 0.0) state = std::move(after);  // less is rounding
    journal_.report(state, "em");
  }
}

// A row's largest share is its least cost + offset, so that ties are settled as in every assignment.
void label_softly(const Execution& execution, const Problem& problem, State& state) {
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(execution, state.stats);
  const std::vector<double> offsets = problem.offsets(state.stats);
  const Units units = problem.units.untied();
  state.labels = assign(execution, Subset(units), *clusters, offsets, one_label(units, -1)).labels;
}

}  // namespace coppice::internal
