// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/mixture_search.hpp"

#include <algorithm>
#include <chrono>

#include "coppice/infer/soft_bound.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/heavy_tails.hpp"
#include "structure/enough_rows.hpp"

namespace coppice::internal {

namespace {

constexpr double doubtful_lead = 0.02;  // nats per row: all rows may turn the ranking of a sample
constexpr double lead_of_tails = 0.1;   // over clusters of their kind
constexpr std::size_t most_finalists = 2;

// Without a background the prior is what it is.
std::unique_ptr<PartitionPrior> partition_beside(std::unique_ptr<PartitionPrior> clusters,
                                                 const std::optional<Background>& beside) {
  return beside && beside->weight > 0.0 ? beside_background(std::move(clusters), *beside) : std::move(clusters);
}

// Where rows are shared, or where K is free and its prior is that of a mixture, families and numbers of clusters
// compare by the soft bound, else by the objective of hard labels. Of rows that are not a sample there may be too many
// for that.
bool compares_softly(const MixturePlan& plan, const Rows& searched) {
  constexpr std::size_t most_rows = 10000;
  if (plan.spec.has_start && searched.size() > most_rows) return false;
  if (plan.spec.shares_rows) return true;
  return plan.spec.prior.rule == PriorRule::fitted && plan.spec.partition.name == "dirichlet" && !plan.spec.k &&
         !plan.spec.has_background && !searched.data().is_sparse();
}

}  // namespace

MixtureSearch::MixtureSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal,
                             const std::optional<Background>& beside)
    : MixtureSearch(plan, local, journal, beside,
                    beside ? SearchedRows{different_rows(local.get(), plan)} : rows_to_search(local.get(), plan)) {}

MixtureSearch::MixtureSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal,
                             const std::optional<Background>& beside, SearchedRows searched)
    : plan_(plan),
      local_(local),
      journal_(journal),
      distances_before_(journal.counters().distances),
      is_whole_fit_(!beside),
      partition_(partition_beside(plan.partition->clone(), beside)),
      units_(plan.rows),
      searched_(searched.rows),
      searched_units_(searched_),
      first_(plan.priors.front()->at(plan.priors.front()->starts().front())),
      search_assigner_(make_assigner(searched_units_)),
      me_(local.get(), {searched_units_, *first_, *partition_, plan.total_weight}, journal, *search_assigner_) {
  journal.count_no_lighter(plan.spec.min_size);
  search_in(std::move(searched));
  prepare_seconds_ = watch_.lap();
}

void MixtureSearch::set_over_all_rows(bool is_over) {
  is_over_all_rows_ = is_over;
  journal_.states_are_of_all_rows(is_whole_fit_ && (is_over || are_same_rows_));
  journal_.states_are_results(is_over && is_whole_fit_);
}

bool MixtureSearch::is_short_of_time(std::size_t k) const {
  const std::optional<StopSignal::Clock::time_point> deadline = local_.get().stop.deadline();
  if (!deadline || !is_sampled_ || best_) return false;  // with a result of all rows nothing is left to be kept for
  const std::chrono::duration<double> left = *deadline - StopSignal::Clock::now();
  const double n_comparisons = static_cast<double>(plan_.rows.size()) * static_cast<double>(k);
  return is_time_to_finish(left.count(), {watch_.seconds(), journal_.counters().distances - distances_before_},
                           n_comparisons);
}

bool is_time_to_finish(double seconds_left, const SearchPace& so_far, double n_comparisons) {
  const double per_comparison = so_far.seconds / static_cast<double>(std::max<std::uint64_t>(1, so_far.n_comparisons));
  return seconds_left < std::min(per_comparison * n_comparisons, so_far.seconds);
}

AutoSearchOptions search_options(const MixtureSpec& spec, std::uint64_t restart) {
  AutoSearchOptions options;
  options.limits.k = spec.k;
  if (spec.max_k) options.limits.max_k = *spec.max_k;
  options.limits.min_size = spec.min_size;
  options.limits.seed = spec.seed;
  options.limits.restart = restart;
  options.prior_fit = spec.prior.rule == PriorRule::fitted ? PriorFit::fitted : PriorFit::as_started;
  options.moves = spec.moves;
  return options;
}

const AdjustablePrior& MixtureSearch::prior() const {
  const auto is_its = [&](const auto& prior) { return prior->family() == best_->found.components->family(); };
  const auto tails = std::ranges::find_if(plan_.heavy_tails, is_its);
  return tails != plan_.heavy_tails.end() ? **tails : **std::ranges::find_if(plan_.priors, is_its);
}

void MixtureSearch::run() {
  // The guard sees every report: a sample is given up for all rows while there is time for them.
  journal_.set_guard([this](const State& state) {
    if (!is_over_all_rows_ && is_short_of_time(state.k())) throw Stopped(StopReason::time_limit);
  });
  try {
    for (std::uint64_t restart = 0; restart < plan_.spec.restarts; ++restart) search_once(restart);
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
  }
  journal_.set_guard({});
  if (!best_) take_what_there_is();
  if (reason_ == StopReason::converged) reason_ = best_->found.reason;
}

void MixtureSearch::search_once(std::uint64_t restart) {
  if (!plan_.finds_structure()) return search_all_rows(*plan_.priors.front(), restart, nullptr);
  find_structure(restart);
  journal_.count_as_evidence(true);
  for (const RankedFamily* finalist : finalists()) {
    if (plan_.spec.shares_rows) {
      share_all_rows(finalist->found);
    } else {
      search_all_rows(*finalist->prior, restart, &finalist->found);
    }
  }
}

// The best, and of a sample the next one if all rows may turn their ranking. Clusters with tails are only settled over
// all rows, where those of their kind are searched on: so these need not be as near.
std::vector<const RankedFamily*> MixtureSearch::finalists() const {
  const RankedFamily& best = structures_.front();
  std::vector<const RankedFamily*> finalists{&best};
  if (!is_sampled_) return finalists;
  const std::string& kind = family_entry(best.prior->family()).grows_from;
  for (std::size_t i = 1; i < structures_.size(); ++i) {
    const RankedFamily& next = structures_[i];
    const double behind = next.found.worth() - best.found.worth();
    const bool is_doubtful = i < most_finalists && behind <= doubtful_lead * searched_weight_;
    if (!is_doubtful && !(next.prior->family() == kind && behind <= lead_of_tails * searched_weight_)) continue;
    finalists.push_back(&next);
    break;
  }
  return finalists;
}

void MixtureSearch::find_structure(std::uint64_t restart) {
  set_over_all_rows(false);
  if (!fine_ && plan_.start.empty()) look_from_far_above();
  const bool has_tied_rows = plan_.spec.shares_rows && plan_.spec.assign == AssignRule::kdtree;
  journal_.count_as_evidence(!is_sampled_ && !has_tied_rows);  // over the rows that the result is of
  const double weight = searched_weight_;
  AutoSearchOptions searched_options = search_options(plan_.spec, restart);
  // As much of the sample as such a cluster is of all rows.
  searched_options.limits.min_size *= weight / plan_.total_weight;
  searched_options.limits.moves_single_rows = first_->moves_single_rows();
  const SearchGround ground{*search_assigner_, *partition_, weight, searched_variance_, fine_};
  FamilyContest contest(me_, ground, plan_.priors, searched_options);
  const auto take = [&] {
    structures_ = contest.ranking();
    families_ = contest.results();
  };
  try {
    contest.run(plan_.start);
  } catch (const Stopped&) {
    take();
    throw;
  }
  take();
  try_heavy_tails(contest, ground, searched_options);
  if (is_soft_) rank_softly(ground, searched_options);
}

// If it sees so many clusters that more rows are needed to tell them apart, these are searched.
void MixtureSearch::look_from_far_above() {
  fine_ = fine_start_here();
  if (!is_sampled_ || search_weights_ != SearchWeights::as_given) return;
  std::vector<double> first(searched_.data().is_sparse() ? 0 : searched_.n_columns());
  if (!first.empty()) searched_.copy_row(0, first);  // in content order
  const std::size_t enough = enough_rows(local_.get(), plan_, *fine_, searched_variance_, first);
  if (enough <= searched_.size()) return;
  search_in(rows_to_search(local_.get(), plan_, enough));
  fine_ = fine_start_here();
}

std::shared_ptr<const FineStart> MixtureSearch::fine_start_here() const {
  const AdjustablePrior& prior = plan_.fine ? *plan_.fine : *plan_.priors.front();
  const FineGround ground{searched_units_,
                          prior,
                          *partition_,
                          searched_weight_,
                          plan_.are_numbers_measured ? searched_variance_ : std::vector<double>{},
                          plan_.spec.k};
  return std::make_shared<const FineStart>(fine_start(local_.get(), ground));
}

void MixtureSearch::search_in(SearchedRows searched) {
  searched_ = std::move(searched.rows);
  searched_weight_ = total_weight(searched_.data());
  search_weights_ = searched.weights;
  are_same_rows_ = searched_.size() == plan_.rows.size() && search_weights_ == SearchWeights::as_given;
  is_sampled_ = search_weights_ != SearchWeights::as_given || searched_weight_ < plan_.total_weight * (1.0 - 1e-9);
  is_soft_ = compares_softly(plan_, searched_);
  search_assigner_ = make_assigner(searched_units_);
  me_.use({searched_units_, *first_, *partition_, searched_weight_}, *search_assigner_);
  if (!searched_.data().is_sparse()) searched_variance_ = gaussian_shape(local_.get(), searched_).variance;
  set_over_all_rows(false);
}

void MixtureSearch::try_heavy_tails(const FamilyContest& contest, const SearchGround& ground,
                                    const AutoSearchOptions& options) {
  std::optional<double> leader;
  if (!plan_.are_tails_asked_for) leader = structures_.front().found.state.objective;
  for (const auto& prior : plan_.heavy_tails) {
    const Found* pieces = contest.found(family_entry(prior->family()).grows_from);
    if (pieces == nullptr) continue;
    std::optional<Found> found = find_heavy_tails(me_, ground, *prior, *pieces, options, leader);
    if (!found) continue;
    families_.push_back({std::string(prior->family()), found->state.k(), found->state.objective});
    if (plan_.are_tails_asked_for) structures_.clear();
    const auto place = std::ranges::find_if(
        structures_, [&](const RankedFamily& rank) { return rank.found.state.objective > found->state.objective; });
    structures_.insert(place, RankedFamily{prior.get(), std::move(*found)});
  }
}

// Clusters that are taken as they are: over all rows there are only sweeps.
bool MixtureSearch::is_final(const Found& found) const {
  return (found.soft_bound && are_same_rows_) || found.has_soft_k || search_weights_ != SearchWeights::as_given ||
         found.components->weighs_members();
}

// In the currency of the fit, over all rows.
bool MixtureSearch::is_better(const Found& a, const Found& b) const {
  if (!is_soft_ || plan_.spec.shares_rows) return standing(a.state, plan_.spec.k) < standing(b.state, plan_.spec.k);
  const auto over_all_rows = [&](const Found& found) {
    if (are_same_rows_) return found.worth();
    const Problem problem{units_, *found.components, *partition_, plan_.total_weight};
    return soften(local_.finishing(), problem, found.state.stats, {.max_iterations = 0}).bound;
  };
  return over_all_rows(a) < over_all_rows(b);
}

void MixtureSearch::search_all_rows(const AdjustablePrior& prior, std::uint64_t restart, const Found* structure) {
  const double before = watch_.seconds();
  const std::unique_ptr<Components> family = prior.at(prior.starts().front());
  const std::unique_ptr<Assigner> assigner =
      make_assigner(local_.get(), plan_.rows, *family, {.rule = plan_.spec.assign});
  const std::vector<std::size_t> sample = sample_of(local_.get(), assigner->units());
  prepare_seconds_ += watch_.seconds() - before;

  set_over_all_rows(true);
  AutoSearchOptions all_options = search_options(plan_.spec, restart);
  all_options.limits.sample = sample;
  all_options.has_rivals = plan_.priors.size() > 1;
  Leader leader;
  AutoSearch search(me_, {*assigner, *partition_, plan_.total_weight, {}}, prior, all_options, leader);
  const auto take = [&] {
    if (!search.best()) return;
    Found found = search.best()->copy();
    if (structure != nullptr) {
      found.has_soft_k = structure->has_soft_k;
      found.soft_bound = structure->soft_bound;
    }
    if (!best_ || is_better(found, best_->found)) best_.emplace(Result{std::move(found), assigner->report()});
  };
  try {
    start(search, structure);
  } catch (const Stopped&) {
    take();
    throw;
  }
  take();
}

void MixtureSearch::start(AutoSearch& search, const Found* structure) const {
  if (structure != nullptr) {
    if (is_final(*structure)) return search.settle_from(*structure, are_same_rows_ && !structure->has_soft_k);
    if (!are_same_rows_) return search.continue_from(*structure);
    return search.continue_from(*structure, structure->state.labels.by_row());
  }
  if (plan_.spec.has_start) return search.run_from(plan_.start);
  search.run();
}

// Stopped before all rows were clustered: what the structure makes of them.
void MixtureSearch::take_what_there_is() {
  if (structures_.empty()) throw Stopped(reason_);
  Found found = structures_.front().found.copy();
  if (plan_.spec.shares_rows) {
    evaluate_softly(found);
  } else if (!are_same_rows_ || found.has_soft_k) {  // else it is a state of all rows already
    Journal unread;
    MaximizationExpectation engine(local_.finishing(), {units_, *found.components, *partition_, plan_.total_weight},
                                   unread);
    found.state = engine.from_clusters(found.state.stats, Deaths::allowed);
  }
  best_.emplace(Result{std::move(found), {"naive", "the fit was stopped before all rows were clustered"}});
  if (is_whole_fit_) journal_.tell_of_result();
}

}  // namespace coppice::internal
