// SPDX-License-Identifier: BSD-3-Clause
#include "methods/mixture_runs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "coppice/seeding/seed_rows.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "family/unit_scale.hpp"
#include "methods/start.hpp"

namespace coppice {

double mixture_bic(const GaussianMixtureEm& method, std::size_t n_columns, std::size_t k, double objective,
                   double total_weight) {
  const auto d = static_cast<double>(n_columns);
  const auto n_clusters = static_cast<double>(k);
  const double of_one = method.family == "spherical" ? 1.0 : method.family == "diagonal" ? d : d * (d + 1.0) / 2.0;
  const double n_parameters = n_clusters * d + (method.shared_variance ? 1.0 : n_clusters) * of_one +
                              (method.equal_shares ? 0.0 : n_clusters - 1.0);
  return objective + n_parameters / 2.0 * std::log(total_weight);
}

double MixtureRuns::rank(const State& state) const {
  if (method_.k.is_one()) return state.objective;
  return mixture_bic(method_, rows_.n_columns(), state.k(), state.objective, total_weight_);
}

StopReason MixtureRuns::run(std::optional<State>& best) {
  StopReason reason_of_best = StopReason::converged;
  for (std::uint64_t restart = 0; restart < method_.restarts; ++restart) {
    for (std::uint64_t k = method_.k.low; k <= method_.k.high; ++k) {
      State state;
      const StopReason reason = run_once(state, static_cast<std::size_t>(k), restart);
      const bool was_evaluated = !state.progress.phase.empty();
      if (was_evaluated && (!best || rank(state) < rank(*best))) {
        best = std::move(state);
        reason_of_best = reason;
      }
      if (reason == StopReason::cancelled || reason == StopReason::time_limit) return reason;
    }
  }
  return reason_of_best;
}

StopReason MixtureRuns::run_once(State& state, std::size_t k, std::uint64_t restart) {
  try {
    state = engine_.from_labels(first_labels(k, restart));
    engine_.converge(state);
  } catch (const Stopped& stopped) {
    return stopped.reason();
  }
  return StopReason::converged;
}

std::vector<std::int32_t> MixtureRuns::first_labels(std::size_t k, std::uint64_t restart) {
  if (method_.init) return start_labels(execution_, *method_.init, rows_);
  RandomStream random{method_.seed, Purpose::seeding, restart};
  const ScaledRows scaled(rows_, factors());
  const auto chosen = seed_rows(execution_, scaled, k, seeding_options(method_), random);
  return nearest_centres(execution_, scaled, copy_points(rows_, chosen));
}

const std::vector<double>& MixtureRuns::factors() {
  if (factors_) return *factors_;
  factors_.emplace();
  if (method_.family == "spherical") return *factors_;
  for (const double variance : gaussian_shape(execution_, rows_).variance) factors_->push_back(unit_scale(variance));
  if (std::ranges::adjacent_find(*factors_, std::not_equal_to()) == factors_->end()) factors_->clear();
  return *factors_;
}

}  // namespace coppice
