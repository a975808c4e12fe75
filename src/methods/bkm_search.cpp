// SPDX-License-Identifier: BSD-3-Clause
#include "methods/bkm_search.hpp"

#include <algorithm>
#include <chrono>

#include "coppice/data/distinct_sample.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/heavy_tails.hpp"
#include "coppice/structure/rounding.hpp"
#include "coppice/structure/soft_choice.hpp"
#include "methods/bkm_priors.hpp"
#include "methods/check_data.hpp"
#include "methods/family_contest.hpp"
#include "methods/start.hpp"

namespace coppice {

namespace {

constexpr std::size_t most_searched_rows = 10000;  // for structure
constexpr double doubtful_lead = 0.02;             // nats per row: all rows may turn the ranking of a sample
constexpr std::size_t most_finalists = 2;

bool is_searched_for_structure(const BayesianKMeans& method) {
  return method.prior != "paper" && method.search != "paper" && method.family != "uninformative";
}

// Rounded to no grid, or to one so fine that equal values are no chance.
bool has_measured_column(const Execution& execution, const BayesianKMeans& method, const Dataset& data) {
  constexpr double fine = 1e-5;  // of the column's variance
  if (is_discrete(competing_families(method, data).front())) return false;
  const Rows rows(data, fixed_origin(execution, data));
  const std::vector<double> rounding = rounding_variances(execution, rows);
  const std::vector<double> variance = gaussian_shape(execution, rows).variance;
  for (std::size_t column = 0; column < rounding.size(); ++column) {
    if (rounding[column] < fine * variance[column]) return true;
  }
  return false;
}

// Without a background the prior is what it is.
std::unique_ptr<PartitionPrior> partition_beside(std::unique_ptr<PartitionPrior> clusters,
                                                 const std::optional<Background>& beside) {
  return beside && beside->weight > 0.0 ? beside_background(std::move(clusters), *beside) : std::move(clusters);
}

}  // namespace

SearchedRows rows_to_search(const Execution& execution, const BayesianKMeans& method, const Rows& rows) {
  if (!is_searched_for_structure(method) || method.init) return {rows};
  Dataset distinct = distinct_sample(execution, rows.data(), most_searched_rows);
  const std::vector<double> origin(rows.origin().begin(), rows.origin().end());
  const double mean_weight = total_weight(distinct) / static_cast<double>(distinct.n_rows());
  const bool is_heavy =
      !method.outliers && mean_weight > 1.0 + 1e-9 && has_measured_column(execution, method, distinct);
  if (is_heavy) {
    std::vector<double> weights = distinct.weights();
    for (double& weight : weights) weight = std::min(weight / mean_weight, 1.0);
    return {{distinct.with_weights(std::move(weights)), origin}, true};
  }
  if (distinct.n_rows() == rows.size()) return {rows};
  return {{std::move(distinct), origin}};
}

BkmSearch::BkmSearch(const BayesianKMeans& method, const Rows& rows, LocalExecution& local, Journal& journal,
                     const std::optional<Background>& beside)
    : BkmSearch(method, rows, local, journal, beside, rows_to_search(local.get(), method, rows)) {}

BkmSearch::BkmSearch(const BayesianKMeans& method, const Rows& rows, LocalExecution& local, Journal& journal,
                     const std::optional<Background>& beside, SearchedRows searched)
    : method_(method),
      rows_(rows),
      local_(local),
      journal_(journal),
      distances_before_(journal.counters().distances),
      is_whole_fit_(!beside),
      total_weight_(total_weight(rows.data())),
      priors_(make_priors(local.get(), rows, method, competing_families(method, rows.data()))),
      student_(tries_heavy_tails(method, rows.data())
                   ? std::move(make_priors(local.get(), rows, method, {"student"}).front())
                   : nullptr),
      partition_(partition_beside(partition_of(method, std::string(priors_.front()->family())), beside)),
      units_(rows),
      searched_(std::move(searched.rows)),
      has_lighter_copies_(searched.has_lighter_copies),
      are_same_rows_(searched_.size() == rows.size() && !has_lighter_copies_),
      is_sampled_(total_weight(searched_.data()) < total_weight_ * (1.0 - 1e-9)),
      searched_units_(searched_),
      first_(priors_.front()->at(priors_.front()->starts().front())),
      search_assigner_(make_assigner(searched_units_)),
      me_(local.get(), {searched_units_, *first_, *partition_, total_weight(searched_.data())}, journal,
          *search_assigner_) {
  prepare_seconds_ = watch_.lap();
}

void BkmSearch::set_over_all_rows(bool is_over) {
  is_over_all_rows_ = is_over;
  journal_.states_are_results(is_over && is_whole_fit_);
}

bool BkmSearch::is_short_of_time(std::size_t k) const {
  const std::optional<StopSignal::Clock::time_point> deadline = local_.get().stop.deadline();
  if (!deadline || !is_sampled_ || best_) return false;  // with a result of all rows nothing is left to be kept for
  const std::chrono::duration<double> left = *deadline - StopSignal::Clock::now();
  const double n_comparisons = static_cast<double>(rows_.size()) * static_cast<double>(k);
  return is_time_to_finish(left.count(), {watch_.seconds(), journal_.counters().distances - distances_before_},
                           n_comparisons);
}

bool is_time_to_finish(double seconds_left, const SearchPace& so_far, double n_comparisons) {
  const double per_comparison = so_far.seconds / static_cast<double>(std::max<std::uint64_t>(1, so_far.n_comparisons));
  return seconds_left < std::min(per_comparison * n_comparisons, so_far.seconds);
}

AutoSearchOptions search_options(const BayesianKMeans& method, std::uint64_t restart) {
  AutoSearchOptions options;
  if (method.k) options.limits.k = static_cast<std::size_t>(*method.k);
  if (method.max_k) options.limits.max_k = static_cast<std::size_t>(*method.max_k);
  options.limits.min_size = method.min_size;
  options.limits.seed = method.seed;
  options.limits.restart = restart;
  options.prior_fit = method.prior == "auto" ? PriorFit::fitted : PriorFit::as_started;
  options.moves = method.search == "paper" ? Moves::paper : Moves::automatic;
  return options;
}

const AdjustablePrior& BkmSearch::prior() const {
  if (student_ && best_->found.components->family() == student_->family()) return *student_;
  const auto is_its = [&](const auto& prior) { return prior->family() == best_->found.components->family(); };
  return **std::ranges::find_if(priors_, is_its);
}

void BkmSearch::run() {
  journal_.set_guard([this](const State& state) {
    if (!is_over_all_rows_ && is_short_of_time(state.k())) throw Stopped(StopReason::time_limit);
  });
  try {
    for (std::uint64_t restart = 0; restart < method_.restarts; ++restart) search_once(restart);
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
  }
  journal_.set_guard({});
  if (!best_) take_what_there_is();
  if (reason_ == StopReason::converged) reason_ = best_->found.reason;
}

void BkmSearch::search_once(std::uint64_t restart) {
  if (!is_searched_for_structure(method_)) return search_all_rows(*priors_.front(), restart, nullptr);
  journal_.count_as_evidence(!is_sampled_);
  find_structure(restart);
  journal_.count_as_evidence(true);
  const bool is_settled = is_final(structures_.front().found);
  const double limit = structures_.front().found.state.objective + doubtful_lead * total_weight(searched_.data());
  for (std::size_t i = 0; i < std::min(most_finalists, structures_.size()); ++i) {
    const RankedFamily& ranked = structures_[i];
    if (i > 0 && (is_settled || !is_sampled_ || ranked.found.state.objective > limit)) break;
    search_all_rows(*ranked.prior, restart, &ranked.found);
  }
}

void BkmSearch::find_structure(std::uint64_t restart) {
  set_over_all_rows(false);
  const double weight = total_weight(searched_.data());
  AutoSearchOptions searched_options = search_options(method_, restart);
  searched_options.limits.min_size *= weight / total_weight_;
  searched_options.limits.moves_single_rows = first_->moves_single_rows();
  std::vector<double> variance;
  if (!searched_.data().is_sparse()) variance = gaussian_shape(local_.get(), searched_).variance;
  const SearchGround ground{*search_assigner_, *partition_, weight, std::move(variance)};
  FamilyContest contest(me_, ground, priors_, searched_options);
  const auto take = [&] {
    structures_ = contest.ranking();
    families_ = contest.results();
  };
  try {
    contest.run(method_.init ? start_labels(me_.execution(), *method_.init, rows_) : std::vector<std::int32_t>{});
  } catch (const Stopped&) {
    take();
    throw;
  }
  take();
  if (student_) try_heavy_tails(ground, searched_options);
  if (wants_soft_choice()) choose_k_softly(searched_options.limits);
}

void BkmSearch::try_heavy_tails(const SearchGround& ground, const AutoSearchOptions& options) {
  const auto gaussian =
      std::ranges::find_if(structures_, [](const RankedFamily& rank) { return rank.prior->family() == "gaussian"; });
  if (gaussian == structures_.end()) return;
  const bool is_asked_for = method_.family == student_->family();
  std::optional<Found> found = find_heavy_tails(me_, ground, *student_, gaussian->found, options, is_asked_for);
  if (!found) return;
  families_.push_back({std::string(student_->family()), found->state.k(), found->state.objective});
  if (is_asked_for) structures_.clear();
  const auto place = std::ranges::find_if(
      structures_, [&](const RankedFamily& rank) { return rank.found.state.objective > found->state.objective; });
  structures_.insert(place, RankedFamily{student_.get(), std::move(*found)});
}

// Clusters that are taken as they are: over all rows there are only sweeps.
bool BkmSearch::is_final(const Found& found) const {
  return found.has_soft_k || has_lighter_copies_ || found.components->weighs_members();
}

bool BkmSearch::wants_soft_choice() const {
  return method_.prior == "auto" && method_.partition == "dirichlet" && !method_.k && !method_.init &&
         !method_.outliers && !searched_.data().is_sparse() && !structures_.front().found.components->weighs_members();
}

// Changes the winner's number of clusters if the soft bound says so.
void BkmSearch::choose_k_softly(const SearchLimits& limits) {
  Found& winner = structures_.front().found;
  me_.use({searched_units_, *winner.components, *partition_, total_weight(searched_.data())}, *search_assigner_);
  std::optional<SoftChoice> choice = choose_softly(me_, winner.state, limits);
  if (!choice) return;
  winner.state.stats = std::move(choice->stats);
  winner.has_soft_k = true;
}

void BkmSearch::search_all_rows(const AdjustablePrior& prior, std::uint64_t restart, const Found* structure) {
  const double before = watch_.seconds();
  const std::unique_ptr<Components> family = prior.at(prior.starts().front());
  const std::unique_ptr<Assigner> assigner =
      make_assigner(local_.get(), rows_, *family, {.rule = assign_rule(method_.assign)});
  const std::vector<std::size_t> sample = sample_of(local_.get(), assigner->units());
  prepare_seconds_ += watch_.seconds() - before;

  set_over_all_rows(true);
  AutoSearchOptions all_options = search_options(method_, restart);
  all_options.limits.sample = sample;
  all_options.has_rivals = priors_.size() > 1;
  Leader leader;
  AutoSearch search(me_, {*assigner, *partition_, total_weight_, {}}, prior, all_options, leader);
  const auto take = [&] {
    if (!search.best()) return;
    if (best_ && best_->found.state.objective <= search.best()->state.objective) return;
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

void BkmSearch::start(AutoSearch& search, const Found* structure) const {
  if (structure != nullptr) {
    if (is_final(*structure)) return search.settle_from(*structure);
    if (!are_same_rows_) return search.continue_from(*structure);
    return search.continue_from(*structure, structure->state.labels.by_row());
  }
  if (method_.init) return search.run_from(start_labels(me_.execution(), *method_.init, rows_));
  search.run();
}

// Stopped before all rows were clustered: what the structure makes of them.
void BkmSearch::take_what_there_is() {
  if (structures_.empty()) throw Stopped(reason_);
  Found found = structures_.front().found.copy();
  if (!are_same_rows_ || found.has_soft_k) {  // else it is a state of all rows already
    Journal unread;
    MaximizationExpectation engine(local_.finishing(), {units_, *found.components, *partition_, total_weight_}, unread);
    found.state = engine.from_clusters(found.state.stats, Deaths::allowed);
  }
  best_.emplace(Result{std::move(found), {"naive", "the fit was stopped before all rows were clustered"}});
  if (is_whole_fit_) journal_.tell_of_result();
}

}  // namespace coppice
