// SPDX-License-Identifier: BSD-3-Clause
// The search of auto_search.cpp over again where clusters share rows: moves while they lower the soft bound, a fit of
// the prior, then bolder moves. All moves of a round that do not touch one another are made at once, since each trial
// over everything is a pass over all rows; one by one only if they do not help together. With a fixed K, a merge and a
// split elsewhere are one move.

#include "coppice/structure/soft_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "coppice/structure/prior_fit.hpp"
#include "structure/soft_moves.hpp"

namespace coppice::internal {

namespace {

constexpr double least_gain = 0.01;       // nats, of a move
constexpr double hardly_worse = 0.01;     // nats per row
constexpr double least_fit = 0.5;         // nats, of the prior
constexpr std::size_t most_fits = 3;      // of the prior
constexpr std::size_t most_followed = 3;  // moves that are tried one by one if all together do not help
constexpr SoftLimits few_steps{.max_iterations = 12, .tolerance = 1e-2};
constexpr SoftLimits some_steps{.max_iterations = 40, .tolerance = 1e-2};

class SoftSearch {
 public:
  SoftSearch(const Execution& execution, const SearchGround& ground, const AdjustablePrior& prior,
             const AutoSearchOptions& options, const SoftWatch& watch)
      : execution_(execution),
        ground_(ground),
        prior_(prior),
        options_(options),
        watch_(watch),
        sizes_{options.limits.min_size, !options.limits.k} {}

  [[nodiscard]] SoftFound run(const Found& found) {
    take_prior(found.values);
    take(soft(found.state.stats, {}), "start");
    for (std::size_t n_fits = 0;; ++n_fits) {
      while (options_.limits.k ? exchange() : move()) {
      }
      take(soft(now_.stats, {}), watch_.iterations);
      if (n_fits < most_fits && refit()) continue;
      if (move_boldly()) continue;
      // For the evidence of numbers of clusters next to the one found, too.
      if (!watch_.on_trial || !try_neighbours()) break;
    }
    return std::move(now_);
  }

 private:
  [[nodiscard]] Problem problem() const {
    return {ground_.units(), *now_.components, ground_.partition, ground_.total_weight};
  }
  void take_prior(std::vector<double> values) {
    now_.values = std::move(values);
    now_.components = prior_.at(now_.values);
  }
  [[nodiscard]] SoftClusters soft(StatsArena start, SoftLimits limits) const {
    limits.sizes = sizes_;
    return soften(execution_, problem(), std::move(start), limits);
  }
  void take(SoftClusters clusters, const char* phase) {
    now_.stats = std::move(clusters.stats);
    now_.bound = clusters.bound;
    is_held_ = clusters.is_held;
    if (watch_.on_step) watch_.on_step(now_, phase);
  }

  [[nodiscard]] std::vector<SoftMove> find_moves() {
    throw_if_stopped(execution_.stop);
    return find_soft_moves(execution_, problem(), now_.stats, options_.limits, round_++);
  }

  [[nodiscard]] SoftClusters attempt(StatsArena clusters) const {
    SoftClusters trial = soft(std::move(clusters), some_steps);
    if (watch_.on_trial && is_allowed(trial)) watch_.on_trial(trial.stats.size(), trial.bound);
    return trial;
  }

  // What one cluster more or less would come to; true if that is better, and taken.
  bool try_neighbours() {
    bool has_split = false;
    bool has_merged = false;
    for (const SoftMove& move : find_moves()) {
      if (std::exchange(move.is_split() ? has_split : has_merged, true)) continue;
      if (keep_if_better(after_move(now_.stats, move), move.is_split() ? "split" : "merge")) return true;
    }
    return false;
  }

  // Clusters that are too light are worth nothing, unless those of now are such themselves. Those on the way to it,
  // held at the limit, are mostly a few rows that lie close by chance: they must gain much, or have come to be before.
  [[nodiscard]] bool is_allowed(const SoftClusters& trial) const {
    if (has_lighter(now_.stats, sizes_.least)) return true;
    if (has_lighter(trial.stats, sizes_.least)) return false;
    return !trial.is_held || is_held_ || now_.bound - trial.bound > gain_of_held * ground_.total_weight;
  }

  bool keep_if_better(StatsArena clusters, const char* phase) {
    SoftClusters trial = attempt(std::move(clusters));
    const std::optional<std::size_t>& k = options_.limits.k;
    if (!(trial.bound < now_.bound - least_gain) || trial.stats.size() > options_.limits.max_k) return false;
    if ((k && trial.stats.size() != *k) || !is_allowed(trial)) return false;
    take(std::move(trial), phase);
    return true;
  }

  bool move() {
    moves_ = find_moves();
    const std::vector<SoftMove> helpful = improving(moves_, least_gain);
    return !helpful.empty() && make(helpful);
  }

  // Where neither moves nor fits help: redivisions; then what would nearly help, since the others may give and take
  // once it is made.
  bool move_boldly() {
    if (redivide()) return true;
    return !options_.limits.k && make_one_of(improving(moves_, -hardly_worse * ground_.total_weight));
  }

  bool redivide() {
    return make(
        improving(find_soft_redivisions(execution_, problem(), now_.stats, options_.limits, round_++), least_gain));
  }

  // All moves that do not touch one another; if they do not help together, the best of them.
  bool make(const std::vector<SoftMove>& moves) {
    return (moves.size() > 1 && keep_if_better(after_all(moves), "moves")) || make_one_of(moves);
  }

  bool make_one_of(const std::vector<SoftMove>& moves) {
    for (std::size_t i = 0; i < std::min(moves.size(), most_followed); ++i) {
      const char* phase = moves[i].is_split() ? "split" : moves[i].is_merge() ? "merge" : "redivision";
      if (keep_if_better(after_move(now_.stats, moves[i]), phase)) return true;
    }
    return false;
  }

  // One merge for one split elsewhere. Clusters that have vanished on the way are made up for by splits, at any price.
  bool exchange() {
    const std::vector<SoftMove> moves = find_moves();
    if (now_.stats.size() < *options_.limits.k) return split_anyway(moves);
    std::vector<std::pair<double, std::vector<SoftMove>>> pairs;
    for (const SoftMove& split : moves) {
      for (const SoftMove& merge : moves) {
        if (!split.is_split() || merge.is_split() || merge.first == split.first || *merge.second == split.first)
          continue;
        const double gain = split.gain + merge.gain;
        if (gain < -least_gain) pairs.emplace_back(gain, std::vector{split, merge});
      }
    }
    std::ranges::stable_sort(pairs, {}, [](const auto& pair) { return pair.first; });
    for (std::size_t i = 0; i < std::min(pairs.size(), most_followed); ++i) {
      SoftClusters trial = attempt(after_all(pairs[i].second));
      if (trial.stats.size() != *options_.limits.k || !(trial.bound < now_.bound - least_gain)) continue;
      if (!is_allowed(trial)) continue;
      take(std::move(trial), "exchange");
      return true;
    }
    return false;
  }

  bool split_anyway(const std::vector<SoftMove>& moves) {
    for (const SoftMove& move : moves) {
      if (!move.is_split()) continue;
      SoftClusters trial = attempt(after_move(now_.stats, move));
      if (trial.stats.size() <= now_.stats.size() || has_lighter(trial.stats, sizes_.least)) continue;
      take(std::move(trial), "split");
      return true;
    }
    return false;
  }

  [[nodiscard]] StatsArena after_all(const std::vector<SoftMove>& moves) const {
    StatsArena after = now_.stats;
    std::vector<bool> is_touched(after.size(), false);
    std::vector<std::size_t> gone;
    for (const SoftMove& move : moves) {
      if (is_touched[move.first] || (move.second && is_touched[*move.second])) continue;
      if (!options_.limits.k && move.is_split() && after.size() - gone.size() >= options_.limits.max_k) continue;
      is_touched[move.first] = true;
      after.assign(move.first, move.result[0]);
      if (move.is_split()) {
        after.append(move.result[1]);
        continue;
      }
      is_touched[*move.second] = true;
      if (move.is_redivision()) {
        after.assign(*move.second, move.result[1]);
      } else {
        gone.push_back(*move.second);
      }
    }
    // From the last, so that the numbers of the others stay as they are meanwhile.
    std::ranges::sort(gone, std::greater<>());
    for (const std::size_t cluster : gone) after.erase(cluster);
    return after;
  }

  // With the shares as they are, the bound changes by the evidence of the statistics.
  bool refit() {
    if (options_.prior_fit == PriorFit::as_started || prior_.numbers().empty()) return false;
    FittedPrior fitted = fit_prior(execution_, prior_, now_.values, now_.stats);
    if (fitted.gain <= least_fit) return false;
    take_prior(std::move(fitted.values));
    take(soft(now_.stats, {}), "prior");
    return true;
  }

  const Execution& execution_;
  const SearchGround& ground_;
  const AdjustablePrior& prior_;
  const AutoSearchOptions& options_;
  const SoftWatch& watch_;
  SizeLimit sizes_;
  SoftFound now_;
  bool is_held_ = false;         // these clusters are, at the limit of sizes
  std::vector<SoftMove> moves_;  // that were found last
  std::uint64_t round_ = 0;
};

}  // namespace

double soft_bound_near(const Execution& execution, const SearchGround& ground, const Found& found) {
  const Problem problem{ground.units(), *found.components, ground.partition, ground.total_weight};
  return soften(execution, problem, found.state.stats, few_steps).bound;
}

SoftFound search_softly(const Execution& execution, const SearchGround& ground, const AdjustablePrior& prior,
                        const Found& found, const AutoSearchOptions& options, const SoftWatch& watch) {
  return SoftSearch(execution, ground, prior, options, watch).run(found);
}

}  // namespace coppice::internal
