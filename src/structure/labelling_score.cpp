// SPDX-License-Identifier: BSD-3-Clause
// What a fit would say of a given labelling: the objective under the best of the competing families, each with its
// prior fitted to that labelling as a search would. Where members are weighed, statistics hang on the prior, and both
// are found in turn.

#include "coppice/structure/labelling_score.hpp"

#include <algorithm>
#include <limits>

#include "coppice/infer/background_moves.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/model/rows_outside.hpp"
#include "coppice/structure/prior_fit.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_fits = 20;  // where members are weighed anew after each
constexpr double enough = 0.1;         // nats: a fit that gains less is the last

// Where fits of a prior start. Clusters take their scale from a grid, which makes the objective wavy in
// the first number, their typical scale: half a wave to either side may be a better valley.
// (Agglomeration has one scale for all.)
std::vector<std::vector<double>> starts_of_fits(const MixturePlan& plan, const AdjustablePrior& prior) {
  std::vector<std::vector<double>> starts = prior.starts();
  if (plan.spec.prior.use == PriorUse::agglomeration) return starts;
  if (prior.numbers().empty() || !(prior.numbers().front().low < prior.numbers().front().high)) return starts;
  for (std::vector<double> start : prior.starts()) {
    start.front() *= 2.0;
    starts.push_back(std::move(start));
  }
  return starts;
}

// The family with its prior fitted to a labelling, if the rule fits it.
std::unique_ptr<Components> fitted_to(const Execution& execution, const MixturePlan& plan, const AdjustablePrior& prior,
                                      const std::vector<double>& start, std::span<const std::int32_t> labels) {
  std::unique_ptr<Components> components = prior.at(start);
  if (plan.spec.prior.rule != PriorRule::fitted || prior.numbers().empty()) return components;
  const std::vector<std::int32_t> all(labels.begin(), labels.end());
  std::vector<double> values = start;
  for (std::size_t n_fits = 0; n_fits < most_fits; ++n_fits) {
    const StatsArena clusters = plan.spec.has_background
                                    ? state_of(execution, {plan.rows, *components, *plan.partition, 0.0}, all).stats
                                    : labelling_statistics(execution, plan.rows, *components, labels);
    FittedPrior fitted = fit_prior(execution, prior, std::move(values), clusters);
    values = std::move(fitted.values);
    components = prior.at(values);
    const bool are_statistics_fixed = !components->weighs_members();
    if (are_statistics_fixed || fitted.gain < enough) break;
  }
  return components;
}

}  // namespace

double score_labelling(const Execution& execution, const MixturePlan& plan, std::span<const std::int32_t> labels) {
  const bool has_background = plan.spec.has_background;
  const double log_volume = has_background ? log_spanned_volume(plan.rows) : 0.0;
  double best = std::numeric_limits<double>::infinity();
  for (const AdjustablePrior* prior : plan.priors_to_score()) {
    for (const std::vector<double>& start : starts_of_fits(plan, *prior)) {
      const std::unique_ptr<Components> components = fitted_to(execution, plan, *prior, start, labels);
      best = std::min(best,
                      has_background
                          ? labelling_objective(execution, plan.rows, *components, *plan.partition, log_volume, labels)
                          : labelling_objective(execution, plan.rows, *components, *plan.partition, labels));
    }
  }
  return best;
}

}  // namespace coppice::internal
