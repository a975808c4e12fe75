// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/variational_dp.hpp"

#include <algorithm>

#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/stick_fit.hpp"
#include "coppice/structure/variational_search.hpp"
#include "methods/check_data.hpp"
#include "methods/finish.hpp"
#include "methods/finish_shares.hpp"
#include "methods/planned_fit.hpp"
#include "methods/stick_mixtures.hpp"

namespace coppice {
using namespace internal;

namespace {

MixtureSpec spec_of(const VariationalDp& method) {
  MixtureSpec spec = stick_spec(method, {method.alpha1, method.alpha2.value_or(1.0)});
  spec.moves = method.search == "paper" ? Moves::paper : Moves::automatic;
  if (method.max_k) spec.max_k = static_cast<std::size_t>(*method.max_k);
  return spec;
}

void check(const Dataset& data, const VariationalDp& method, const MixtureSpec& spec) {
  check_options(method);
  check_stick_mixture(data, VariationalDp::name, spec);
  if (method.epsilon == 0.0 && !method.max_k) {
    throw OptionError(format_text("with {epsilon=0} components are released until there are {max_k}; give that, too"));
  }
  const bool has_budget = method.budget_nats != VariationalDp{}.budget_nats || method.budget_nodes;
  if (has_budget && method.assign != "kdtree") {
    throw OptionError(format_text("{} is of a front of nodes, which there is with {assign=kdtree} alone",
                                  option(method.budget_nodes ? "budget_nodes" : "budget_nats")));
  }
}

bool fits_alpha2(const VariationalDp& method) { return method.prior == "auto" && !method.alpha2; }

// As the search fits them, to clusters that rows belong to.
StickPrior sticks_fitted_to(const Dataset& data, std::span<const std::int32_t> labels, const StickPrior& prior) {
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(labels, k);
  std::vector<double> sizes(k, 0.0);
  for (std::size_t row = 0; row < labels.size(); ++row)
    sizes[static_cast<std::size_t>(numbered[row])] += data.weight(row);
  return fit_alpha2(prior, sizes, total_weight(data)).prior;
}

VariationalOptions options_of(const VariationalDp& method, double total_weight) {
  constexpr double epsilon_per_row = 1e-5;
  constexpr double least_epsilon = 1e-3;
  constexpr double tolerance = 0.1;  // as a share of epsilon
  // In nats, and not as a share of the free energy, which shifts by N D log c when columns are multiplied by c.
  const double usual = std::max(least_epsilon, epsilon_per_row * total_weight);
  VariationalOptions options;
  ReleaseOptions& release = options.release;
  if (method.max_k) release.max_components = static_cast<std::size_t>(*method.max_k);
  release.accepts_any = method.epsilon == 0.0;
  release.epsilon = release.accepts_any ? usual : method.epsilon.value_or(usual);
  release.tolerance = tolerance * release.epsilon;
  release.halts_at_once = method.search == "paper";
  release.seed = method.seed;
  if (method.assign == "kdtree") {
    options.front.emplace();
    options.front->nats = method.budget_nats;
    if (method.budget_nodes) options.front->units = static_cast<std::size_t>(*method.budget_nodes);
  }
  options.fits_alpha2 = fits_alpha2(method);
  return options;
}

std::vector<Text> warnings_of(const VariationalDp& method, const Fit& fit, const Dataset& data) {
  std::vector<Text> warnings = stick_mixture_warnings(data, method.family);
  const std::size_t k = fit.model.k();
  if (method.max_k && k == *method.max_k && method.epsilon != 0.0) {
    warnings.push_back(format_text("the limit {} was reached; the data may hold more clusters", option("max_k", k)));
  }
  return warnings;
}

AssignReport report_of(const VariationalDp& method, const VariationalFound& found, double total_weight) {
  const GrowingFront* growing = found.ground->front();
  if (growing == nullptr) return {"naive", method.assign == "auto" ? "auto is always exact" : "asked for"};
  const Front& front = growing->front();
  return {"kdtree", "asked for; the rows of a node share alike, which is approximate",
          FrontReport{front.nodes().size(), front.rows().size(),
                      std::max(0.0, found.mixture.bound - found.bound_of_rows) / total_weight}};
}

Fit fit_mixture(const MixturePlan& plan, const VariationalDp& method, LocalExecution& local, Journal& journal) {
  VariationalSearch search(plan, options_of(method, plan.total_weight), local, journal);
  search.run();
  const VariationalFound& found = search.found();
  const Problem problem{found.ground->units(), *found.components, *found.partition, plan.total_weight};
  const StopReason reason = search.reason();
  Fit result = finish_shares(VariationalDp::name, local.finishing(), plan.rows, problem,
                             {found.mixture.labels, found.mixture.stats, found.mixture.bound, {}, {}}, reason);
  take_account(journal, reason, local.get(), result);
  count_used(result);
  result.families = search.families();
  result.assign = report_of(method, found, plan.total_weight);
  result.seconds.prepare = search.prepare_seconds();
  return result;
}

}  // namespace

Fit fit(const Dataset& data, const VariationalDp& method, const RunOptions& run) {
  const MixtureSpec spec = spec_of(method);
  check(data, method, spec);
  const auto search = [&](const MixturePlan& plan, LocalExecution& local, Journal& journal) {
    if (method.max_k) check_start_size(plan.start, "max_k", static_cast<std::size_t>(*method.max_k));
    journal.states_are_results(true);
    return fit_mixture(plan, method, local, journal);
  };
  Fit result = planned_fit(data, method, spec, run, search);
  add_warnings(result, warnings_of(method, result, data));
  if (method.assign == "auto") add_warnings(result, shared_work_warnings(result, data));
  return result;
}

double score(const Dataset& data, std::span<const std::int32_t> labels, const VariationalDp& method,
             const RunOptions& run) {
  MixtureSpec spec = spec_of(method);
  check(data, method, spec);
  check_labels(labels, data);
  if (fits_alpha2(method)) spec.partition.sticks = sticks_fitted_to(data, labels, spec.partition.sticks);
  return planned_score(data, labels, spec, run);
}

}  // namespace coppice
