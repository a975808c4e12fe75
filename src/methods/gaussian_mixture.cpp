// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/gaussian_mixture.hpp"

#include <numeric>

#include "coppice/assign/assigner.hpp"
#include "coppice/data/constant_columns.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centred_stats.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/infer/em.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/mixture_runs.hpp"
#include "methods/start.hpp"
#include "runtime/format_text.hpp"

namespace coppice {

namespace {

// The share of every column's variance that clusters keep at least. A constant column varies as much as the others do
// on average, or by 1: it then has the same density in every row.
std::vector<double> column_floors(const Execution& execution, const Rows& rows, double share) {
  std::vector<double> floors = gaussian_shape(execution, rows).variance;
  const std::vector<std::size_t> constant = constant_columns(rows.data());
  for (const std::size_t column : constant) floors[column] = 0.0;
  const auto n_varying = static_cast<double>(floors.size() - constant.size());
  const double average = n_varying > 0.0 ? std::accumulate(floors.begin(), floors.end(), 0.0) / n_varying : 1.0;
  for (const std::size_t column : constant) floors[column] = average;
  for (double& floor : floors) floor *= share;
  return floors;
}

std::unique_ptr<Components> family_of(const GaussianMixtureEm& method, const Execution& execution, const Rows& rows) {
  std::vector<double> floors = column_floors(execution, rows, method.floor);
  if (method.family == "spherical") {
    const auto d = static_cast<double>(floors.size());
    const double average = std::accumulate(floors.begin(), floors.end(), 0.0) / d;
    return std::make_unique<FamilyAdapter<PointSpherical>>(PointSpherical(floors.size(), average));
  }
  if (method.family == "diagonal") {
    return std::make_unique<FamilyAdapter<PointDiagonal>>(PointDiagonal(std::move(floors)));
  }
  return std::make_unique<FamilyAdapter<PointGaussian>>(PointGaussian(std::move(floors)));
}

std::unique_ptr<PartitionPrior> partition_of(const GaussianMixtureEm& method) {
  return method.equal_shares ? make_equal_shares() : make_shares();
}

void check(const Dataset& data, const GaussianMixtureEm& method) {
  check_options(method);
  check_numeric(data, GaussianMixtureEm::name);
  check_cluster_count("k", method.k.high, data);
  check_one_start(method.init, method.k);
  if (method.hard && method.shared_variance) {
    throw OptionError(format_text(
        "{hard} fits every cluster by its own rows, which {shared_variance} does not allow; leave out one of them (for "
        "spherical clusters, {method=kmeans} is the hard variant of a shared variance)"));
  }
}

// Clusters by size; the statistics and the objective are those of the shares, the labels follow from them. Where the
// fit was cut short and its iterations take long, so would labels: those of the last iteration are taken.
Fit finish_soft(const Execution& execution, const Rows& rows, const Problem& problem, State state, bool is_cut_short) {
  if (!is_cut_short || state.labels.size() == 0) label_softly(execution, problem, state);
  const std::vector<std::int32_t> place = order_by_size(problem.components, state.stats);
  state.labels.renumber(place);
  StatsArena stats(state.k(), state.stats.stats_size());
  for (std::size_t c = 0; c < state.k(); ++c) stats.assign(static_cast<std::size_t>(place[c]), state.stats[c]);
  return with_model(GaussianMixtureEm::name, execution, rows, problem, std::move(stats), state.objective,
                    state.labels.by_row());
}

Fit fit_soft(LocalExecution& local, const Rows& rows, const GaussianMixtureEm& method, const RunOptions& run,
             const Stopwatch& watch) {
  const std::unique_ptr<Components> family = family_of(method, local.get(), rows);
  const std::unique_ptr<PartitionPrior> partition = partition_of(method);
  const std::unique_ptr<Assigner> assigner =
      make_assigner(local.get(), rows, *family, {.rule = assign_rule(method.assign), .is_soft = true});
  const Problem problem{assigner->units(), *family, *partition, total_weight(rows.data())};
  Journal journal(journal_of(run, method.max_iterations));
  journal.states_are_results(true);
  ExpectationMaximization em(local.get(), problem, {method.tolerance, method.shared_variance}, journal);
  const double prepare_seconds = watch.seconds();
  const Execution execution = local.get();
  MixtureRuns runs(execution, method, rows, problem.total_weight,
                   {[&](std::span<const std::int32_t> labels) { return em.from_labels(labels); },
                    [&](State& state) { em.converge(state); }});
  std::optional<State> best;
  const StopReason reason = runs.run(best);
  if (!best) throw Stopped(reason);
  const bool is_cut_short = reason == StopReason::cancelled || reason == StopReason::time_limit;
  Fit result = finish_soft(local.finishing(), rows, problem, std::move(*best), is_cut_short);
  take_account(journal, reason, local.get(), result);
  result.assign = assigner->report();
  result.seconds = {prepare_seconds, watch.seconds() - prepare_seconds};
  return result;
}

Fit fit_hard(LocalExecution& local, const Rows& rows, const GaussianMixtureEm& method, const RunOptions& run,
             const Stopwatch& watch) {
  const std::unique_ptr<Components> family = family_of(method, local.get(), rows);
  const std::unique_ptr<PartitionPrior> partition = partition_of(method);
  const std::unique_ptr<Assigner> assigner =
      make_assigner(local.get(), rows, *family, {.rule = assign_rule(method.assign)});
  const Problem problem{assigner->units(), *family, *partition, total_weight(rows.data())};
  Journal journal(journal_of(run, method.max_iterations));
  journal.states_are_results(true);
  MaximizationExpectation me(local.get(), problem, journal, *assigner);
  const double prepare_seconds = watch.seconds();
  const Execution execution = local.get();
  MixtureRuns runs(execution, method, rows, problem.total_weight,
                   {[&](std::span<const std::int32_t> labels) { return me.from_labels(labels); },
                    [&](State& state) {
                      journal.begin_search();
                      journal.report(state, "start");
                      me.converge(state);
                    }});
  std::optional<State> best;
  const StopReason reason = runs.run(best);
  if (!best) throw Stopped(reason);
  Fit result = finish_labels(GaussianMixtureEm::name, local.finishing(), rows, problem, *best);
  take_account(journal, reason, local.get(), result);
  result.assign = assigner->report();
  result.seconds = {prepare_seconds, watch.seconds() - prepare_seconds};
  return result;
}

std::vector<Text> warnings_of(const GaussianMixtureEm& method, const Fit& fit, const Dataset& data) {
  std::vector<Text> warnings = constant_column_warnings(data);
  const std::size_t k = fit.model.k();
  if (method.k.is_one() && !method.init && k < method.k.low) {
    warnings.push_back(why_fewer_clusters(fit, method.k.low, data, "the others were left without rows"));
  }
  if (fit.stop_reason == StopReason::iteration_limit) {
    warnings.push_back(
        format_text("stopped after {}; more with {max_iterations}", counted(method.max_iterations, "iteration")));
  }
  constexpr double many_pairs = 1e7;
  if (!method.hard && method.assign == "auto" &&
      static_cast<double>(data.n_rows()) * static_cast<double>(k) > many_pairs) {
    warnings.push_back(
        format_text("every iteration compared {} with {}; {assign=kdtree} lets neighbouring rows share alike, which is "
                    "approximate, and faster with few columns",
                    counted(data.n_rows(), "row"), counted(k, "cluster")));
  }
  return warnings;
}

}  // namespace

Fit fit(const Dataset& data, const GaussianMixtureEm& method, const RunOptions& run) {
  check(data, method);
  check_options(run);
  const Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  Fit result = method.hard ? fit_hard(local, rows, method, run, watch) : fit_soft(local, rows, method, run, watch);
  result.criteria["bic"] =
      mixture_bic(method, rows.n_columns(), result.model.k(), result.model.objective(), result.model.total_weight());
  add_warnings(result, warnings_of(method, result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const GaussianMixtureEm& method,
             const RunOptions& run) {
  check_options(method);
  check_numeric(data, GaussianMixtureEm::name);
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  const std::unique_ptr<Components> family = family_of(method, local.get(), rows);
  const std::unique_ptr<PartitionPrior> partition = partition_of(method);
  if (!method.shared_variance) return labelling_objective(local.get(), rows, *family, *partition, labels);
  State state;
  std::size_t k = 0;
  const Units units(rows);
  state.labels = Labels(numbered_from_zero(labels, k));
  state.stats = statistics_of(local.get(), units, *family, state.labels, k);
  drop_empty_clusters(state);
  pool_scatter(state.stats, rows.n_columns());
  return Problem{units, *family, *partition, total_weight(data)}.objective(state.stats);
}

}  // namespace coppice
