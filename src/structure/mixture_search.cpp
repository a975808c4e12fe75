// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/mixture_search.hpp"

#include <algorithm>
#include <chrono>

#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/heavy_tails.hpp"
#include "coppice/structure/soft_choice.hpp"

namespace coppice::internal {

namespace {

constexpr double doubtful_lead = 0.02;  // nats per row: all rows may turn the ranking of a sample
constexpr std::size_t most_finalists = 2;

// Without a background the prior is what it is.
std::unique_ptr<PartitionPrior> partition_beside(std::unique_ptr<PartitionPrior> clusters,
                                                 const std::optional<Background>& beside) {
  return beside && beside->weight > 0.0 ? beside_background(std::move(clusters), *beside) : std::move(clusters);
}

}  // namespace

MixtureSearch::MixtureSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal,
                             const std::optional<Background>& beside)
    : MixtureSearch(plan, local, journal, beside, rows_to_search(local.get(), plan)) {}

MixtureSearch::MixtureSearch(const MixturePlan& plan, LocalExecution& local, Journal& journal,
                             const std::optional<Background>& beside, SearchedRows searched)
    : plan_(plan),
      local_(local),
      journal_(journal),
      distances_before_(journal.counters().distances),
      is_whole_fit_(!beside),
      partition_(partition_beside(plan.partition->clone(), beside)),
      units_(plan.rows),
      searched_(std::move(searched.rows)),
      searched_weight_(total_weight(searched_.data())),
      has_lighter_copies_(searched.has_lighter_copies),
      are_same_rows_(searched_.size() == plan.rows.size() && !has_lighter_copies_),
      is_sampled_(searched_weight_ < plan.total_weight * (1.0 - 1e-9)),
      searched_units_(searched_),
      first_(plan.priors.front()->at(plan.priors.front()->starts().front())),
      search_assigner_(make_assigner(searched_units_)),
      me_(local.get(), {searched_units_, *first_, *partition_, searched_weight_}, journal, *search_assigner_) {
  prepare_seconds_ = watch_.lap();
}

void MixtureSearch::set_over_all_rows(bool is_over) {
  is_over_all_rows_ = is_over;
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
  journal_.count_as_evidence(!is_sampled_);
  find_structure(restart);
  journal_.count_as_evidence(true);
  const bool is_settled = is_final(structures_.front().found);
  const double limit = structures_.front().found.state.objective + doubtful_lead * searched_weight_;
  for (std::size_t i = 0; i < std::min(most_finalists, structures_.size()); ++i) {
    const RankedFamily& ranked = structures_[i];
    if (i > 0 && (is_settled || !is_sampled_ || ranked.found.state.objective > limit)) break;
    search_all_rows(*ranked.prior, restart, &ranked.found);
  }
}

void MixtureSearch::find_structure(std::uint64_t restart) {
  set_over_all_rows(false);
  const double weight = searched_weight_;
  AutoSearchOptions searched_options = search_options(plan_.spec, restart);
  searched_options.limits.min_size *= weight / plan_.total_weight;
  searched_options.limits.moves_single_rows = first_->moves_single_rows();
  std::vector<double> variance;
  if (!searched_.data().is_sparse()) variance = gaussian_shape(local_.get(), searched_).variance;
  const SearchGround ground{*search_assigner_, *partition_, weight, std::move(variance)};
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
  if (wants_soft_choice()) choose_k_softly(searched_options.limits);
}

void MixtureSearch::try_heavy_tails(const FamilyContest& contest, const SearchGround& ground,
                                    const AutoSearchOptions& options) {
  for (const auto& prior : plan_.heavy_tails) {
    const Found* pieces = contest.found(family_entry(prior->family()).grows_from);
    if (pieces == nullptr) continue;
    std::optional<Found> found = find_heavy_tails(me_, ground, *prior, *pieces, options, plan_.are_tails_asked_for);
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
  return found.has_soft_k || has_lighter_copies_ || found.components->weighs_members();
}

bool MixtureSearch::wants_soft_choice() const {
  return plan_.spec.prior.rule == PriorRule::fitted && plan_.spec.partition.name == "dirichlet" && !plan_.spec.k &&
         !plan_.spec.has_start && !plan_.spec.has_background && !searched_.data().is_sparse() &&
         !structures_.front().found.components->weighs_members();
}

// Changes the winner's number of clusters if the soft bound says so.
void MixtureSearch::choose_k_softly(const SearchLimits& limits) {
  Found& winner = structures_.front().found;
  me_.use({searched_units_, *winner.components, *partition_, searched_weight_}, *search_assigner_);
  std::optional<SoftChoice> choice = choose_softly(me_, winner.state, limits);
  if (!choice) return;
  winner.state.stats = std::move(choice->stats);
  winner.has_soft_k = true;
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
    const std::optional<std::size_t>& k = plan_.spec.k;
    if (best_ && standing(best_->found.state, k) <= standing(search.best()->state, k)) return;
    best_.emplace(Result{search.best()->copy(), assigner->report()});
    best_->found.has_soft_k = structure != nullptr && structure->has_soft_k;
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
    if (is_final(*structure)) return search.settle_from(*structure);
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
  if (!are_same_rows_ || found.has_soft_k) {  // else it is a state of all rows already
    Journal unread;
    MaximizationExpectation engine(local_.finishing(), {units_, *found.components, *partition_, plan_.total_weight},
                                   unread);
    found.state = engine.from_clusters(found.state.stats, Deaths::allowed);
  }
  best_.emplace(Result{std::move(found), {"naive", "the fit was stopped before all rows were clustered"}});
  if (is_whole_fit_) journal_.tell_of_result();
}

}  // namespace coppice::internal
