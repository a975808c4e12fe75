// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/mog_bic.hpp"

#include "coppice/data/constant_columns.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/mixture_search.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/finish_shares.hpp"
#include "methods/mixture_options.hpp"
#include "methods/point_clusters.hpp"
#include "methods/start.hpp"

namespace coppice {
using namespace internal;

namespace {

MixtureSpec spec_of(const MixtureByBic& method, std::size_t n_varying) {
  MixtureSpec spec;
  spec.family = method.family;
  spec.prior.rule = PriorRule::grid;  // there is none to be fitted
  take_search_options(method, spec);
  const bool has_full_covariance = method.family == "gaussian";
  // The scatter of D rows or fewer is singular, D the columns that vary.
  spec.min_size = method.min_size.value_or(has_full_covariance ? static_cast<double>(n_varying) + 1.0 : 2.0);
  spec.shares_rows = true;
  spec.shared_steps = {.tolerance = method.tolerance, .name = "em"};
  return spec;
}

void check(const Dataset& data, const MixtureByBic& method, const MixtureSpec& spec) {
  check_options(method);
  check_numeric(data, MixtureByBic::name);
  (void)check_row_counts(data);
  check_number(data, spec);
}

// The search of Bayesian mixtures, under a prior that is none and parameters that have a price.
MixturePlan plan_of(const Execution& execution, const MixtureByBic& method, const MixtureSpec& spec, const Rows& rows) {
  MixturePlan plan{.spec = spec, .rows = rows, .total_weight = total_weight(rows.data())};
  plan.priors.push_back(make_fixed_prior(point_clusters(execution, rows, method.family, method.floor)));
  // The fine start goes by an evidence, which clusters at their likeliest parameters do not have.
  plan.fine = make_prior(family_entry("diagonal"), PriorSource(execution, rows, {}));
  plan.partition = make_shares(parameters_of_clusters(method.family, n_varying_columns(rows.data())));
  return plan;
}

Fit share_rows_by_bic(const MixturePlan& plan, LocalExecution& local, Journal& journal) {
  MixtureSearch search(plan, local, journal);
  search.run();
  // The price is for the search: models know shares.
  const std::unique_ptr<PartitionPrior> shares = make_shares();
  const Problem found = search.problem();
  Fit result =
      finish_shares(MixtureByBic::name, local.finishing(), plan.rows,
                    {found.units, found.components, *shares, found.total_weight}, search.state(), search.reason());
  take_search(search, journal, local.get(), result);
  add_warnings(result, min_size_warnings(search.is_at_min_size(), plan.spec));
  return result;
}

}  // namespace

Fit fit(const Dataset& data, const MixtureByBic& method, const RunOptions& run) {
  const MixtureSpec spec = spec_of(method, n_varying_columns(data));
  check(data, method, spec);
  check_options(run);
  Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  MixturePlan plan = plan_of(local.get(), method, spec, rows);
  if (method.init) plan.start = start_labels(local.get(), *method.init, rows);
  const double planning_seconds = watch.seconds();
  Journal journal(journal_of(run, method.max_iterations));
  Fit result = share_rows_by_bic(plan, local, journal);
  result.seconds.prepare += planning_seconds;
  result.seconds.fit = watch.seconds() - result.seconds.prepare;
  add_warnings(result, search_warnings(result, data, spec));
  if (method.assign == "auto") add_warnings(result, shared_work_warnings(result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const MixtureByBic& method,
             const RunOptions& run) {
  check(data, method, spec_of(method, n_varying_columns(data)));
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  const std::unique_ptr<Components> family = point_clusters(local.get(), rows, method.family, method.floor);
  const auto shares = make_shares(parameters_of_clusters(method.family, n_varying_columns(data)));
  return labelling_objective(local.get(), rows, *family, *shares, labels);
}

}  // namespace coppice
