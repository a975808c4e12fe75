// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/variational_mixture.hpp"

#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/labelling_score.hpp"
#include "coppice/structure/mixture_search.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/finish_shares.hpp"
#include "methods/mixture_options.hpp"
#include "methods/start.hpp"

namespace coppice {
using namespace internal;

namespace {

MixtureSpec spec_of(const VariationalMixture& method) {
  MixtureSpec spec = search_spec(method);
  spec.shares_rows = true;
  spec.shared_steps.tolerance = method.tolerance;
  return spec;
}

Fit share_rows(const MixturePlan& plan, LocalExecution& local, Journal& journal) {
  MixtureSearch search(plan, local, journal);
  search.run();
  Fit result = finish_shares(VariationalMixture::name, local.finishing(), plan.rows, search.problem(), search.state(),
                             search.reason());
  take_account(journal, search.reason(), local.get(), result);
  result.families = search.families();
  result.assign = search.assign();
  result.seconds.prepare = search.prepare_seconds();
  add_warnings(result, search_weight_warnings(search.search_weights(), search.searched_weight()));
  return result;
}

}  // namespace

Fit fit(const Dataset& data, const VariationalMixture& method, const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check_search(data, method, spec);
  check_options(run);
  Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const ReadyRows ready = ready_rows(local.get(), spec, data);
  MixturePlan plan = make_plan(local.get(), spec, ready.rows);
  if (method.init) plan.start = start_labels(local.get(), *method.init, plan.rows);
  const double planning_seconds = watch.seconds();
  Journal journal(journal_of(run, method.max_iterations));
  Fit result = share_rows(plan, local, journal);
  result.model = result.model.with_transforms(ready.steps);
  result.seconds.prepare += planning_seconds;
  result.seconds.fit = watch.seconds() - result.seconds.prepare;
  add_warnings(result, search_warnings(result, data, spec));
  if (method.assign == "auto") add_warnings(result, shared_work_warnings(result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const VariationalMixture& method,
             const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check_search(data, method, spec);
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const MixturePlan plan = make_plan(local.get(), spec, ready_rows(local.get(), spec, data).rows);
  return score_labelling(local.get(), plan, labels);
}

}  // namespace coppice
