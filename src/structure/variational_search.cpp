// SPDX-License-Identifier: BSD-3-Clause
// Greedy release under a prior that is fitted in turn with it, for every competing family. Over a front, F of different
// families or priors is not of the same tying: fronts grow where their mixtures need it. So families compare by the
// free energy of all rows at the end, one pass each.

#include "coppice/structure/variational_search.hpp"

#include <algorithm>
#include <utility>

#include "coppice/infer/variational_step.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/structure/prior_fit.hpp"
#include "coppice/structure/stick_fit.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_fits = 5;  // of the prior

std::unique_ptr<PartitionPrior> partition_of(const StickPrior& sticks) {
  return make_sticks(sticks.alpha1, sticks.alpha2);
}

}  // namespace

VariationalSearch::VariationalSearch(const MixturePlan& plan, const VariationalOptions& options, LocalExecution& local,
                                     Journal& journal)
    : plan_(plan), options_(options), local_(local), journal_(journal) {}

void VariationalSearch::run() {
  try {
    for (const auto& prior : plan_.priors) search_family(*prior);
  } catch (const Stopped& stopped) {
    reason_ = stopped.reason();
    take_family(local_.finishing());
    if (!best_) throw;
  }
}

void VariationalSearch::search_family(const AdjustablePrior& prior) {
  const Stopwatch watch;
  if (options_.front) {
    const std::unique_ptr<Components> family = prior.at(prior.starts().front());
    ground_ = std::make_shared<MixtureGround>(local_.get(), plan_.rows, *family, *options_.front);
  } else {
    ground_ = std::make_shared<MixtureGround>(plan_.rows);
  }
  prepare_seconds_ += watch.seconds();
  // A grid tries every start of the prior; a fit finds its way from one.
  const std::size_t n_starts = plan_.spec.prior.rule == PriorRule::grid ? prior.starts().size() : 1;
  for (std::uint64_t restart = 0; restart < plan_.spec.restarts; ++restart) {
    for (std::size_t i = 0; i < n_starts; ++i) {
      search({prior, prior.starts()[i], plan_.spec.partition.sticks}, restart);
    }
  }
  take_family(local_.get());
}

// A search that has had all its iterations leaves the others theirs.
void VariationalSearch::search(Model model, std::uint64_t restart) {
  try {
    Mixture mixture = released(model, {}, restart);
    for (std::size_t n_fits = 0; n_fits < most_fits && refit(model, mixture); ++n_fits) {
      mixture = released(model, mixture.next, restart);
    }
  } catch (const Stopped& stopped) {
    if (stopped.reason() != StopReason::iteration_limit) throw;
    reason_ = stopped.reason();
  }
}

Mixture VariationalSearch::released(const Model& model, const std::optional<StatsArena>& start, std::uint64_t restart) {
  const std::unique_ptr<Components> family = model.prior.at(model.values);
  const std::unique_ptr<PartitionPrior> partition = partition_of(model.sticks);
  const Problem problem{ground_->units(), *family, *partition, plan_.total_weight};
  ReleaseOptions options = options_.release;
  options.stream = restart;
  GreedyRelease release(local_.get(), problem, options, journal_, ground_->front());
  try {
    release.run(start ? *start : first_components(*family));
  } catch (const Stopped&) {
    keep(model, release.mixture());
    throw;
  }
  keep(model, release.mixture());
  return release.mixture();
}

void VariationalSearch::keep(const Model& model, const Mixture& mixture) {
  if (mixture.stats.size() == 0) return;  // stopped before there was one
  if (best_of_family_ && !(mixture.bound < best_of_family_->mixture.bound)) return;
  best_of_family_ =
      VariationalFound{model.prior.at(model.values), partition_of(model.sticks), mixture, mixture.bound, ground_};
}

void VariationalSearch::take_family(const Execution& execution) {
  if (!best_of_family_) return;
  VariationalFound found = std::move(*best_of_family_);
  best_of_family_.reset();
  const std::optional<double> gap = found.mixture.gap;
  found.bound_of_rows = gap ? found.mixture.bound - *gap : bound_of_rows(execution, found);
  const std::string family(found.components->family());
  families_.push_back({family, found.mixture.stats.size(), found.bound_of_rows});
  if (!best_ || found.bound_of_rows < best_->bound_of_rows) best_ = std::move(found);
}

// Where there is no time for a pass over the rows, what the front gives, which is never less.
double VariationalSearch::bound_of_rows(const Execution& execution, const VariationalFound& found) const {
  const Units rows = found.ground->units().untied();
  const Problem problem{rows, *found.components, *found.partition, plan_.total_weight};
  const std::unique_ptr<Components> clusters = found.components->clone();
  try {
    return variational_step(execution, problem, *clusters, found.mixture.stats).bound;
  } catch (const Stopped&) {
    return found.mixture.bound;
  }
}

// With the shares as they are, F changes by the evidence of the statistics, the cost of the tail, and the sticks.
bool VariationalSearch::refit(Model& model, const Mixture& mixture) const {
  if (plan_.spec.prior.rule != PriorRule::fitted) return false;
  FittedPrior fitted{model.values, 0.0};
  if (!model.prior.numbers().empty()) {
    fitted = fit_prior(local_.get(), model.prior, model.values, mixture.next, mixture.tail);
  }
  if (options_.fits_alpha2) {
    const FittedSticks sticks = fit_alpha2(model.sticks, mixture.next.weights(), plan_.total_weight);
    model.sticks = sticks.prior;
    fitted.gain += sticks.gain;
  }
  model.values = fitted.values;
  return is_worth_it(fitted, plan_.total_weight, plan_.rows.n_columns());
}

StatsArena VariationalSearch::first_components(const Components& family) const {
  const Units units = ground_->units().untied();
  if (plan_.start.empty() && ground_->front() != nullptr) {
    StatsArena all(0, family.stats_size());
    all.append(ground_->units().front()->of.stats[0]);
    return all;
  }
  if (plan_.start.empty()) return statistics_of(local_.get(), units, family, one_label(units), 1);
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(plan_.start, k);
  return statistics_of(local_.get(), units, family, labels_of(units, numbered), k);
}

}  // namespace coppice::internal
