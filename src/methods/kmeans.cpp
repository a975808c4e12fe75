// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "coppice/assign/assigner.hpp"
#include "coppice/data/constant_columns.hpp"
#include "coppice/evaluate/bic.hpp"
#include "coppice/evaluate/silhouette.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/infer/empty_clusters.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/together.hpp"
#include "coppice/seeding/seed_rows.hpp"
#include "coppice/structure/runs.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/ranks.hpp"
#include "methods/score_by_centres.hpp"
#include "methods/start.hpp"

namespace coppice {
using namespace internal;

namespace {

void check(const Dataset& data, const KMeans& method) {
  check_options(method);
  check_numeric(data, KMeans::name);
}

// On several ranks, centres are given, and every row looks at all of them.
void check_ranks(const Dataset& data, const KMeans& method) {
  const bool are_centres = method.init && method.init->n_rows > 0 && method.init->n_columns == data.n_columns() &&
                           method.init->values.size() == method.init->n_rows * method.init->n_columns;
  if (are_centres && method.assign == "naive") return check_one_start(method.init, method.k, method.restarts);
  throw OptionError(format_text("on several ranks, kmeans needs centres with {} as {init}, and {assign=naive}",
                                counted(data.n_columns(), "column")));
}

// Exact silhouettes take time that grows with the square of the rows.
constexpr std::size_t silhouette_rows = 20000;

void check_criterion(const Dataset& data, const KMeans& method) {
  if (method.k.is_one() || method.criterion != "silhouette") return;
  if (method.k.low < 2)
    throw OptionError(format_text("{criterion=silhouette} compares clusters with each other; start {k} at 2"));
  if (data.n_rows() > silhouette_rows) {
    throw OptionError(
        format_text("{criterion=silhouette} takes time that grows with the square of the rows, and there "
                    "are {} (at most {}); use {criterion=bic}",
                    data.n_rows(), silhouette_rows));
  }
}

// What the objective would be with one centre.
double undivided(const StatsArena& stats, std::size_t n_columns) {
  StatsArena all(1, stats.stats_size());
  const Centroid centroid(n_columns);
  for (std::size_t c = 0; c < stats.size(); ++c) centroid.merge(all[0], stats[c]);
  return all[0].back();
}

// Of the mixture behind k-means: one variance for all clusters and columns, shares as found. Columns that are constant
// have no variance, and are not among them.
double bic_of(const State& state, double total_weight, const Dataset& data) {
  const auto d = static_cast<double>(std::max<std::size_t>(1, n_varying_columns(data)));
  const auto k = static_cast<double>(state.k());
  // Centres on the rows themselves leave rounding alone, which is no reason to prefer them the more, the less there is.
  constexpr double rounding = 1e-28;
  const double least =
      std::max(rounding * undivided(state.stats, data.n_columns()), std::numeric_limits<double>::min());
  // SSE / (N D): the variance of one column, since it is the same in all.
  const double variance = std::max(state.objective, least) / (total_weight * d);
  double log_likelihood = -total_weight * d / 2.0 * (std::log(2.0 * std::numbers::pi * variance) + 1.0);
  for (std::size_t c = 0; c < state.k(); ++c) {
    const double size = state.stats.weight(c);
    log_likelihood += size * std::log(size / total_weight);
  }
  const double n_parameters = (k - 1.0) + k * d + 1.0;
  return evaluate::bic(-log_likelihood, n_parameters, total_weight);
}

// What runs of Lloyd's iterations are made of.
class Lloyd {
 public:
  Lloyd(const Execution& execution, MaximizationExpectation& me, const KMeans& method, const Rows& rows)
      : execution_(execution), me_(me), method_(method), rows_(rows) {}

  // From drawn or given centres; or from the result before and one centre more.
  [[nodiscard]] State start(const State* before, std::size_t k, std::uint64_t restart) {
    if (before != nullptr) return grown(*before, k);
    if (method_.init && execution_.communicator.is_alone() && !is_centres(*method_.init, rows_)) {
      return me_.from_labels(start_labels(execution_, *method_.init, rows_));
    }
    const std::vector<double> centres = method_.init ? start_centres(*method_.init, rows_) : drawn(k, restart);
    return me_.from_clusters(centre_statistics(centres, rows_.n_columns()), Deaths::reseeded);
  }

  void converge(State& state) {
    me_.journal().report(state, "sweep");
    me_.converge(state, Deaths::reseeded);
  }

  // The objective for one number of clusters, the criterion for several.
  [[nodiscard]] double rank(const State& state) const {
    if (method_.k.is_one()) return state.objective;
    if (method_.criterion == "bic") return bic_of(state, me_.problem().total_weight, rows_.data());
    // One cluster, or a cluster for every row, has no silhouette; 0 is neither good nor bad.
    const bool is_defined = state.k() >= 2 && state.k() < rows_.size();
    return is_defined ? -evaluate::silhouette(rows_.data(), state.labels.by_row()) : 0.0;
  }

  [[nodiscard]] double seeding_seconds() const noexcept { return seeding_seconds_; }

 private:
  [[nodiscard]] std::vector<double> drawn(std::size_t k, std::uint64_t restart) {
    const Stopwatch watch;
    RandomStream random{method_.seed, Purpose::seeding, restart};
    std::vector<double> centres = copy_points(rows_, seed_rows(execution_, rows_, k, seeding_options(method_), random));
    seeding_seconds_ += watch.seconds();
    return centres;
  }

  // One empty cluster more, which takes the row that lies farthest from its centre.
  [[nodiscard]] State grown(State state, std::size_t k) const {
    while (state.k() < k) state.stats.append(std::vector<double>(state.stats.stats_size(), 0.0));
    fill_empty_clusters(execution_, me_.problem(), state);
    drop_empty_clusters(state);
    state.objective = me_.problem().objective(state.stats);
    return state;
  }

  Execution execution_;
  MaximizationExpectation& me_;
  const KMeans& method_;
  const Rows& rows_;
  double seeding_seconds_ = 0.0;
};

std::vector<Text> warnings_of(const KMeans& method, const Fit& fit, const Dataset& data) {
  std::vector<Text> warnings = constant_column_warnings(data);
  const std::size_t k = fit.model.k();
  if (method.k.is_one() && !method.init && k < method.k.low) {
    warnings.push_back(why_fewer_clusters(fit, method.k.low, data, "the others were left without rows"));
  }
  if (!method.k.is_one() && !was_stopped(fit) && (k == method.k.low || k == method.k.high)) {
    warnings.push_back(
        fmt::format("K = {} lies at the end of the range {}; a wider range may do better", k, method.k.to_string()));
  }
  if (method.init && k != method.k.low && method.k != KMeans{}.k) {
    warnings.push_back(
        format_text("{init} holds {}; {} was not used", counted(k, "cluster"), option("k", method.k.low)));
  }
  if (fit.stop_reason == StopReason::iteration_limit) {
    warnings.push_back(
        format_text("stopped after {}; more with {max_iterations}", counted(method.max_iterations, "iteration")));
  }
  return warnings;
}

// `all` stands for the rows of all ranks; on a single one it is the data.
Fit fit_checked(const Dataset& data, const Dataset& all, const KMeans& method, const RunOptions& run,
                const Communicator& ranks) {
  Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run), ranks);
  const Rows rows(data, fixed_origin(local.get(), data));
  const FamilyAdapter<Centroid> family{Centroid(rows.n_columns())};
  const AssignChoice choice{.rule = assign_rule(method.assign), .k = method.k.is_one() ? method.k.low : 0};
  const std::unique_ptr<Assigner> assigner = make_assigner(local.get(), rows, family, choice);
  const std::unique_ptr<PartitionPrior> partition = make_no_partition_prior();
  const Problem problem{assigner->units(), family, *partition, total_weight(ranks, data)};
  Journal journal(in_step(ranks, journal_of(run, method.max_iterations)));
  journal.states_are_results(true);
  MaximizationExpectation me(local.get(), problem, journal, *assigner);
  const double prepare_seconds = watch.lap();

  Lloyd lloyd(local.get(), me, method, rows);
  const RunRange range{method.k.low, method.k.high, method.init ? 1 : method.restarts};
  const auto [best, reason] =
      run_all(journal, range,
              {.start = [&](const State* before, std::size_t k, std::uint64_t r) { return lloyd.start(before, k, r); },
               .converge = [&](State& state) { lloyd.converge(state); },
               .rank = [&](const State& state) { return lloyd.rank(state); }});
  if (!best) throw Stopped(reason);
  Fit result = finish_labels(KMeans::name, local.finishing(), rows, problem, best->state);
  take_account(journal, reason, local.get(), result);
  if (!method.k.is_one()) result.criteria[method.criterion] = method.criterion == "bic" ? best->rank : -best->rank;
  result.assign = assigner->report();
  result.seconds = {prepare_seconds + lloyd.seeding_seconds(), watch.lap() - lloyd.seeding_seconds()};
  add_warnings(result, warnings_of(method, result, all));
  if (ranks.is_alone()) add_warnings(result, unlike_scale_warnings(data, "distances"));
  return result;
}

Fit fit_on_ranks(const Dataset& data, const KMeans& method, const RunOptions& run, const Communicator& ranks) {
  check_ranks(data, method);
  const Dataset all = digest_of_ranks(ranks, data);
  check(all, method);
  check_options<RunOptions>(run);
  return fit_checked(data.with_kinds(kinds_of(all)), all, method, run, ranks);
}

}  // namespace

Fit fit(const Dataset& data, const KMeans& method, const RunOptions& run) {
  if (run.ranks != nullptr && !run.ranks->is_alone()) {
    return together(*run.ranks, [&] { return fit_on_ranks(data, method, run, *run.ranks); });
  }
  check(data, method);
  check_cluster_count("k", method.k.high, data);
  check_one_start(method.init, method.k, method.restarts);
  check_criterion(data, method);
  check_options(run);
  return fit_checked(data, data, method, run, LocalCommunicator());
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const KMeans& method, const RunOptions& run) {
  check_options(method);
  return score_by_centres(data, labels, KMeans::name, run);
}

}  // namespace coppice
