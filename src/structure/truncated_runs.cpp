// SPDX-License-Identifier: BSD-3-Clause
// Blei and Jordan's mixture at a given truncation: cycles of variational Bayes from random passes over the rows, the
// best of several starts and truncations. Free energies of different truncations are bounds for the same data, so that
// they compare although the families are not nested. Components that have emptied are not kept: the prior treats those
// that could still come as its tail (partition/sticks.hpp).

#include "coppice/structure/truncated_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "coppice/infer/variational_step.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/partition/sticks.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/structure/prior_fit.hpp"
#include "structure/incremental_start.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_refits = 5;  // of the prior

StatsArena with_empty(StatsArena stats, std::size_t k) {
  while (stats.size() < k) stats.append(std::vector<double>(stats.stats_size(), 0.0));
  return stats;
}

// Components with any weight, and the labels that go with them.
State without_empty(const Units& units, const StatsArena& stats, std::vector<std::int32_t> labels, double objective) {
  State state;
  state.stats = StatsArena(0, stats.stats_size());
  std::vector<std::int32_t> new_label(stats.size(), 0);
  for (std::size_t c = 0; c < stats.size(); ++c) {
    if (!(stats.weight(c) > 0.0)) continue;
    new_label[c] = static_cast<std::int32_t>(state.stats.size());
    state.stats.append(stats[c]);
  }
  for (std::int32_t& label : labels) label = new_label[static_cast<std::size_t>(label)];
  state.labels = labels_by_unit(units, std::move(labels));
  state.objective = objective;
  return state;
}

}  // namespace

TruncatedRuns::TruncatedRuns(const Execution& execution, const MixturePlan& plan, const TruncatedOptions& options,
                             Journal& journal)
    : execution_(execution),
      plan_(plan),
      prior_(*plan.priors.front()),
      options_(options),
      journal_(journal),
      values_(prior_.starts().front()),
      assigner_(make_assigner(execution, plan.rows, *prior_.at(values_), {.rule = plan.spec.assign, .is_soft = true})) {
}

std::unique_ptr<PartitionPrior> TruncatedRuns::partition_of(std::size_t truncation) const {
  const StickPrior& sticks = plan_.spec.partition.sticks;
  return make_truncated_sticks(sticks.alpha1, sticks.alpha2, truncation);
}

void TruncatedRuns::run() {
  const std::unique_ptr<Components> family = prior_.at(values_);
  std::size_t truncation = 0;
  StatsArena first;
  RunsResult result =
      run_all(journal_, options_.range,
              {.start =
                   [&](const State* /*before*/, std::size_t k, std::uint64_t restart) {
                     first = start(*family, k, restart);
                     truncation = k;
                     return State{};
                   },
               .converge = [&](State& state) { converge(*family, truncation, std::move(first), state); },
               .rank =
                   [&](const State& state) {
                     const bool is_best = !found_ || state.objective < found_->state.objective;
                     if (is_best) found_ = TruncatedFound{state, family->clone(), partition_of(truncation)};
                     return state.objective;
                   }});
  reason_ = result.reason;
  if (!found_) throw Stopped(reason_);
  if (reason_ == StopReason::cancelled || reason_ == StopReason::time_limit) return;
  try {
    refit(static_cast<std::size_t>(found_->partition->parameters().back().value));
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
  }
}

StatsArena TruncatedRuns::start(const Components& family, std::size_t truncation, std::uint64_t restart) const {
  if (!plan_.start.empty()) {
    StatsArena given = labelling_statistics(execution_, plan_.rows, family, plan_.start);
    // Shares of rows whose label goes beyond the truncation are found anew in the first cycle.
    while (given.size() > truncation) given.erase(given.size() - 1);
    return with_empty(std::move(given), truncation);
  }
  const std::unique_ptr<PartitionPrior> partition = partition_of(truncation);
  const Problem problem{assigner_->units(), family, *partition, plan_.total_weight};
  const StatsArena on_the_way = incremental_start(execution_, problem, truncation, plan_.spec.seed, restart);
  // Units were looked at once, and their least shares left out: now all are shared out.
  VariationalStep step = variational_step(execution_, problem, *family.clone(), on_the_way);
  journal_.counters().distances += step.distances;
  return std::move(step.next);
}

void TruncatedRuns::converge(const Components& family, std::size_t truncation, StatsArena stats, State& state) {
  const std::unique_ptr<PartitionPrior> partition = partition_of(truncation);
  const Problem problem{assigner_->units(), family, *partition, plan_.total_weight};
  journal_.set_model(family, *partition);
  const std::unique_ptr<Components> clusters = family.clone();
  const StepScope scope{.labels = journal_.has_observer() ? StepLabels::always : StepLabels::of_long_passes};
  bool is_first = true;
  for (double gain = std::numeric_limits<double>::infinity(); gain > options_.tolerance; is_first = false) {
    throw_if_stopped(execution_.stop);
    if (!is_first) journal_.check_iterations();
    VariationalStep step = variational_step(execution_, problem, *clusters, stats, scope);
    journal_.counters().distances += step.distances;
    if (!is_first) journal_.count_iteration();
    if (!std::isfinite(step.bound)) {
      throw NumericError(
          fmt::format("iteration {}: the free energy of {} components is not finite; rescale the columns",
                      journal_.iterations(), truncation));
    }
    if (!is_first) gain = state.objective - step.bound;
    if (!(gain > 0.0)) return;  // rounding, or components that changed places behind all others
    state = without_empty(problem.units, stats, std::move(step.labels), step.bound);
    journal_.report(state, is_first ? "start" : "update");
    stats = std::move(step.next);
  }
}

void TruncatedRuns::refit(std::size_t truncation) {
  if (plan_.spec.prior.rule != PriorRule::fitted || prior_.numbers().empty()) return;
  for (std::size_t n_fits = 0; n_fits < most_refits; ++n_fits) {
    FittedPrior fitted = fit_prior(execution_, prior_, values_, found_->state.stats);
    if (!is_worth_it(fitted, plan_.total_weight, plan_.rows.n_columns())) return;
    values_ = std::move(fitted.values);
    const std::unique_ptr<Components> family = prior_.at(values_);
    journal_.begin_search();
    State state;
    converge(*family, truncation, with_empty(found_->state.stats, truncation), state);
    if (!(state.objective < found_->state.objective)) return;
    found_ = TruncatedFound{std::move(state), family->clone(), partition_of(truncation)};
  }
}

}  // namespace coppice::internal
