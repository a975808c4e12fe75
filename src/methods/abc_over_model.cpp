// SPDX-License-Identifier: BSD-3-Clause
#include "methods/abc_over_model.hpp"

#include <limits>

#include "coppice/model/labelling.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/tree_search.hpp"
#include "methods/finish.hpp"

namespace coppice::internal {

CutRule cut_rule(const AgglomerativeBayesian& method) {
  CutRule rule{.is_at_least = method.stop == "min"};
  if (method.k) rule.k = static_cast<std::size_t>(*method.k);
  return rule;
}

AgglomerationOptions agglomeration_options(const AgglomerativeBayesian& method) {
  return {method.pairs, static_cast<std::size_t>(method.look_ahead), {}};
}

namespace {

// The clusters of one level, the largest first.
struct Level {
  StatsArena stats;
  std::vector<std::int32_t> of_cluster;  // the level's cluster, by the model's
};

Level level_of(const Model& model, const Dendrogram& tree, std::size_t k) {
  std::vector<std::int32_t> labels = cut(tree, k);
  const std::vector<std::int32_t> place =
      order_by_size(model.components(), level_statistics(model.components(), model.stats(), labels, k));
  for (std::int32_t& label : labels) label = place[static_cast<std::size_t>(label)];
  // Once more in the new numbering, which takes statistics to be found.
  StatsArena stats = level_statistics(model.components(), model.stats(), labels, k);
  return {std::move(stats), std::move(labels)};
}

Model model_of(const Model& model, StatsArena stats, double objective) {
  return Model({std::string(AgglomerativeBayesian::name),
                model.columns(),
                {model.origin().begin(), model.origin().end()},
                model.components().clone(),
                model.partition().clone(),
                std::move(stats),
                model.total_weight(),
                objective,
                model.transforms()});
}

}  // namespace

void check_model(const AgglomerativeBayesian& method) {
  const Model& model = *method.start_from;
  const std::string_view partition = model.partition().name();
  if (partition != "dirichlet" && partition != "dp") {
    throw OptionError(format_text(
        "{start_from}: the clusters of a {} model have no evidence to compare merges by; use a model of bkm or abc",
        model.method()));
  }
  if (model.components().weighs_members()) {
    throw OptionError(format_text(
        "{start_from}: {} clusters weigh every row by its place in the cluster, so that their statistics cannot be "
        "merged; use a model of {family=gaussian}, diagonal or spherical",
        model.components().family()));
  }
  const bool says_more = method.family != "auto" || method.partition != "dirichlet" || method.phi0 ||
                         method.alpha != 1.0 || method.prior != "auto" || method.xi0 || method.eta0 || method.m0 ||
                         method.b0 || method.psi0 || method.omega0;
  if (says_more) {
    throw OptionError(format_text(
        "{start_from} brings its family, prior and partition: leave out {family}, {partition}, {phi0}, {alpha}, "
        "{prior} and the prior's numbers"));
  }
  if (method.k && *method.k > model.k()) {
    throw OptionError(format_text("{k} is {}, but the model has {}; choose 1 to {}", *method.k,
                                  counted(model.k(), "cluster"), model.k()));
  }
}

Fit fit_over_model(const Dataset& data, const AgglomerativeBayesian& method, const RunOptions& run) {
  const Model& model = *method.start_from;
  const Stopwatch watch;
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  std::vector<std::int32_t> labels = model.predict(local.get(), data);
  const double prepare_seconds = watch.seconds();
  Agglomeration grown =
      agglomerate(local.get(), model.components(), model.partition(), model.stats(), agglomeration_options(method));
  const std::size_t k = *chosen_k(cut_rule(method), grown, std::numeric_limits<std::size_t>::max());
  Level level = level_of(model, grown.tree, k);
  for (std::int32_t& label : labels) {
    if (label >= 0) label = level.of_cluster[static_cast<std::size_t>(label)];
  }

  Fit fit{{}, model_of(model, std::move(level.stats), grown.objective[model.k() - k]), std::move(labels)};
  if (run.on_result) run.on_result();
  add_probabilities(local.finishing(), data, fit);
  fit.stop_reason = grown.stopped.value_or(StopReason::converged);
  fit.converged = !grown.stopped;
  fit.iterations = grown.tree.merges.size();
  fit.threads = local.get().n_threads();
  for (std::size_t i = 0; i < grown.objective.size(); ++i) fit.k_evidence[model.k() - i] = grown.objective[i];
  fit.counters.distances = grown.n_keys;
  fit.counters.merges_accepted = grown.tree.merges.size();
  fit.seconds = {prepare_seconds, watch.seconds() - prepare_seconds};
  if (!grown.stopped) fit.hierarchy = Hierarchy{std::move(grown.tree), std::move(grown.objective)};
  return fit;
}

}  // namespace coppice::internal
