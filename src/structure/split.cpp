// SPDX-License-Identifier: BSD-3-Clause
// A split is settled between its two halves alone: trial sweeps from every start, then more for the best two, O(n) each
// for n members. Everything else stays, so the gain is a difference of log evidences and of size terms, in closed form.
// That others would gain by sweeps after it is not counted; moves that just miss are what stall_moves.cpp is for.

#include "coppice/structure/split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/infer/single_moves.hpp"
#include "structure/split_starts.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t trial_sweeps = 4;   // for every start
constexpr std::size_t final_sweeps = 50;  // for the best two
constexpr std::size_t n_finalists = 2;

// Two halves of a cluster on their way to convergence.
class Halves {
 public:
  // `others` are the sizes of the clusters that are not split, `together` is the log evidence of the one that is.
  Halves(const Execution& execution, const Problem& problem, std::span<const double> others, const Subset& members,
         double min_weight, double together)
      : execution_(execution),
        problem_(problem),
        members_(members),
        min_weight_(min_weight),
        others_(others),
        together_(together),
        clusters_(problem.components.clone()) {}

  // False if a half is too light.
  bool start(const Plane& plane) {
    Assignment halves = divide(execution_, members_, problem_.components, plane);
    sides_ = std::move(halves.labels);
    stats_ = std::move(halves.stats);
    if (!is_valid(stats_)) return false;
    gain_ = pair_gain(stats_);
    return std::isfinite(gain_);  // the family may find a half impossible
  }

  // Sweeps between the halves while they help, at most n of them.
  void sweep(std::size_t n, SplitWork& work) {
    for (std::size_t i = 0; i < n; ++i) {
      clusters_->update(execution_, stats_);
      Assignment result = assign(execution_, members_, *clusters_, problem_.offsets(stats_, others_), sides_);
      work.distances += result.distances;
      work.node_distances += result.node_distances;
      work.nodes_visited += result.nodes_visited;
      work.rows += members_.size();
      // The halves before this sweep are kept.
      if (result.labels == sides_ || !is_valid(result.stats)) return;
      const double gain = pair_gain(result.stats);
      if (!(gain < gain_)) return;
      gain_ = gain;
      stats_ = std::move(result.stats);
      sides_ = std::move(result.labels);
    }
  }

  // Moves of single members between the halves; not for pieces of a tree.
  void move_singly() {
    const MovingRows rows{members_, sides_.list(), stats_, Deaths::undone, min_weight_, others_};
    if (move_single_rows(execution_, problem_, rows).gained > 0.0) gain_ = pair_gain(stats_);
  }

  [[nodiscard]] double gain() const noexcept { return gain_; }
  [[nodiscard]] Split take(std::size_t cluster) && { return {cluster, std::move(sides_), std::move(stats_), gain_}; }

 private:
  [[nodiscard]] bool is_valid(const StatsArena& halves) const {
    const double lighter = std::min(halves.weight(0), halves.weight(1));
    return lighter > 0.0 && lighter >= min_weight_;
  }
  // Minus the closed-form gain of merging the halves again.
  [[nodiscard]] double pair_gain(const StatsArena& halves) const {
    return together_ - problem_.components.log_evidence(halves[0]) - problem_.components.log_evidence(halves[1]) -
           problem_.partition.merges().pair(halves.weight(0), halves.weight(1));
  }

  const Execution& execution_;
  const Problem& problem_;
  const Subset& members_;
  double min_weight_;
  std::span<const double> others_;
  double together_;
  std::unique_ptr<Components> clusters_;
  Labels sides_;
  StatsArena stats_;
  double gain_ = std::numeric_limits<double>::infinity();
};

// The best split of a subset, its sides in whatever form the subset has.
std::optional<Split> best_split(const Execution& execution, const Problem& problem, const State& state,
                                std::size_t cluster, const Subset& members, std::span<const Plane> starts,
                                const SplitOptions& options, SplitWork& work) {
  std::vector<double> others = state.stats.weights();
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(cluster));
  const double together = problem.components.log_evidence(state.stats[cluster]);
  std::vector<std::unique_ptr<Halves>> tried;
  for (const Plane& plane : starts) {
    throw_if_stopped(execution.stop);
    auto halves = std::make_unique<Halves>(execution, problem, others, members, options.min_weight, together);
    if (!halves->start(plane)) continue;
    halves->sweep(trial_sweeps, work);
    tried.push_back(std::move(halves));
  }
  if (tried.empty()) return std::nullopt;
  const auto is_better = [](const auto& a, const auto& b) { return a->gain() < b->gain(); };
  std::ranges::stable_sort(tried, is_better);
  for (std::size_t i = 0; i < std::min(n_finalists, tried.size()); ++i) {
    tried[i]->sweep(final_sweeps, work);
    if (options.moves_single_rows) tried[i]->move_singly();
  }
  return std::move(**std::ranges::min_element(tried, is_better)).take(cluster);
}

}  // namespace

std::optional<Split> find_split(const Execution& execution, const Problem& problem, const State& state,
                                std::size_t cluster, const Subset& members, const SplitOptions& options,
                                SplitWork& work) {
  if (members.size() < 2) return std::nullopt;
  const std::vector<Plane> starts = split_starts(problem, state.stats[cluster], members, options);
  if (options.goes_down || !members.units().are_in_tree()) {
    return best_split(execution, problem, state, cluster, members, starts, options, work);
  }
  // Where nodes are opened in vain, rows one by one are less work (sweep_choice.hpp).
  const std::vector<std::size_t> list = members.members();
  const Subset rows(Units(members.units().rows()), list);
  std::optional<Split> split = best_split(execution, problem, state, cluster, rows, starts, options, work);
  if (split) split->sides = in_runs(split->sides.list());
  return split;
}

double split_gain(const Problem& problem, const Split& split, std::size_t k) {
  return split.pair_gain - problem.partition.merges().level(problem.total_weight, k + 1);
}

}  // namespace coppice::internal
