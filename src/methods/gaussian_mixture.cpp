// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/gaussian_mixture.hpp"

#include <algorithm>
#include <functional>

#include "coppice/assign/assigner.hpp"
#include "coppice/data/constant_columns.hpp"
#include "coppice/evaluate/bic.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centred_stats.hpp"
#include "coppice/family/modal_gaussian.hpp"
#include "coppice/family/unit_scale.hpp"
#include "coppice/infer/em.hpp"
#include "coppice/infer/variational_bayes.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/seeding/seed_rows.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/prior_rule.hpp"
#include "coppice/structure/runs.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/finish_shares.hpp"
#include "methods/point_clusters.hpp"
#include "methods/start.hpp"

namespace coppice {
using namespace internal;

namespace {

std::vector<double> values_of(const std::optional<Table>& table) {
  return table ? table->values : std::vector<double>{};
}

std::unique_ptr<Components> family_of(const GaussianMixtureEm& method, const Execution& execution, const Rows& rows) {
  if (!method.map) return point_clusters(execution, rows, method.family, method.floor);
  const GaussianPriorChoices choices{method.xi0, method.eta0, values_of(method.m0), values_of(method.b0)};
  return std::make_unique<FamilyAdapter<ModalGaussian>>(ModalGaussian(paper_prior(execution, rows, choices)));
}

std::unique_ptr<PartitionPrior> partition_of(const GaussianMixtureEm& method) {
  if (method.map && !method.equal_shares) return make_modal_shares(method.phi0.value_or(2.0));
  return method.equal_shares ? make_equal_shares() : make_shares();
}

void check_prior_size(std::string_view key, const std::optional<Table>& table, std::size_t n) {
  if (!table || table->values.size() == n) return;
  throw OptionError(format_text("{} holds {}, but the data's columns ask for {}", option(key),
                                counted(table->values.size(), "value"), n));
}

void check_prior(const Dataset& data, const GaussianMixtureEm& method) {
  const std::size_t d = data.n_columns();
  if (!method.map) {
    if (method.phi0 || method.xi0 || method.eta0 || method.m0 || method.b0) {
      throw OptionError(format_text("numbers of a prior are for {map}; without it there is none"));
    }
    return;
  }
  if (method.family != "gaussian" || method.shared_variance) {
    throw OptionError(format_text("{map} is for {family=gaussian} with a covariance for every cluster"));
  }
  if (method.floor != GaussianMixtureEm{}.floor) {
    throw OptionError(format_text("{floor} is for clusters without a prior; with {map} there is {b0}"));
  }
  if (method.equal_shares && method.phi0) {
    throw OptionError(format_text("{phi0} is the prior of shares, which {equal_shares} fixes; leave out one of them"));
  }
  if (!method.k.is_one()) {
    throw OptionError(
        format_text("{map} takes one {k}: densities of parameters do not compare numbers of clusters; {method=vbmg} "
                    "finds the number under the same prior"));
  }
  check_prior_size("m0", method.m0, d);
  check_prior_size("b0", method.b0, d * d);
}

void check(const Dataset& data, const GaussianMixtureEm& method) {
  check_options(method);
  check_numeric(data, GaussianMixtureEm::name);
  check_cluster_count("k", method.k.high, data);
  check_one_start(method.init, method.k, method.restarts);
  if (method.hard && method.tolerance != GaussianMixtureEm{}.tolerance) {
    throw OptionError(
        format_text("{tolerance} is for rows that clusters share; with {hard} a fit ends when no label changes"));
  }
  check_prior(data, method);
  if (method.hard && method.shared_variance) {
    throw OptionError(format_text(
        "{hard} fits every cluster by its own rows, which {shared_variance} does not allow; leave out one of them (for "
        "spherical clusters, {method=kmeans} is the hard variant of a shared variance)"));
  }
}

double bic_of(const GaussianMixtureEm& method, std::size_t n_varying, std::size_t k, double objective,
              double total_weight) {
  const auto d = static_cast<double>(n_varying);
  const auto n_clusters = static_cast<double>(k);
  const double of_one = numbers_in_covariance(method.family, n_varying);
  // Means, covariances (one for all where they are shared), and shares, which add up to 1.
  const double n_parameters = n_clusters * d + (method.shared_variance ? 1.0 : n_clusters) * of_one +
                              (method.equal_shares ? 0.0 : n_clusters - 1.0);
  return evaluate::bic(objective, n_parameters, total_weight);
}

// The density of parameters has a part for every cluster, so that their number must stay, also where nothing of one is
// left.
constexpr double least_modal_weight = 0.0;

// Soft or hard EM from drawn or given centres.
class MixtureRuns {
 public:
  MixtureRuns(const Execution& execution, const GaussianMixtureEm& method, const Rows& rows, const Problem& problem,
              Journal& journal, Assigner& assigner)
      : execution_(execution),
        method_(method),
        rows_(rows),
        problem_(problem),
        journal_(journal),
        n_varying_(n_varying_columns(rows.data())),
        soft_(execution, problem, {method.tolerance, method.shared_variance}, journal),
        modal_(execution, problem, {method.tolerance, "em", least_modal_weight}, journal),
        hard_(execution, problem, journal, assigner) {}

  [[nodiscard]] RunsResult run() {
    const RunRange range{method_.k.low, method_.k.high, method_.restarts};
    return run_all(journal_, range,
                   {.start = [&](const State* /*before*/, std::size_t k,
                                 std::uint64_t restart) { return start(first_labels(k, restart)); },
                    .converge = [&](State& state) { converge(state); },
                    .rank = [&](const State& state) { return rank(state); }});
  }

 private:
  [[nodiscard]] State start(const std::vector<std::int32_t>& labels) const {
    State state = method_.hard ? hard_.from_labels(labels) : soft_.from_labels(labels);
    // Rows that are alike leave some of their clusters empty.
    if (!method_.map || method_.init || state.k() == method_.k.low) return state;
    while (state.k() < method_.k.low) state.stats.append(std::vector<double>(state.stats.stats_size(), 0.0));
    if (method_.hard) state.objective = problem_.objective(execution_, state.stats);
    return state;
  }

  void converge(State& state) {
    if (!method_.hard) return method_.map ? modal_.converge(state) : soft_.converge(state);
    journal_.report(state, "start");
    hard_.converge(state, method_.map ? Deaths::kept : Deaths::allowed);
  }

  // The objective for one number of clusters, BIC for several.
  [[nodiscard]] double rank(const State& state) const {
    if (method_.k.is_one()) return state.objective;
    return bic_of(method_, n_varying_, state.k(), state.objective, problem_.total_weight);
  }

  [[nodiscard]] std::vector<std::int32_t> first_labels(std::size_t k, std::uint64_t restart) {
    if (method_.init) return start_labels(execution_, *method_.init, rows_);
    RandomStream random{method_.seed, Purpose::seeding, restart};
    const ScaledRows scaled(rows_, factors());
    const auto chosen = seed_rows(execution_, scaled, k, seeding_options(method_), random);
    return nearest_centres(execution_, scaled, copy_points(rows_, chosen));
  }

  // What columns are taken times for a start, to be of one size: where clusters mind no column's unit, starts do not.
  [[nodiscard]] const std::vector<double>& factors() {
    if (factors_) return *factors_;
    factors_.emplace();
    if (has_one_scale(method_.family)) return *factors_;
    for (const double variance : gaussian_shape(execution_, rows_).variance) factors_->push_back(unit_scale(variance));
    // One factor for all columns changes no start: seeding then goes without.
    if (std::ranges::adjacent_find(*factors_, std::not_equal_to()) == factors_->end()) factors_->clear();
    return *factors_;
  }

  Execution execution_;
  const GaussianMixtureEm& method_;
  const Rows& rows_;
  const Problem& problem_;
  Journal& journal_;
  std::size_t n_varying_;
  ExpectationMaximization soft_;
  VariationalBayes modal_;
  MaximizationExpectation hard_;
  std::optional<std::vector<double>> factors_;
};

Fit fit_mixture(LocalExecution& local, const Rows& rows, const GaussianMixtureEm& method, const RunOptions& run) {
  const Stopwatch watch;
  const std::unique_ptr<Components> family = family_of(method, local.get(), rows);
  const std::unique_ptr<PartitionPrior> partition = partition_of(method);
  const AssignChoice choice{.rule = assign_rule(method.assign), .is_soft = !method.hard};
  const std::unique_ptr<Assigner> assigner = make_assigner(local.get(), rows, *family, choice);
  const Problem problem{assigner->units(), *family, *partition, total_weight(rows.data())};
  Journal journal(journal_of(run, method.max_iterations));
  journal.states_are_results(true);
  const double prepare_seconds = watch.seconds();
  const auto [best, reason] = MixtureRuns(local.get(), method, rows, problem, journal, *assigner).run();
  if (!best) throw Stopped(reason);
  Fit result = method.hard
                   ? finish_labels(GaussianMixtureEm::name, local.finishing(), rows, problem, best->state)
                   : finish_shares(GaussianMixtureEm::name, local.finishing(), rows, problem, best->state, reason);
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
  const auto n_empty = std::ranges::count_if(fit.model.stats().weights(), [](double weight) { return weight < 1e-12; });
  if (n_empty > 0) {
    warnings.push_back(format_text(
        "{} of {} clusters have no part of any row, and the parameters that the prior finds likeliest", n_empty, k));
  }
  if (fit.stop_reason == StopReason::iteration_limit) {
    warnings.push_back(
        format_text("stopped after {}; more with {max_iterations}", counted(method.max_iterations, "iteration")));
  }
  if (has_one_scale(method.family)) {
    for (Text& warning : unlike_scale_warnings(data, "spherical clusters")) warnings.push_back(std::move(warning));
  }
  if (!method.hard && method.assign == "auto") {
    for (Text& warning : shared_work_warnings(fit, data)) warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace

Fit fit(const Dataset& data, const GaussianMixtureEm& method, const RunOptions& run) {
  check(data, method);
  check_options(run);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  Fit result = fit_mixture(local, rows, method, run);
  const Model& model = result.model;
  if (!method.map) {
    result.criteria["bic"] =
        bic_of(method, n_varying_columns(data), model.k(), model.objective(), model.total_weight());
  }
  add_warnings(result, warnings_of(method, result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const GaussianMixtureEm& method,
             const RunOptions& run) {
  check_options(method);
  check_numeric(data, GaussianMixtureEm::name);
  check_prior(data, method);
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  const std::unique_ptr<Components> family = family_of(method, local.get(), rows);
  const std::unique_ptr<PartitionPrior> partition = partition_of(method);
  if (!method.shared_variance) return labelling_objective(local.get(), rows, *family, *partition, labels);
  // A variance that all clusters share is known from all of them only: their scatters are pooled before anything is
  // scored.
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
