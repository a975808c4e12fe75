// SPDX-License-Identifier: BSD-3-Clause
// One cycle of [V] sections 4 to 6, with what docs/errata.md says about it: complete costs with their constants (25),
// the tail's scores by exp(S_{n,T+1}) in closed form (22), and the short form of F, which holds right after the shares
// have been updated (26) and is used nowhere else. The same cycle serves finite mixtures, whose prior knows no tail.

#include "coppice/infer/variational_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "infer/expectation.hpp"

namespace coppice::internal {

// KL(q(weights) || prior) = -log p(labels) of these sizes - sum_c N_c E[-log weight_c], the tail included. Where there
// is none, the total is that of the sizes: those that clusters start from need not add up to the rows, and weights that
// did not add up to one would bound nothing.
MixtureWeights weights_of(const Problem& problem, const StatsArena& stats, const StepScope& scope) {
  std::vector<double> sizes = stats.weights();
  sizes.insert(sizes.end(), scope.others.begin(), scope.others.end());
  const double seen = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  const double of_tail = problem.partition.remainder_offset(sizes, problem.total_weight);
  const double total = std::isfinite(of_tail) ? problem.total_weight : seen;
  MixtureWeights weights{std::vector<double>(stats.size()), problem.partition.objective(sizes, total)};
  problem.partition.offsets(sizes, total, weights.expected_logs);
  for (std::size_t c = 0; c < stats.size(); ++c) {
    // An empty cluster may have no share at all, whose logarithm is -infinity.
    if (stats.weight(c) > 0.0) weights.divergence -= stats.weight(c) * weights.expected_logs[c];
  }
  if (scope.has_tail && std::isfinite(of_tail)) {
    weights.divergence -= std::max(0.0, total - seen) * of_tail;
    weights.expected_logs.push_back(of_tail);
  }
  for (double& entry : weights.expected_logs) entry = -entry;
  return weights;
}

VariationalStep variational_step(const Execution& execution, const Problem& problem, Components& clusters,
                                 const StatsArena& stats, const MixtureWeights& weights, const StepScope& scope) {
  const bool has_tail = weights.expected_logs.size() > stats.size();
  StatsArena all = stats;
  // Statistics of zeros are a cluster that has seen nothing: its posterior is the prior.
  if (has_tail) all.append(std::vector<double>(stats.stats_size(), 0.0));  // at its prior
  clusters.update(execution, all);
  double divergence = weights.divergence;
  for (std::size_t c = 0; c < stats.size(); ++c) divergence += clusters.kl_to_prior(c);
  const bool gives_labels = scope.labels == StepLabels::always || (scope.labels == StepLabels::of_long_passes &&
                                                                   takes_long(problem.units, clusters, stats.size()));
  Expectation pass = expectation(execution, problem.units, clusters, weights.expected_logs,
                                 {.densities = Densities::expected,
                                  .gives_labels = gives_labels,
                                  .n_unlabelled = has_tail ? 1U : 0U,
                                  .portion = scope.portion});
  clusters.balance(execution, pass.stats);
  VariationalStep step{
      divergence - pass.log_likelihood, std::move(pass.stats), {}, std::move(pass.labels), pass.distances};
  if (has_tail) {
    const ConstStatsRef last = step.next[stats.size()];
    // The tail is no component: what it has of the rows is told apart from the others.
    step.tail.assign(last.begin(), last.end());
    step.next.erase(stats.size());
  }
  return step;
}

VariationalStep variational_step(const Execution& execution, const Problem& problem, Components& clusters,
                                 const StatsArena& stats, const StepScope& scope) {
  return variational_step(execution, problem, clusters, stats, weights_of(problem, stats, scope), scope);
}

}  // namespace coppice::internal
