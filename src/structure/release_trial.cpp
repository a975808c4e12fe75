// SPDX-License-Identifier: BSD-3-Clause
#include "structure/release_trial.hpp"

#include <algorithm>
#include <numeric>

#include "coppice/infer/variational_step.hpp"
#include "structure/split_starts.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_updates = 40;
constexpr double least_gain_of_update = 1e-2;  // nats: an update that gains less is the last
constexpr double share_of_change = 1e-3;       // of F so far: an update that gains less is the last, too
constexpr double least_mass = 1e-3;            // of a half, in rows

bool are_left(const StatsArena& parts) {
  const std::vector<double> weights = parts.weights();
  return std::ranges::all_of(weights, [](double weight) { return weight > least_mass; });
}

class PartialUpdates {
 public:
  PartialUpdates(const Execution& execution, const Problem& problem, const StatsArena& mixture, std::size_t component,
                 const Portion& has)
      : execution_(execution),
        inside_{problem.units, problem.components, problem.partition, problem.total_weight},
        clusters_(problem.components.clone()),
        scope_{.portion = has, .has_tail = false} {
    for (std::size_t c = 0; c < mixture.size(); ++c) {
      if (c != component) others_.push_back(mixture.weight(c));
    }
    scope_.others = others_;
    // Shares that were left out are no one's, not the tail's.
    const double shared = std::accumulate(has.masses.begin(), has.masses.end(), 0.0);
    inside_.total_weight -= std::max(0.0, mixture.weight(component) - shared);
  }
  PartialUpdates(const PartialUpdates&) = delete;
  PartialUpdates& operator=(const PartialUpdates&) = delete;

  // The free energy at the end, but for what stays as it is; `parts` are what they have become, as long as all of them
  // have anything. Updates go on while they count beside what has changed since `before`.
  double run(StatsArena& parts, std::size_t n_updates, double before = 0.0) {
    VariationalStep now = step(parts);
    for (std::size_t i = 0; i < n_updates; ++i) {
      throw_if_stopped(execution_.stop);
      StatsArena next = std::move(now.next);
      // A half that dies leaves one component, which is what there was.
      if (!are_left(next)) break;
      VariationalStep after = step(next);
      const double gain = now.bound - after.bound;
      if (gain > 0.0) parts = std::move(next);
      now.next = std::move(after.next);
      now.bound = std::min(now.bound, after.bound);
      if (gain <= std::max(least_gain_of_update, share_of_change * std::abs(before - now.bound))) break;
    }
    return now.bound;
  }
  [[nodiscard]] std::uint64_t distances() const noexcept { return distances_; }

 private:
  [[nodiscard]] VariationalStep step(const StatsArena& parts) {
    VariationalStep step = variational_step(execution_, inside_, *clusters_, parts, scope_);
    distances_ += step.distances;
    return step;
  }

  const Execution& execution_;
  Problem inside_;
  std::unique_ptr<Components> clusters_;
  std::vector<double> others_;
  StepScope scope_;
  std::uint64_t distances_ = 0;
};

}  // namespace

std::optional<ReleaseTrial> try_release(const Execution& execution, const Problem& problem, const StatsArena& mixture,
                                        std::size_t component, const SharedRows& has) {
  if (has.rows.size() < 2) return std::nullopt;
  const Portion portion = has.portion();
  const Plane plane = principal_plane(problem, mixture[component], portion, problem.components.column_lengths());
  StatsArena halves = divide(execution, problem.units, portion, problem.components, plane);
  if (!are_left(halves)) return std::nullopt;
  StatsArena whole(1, halves.stats_size());
  whole.assign(0, halves[0]);
  problem.components.merge(whole[0], halves[1]);
  PartialUpdates updates(execution, problem, mixture, component, portion);
  // Both sides of the comparison share out the same masses beside the same others: what is left out of them cancels.
  const double before = updates.run(whole, 0);
  const double after = updates.run(halves, most_updates, before);
  return ReleaseTrial{component, std::move(halves), after - before, updates.distances()};
}

}  // namespace coppice::internal
