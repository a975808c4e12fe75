// SPDX-License-Identifier: BSD-3-Clause
// Bayesian k-means ([L]; docs/methods/bkm.md). The algorithm is a MixtureSearch over what was planned, or a
// BackgroundSearch where rows may be outliers; this file says what is sought and makes a fit of what was found.

#include "coppice/methods/bayesian_kmeans.hpp"

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/background_search.hpp"
#include "coppice/structure/mixture_search.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/mixture_options.hpp"
#include "methods/planned_fit.hpp"

namespace coppice {
using namespace internal;

namespace {

MixtureSpec spec_of(const BayesianKMeans& method) {
  MixtureSpec spec = search_spec(method);
  spec.moves = method.search == "paper" ? Moves::paper : Moves::automatic;
  spec.has_background = method.outliers;
  return spec;
}

void check(const Dataset& data, const BayesianKMeans& method, const MixtureSpec& spec) {
  check_search(data, method, spec);
  if (method.k && method.search == "paper") {
    throw OptionError(
        format_text("{search=paper} finds the number of clusters itself; leave out {k}, or use {search=auto}"));
  }
}

Fit fit_clusters(const MixturePlan& plan, LocalExecution& local, Journal& journal) {
  MixtureSearch search(plan, local, journal);
  search.run();
  const Problem problem = search.problem();
  Fit result = finish_labels(BayesianKMeans::name, local.finishing(), plan.rows, problem, search.state());
  take_search(search, journal, local.get(), result);
  result.is_k_soft = search.found().has_soft_k;
  result.soft_bound = search.found().soft_bound;
  result.families = search.families();
  return result;
}

Fit fit_beside_background(const MixturePlan& plan, LocalExecution& local, Journal& journal) {
  BackgroundSearch search(plan, local, journal);
  search.run();
  BackgroundState state = search.finish();
  const std::unique_ptr<PartitionPrior> partition = search.partition_beside(state);
  const Units units(plan.rows);
  Fit result = with_model(BayesianKMeans::name, local.finishing(), plan.rows,
                          {units, search.components(), *partition, plan.total_weight}, std::move(state.stats),
                          state.objective, std::move(state.labels));
  take_search(search, journal, local.get(), result);
  result.is_k_soft = search.has_soft_k();
  result.families = search.families();
  return result;
}

}  // namespace

Fit fit(const Dataset& data, const BayesianKMeans& method, const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check(data, method, spec);
  Fit result = planned_fit(data, method, spec, run, method.outliers ? fit_beside_background : fit_clusters);
  add_warnings(result, search_warnings(result, data, spec));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const BayesianKMeans& method,
             const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check(data, method, spec);
  return planned_score(data, labels, spec, run);
}

}  // namespace coppice
