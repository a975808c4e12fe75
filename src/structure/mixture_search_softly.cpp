// SPDX-License-Identifier: BSD-3-Clause
// The part of the search in which clusters share rows: families and numbers of clusters compare by the soft bound, and
// where it is the fit's own objective, clusters settle under it over all rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/infer/em.hpp"
#include "coppice/infer/variational_bayes.hpp"
#include "coppice/structure/mixture_search.hpp"

namespace coppice::internal {

namespace {

// Nats per row: a family whose clusters, as hard labels found them, are so far behind by the soft bound is not searched
// by it. The nearest come first, so that others are measured by what was made of these.
constexpr double far_behind = 0.1;

std::size_t lightest(const StatsArena& clusters) {
  std::size_t found = 0;
  for (std::size_t c = 1; c < clusters.size(); ++c) {
    if (clusters.weight(c) < clusters.weight(found)) found = c;
  }
  return found;
}

}  // namespace

void MixtureSearch::rank_softly(const SearchGround& ground, const AutoSearchOptions& options) {
  if (structures_.front().found.state.k() > many_clusters) return;  // it would take longer than the search
  const auto rank_by_worth = [&] {
    std::ranges::stable_sort(structures_, {}, [](const RankedFamily& rank) { return rank.found.worth(); });
  };
  double limit = std::numeric_limits<double>::infinity();
  for (RankedFamily& rank : structures_) {
    // Its bound could not come near enough, wherever it lies.
    if (!ground.gives_nothing_up() && least_bound(rank.found.state) > limit) continue;
    rank.found.soft_bound = soft_bound_near(local_.get(), ground, rank.found);
    limit = std::min(limit, *rank.found.soft_bound + far_behind * searched_weight_);
  }
  rank_by_worth();
  double least = structures_.front().found.worth();
  for (RankedFamily& rank : structures_) {
    const bool is_near = rank.found.worth() <= least + far_behind * searched_weight_;
    if (is_near || ground.gives_nothing_up()) search_family_softly(rank, ground, options);
    least = std::min(least, rank.found.worth());
    const auto result = std::ranges::find(families_, rank.prior->family(), &FamilyResult::family);
    *result = {result->family, rank.found.state.stats.size(), rank.found.worth()};
  }
  rank_by_worth();
}

// Rows that are shared are worth at most log K nats each more than labels: -log p(data) = -log sum p(data, labels), a
// sum over K^N labellings. A bound, if the labelling is the best; of the best that was found, a measured rule.
double MixtureSearch::least_bound(const State& state) const {
  return state.objective - searched_weight_ * std::log(static_cast<double>(state.k()));
}

void MixtureSearch::search_family_softly(RankedFamily& rank, const SearchGround& ground, AutoSearchOptions options) {
  if (plan_.priors.size() > 1) {
    options.limits.max_k = std::min(options.limits.max_k, rank.prior->most_clusters(searched_weight_));
  }
  Found& found = rank.found;
  if (plan_.spec.shares_rows) {
    const Found start = found.copy();
    (void)search_softly(local_.get(), ground, *rank.prior, start, options, watch_softly(found));
    return;
  }
  SoftFound soft = search_softly(local_.get(), ground, *rank.prior, found, options);
  found.soft_bound = soft.bound;
  // The hard clusters stay then: rows have labels already, and sweeps over all rows go on from those.
  if (soft.stats.size() == found.state.k()) return;  // hard labels have found as many
  found.state.stats = std::move(soft.stats);
  found.values = std::move(soft.values);
  found.components = std::move(soft.components);
  found.has_soft_k = true;
}

// Every step is reported, and kept, so that a stop leaves the best.
SoftWatch MixtureSearch::watch_softly(Found& found) {
  SoftWatch watch{.iterations = plan_.spec.shared_steps.name};
  watch.on_step = [&](const SoftFound& now, const char* phase) {
    found.state.stats = now.stats;
    found.state.objective = now.bound;
    found.state.labels = {};
    found.soft_bound = now.bound;
    found.values = now.values;
    found.components = now.components->clone();
    journal_.set_model(*now.components, *partition_);
    if (journal_.has_observer()) {
      label_softly(local_.get(), {searched_units_, *now.components, *partition_, searched_weight_}, found.state);
    }
    journal_.report(found.state, phase);
  };
  watch.on_trial = [this](std::size_t k, double bound) { journal_.note_evidence(k, bound); };
  return watch;
}

// One by one, or, if that is asked for, tied together by the leaves of a tree.
void MixtureSearch::share_all_rows(const Found& structure) {
  const double before = watch_.seconds();
  const std::unique_ptr<Assigner> assigner =
      make_assigner(local_.get(), plan_.rows, *structure.components, {.rule = plan_.spec.assign, .is_soft = true});
  prepare_seconds_ += watch_.seconds() - before;

  set_over_all_rows(true);
  Found found = structure.copy();
  found.state.progress = {};
  bool is_at_limit = false;
  const auto take = [&] {
    if (found.state.progress.phase.empty()) return;  // nothing is known of all rows
    const bool has_labels = found.state.labels.size() > 0;
    found.state.labels = has_labels ? Labels(found.state.labels.by_row()) : Labels();  // the tree goes
    if (best_ && !is_better(found, best_->found)) return;
    best_.emplace(Result{found.copy(), assigner->report(), is_at_limit});
  };
  try {
    is_at_limit = settle_softly({assigner->units(), *found.components, *partition_, plan_.total_weight}, found);
  } catch (const Stopped& stopped) {
    found.reason = stopped.reason();
    take();
    if (stopped.reason() != StopReason::iteration_limit) throw;
    return;
  }
  take();
}

bool MixtureSearch::settle_softly(const Problem& problem, Found& found) {
  SharedSteps steps = plan_.spec.shared_steps;
  steps.sizes = {plan_.spec.min_size, !plan_.spec.k};
  VariationalBayes vb(local_.get(), problem, steps, journal_);
  State& state = found.state;
  vb.converge(state);
  bool has_lost = false;
  // Clusters of a sample may be lighter than they should over all rows. The lightest goes alone, and the others settle
  // before the next is judged: its rows may lift another over the limit.
  while (state.k() > 1 && has_lighter(state.stats, plan_.spec.min_size)) {
    state.stats.erase(lightest(state.stats));
    vb.converge(state);
    has_lost = true;
  }
  return has_lost || (vb.is_held() && !can_do_without_lightest(vb, state));
}

// Then it does.
bool MixtureSearch::can_do_without_lightest(VariationalBayes& vb, State& state) const {
  if (plan_.spec.k || state.k() < 2) return false;
  State without = state;
  without.stats.erase(lightest(without.stats));
  vb.converge(without);
  if (without.objective > state.objective + gain_of_held * plan_.total_weight) return false;
  if (has_lighter(without.stats, plan_.spec.min_size)) return false;
  state = std::move(without);
  return !vb.is_held();
}

// Stopped before the rows could be shared: what the clusters come to as they are.
void MixtureSearch::evaluate_softly(Found& found) {
  const Problem problem{units_, *found.components, *partition_, plan_.total_weight};
  SoftClusters here = soften(local_.finishing(), problem, found.state.stats, {.max_iterations = 0});
  found.state.stats = std::move(here.stats);
  found.state.objective = here.bound;
  found.state.labels = {};
}

}  // namespace coppice::internal
