// SPDX-License-Identifier: BSD-3-Clause
// Coordinate descent on the variational bound: each step is one pass over the units and gives the bound at the present
// posteriors together with the statistics for the next. best_ and next_ are kept side by side for that reason, as in
// em.cpp.

#include "infer/soft_descent.hpp"

#include <algorithm>
#include <cmath>

namespace coppice::internal {

namespace {

// The heaviest stays, however light: rows may weigh next to nothing, all of them together.
StatsArena without_light(const StatsArena& stats, double least_weight) {
  StatsArena kept(0, stats.stats_size());
  double heaviest = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) heaviest = std::max(heaviest, stats.weight(c));
  for (std::size_t c = 0; c < stats.size(); ++c) {
    if (stats.weight(c) >= std::min(least_weight, heaviest)) kept.append(stats[c]);
  }
  return kept;
}

bool add_up(const StatsArena& stats, double total) {
  constexpr double rounding = 1e-9;
  double sum = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) sum += stats.weight(c);
  return std::abs(sum - total) <= rounding * total;
}

}  // namespace

SoftDescent::SoftDescent(const Execution& execution, const Problem& problem, StatsArena start,
                         std::span<const double> others, const DescentOptions& options)
    : execution_(execution),
      problem_(problem),
      others_(others.begin(), others.end()),
      options_(options),
      clusters_(problem.components.clone()) {
  // Posteriors of other rows, or of clusters that were put together, are a start; but their sizes are no shares of
  // these rows, which is what is to be given back.
  const bool are_counted = others.empty() && !problem.components.weighs_members();
  // Sizes that do not add up to the rows give weights that are none, and what comes out is no bound: it could lie below
  // the true one, and such clusters would never be left again.
  if (are_counted && !add_up(start, problem.total_weight)) start = counted(start);
  Step first = step(start);
  take(std::move(start), std::move(first));
}

// One step on, or, where that makes a cluster too light, with all sizes in proportion.
StatsArena SoftDescent::counted(const StatsArena& start) {
  StatsArena next = step(start).next;
  if (!has_lighter(next, options_.sizes.least) || has_lighter(start, options_.sizes.least)) return next;
  double sum = 0.0;
  for (std::size_t c = 0; c < start.size(); ++c) sum += start.weight(c);
  StatsArena scaled(start.size(), start.stats_size());
  for (std::size_t c = 0; c < start.size(); ++c) {
    problem_.components.add_scaled(scaled[c], start[c], problem_.total_weight / sum);
  }
  return scaled;
}

SoftDescent::Step SoftDescent::step(const StatsArena& stats) {
  VariationalStep step =
      variational_step(execution_, problem_, *clusters_, stats, {.others = others_, .labels = options_.labels});
  distances_ += step.distances;
  return {step.bound, std::move(step.next), std::move(step.labels)};
}

double SoftDescent::advance() {
  throw_if_stopped(execution_.stop);
  if (lose_light_clusters()) return std::numeric_limits<double>::infinity();
  if (is_forbidden(next_)) {
    if (options_.sizes.is_k_free && lose_clusters_below(options_.sizes.least)) {
      return std::numeric_limits<double>::infinity();
    }
    best_.is_held = true;
    return 0.0;
  }
  StatsArena stats = next_;
  Step after = step(stats);
  const double gain = best_.bound - after.bound;
  if (gain > 0.0) take(std::move(stats), std::move(after));
  return gain;
}

bool SoftDescent::lose_light_clusters() {
  if (without_light(next_, options_.least_weight).size() == next_.size()) return false;
  if (lose_clusters_below(options_.least_weight)) return true;
  // Not asked again at every step: only clusters ten times lighter are tried from here on.
  options_.least_weight /= 10.0;
  return false;
}

// What they held goes to the others, if that does not raise the bound.
bool SoftDescent::lose_clusters_below(double weight) {
  StatsArena stats = step(without_light(next_, weight)).next;
  Step after = step(stats);
  const bool is_no_worse = after.bound <= best_.bound && !is_forbidden(stats);
  if (is_no_worse) take(std::move(stats), std::move(after));
  return is_no_worse;
}

bool SoftDescent::is_forbidden(const StatsArena& next) const {
  return has_lighter(next, options_.sizes.least) && !has_lighter(best_.stats, options_.sizes.least);
}

void SoftDescent::take(StatsArena stats, Step step) {
  best_ = {std::move(stats), step.bound, false};
  next_ = std::move(step.next);
  labels_ = std::move(step.labels);
}

}  // namespace coppice::internal
