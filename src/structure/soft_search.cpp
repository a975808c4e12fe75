// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/soft_search.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/structure/prior_fit.hpp"
#include "structure/soft_moves.hpp"

namespace coppice::internal {

namespace {

constexpr double least_gain = 0.01;       // nats, of a move
constexpr double least_fit = 0.5;         // nats, of the prior
constexpr std::size_t most_fits = 3;      // of the prior
constexpr std::size_t most_followed = 3;  // moves that are tried one by one if all together do not help
constexpr SoftLimits few_steps{.max_iterations = 12, .tolerance = 1e-2};
constexpr SoftLimits some_steps{.max_iterations = 40, .tolerance = 1e-2};

class SoftSearch {
 public:
  SoftSearch(const Execution& execution, const SearchGround& ground, const AdjustablePrior& prior,
             const AutoSearchOptions& options)
      : execution_(execution), ground_(ground), prior_(prior), options_(options) {}

  [[nodiscard]] SoftFound run(const Found& found) {
    take_prior(found.values);
    now_ = soft(found.state.stats, {});
    for (std::size_t n_fits = 0;; ++n_fits) {
      while (move()) {
      }
      now_ = soft(now_.stats, {});
      if (n_fits == most_fits || !refit()) break;
    }
    return {std::move(now_.stats), now_.bound, std::move(values_), std::move(components_)};
  }

 private:
  [[nodiscard]] Problem problem() const {
    return {ground_.units(), *components_, ground_.partition, ground_.total_weight};
  }
  void take_prior(std::vector<double> values) {
    values_ = std::move(values);
    components_ = prior_.at(values_);
  }
  [[nodiscard]] SoftClusters soft(StatsArena start, const SoftLimits& limits) const {
    return soften(execution_, problem(), std::move(start), limits);
  }

  bool keep_if_better(StatsArena clusters) {
    SoftClusters trial = soft(std::move(clusters), some_steps);
    if (!(trial.bound < now_.bound - least_gain) || trial.stats.size() > options_.limits.max_k) return false;
    now_ = std::move(trial);
    return true;
  }

  // All moves that help and do not touch one another; if they do not help together, the best of them.
  bool move() {
    throw_if_stopped(execution_.stop);
    const std::vector<SoftMove> moves =
        improving_soft_moves(execution_, problem(), now_.stats, options_.limits, round_++, least_gain);
    if (moves.empty()) return false;
    if (moves.size() > 1 && keep_if_better(after_all(moves))) return true;
    for (std::size_t i = 0; i < std::min(moves.size(), most_followed); ++i) {
      if (keep_if_better(after_move(now_.stats, moves[i]))) return true;
    }
    return false;
  }

  [[nodiscard]] StatsArena after_all(const std::vector<SoftMove>& moves) const {
    StatsArena after = now_.stats;
    std::vector<bool> is_touched(after.size(), false);
    std::vector<std::size_t> gone;
    for (const SoftMove& move : moves) {
      if (is_touched[move.first] || (move.second && is_touched[*move.second])) continue;
      if (move.is_split() && after.size() - gone.size() >= options_.limits.max_k) continue;
      is_touched[move.first] = true;
      after.assign(move.first, move.result[0]);
      if (move.is_split()) {
        after.append(move.result[1]);
      } else {
        is_touched[*move.second] = true;
        gone.push_back(*move.second);
      }
    }
    std::ranges::sort(gone, std::greater<>());
    for (const std::size_t cluster : gone) after.erase(cluster);
    return after;
  }

  // With the shares as they are, the bound changes by the evidence of the statistics.
  bool refit() {
    if (options_.prior_fit == PriorFit::as_started || prior_.numbers().empty()) return false;
    FittedPrior fitted = fit_prior(execution_, prior_, values_, now_.stats);
    if (fitted.gain <= least_fit) return false;
    take_prior(std::move(fitted.values));
    now_ = soft(std::move(now_.stats), {});
    return true;
  }

  const Execution& execution_;
  const SearchGround& ground_;
  const AdjustablePrior& prior_;
  const AutoSearchOptions& options_;
  std::vector<double> values_;
  std::unique_ptr<Components> components_;
  SoftClusters now_;
  std::uint64_t round_ = 0;
};

}  // namespace

double soft_bound_near(const Execution& execution, const SearchGround& ground, const Found& found) {
  const Problem problem{ground.units(), *found.components, ground.partition, ground.total_weight};
  return soften(execution, problem, found.state.stats, few_steps).bound;
}

SoftFound search_softly(const Execution& execution, const SearchGround& ground, const AdjustablePrior& prior,
                        const Found& found, const AutoSearchOptions& options) {
  return SoftSearch(execution, ground, prior, options).run(found);
}

}  // namespace coppice::internal
