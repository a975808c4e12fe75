// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/bayesian_kmeans.hpp"

#include <limits>

#include "coppice/model/background.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/prior_fit.hpp"
#include "methods/background.hpp"
#include "methods/bkm_priors.hpp"
#include "methods/bkm_rows.hpp"
#include "methods/bkm_search.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "runtime/format_text.hpp"

namespace coppice {

namespace {

void check_outliers(const BayesianKMeans& method, const Dataset& data) {
  const std::string family = competing_families(method, data).front();
  if (!method.outliers || !(is_discrete(family) || family == "uninformative")) return;
  throw OptionError(
      format_text("{outliers} is for Gaussian clusters, not for {}; leave it out, or use {family=gaussian}",
                  option("family", family)));
}

void check(const Dataset& data, const BayesianKMeans& method) {
  check_options(method);
  check_table(data, "bkm");
  (void)check_row_counts(data);
  check_cluster_count("k", method.k, data);
  if (method.k && method.max_k && *method.k > *method.max_k) {
    throw OptionError(format_text("{k} is {}, but {max_k} is {}; k must not exceed it", *method.k, *method.max_k));
  }
  if (method.k && method.search == "paper") {
    throw OptionError(
        format_text("{search=paper} finds the number of clusters itself; leave out {k}, or use {search=auto}"));
  }
  check_priors(method, competing_families(method, data), data);
  check_outliers(method, data);
  if (data.is_sparse() && method.assign == "kdtree") {
    throw OptionError(
        format_text("{assign=kdtree} needs dense rows, and these are sparse; use {assign=auto} or naive"));
  }
}

constexpr std::size_t most_fits = 20;  // where members are weighed anew after each
constexpr double enough = 0.1;         // nats: a fit that gains less is the last

// Where fits of a prior start. Clusters take their scale from a grid, which makes the objective wavy in
// the first number, their typical scale: half a wave to either side may be a better valley.
std::vector<std::vector<double>> starts_of_fits(const AdjustablePrior& prior) {
  std::vector<std::vector<double>> starts = prior.starts();
  if (prior.numbers().empty() || !(prior.numbers().front().low < prior.numbers().front().high)) return starts;
  for (std::vector<double> start : prior.starts()) {
    start.front() *= 2.0;
    starts.push_back(std::move(start));
  }
  return starts;
}

// The family with its prior fitted to a labelling, if the rule fits it.
std::unique_ptr<Components> fitted_to(const Execution& execution, const Rows& rows, const AdjustablePrior& prior,
                                      const std::vector<double>& start, std::span<const std::int32_t> labels,
                                      const BayesianKMeans& method) {
  std::unique_ptr<Components> components = prior.at(start);
  if (method.prior != "auto" || prior.numbers().empty()) return components;
  const std::vector<std::int32_t> all(labels.begin(), labels.end());
  std::vector<double> values = start;
  for (std::size_t n_fits = 0; n_fits < most_fits; ++n_fits) {
    const StatsArena clusters =
        method.outliers ? state_of(execution, {rows, *components, *partition_of(method, "gaussian"), 0.0}, all).stats
                        : labelling_statistics(execution, rows, *components, labels);
    FittedPrior fitted = fit_prior(execution, prior, std::move(values), clusters);
    values = std::move(fitted.values);
    components = prior.at(values);
    const bool are_statistics_fixed = !components->weighs_members();
    if (are_statistics_fixed || fitted.gain < enough) break;
  }
  return components;
}

std::vector<Text> warnings_of(const BayesianKMeans& method, const Fit& fit, const Dataset& data) {
  std::vector<Text> warnings = constant_column_warnings(data);
  for (Text& warning : light_weight_warnings(data)) warnings.push_back(std::move(warning));
  const std::size_t k = fit.model.k();
  if (method.k && k != *method.k) {
    warnings.push_back(why_fewer_clusters(fit, *method.k, data, "no cluster could be split further"));
  }
  if (method.max_k && !method.k && k == *method.max_k) {
    warnings.push_back(format_text("the limit {} was reached; the data may hold more clusters", option("max_k", k)));
  }
  return warnings;
}

Fit fit_clusters(const BayesianKMeans& method, const Rows& rows, LocalExecution& local, const RunOptions& run) {
  Journal journal(journal_of(run, method.max_iterations));
  BkmSearch search(method, rows, local, journal);
  search.run();
  const Problem problem = search.problem();
  Fit result = finish_labels(BayesianKMeans::name, local.finishing(), rows, problem, search.state());
  take_account(journal, search.reason(), local.get(), result);
  result.is_k_soft = search.found().has_soft_k;
  result.families = search.families();
  result.assign = search.assign();
  result.seconds.prepare = search.prepare_seconds();
  return result;
}

Fit fit_beside_background(const BayesianKMeans& method, const Rows& rows, LocalExecution& local,
                          const RunOptions& run) {
  Journal journal(journal_of(run, method.max_iterations));
  BackgroundSearch search(method, rows, local, journal);
  search.run();
  return search.finish();
}

}  // namespace

Fit fit(const Dataset& data, const BayesianKMeans& method, const RunOptions& run) {
  check(data, method);
  check_options(run);
  Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const FittedTransforms ready = ready_table(local.get(), data, method);
  const Rows rows = ready_rows(local.get(), ready.data, method);
  Fit result =
      method.outliers ? fit_beside_background(method, rows, local, run) : fit_clusters(method, rows, local, run);
  result.model = result.model.with_transforms(ready.chain);
  result.seconds.fit = watch.lap() - result.seconds.prepare;
  add_warnings(result, warnings_of(method, result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const BayesianKMeans& method,
             const RunOptions& run) {
  check(data, method);
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Dataset ready = ready_table(local.get(), data, method).data;
  const Rows rows = ready_rows(local.get(), ready, method);
  std::vector<std::string> families = competing_families(method, ready);
  if (method.family == "student") families.clear();
  if (tries_heavy_tails(method, ready)) families.emplace_back("student");
  const double log_volume = method.outliers ? log_spanned_volume(rows) : 0.0;
  double best = std::numeric_limits<double>::infinity();
  for (const auto& prior : make_priors(local.get(), rows, method, families)) {
    const std::unique_ptr<PartitionPrior> partition = partition_of(method, std::string(prior->family()));
    for (const std::vector<double>& start : starts_of_fits(*prior)) {
      const std::unique_ptr<Components> components = fitted_to(local.get(), rows, *prior, start, labels, method);
      const double objective = method.outliers
                                   ? labelling_objective(local.get(), rows, *components, *partition, log_volume, labels)
                                   : labelling_objective(local.get(), rows, *components, *partition, labels);
      best = std::min(best, objective);
    }
  }
  return best;
}

}  // namespace coppice
