// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/soft_bound.hpp"

#include <algorithm>

#include "infer/expectation.hpp"

namespace coppice::internal {

namespace {

constexpr double least_weight = 0.5;  // of a cluster, in rows

// The bound at the posteriors of these statistics, and the statistics of the shares that they give.
struct Step {
  double bound;
  StatsArena next;
};

Step step(const Execution& execution, const Problem& problem, Components& clusters, const StatsArena& stats,
          std::span<const double> others) {
  clusters.update(execution, stats);
  const std::vector<double> offsets = problem.offsets(stats, others);
  std::vector<double> log_weights;
  double divergence = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) {
    log_weights.push_back(-offsets[c]);
    divergence += clusters.kl_to_prior(c) - stats.weight(c) * offsets[c];
  }
  // KL(q(weights) || prior) = -log p(labels) of these sizes - sum_c N_c E[-log weight_c]
  std::vector<double> sizes = stats.weights();
  sizes.insert(sizes.end(), others.begin(), others.end());
  divergence += problem.partition.objective(sizes, problem.total_weight);
  Expectation pass = expectation(execution, problem.units, clusters, log_weights, {.densities = Densities::expected});
  clusters.balance(execution, pass.stats);
  return {divergence - pass.log_likelihood, std::move(pass.stats)};
}

// The heaviest stays, however light: rows may weigh next to nothing, all of them together.
StatsArena without_light(const StatsArena& stats) {
  StatsArena kept(0, stats.stats_size());
  double heaviest = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) heaviest = std::max(heaviest, stats.weight(c));
  for (std::size_t c = 0; c < stats.size(); ++c) {
    if (stats.weight(c) >= std::min(least_weight, heaviest)) kept.append(stats[c]);
  }
  return kept;
}

}  // namespace

SoftClusters soften(const Execution& execution, const Problem& problem, StatsArena start, const SoftLimits& limits,
                    std::span<const double> others) {
  const std::unique_ptr<Components> clusters = problem.components.clone();
  Step now = step(execution, problem, *clusters, start, others);
  SoftClusters best{std::move(start), now.bound};
  for (std::size_t i = 0; i < limits.max_iterations; ++i) {
    throw_if_stopped(execution.stop);
    StatsArena next = without_light(now.next);
    const bool has_lost = next.size() < best.stats.size();
    now = step(execution, problem, *clusters, next, others);
    const double gain = best.bound - now.bound;
    if (gain > 0.0 || has_lost) best = {std::move(next), now.bound};
    if (!has_lost && gain <= limits.tolerance) break;
  }
  return best;
}

}  // namespace coppice::internal
