// SPDX-License-Identifier: BSD-3-Clause
// The greedy algorithm of [V] section 7, with what it leaves open settled (docs/methods/vdp.md). A round draws
// candidates by size, tries a cut of each by partial updates, and follows the best by full updates over everything; it
// is kept if the free energy falls by more than epsilon. Families of different numbers of components are nested, so
// that F compares; over a front only on the same front (docs/errata.md, 28), which refresh() sees to. The paper halts
// when ten drawn candidates fail, and with more components small ones are then never tried; here every component fails
// once before the search ends, unless halts_at_once asks for the paper's rule. Sticks go by size in any case (erratum
// 27), so that nothing is reordered.

#include "coppice/structure/greedy_release.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "coppice/infer/variational_step.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "structure/release_trial.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_candidates = 10;   // of a round
constexpr std::size_t most_followed = 3;      // trials of a round whose partial updates do not gain enough
constexpr std::size_t heavy_units = 65536;    // of a component whose trial takes all threads
constexpr double tolerance_on_the_way = 0.1;  // as a share of epsilon
constexpr double share_of_lead = 1e-2;        // of what a release gains: updates on the way gain at least that
constexpr double most_cycles_to_come = 30.0;  // of a release that does not gain enough yet
constexpr double least_weight = 0.5;          // of a component that is not idle, in rows

StatsArena released(const StatsArena& mixture, const StatsArena& halves, std::size_t component) {
  StatsArena after = mixture;
  after.assign(component, halves[0]);
  after.append(halves[1]);
  return after;
}

std::vector<ReleaseTrial> try_all(const Execution& execution, const Problem& problem, const StatsArena& mixture,
                                  std::span<const std::size_t> candidates) {
  const std::vector<SharedRows> shared = shared_rows(execution, problem, mixture, least_share_in_trials);
  std::vector<std::optional<ReleaseTrial>> found(candidates.size());
  const auto is_heavy = [&](std::size_t i) { return shared[candidates[i]].rows.size() >= heavy_units; };
  LocalExecution alone(1, execution.stop);
  for_each_task(execution, {.count = found.size()}, [&](std::size_t i) {
    if (!is_heavy(i)) found[i] = try_release(alone.get(), problem, mixture, candidates[i], shared[candidates[i]]);
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_heavy(i)) found[i] = try_release(execution, problem, mixture, candidates[i], shared[candidates[i]]);
  }
  std::vector<ReleaseTrial> trials;
  for (std::optional<ReleaseTrial>& trial : found) {
    if (trial) trials.push_back(std::move(*trial));
  }
  std::ranges::stable_sort(trials, {}, &ReleaseTrial::change);
  return trials;
}

}  // namespace

GreedyRelease::GreedyRelease(const Execution& execution, const Problem& problem, const ReleaseOptions& options,
                             Journal& journal, GrowingFront* front)
    : execution_(execution),
      problem_(problem),
      options_(options),
      journal_(journal),
      front_(front),
      clusters_(problem.components.clone()) {
  journal.set_model(problem.components, problem.partition);
}

Mixture GreedyRelease::at(StatsArena stats) {
  const bool are_wanted = front_ != nullptr || journal_.has_observer();
  VariationalStep step = variational_step(execution_, problem_, *clusters_, stats,
                                          {.labels = are_wanted ? StepLabels::always : StepLabels::of_long_passes});
  journal_.counters().distances += step.distances;
  if (!std::isfinite(step.bound)) {
    throw NumericError(fmt::format("iteration {}: the free energy of {} components is not finite; rescale the columns",
                                   journal_.iterations(), stats.size()));
  }
  return {std::move(stats),
          step.bound,
          std::move(step.next),
          std::move(step.tail),
          labels_by_unit(problem_.units, std::move(step.labels)),
          front_ == nullptr ? std::optional(0.0) : std::nullopt};
}

void GreedyRelease::show(const Mixture& mixture, const char* phase) {
  // What is shown never rises, whatever was tried in between.
  if (is_last_look_ || !(mixture.bound < reported_)) return;
  reported_ = mixture.bound;
  State state{mixture.labels, mixture.stats, mixture.bound, {}, {}};
  journal_.report(state, phase);
}

double GreedyRelease::advance(Mixture& mixture, const char* phase) {
  throw_if_stopped(execution_.stop);
  journal_.check_iterations();
  Mixture after = at(mixture.next);
  journal_.count_iteration();
  const double gain = mixture.bound - after.bound;
#ifdef COPPICE_ASSERTIONS
  if (-gain > 1e-9 * (1.0 + std::abs(mixture.bound))) {
    throw NumericError(fmt::format("iteration {} raised the free energy from {:.17g} to {:.17g}", journal_.iterations(),
                                   mixture.bound, after.bound));
  }
#endif
  if (gain > 0.0) mixture = std::move(after);  // less is rounding
  mixture.last_gain = std::max(0.0, gain);
  if (gain > 0.0) show(mixture, phase);
  return mixture.last_gain;
}

void GreedyRelease::update(Mixture& mixture, double tolerance) {
  while (advance(mixture, "update") > tolerance) {
  }
}

void GreedyRelease::run(StatsArena start) {
  journal_.begin_search();
  now_ = at(std::move(start));
  show(now_, "start");
  update(now_, tolerance_on_the_way * options_.epsilon);
  while (release()) {
  }
  if (options_.accepts_any) {
    return_to_best();
    drop_idle();
    options_.accepts_any = false;
    while (release()) {
    }
  }
  do {
    update(now_, options_.tolerance);
    drop_idle();
  } while (open_for_gain(now_) || open_to_budget(now_));
}

bool GreedyRelease::release_among(const TrialUnits& least) {
  std::vector<bool> has_failed(now_.stats.size(), false);
  while (now_.stats.size() < options_.max_components) {
    const std::vector<std::size_t> candidates = draw(has_failed);
    if (candidates.empty()) return false;
    (void)open_for_trials(candidates, least);
    journal_.counters().splits_tried += candidates.size();
    const std::vector<ReleaseTrial> trials = try_all(execution_, problem_, now_.stats, candidates);
    for (const ReleaseTrial& trial : trials) journal_.counters().distances += trial.distances;
    const std::size_t n_followed = options_.halts_at_once ? 1 : most_followed;
    for (std::size_t i = 0; i < std::min(n_followed, trials.size()); ++i) {
      if (follow(trials[i].halves, trials[i].component)) return true;
    }
    if (options_.halts_at_once) return false;
    for (const std::size_t component : candidates) has_failed[component] = true;
  }
  return false;
}

void GreedyRelease::take(Mixture mixture) {
  if (mixture.bound > now_.bound) {
    if (best_) renew(*best_);
    if (!best_ || now_.bound < best_->bound) best_ = now_;
  }
  now_ = std::move(mixture);
}

// The front has grown since it was there, and is to be opened for it.
void GreedyRelease::return_to_best() {
  if (!best_) return;
  renew(*best_);
  if (best_->bound < now_.bound) now_ = std::move(*best_);
  best_.reset();
}

bool GreedyRelease::follow(const StatsArena& halves, std::size_t component) {
  // What a trial leaves behind need not add up to the rows; what follows from it does.
  // Two steps: shares of all rows out of the trial's clusters, then the free energy at those.
  Mixture after = at(at(released(now_.stats, halves, component)).next);
  try {
    settle(after);
  } catch (const Stopped&) {
    if (after.bound < now_.bound) now_ = std::move(after);
    throw;
  }
  if (!is_last_look_) journal_.note_evidence(after.stats.size(), after.bound);
  if (!options_.accepts_any && !(after.bound < now_.bound - options_.epsilon)) return false;
  take(std::move(after));
  show(now_, "release");
  ++journal_.counters().splits_accepted;
  if (!options_.accepts_any) drop_idle();
  return true;
}

// What gains too little to stay soon is given up; what would stay is looked at more closely, as is what it is compared
// with. On the way a mixture need not settle: what it still gains by itself will be gained with more components, too.
void GreedyRelease::settle(Mixture& released) {
  const double enough = tolerance_on_the_way * options_.epsilon;
  const double wanted = options_.accepts_any ? std::numeric_limits<double>::infinity() : now_.bound - options_.epsilon;
  const auto least_gain = [&] {
    const double missing = released.bound - wanted;
    const double lead = now_.bound - released.bound;
    return std::max({enough, missing / most_cycles_to_come, share_of_lead * lead});
  };
  while (released.last_gain > least_gain()) (void)advance(released, "release");
  if (!(released.bound < wanted)) return;
  while (open_for_gain(released) || open_by_sample(released)) {
    do {
      (void)advance(released, "release");
    } while (released.last_gain > least_gain());
  }
  catch_up(released.bound);
}

// As far as it takes to tell.
void GreedyRelease::catch_up(double released) {
  if (front_ != nullptr) renew(now_);
  const double enough = tolerance_on_the_way * options_.epsilon;
  const auto is_told = [&] {
    const double lead = now_.bound - options_.epsilon - released;
    return !options_.accepts_any && most_cycles_to_come * now_.last_gain < lead;
  };
  while (now_.last_gain > enough && !is_told()) (void)advance(now_, "update");
}

// Up to ten of those that have not failed, without replacement, in proportion to their sizes.
std::vector<std::size_t> GreedyRelease::draw(const std::vector<bool>& has_failed) {
  std::vector<std::size_t> open;
  for (std::size_t c = 0; c < has_failed.size(); ++c) {
    if (!has_failed[c] && now_.stats.weight(c) >= 2.0 * least_weight) open.push_back(c);
  }
  // All of them: there is nothing to be drawn.
  if (open.size() <= most_candidates) return open;
  RandomStream random{options_.seed, Purpose::split, (options_.stream << 32U) + n_draws_++};
  std::vector<std::size_t> drawn;
  while (drawn.size() < most_candidates) {
    double total = 0.0;
    for (const std::size_t c : open) total += now_.stats.weight(c);
    double left = random.uniform() * total;
    auto at = open.begin();
    // The last one takes what rounding leaves.
    while (at + 1 != open.end() && left >= now_.stats.weight(*at)) left -= now_.stats.weight(*at++);
    drawn.push_back(*at);
    open.erase(at);
  }
  std::ranges::sort(drawn);
  return drawn;
}

// A component that holds next to nothing is as good as at its prior, where it adds nothing to F.
void GreedyRelease::drop_idle() {
  StatsArena kept(0, now_.stats.stats_size());
  for (std::size_t c = 0; c < now_.stats.size(); ++c) {
    if (now_.stats.weight(c) >= least_weight) kept.append(now_.stats[c]);
  }
  if (kept.size() == now_.stats.size() || kept.size() == 0) return;
  Mixture after = at(std::move(kept));
  if (after.bound > now_.bound) update(after, tolerance_on_the_way * options_.epsilon);
  if (after.bound <= now_.bound + negligible(now_.bound, problem_.total_weight)) now_ = std::move(after);
}

}  // namespace coppice::internal
