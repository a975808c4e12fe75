// SPDX-License-Identifier: BSD-3-Clause
// Clusters and a background take turns: first the rows are clustered as if there were none, then clusters and single
// rows move out and back (infer/background_moves.cpp), then the rows inside are clustered again beside what is outside,
// and so on while the objective falls. At times a search afresh over the rows inside finds what the first one,
// disturbed by outliers, could not. All states are compared by one objective over all rows of the ground, inside and
// outside, so that each step can be undone. On large tables all this goes on over a sample, and all rows are swept in
// the end.

#include "coppice/structure/background_search.hpp"

#include <algorithm>
#include <utility>

#include "coppice/data/choose_rows.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/model/rows_outside.hpp"
#include "coppice/structure/prior_fit.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_rounds = 20;  // between two searches
constexpr std::size_t most_fresh_searches = 3;
constexpr std::size_t most_sweeps = 50;  // over all rows of a large table

// Where clusters must not be light, they may be lighter among fewer rows.
MixtureSpec spec_on(const MixtureSpec& spec, const Rows& ground, double total) {
  MixtureSpec result = spec;
  result.min_size *= total_weight(ground.data()) / total;
  return result;
}

// Whether rows that a prior is to be made for vary in every column in which all rows do. A prior knows no width for a
// column that is constant among them, and the density there would have no limit.
bool vary_like(const Rows& rows, const Rows& all) {
  const std::vector<double> widths = spanned_widths(rows);
  const std::vector<double> of_all = spanned_widths(all);
  for (std::size_t column = 0; column < widths.size(); ++column) {
    if (of_all[column] > 0.0 && !(widths[column] > 0.0)) return false;
  }
  return true;
}

bool are_all_outside(std::span<const std::int32_t> labels) {
  return std::ranges::all_of(labels, [](std::int32_t label) { return label == background_label; });
}

std::vector<std::int32_t> labels_at(std::span<const std::size_t> places, std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> chosen(places.size());
  std::ranges::transform(places, chosen.begin(), [&](std::size_t row) { return labels[row]; });
  return chosen;
}

bool is_end(StopReason reason) { return reason == StopReason::cancelled || reason == StopReason::time_limit; }

}  // namespace

BackgroundSearch::BackgroundSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal)
    : BackgroundSearch(plan, local, journal, rows_to_search(local.get(), plan)) {}

BackgroundSearch::BackgroundSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal,
                                   SearchedRows searched)
    : plan_(plan),
      rows_(plan.rows),
      local_(local),
      journal_(journal),
      log_volume_(log_spanned_volume(plan.rows)),
      ground_(std::move(searched.rows)),
      search_weights_(searched.weights),
      is_ground_all_(ground_.size() == rows_.size() && search_weights_ == SearchWeights::as_given),
      on_ground_(spec_on(plan.spec, ground_, plan.total_weight)),
      clusters_(plan.partition->clone()) {}

BackgroundProblem BackgroundSearch::problem(const Rows& rows, const Components& components) const {
  return {rows, components, *clusters_, log_volume_};
}

std::vector<std::size_t> BackgroundSearch::inside(const BackgroundState& state) const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < state.labels.size(); ++row) {
    if (state.labels[row] != background_label) rows.push_back(row);
  }
  return rows;
}

Rows BackgroundSearch::rows_inside(const BackgroundState& state, const Rows& among) const {
  return {choose_rows(among.data(), inside(state)), {rows_.origin().begin(), rows_.origin().end()}};
}

std::unique_ptr<PartitionPrior> BackgroundSearch::partition_beside(const BackgroundState& state) const {
  return beside_background(clusters_->clone(), {log_volume_, state.weight_outside});
}

void BackgroundSearch::run() {
  try {
    search_first();
    alternate();
    for (std::size_t i = 0; i < most_fresh_searches && search_afresh(); ++i) alternate();
    keep_clusters(local_.get());
    share_rows();
    if (is_ground_all_ && has_soft_k_) sweep_all_rows(local_.get());
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
  }
  if (!best_) throw Stopped(reason_);
  // A stop before this leaves clusters of a sample: they are spread over all rows in any case, by the signal heeded
  // later.
  if (!is_ground_all_) settle_all_rows();
}

void BackgroundSearch::settle_all_rows() {
  spread_over_all_rows(local_.finishing());
  journal_.tell_of_result();
  try {
    sweep_all_rows(local_.get());
    fit_prior_to_all_rows(local_.get());
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
  }
  try {
    if (plan_.spec.min_size > 0.0) keep_min_size(local_.finishing());
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
  }
}

void BackgroundSearch::search_first() {
  const BackgroundState nothing_outside;
  search(ground_, nothing_outside);
  without_background_ = best_;
}

// Points without width, such as copies of few rows, are less likely in a cluster than anywhere, one after the other.
// But a model is to say where rows belong: if the background would take all of them, it takes none.
void BackgroundSearch::keep_clusters(const Execution& execution) {
  const BackgroundState& state = best_->state;
  const bool has_few = state.weight_outside < 0.5 * total_weight(ground_.data());
  if (has_few || !without_background_) return;
  const std::unique_ptr<PartitionPrior> partition = partition_beside(state);
  const std::vector<std::int32_t> nobody(ground_.size(), background_label);
  if (are_all_outside(cheapest_labels(execution, ground_, {*best_->components, state.stats, *partition}, nobody))) {
    best_ = without_background_;
    journal_.forget_evidence();  // for it had rows outside
  }
}

// Over rows inside; those outside are `beside` them. What is found becomes the best if it is better.
void BackgroundSearch::search(const Rows& rows, const BackgroundState& beside) {
  const Stopwatch planning;
  Search& latest = searches_.emplace_back();
  latest.plan = std::make_unique<MixturePlan>(make_plan(local_.get(), on_ground_, rows));
  latest.plan->start = plan_.start;
  prepare_seconds_ += planning.seconds();
  const Background background{log_volume_, beside.weight_outside};
  latest.search = std::make_unique<MixtureSearch>(*latest.plan, local_, journal_, background);
  MixtureSearch& search = *latest.search;
  search.run();
  prepare_seconds_ += search.prepare_seconds();

  std::vector<std::int32_t> labels = beside.labels;
  const std::vector<std::int32_t> found = search.state().labels.by_row();
  if (labels.empty()) {
    labels = found;
  } else {
    const std::vector<std::size_t> places = inside(beside);
    for (std::size_t i = 0; i < places.size(); ++i) labels[places[i]] = found[i];
  }
  std::shared_ptr<const Components> components = search.found().components->clone();
  BackgroundState state = state_of(local_.finishing(), problem(ground_, *components), std::move(labels));
  if (offer({&search.prior(), search.found().values, std::move(components), std::move(state)})) {
    families_ = search.families();
    assign_ = search.assign();
  }
  if (search.reason() != StopReason::converged) reason_ = search.reason();
  if (is_end(search.reason())) throw Stopped(search.reason());
}

void BackgroundSearch::alternate() {
  for (std::size_t round = 0; round < most_rounds; ++round) {
    if (!move(true) && !move(false)) return;
  }
}

bool BackgroundSearch::move(bool dissolves) {
  Found moved = *best_;
  const BackgroundProblem here = problem(ground_, *moved.components);
  const bool has_dissolved = dissolves && dissolve_clusters(local_.get(), here, moved.state);
  if (dissolves && !has_dissolved) return false;
  const bool has_moved = move_rows(local_.get(), here, moved.state, on_ground_.min_size);
  if (!has_dissolved && !has_moved) return false;
  if (!has_dissolved) offer(moved);
  // A row that moved may have gained by itself; clusters that dissolved count only with what comes of it.
  return offer(clustered_again(moved)) || (!has_dissolved && has_moved);
}

// What was inside stays inside: splits, merges and sweeps there, and the prior fitted to them.
BackgroundSearch::Found BackgroundSearch::clustered_again(const Found& found) {
  const Rows rows = rows_inside(found.state, ground_);
  const std::vector<std::size_t> places = inside(found.state);
  std::vector<std::int32_t> labels = labels_at(places, found.state.labels);
  const Units units(rows);
  const double weight = total_weight(rows.data());
  const std::unique_ptr<PartitionPrior> partition = partition_beside(found.state);
  const std::unique_ptr<Assigner> assigner = make_assigner(units);
  MaximizationExpectation me(local_.get(), {units, *found.components, *partition, weight}, journal_, *assigner);
  AutoSearchOptions options = search_options(on_ground_, 0);
  options.limits.moves_single_rows = found.components->moves_single_rows();
  options.has_rivals = families_.size() > 1;
  Leader leader;
  AutoSearch search(me, {*assigner, *partition, weight, {}}, *found.prior, options, leader);
  const auto best = [&] {
    Found result{found.prior, search.best()->values, search.best()->components->clone(), {}};
    std::vector<std::int32_t> all = found.state.labels;
    const std::vector<std::int32_t> inner = search.best()->state.labels.by_row();
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = inner[i];
    result.state = state_of(local_.finishing(), problem(ground_, *result.components), std::move(all));
    return result;
  };
  const internal::Found start{{}, found.values, found.components->clone()};
  try {
    search.continue_from(start, labels);
  } catch (const Stopped&) {
    // Clusters that are too light would have been merged in the end.
    const bool are_heavy =
        search.best() && std::ranges::min(search.best()->state.stats.weights()) >= on_ground_.min_size;
    if (are_heavy) offer(best());
    throw;
  }
  return best();
}

bool BackgroundSearch::search_afresh() {
  // A copy: the search may replace the best.
  const BackgroundState beside = best_->state;
  if (!(beside.weight_outside > 0.0) || plan_.spec.has_start) return false;
  const Rows rows = rows_inside(beside, ground_);
  if (!vary_like(rows, ground_)) return false;
  search(rows, beside);
  return best_->state.objective < beside.objective;
}

// With a fixed K, other numbers of clusters do not compete.
bool BackgroundSearch::offer(Found found) {
  const BackgroundState& state = found.state;
  if (best_ && plan_.spec.k && best_->state.k() == *plan_.spec.k && state.k() != *plan_.spec.k) return false;
  if (best_ && !(state.objective < best_->state.objective - negligible(state))) return false;
  best_ = std::move(found);
  if (is_ground_all_) journal_.tell_of_result();
  return true;
}

void BackgroundSearch::spread_over_all_rows(const Execution& execution) {
  const bool is_sampled =
      search_weights_ != SearchWeights::as_given || total_weight(ground_.data()) < plan_.total_weight * (1.0 - 1e-9);
  if (is_sampled)
    journal_.forget_evidence();  // it belongs to the sample; different rows with their weights are all rows
  const std::unique_ptr<PartitionPrior> partition = partition_beside(best_->state);
  const std::vector<std::int32_t> nobody(rows_.size(), background_label);
  std::vector<std::int32_t> labels =
      cheapest_labels(execution, rows_, {*best_->components, best_->state.stats, *partition}, nobody);
  if (are_all_outside(labels)) {  // as in keep_clusters
    labels = cheapest_labels(execution, rows_, {*best_->components, best_->state.stats, *clusters_}, nobody);
  }
  best_->state = state_of(execution, problem(rows_, *best_->components), std::move(labels));
  assign_ = {"naive", "rows beside a background are taken one by one"};
}

void BackgroundSearch::sweep_all_rows(const Execution& execution) {
  for (std::size_t sweep = 0; sweep < most_sweeps; ++sweep) {
    const BackgroundState& now = best_->state;
    const std::unique_ptr<PartitionPrior> partition = partition_beside(now);
    std::vector<std::int32_t> labels =
        cheapest_labels(execution, rows_, {*best_->components, now.stats, *partition}, now.labels);
    BackgroundState next = state_of(execution, problem(rows_, *best_->components), std::move(labels));
    const bool is_better = next.k() > 0 && next.objective < now.objective - negligible(now);
    if (!is_better || (plan_.spec.k && next.k() != now.k())) break;
    best_->state = std::move(next);
  }
}

void BackgroundSearch::fit_prior_to_all_rows(const Execution& execution) {
  if (plan_.spec.prior.rule != PriorRule::fitted || best_->prior->numbers().empty()) return;
  FittedPrior fitted = fit_prior(execution, *best_->prior, best_->values, best_->state.stats);
  if (!(fitted.gain > 0.0)) return;
  best_->components = best_->prior->at(fitted.values);
  best_->values = std::move(fitted.values);
  best_->state.objective =
      problem(rows_, *best_->components).objective(best_->state.stats, best_->state.weight_outside);
  sweep_all_rows(execution);
}

// Sweeps may have left clusters lighter than they are allowed to be.
void BackgroundSearch::keep_min_size(const Execution& execution) {
  const Rows rows = rows_inside(best_->state, rows_);
  const std::vector<std::size_t> places = inside(best_->state);
  std::vector<std::int32_t> labels = labels_at(places, best_->state.labels);
  const Units units(rows);
  const std::unique_ptr<PartitionPrior> partition = partition_beside(best_->state);
  Journal unread;
  MaximizationExpectation me(execution, {units, *best_->components, *partition, total_weight(rows.data())}, unread);
  State state = me.from_labels(labels);
  enforce_min_size(me, state, plan_.spec.min_size);
  const std::vector<std::int32_t> kept = state.labels.by_row();
  std::vector<std::int32_t> all = best_->state.labels;
  for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = kept[i];
  best_->state = state_of(execution, problem(rows_, *best_->components), std::move(all));
}

// Clusters by size, statistics and objective from the labels in row order: of what led here, labels alone are left. If
// there is no time for that, they are those that led here.
BackgroundState BackgroundSearch::recomputed(const Execution& execution, BackgroundState state) const {
  const Components& components = *best_->components;
  const std::vector<std::int32_t> place = order_by_size(components, state.stats);
  for (std::int32_t& label : state.labels) {
    if (label != background_label) label = place[static_cast<std::size_t>(label)];
  }
  StatsArena stats(state.k(), state.stats.stats_size());
  for (std::size_t c = 0; c < state.k(); ++c) stats.assign(static_cast<std::size_t>(place[c]), state.stats[c]);
  state.stats = std::move(stats);
  try {
    return state_of(execution, problem(rows_, components), state.labels);
  } catch (const Stopped&) {
    return state;
  }
}

BackgroundState BackgroundSearch::finish() {
  const Execution execution = local_.finishing();
  BackgroundState state = recomputed(execution, std::move(best_->state));
  if (rows_.are_weighted()) {
    const std::unique_ptr<PartitionPrior> partition = partition_beside(state);
    const std::vector<std::int32_t> nobody(rows_.size(), background_label);
    const std::vector<std::int32_t> cheapest =
        cheapest_labels(execution, rows_, {*best_->components, state.stats, *partition}, nobody);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!(rows_.weight(row) > 0.0)) state.labels[row] = cheapest[row];
    }
  }
  journal_.note_evidence(state.k(), state.objective);
  return state;
}

}  // namespace coppice::internal
