// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/bayesian_kmeans.hpp"

#include <fmt/format.h>

#include "coppice/family/adapter.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/prior_rule.hpp"
#include "coppice/structure/search.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/prepared_units.hpp"
#include "methods/run.hpp"
#include "methods/start.hpp"

namespace coppice {

namespace {

std::vector<double> values_of(const std::optional<Table>& table) {
  return table ? table->values : std::vector<double>{};
}

std::unique_ptr<Components> gaussian_family(LocalExecution& local, const Rows& rows, const BayesianKMeans& method,
                                            const KdTree* tree = nullptr) {
  const GaussianPriorChoices choices{method.xi0, method.eta0, values_of(method.m0), values_of(method.b0)};
  return std::make_unique<FamilyAdapter<Gaussian>>(Gaussian(paper_prior(local.get(), rows, choices, tree)));
}

std::unique_ptr<PartitionPrior> partition_of(const BayesianKMeans& method) {
  return make_partition_prior(method.partition, method.partition == "dp" ? method.alpha : method.phi0);
}

void check(const Dataset& data, const BayesianKMeans& method) {
  check_options(method);
  check_numeric(data, "bkm");
  check_cluster_count("--k", method.k, data);
  if (method.k && method.max_k && *method.k > *method.max_k) {
    throw OptionError(fmt::format("--k is {}, but --max-k is {}; k must not exceed it", *method.k, *method.max_k));
  }
  if (method.k && method.search == "paper") {
    throw OptionError("--search paper finds the number of clusters itself; leave out --k, or use --search auto");
  }
}

// The searches of one fit, each from its start to its end or to where it was stopped.
class Searches {
 public:
  Searches(MaximizationExpectation& me, const BayesianKMeans& method, const Rows& rows,
           std::span<const std::size_t> sample)
      : me_(me), method_(method), rows_(rows), sample_(sample) {}

  // Why the search that found `best` ended.
  StopReason run(std::optional<State>& best) {
    StopReason reason_of_best = StopReason::converged;
    for (std::uint64_t restart = 0; restart < method_.restarts; ++restart) {
      State state =
          method_.init ? me_.from_labels(start_labels(me_.execution(), *method_.init, rows_)) : me_.single_cluster();
      const StopReason reason = search_until_stopped(state, restart);
      if (!best || state.objective < best->objective) {
        best = std::move(state);
        reason_of_best = reason;
      }
      if (reason == StopReason::cancelled || reason == StopReason::time_limit) return reason;
    }
    return reason_of_best;
  }

 private:
  StopReason search_until_stopped(State& state, std::uint64_t restart) {
    me_.begin_search();
    try {
      search(state, restart);
    } catch (const Stopped& stopped) {
      return stopped.reason();
    }
    return StopReason::converged;
  }

  void search(State& state, std::uint64_t restart) {
    SearchLimits limits;
    if (method_.k) limits.k = static_cast<std::size_t>(*method_.k);
    if (method_.max_k) limits.max_k = static_cast<std::size_t>(*method_.max_k);
    limits.min_size = method_.min_size;
    limits.seed = method_.seed;
    limits.restart = restart;
    limits.sample = sample_;
    if (method_.search == "paper") {
      search_paper(me_, state, limits);
    } else {
      search_split_merge(me_, state, limits);
    }
    if (method_.min_size > 0.0) enforce_min_size(me_, state, method_.min_size);
    note_merge_path(me_, state);
  }

  MaximizationExpectation& me_;
  const BayesianKMeans& method_;
  const Rows& rows_;
  std::span<const std::size_t> sample_;
};

std::vector<std::string> warnings_of(const BayesianKMeans& method, const Fit& fit, const Dataset& data) {
  std::vector<std::string> warnings = constant_column_warnings(data);
  const std::size_t k = fit.model.k();
  if (fit.converged && method.k && k != *method.k)
    warnings.push_back(fmt::format("found {} clusters, not {}: no cluster could be split further", k, *method.k));
  if (method.max_k && !method.k && k == *method.max_k) {
    warnings.push_back(fmt::format("the limit --max-k {} was reached; the data may hold more clusters", k));
  }
  return warnings;
}

}  // namespace

Fit fit(const Dataset& data, const BayesianKMeans& method, const RunOptions& run) {
  check(data, method);
  check_options(run);
  Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.unstoppable(), data));
  PreparedUnits prepared(local.get(), rows, Gaussian::stats_size(rows.n_columns()), method.assign);
  const std::unique_ptr<Components> family = gaussian_family(local, rows, method, prepared.tree());
  prepared.add_statistics(local.get(), *family);
  prepared.draw_sample(local.get());
  const std::unique_ptr<PartitionPrior> partition = partition_of(method);
  const double prepare_seconds = watch.lap();

  const Problem problem{prepared.units(), *family, *partition, total_weight(data)};
  MaximizationExpectation me(
      local.get(), problem, {static_cast<std::size_t>(method.max_iterations), prepared.keeps_to_nodes()}, run.observer);
  std::optional<State> best;
  StopReason reason = StopReason::converged;
  try {
    reason = Searches(me, method, rows, prepared.sample()).run(best);
  } catch (const Stopped& stopped) {
    reason = stopped.reason();
  }
  if (!best) {  // stopped before the first cluster was counted
    best = MaximizationExpectation(local.unstoppable(), problem, {}, {}).single_cluster();
  }
  Fit result = finish_labels(BayesianKMeans::name, local.unstoppable(), rows, problem, *best);
  take_account(me, reason, local.get(), result);
  result.assign = prepared.report(me.sweep_choice());
  result.seconds = {prepare_seconds, watch.lap()};
  result.warnings = warnings_of(method, result, data);
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const BayesianKMeans& method,
             const RunOptions& run) {
  check(data, method);
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads));
  const Rows rows(data, fixed_origin(local.get(), data));
  const std::unique_ptr<Components> family = gaussian_family(local, rows, method);
  return labelling_objective(local.get(), rows, *family, *partition_of(method), labels);
}

}  // namespace coppice
