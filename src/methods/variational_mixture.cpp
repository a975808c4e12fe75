// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/variational_mixture.hpp"

#include "coppice/structure/mixture_search.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/finish_shares.hpp"
#include "methods/mixture_options.hpp"
#include "methods/planned_fit.hpp"

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
  take_search(search, journal, local.get(), result);
  add_warnings(result, min_size_warnings(search.is_at_min_size(), plan.spec));
  result.families = search.families();
  return result;
}

}  // namespace

Fit fit(const Dataset& data, const VariationalMixture& method, const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check_search(data, method, spec);
  Fit result = planned_fit(data, method, spec, run, share_rows);
  add_warnings(result, search_warnings(result, data, spec));
  if (method.assign == "auto") add_warnings(result, shared_work_warnings(result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const VariationalMixture& method,
             const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check_search(data, method, spec);
  return planned_score(data, labels, spec, run);
}

}  // namespace coppice
