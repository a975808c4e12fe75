// SPDX-License-Identifier: BSD-3-Clause
#include "methods/mixture_runs.hpp"

#include <cmath>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/seeding/seed_rows.hpp"
#include "methods/start.hpp"

namespace coppice {

namespace {

// Every row with the nearest of some centres, given less the origin.
std::vector<std::int32_t> nearest_centres(const Execution& execution, const Rows& rows,
                                          std::span<const double> centres) {
  FamilyAdapter<Centroid> clusters{Centroid(rows.n_columns())};
  clusters.update(centre_statistics(centres, rows.n_columns()));
  const std::vector<double> offsets(clusters.size(), 0.0);
  const std::vector<std::int32_t> nobody(rows.size(), -1);
  return assign_naive(execution, Part(Units(rows)), clusters, offsets, nobody).labels.by_row();
}

}  // namespace

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

std::vector<std::int32_t> MixtureRuns::first_labels(std::size_t k, std::uint64_t restart) const {
  if (method_.init && !is_centres(*method_.init, rows_)) return start_labels(*method_.init, rows_);
  if (method_.init) return nearest_centres(execution_, rows_, start_centres(*method_.init, rows_));
  const SeedingOptions seeding{.rule = seeding_rule(method_.seeding),
                               .candidates = static_cast<std::size_t>(method_.seeding_candidates),
                               .chain_length = static_cast<std::size_t>(method_.chain_length)};
  RandomStream random{method_.seed, Purpose::seeding, restart};
  return nearest_centres(execution_, rows_, copy_points(rows_, seed_rows(execution_, rows_, k, seeding, random)));
}

}  // namespace coppice
