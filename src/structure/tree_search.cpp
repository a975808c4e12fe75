// SPDX-License-Identifier: BSD-3-Clause
// Agglomeration under a prior that is fitted: grow a tree, fit the prior to its best level, grow another, as long as
// that lowers the objective, three trees at most. A tree costs N^2 keys, so priors are fitted on a sample of different
// rows, and the whole table is grown into a tree once. Families that compete each have their trees on the sample; the
// objective of the best level decides.

#include "coppice/structure/tree_search.hpp"

#include <algorithm>
#include <limits>

#include "coppice/data/distinct_sample.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/structure/prior_fit.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_rows_to_fit = 1000;       // the prior; a tree costs their square
constexpr std::size_t fewer_rows_to_fit = 500;       // where merges cost much
constexpr std::size_t much_to_merge = 200;           // numbers of a cluster's statistics
constexpr std::size_t most_trees = 3;                // one after the other, with the prior fitted in between
constexpr double far_behind = 0.1;                   // nats per row: the prior of such a family is not fitted further
constexpr std::size_t rows_of_cluster = 3;           // where a prior is fitted to few rows
constexpr std::size_t most_clusters_listed = 100;    // in the evidence of numbers of clusters
constexpr std::size_t most_clusters_stopped = 1000;  // of a tree that was stopped: more are no clustering

bool is_fitted(const MixtureSpec& spec, const AdjustablePrior& prior) {
  const auto is_free = [](const PriorNumber& number) { return number.low < number.high; };
  return spec.prior.rule == PriorRule::fitted && std::ranges::any_of(prior.numbers(), is_free);
}

// Different rows; the weights of copies are brought down to 1 on average, since a row that is there five times is not a
// tight cluster of five. Nothing if all rows are few and different.
std::optional<Rows> rows_to_fit(const Execution& execution, const Rows& rows, std::size_t most) {
  Dataset sample = distinct_sample(execution, rows.data(), most);
  if (sample.n_rows() == rows.size() && !rows.are_weighted()) return std::nullopt;
  if (!sample.weights().empty()) {
    const double mean_weight = total_weight(sample) / static_cast<double>(sample.n_rows());
    std::vector<double> weights = sample.weights();
    for (double& weight : weights) weight /= mean_weight;
    sample = sample.with_weights(std::move(weights));
  }
  return Rows(std::move(sample), {rows.origin().begin(), rows.origin().end()});
}

std::vector<std::int32_t> labels_so_far(const Agglomeration& so_far) {
  return cut(so_far.tree, so_far.tree.n_leaves - so_far.tree.merges.size());
}

}  // namespace

std::optional<std::size_t> chosen_k(const CutRule& rule, const Agglomeration& grown, std::size_t most) {
  const std::size_t n = grown.tree.n_leaves;
  const std::size_t lowest = n - grown.tree.merges.size();
  if (rule.k) return std::clamp<std::size_t>(*rule.k, lowest, n);
  const std::size_t skipped = n > most ? n - most : 0;
  // Stopped too early: what there is has more clusters than anybody could look at.
  if (skipped >= grown.objective.size()) return std::nullopt;
  const std::span<const double> levels = std::span(grown.objective).subspan(skipped);
  return rule.is_at_least ? least_objective_k(levels, n - skipped) : first_rise_k(levels, n - skipped);
}

StatsArena level_statistics(const Components& components, const StatsArena& leaves,
                            const std::vector<std::int32_t>& labels, std::size_t k) {
  StatsArena stats(k, leaves.stats_size());
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    components.merge(stats[static_cast<std::size_t>(labels[leaf])], leaves[leaf]);
  }
  return stats;
}

TreeSearch::TreeSearch(const MixturePlan& plan, const CutRule& cut, AgglomerationOptions options, LocalExecution& local,
                       Journal& journal)
    : plan_(plan), rows_(plan.rows), cut_(cut), options_(std::move(options)), local_(local), journal_(journal) {
  std::size_t stats_size = 0;
  for (const auto& prior : plan.priors) {
    stats_size = std::max(stats_size, prior->at(prior->starts().front())->stats_size());
  }
  const std::size_t most_rows = stats_size > much_to_merge ? fewer_rows_to_fit : most_rows_to_fit;
  are_few_ = has_few_rows(rows_.data()) && plan.are_numbers_measured;
  if (is_fitted(plan.spec, *plan.priors.front())) sample_ = rows_to_fit(local.get(), rows_, most_rows);
  prepare_seconds_ = watch_.seconds();
}

void TreeSearch::run() {
  try {
    if (plan_.priors.size() > 1 || is_fitted(plan_.spec, *plan_.priors.front())) {
      const bool are_of_all_rows = journal_.are_states_of_all_rows();
      journal_.states_are_of_all_rows(are_of_all_rows && !sample_);
      FittedTree fitted = best_of_families();
      journal_.states_are_of_all_rows(are_of_all_rows);
      if (!sample_) return take(std::move(fitted));
      fitted_ = std::move(fitted);
      take(grow(*fitted_->prior, fitted_->values, rows_));
    } else {
      take(grow(*plan_.priors.front(), plan_.priors.front()->starts().front(), rows_));
    }
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
    if (!so_far_) throw;
    is_better_than_one(*so_far_) ? take(std::move(*so_far_)) : take_single_cluster();
  }
}

// Stopped while every level so far is worth less than that.
void TreeSearch::take_single_cluster() {
  components_ = std::move(so_far_->components);
  labels_.assign(rows_.size(), 0);
  k_ = 1;
}

FittedTree TreeSearch::best_of_families() {
  const Rows& rows = sample_ ? *sample_ : rows_;
  std::vector<Candidate> of_family;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& prior : plan_.priors) {
    std::optional<Candidate> best;
    for (const std::vector<double>& start : prior->starts()) {
      Candidate found = grow_and_fit(*prior, start, rows);
      if (!best || found.fitted_objective < best->fitted_objective) best = std::move(found);
    }
    least = std::min(least, best->fitted_objective);
    of_family.push_back(std::move(*best));
  }
  const double limit = least + far_behind * total_weight(rows.data());
  for (Candidate& family : of_family) {
    const bool is_close = are_few_ || family.fitted_objective <= limit;
    if (is_close) refine(family, rows);
    if (of_family.size() == 1) continue;
    families_.push_back({std::string(family.tree.prior->family()), family.tree.k,
                         is_close ? family.tree.objective : family.fitted_objective});
  }
  const auto objective = [](const Candidate& family) { return family.tree.objective; };
  return std::move(std::ranges::min_element(of_family, {}, objective)->tree);
}

TreeSearch::Candidate TreeSearch::grow_and_fit(const AdjustablePrior& prior, const std::vector<double>& start,
                                               const Rows& rows) {
  Candidate found{grow(prior, start, rows), start};
  const Components& components = *found.tree.components;
  const StatsArena leaves = row_statistics(local_.get(), components, rows);
  const std::size_t k = level_to_fit(found.tree);
  found.objective = found.tree.grown.objective[rows.size() - k];
  found.fitted_objective = found.objective;
  const StatsArena clusters = level_statistics(components, leaves, cut(found.tree.grown.tree, k), k);
  FittedPrior fitted = fit_prior(local_.get(), prior, start, clusters);
  found.fitted_values = std::move(fitted.values);
  found.fitted_objective -= fitted.gain;
  return found;
}

// The chosen level, unless rows are few for their columns: clusters have fewer rows than columns there, a few of them
// tell little of a prior, and the least objective is often that of one or two. The prior has to be right for the merges
// below, too, so that it is fitted where clusters have three rows.
std::size_t TreeSearch::level_to_fit(const FittedTree& tree) const {
  return are_few_ ? std::max(tree.k, tree.grown.tree.n_leaves / rows_of_cluster) : tree.k;
}

void TreeSearch::refine(Candidate& family, const Rows& rows) {
  for (std::size_t made = 1; made < most_trees && family.fitted_values != family.tree.values; ++made) {
    Candidate next = grow_and_fit(*family.tree.prior, family.fitted_values, rows);
    if (!(next.objective < family.objective - negligible(family.objective, plan_.total_weight))) break;
    family = std::move(next);
  }
}

FittedTree TreeSearch::grow(const AdjustablePrior& prior, std::vector<double> values, const Rows& rows) {
  FittedTree tree{&prior, std::move(values), nullptr, {}};
  tree.components = prior.at(tree.values);
  StatsArena leaves = row_statistics(local_.get(), *tree.components, rows);
  journal_.set_model(*tree.components, *plan_.partition);
  AgglomerationOptions options = options_;
  options.observer = [&](const Agglomeration& so_far) {
    report(so_far, *tree.components, leaves);
    return Next::carry_on;
  };
  tree.grown = agglomerate(local_.get(), *tree.components, *plan_.partition, leaves, options);
  journal_.counters().distances += tree.grown.n_keys;
  journal_.counters().merges_accepted += tree.grown.tree.merges.size();
  const std::optional<StopReason> stopped = tree.grown.stopped;

  const std::optional<std::size_t> k = chosen_k(cut_, tree.grown, stopped ? most_clusters_stopped : rows.size());
  if (k) {
    tree.k = *k;
    tree.objective = tree.grown.objective[rows.size() - tree.k];
    if (&rows == &rows_) keep(tree);
  }
  if (stopped) throw Stopped(*stopped);
  return tree;
}

// In case of a stop: a whole tree rather than a part of one, then the lower objective.
void TreeSearch::keep(const FittedTree& tree) {
  // false before true: whole trees first.
  const auto rank = [](const FittedTree& at) { return std::pair(at.grown.stopped.has_value(), at.objective); };
  if (so_far_ && rank(*so_far_) <= rank(tree)) return;
  journal_.tell_of_result();
  so_far_ = FittedTree{tree.prior, tree.values, tree.prior->at(tree.values), tree.grown, tree.k, tree.objective};
}

// Whether the chosen level of a tree that was stopped is worth more than a single cluster.
bool TreeSearch::is_better_than_one(const FittedTree& tree) const {
  if (!tree.grown.stopped || cut_.k) return true;
  const StatsArena leaves = row_statistics(local_.finishing(), *tree.components, rows_);
  const StatsArena all = level_statistics(*tree.components, leaves, std::vector<std::int32_t>(rows_.size(), 0), 1);
  const std::vector<double> size{all.weight(0)};
  return tree.objective < plan_.partition->objective(size, size.front()) - tree.components->log_evidence(all[0]);
}

void TreeSearch::report(const Agglomeration& so_far, const Components& components, const StatsArena& leaves) {
  State state;
  state.objective = so_far.objective.back();
  const std::size_t k = so_far.tree.n_leaves - so_far.tree.merges.size();
  state.progress = {"merge",         so_far.tree.merges.size(), k,
                    state.objective, journal_.seconds(),        journal_.counters().distances + so_far.n_keys};
  if (journal_.has_observer()) {
    std::vector<std::int32_t> labels = labels_so_far(so_far);
    state.stats = level_statistics(components, leaves, labels, k);
    state.labels = Labels(std::move(labels));
  }
  journal_.report(state);
}

void TreeSearch::take(FittedTree tree) {
  labels_ = cut(tree.grown.tree, tree.k);
  k_ = tree.k;
  components_ = std::move(tree.components);
  const std::size_t n = rows_.size();
  for (std::size_t i = 0; i < tree.grown.objective.size(); ++i) {
    const std::size_t k = n - i;
    if (k <= most_clusters_listed || k == tree.k) journal_.note_evidence(k, tree.grown.objective[i]);
  }
  if (!tree.grown.stopped) hierarchy_ = Hierarchy{std::move(tree.grown.tree), std::move(tree.grown.objective)};
}

}  // namespace coppice::internal
