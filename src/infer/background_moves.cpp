// SPDX-License-Identifier: BSD-3-Clause
// A background is one group more, of constant density 1 / V: rows in it cost log V each, and the partition prior counts
// it like a cluster while it has rows. Two kinds of moves: clusters dissolve whole, and single rows go out and back.
// For rows a pass first judges all of them against the state as it is, side by side; then it makes the most eager moves
// one after the other, each only if its exact change, worked out anew, still lowers the objective. The first step may
// err, the second may not: F falls with every move that is made.

#include "coppice/infer/background_moves.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "coppice/assign/naive.hpp"
#include "coppice/infer/single_moves.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr double least_gain = 1e-7;  // nats; less may be rounding

// The partition's part of the objective, with the background's rows.
double outer_part(const BackgroundProblem& problem, std::vector<double> sizes, double weight_outside) {
  double total = weight_outside;
  for (const double size : sizes) total += size;
  // An empty background is no group: it costs nothing to have one at hand.
  if (weight_outside > 0.0) sizes.push_back(weight_outside);
  return problem.clusters.objective(sizes, total) + weight_outside * problem.log_volume;
}

// A row that would rather be in the background, as things stand.
struct Proposal {
  std::size_t row = 0;
  double change = -least_gain;  // of the objective, as far as shares can tell
};

// Rows of one cluster.
struct Block {
  std::size_t cluster;
  std::span<const std::size_t> rows;
};

// The first rows of a background. A new group costs more than one row may gain, so that several go together.
class FirstOutside {
 public:
  FirstOutside(const Execution& execution, const BackgroundProblem& problem, BackgroundState& state, double min_size)
      : execution_(execution),
        problem_(problem),
        state_(state),
        min_size_(min_size),
        clusters_(problem.components.clone()) {
    clusters_->update(execution, state.stats);
    take_shares();
  }

  // All that want to leave, or the most eager half of them, ... False if none did.
  bool open() {
    const std::vector<std::size_t> rows = free_to_leave(propose());
    for (std::size_t n = rows.size(); n > 0; n /= 2) {
      std::vector<std::int32_t> labels = state_.labels;
      for (const std::size_t row : std::span(rows).first(n)) labels[row] = background_label;
      BackgroundState opened = state_of(execution_, problem_, std::move(labels));
      if (!(opened.objective < state_.objective - least_gain)) continue;
      state_ = std::move(opened);
      return true;
    }
    return false;
  }

 private:
  // The first row of a background opens a group, where the prior knows such a thing.
  void take_shares() {
    std::vector<double> sizes = state_.stats.weights();
    const double total = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    sizes.push_back(0.0);
    shares_ = problem_.clusters.share_table(sizes, total);
    log_share_outside_ =
        std::max(shares_->log_share_if(state_.k(), 0.0), problem_.clusters.log_remainder(sizes, total));
  }

  [[nodiscard]] std::vector<Proposal> propose() const {
    std::vector<std::vector<std::size_t>> members(state_.k());
    for (std::size_t row = 0; row < state_.labels.size(); ++row) {
      if (problem_.rows.weight(row) > 0.0) members[static_cast<std::size_t>(state_.labels[row])].push_back(row);
    }
    std::vector<Block> blocks;
    for (std::size_t c = 0; c < members.size(); ++c) {
      const std::span<const std::size_t> all(members[c]);
      for (std::size_t first = 0; first < all.size(); first += kernels::panel_rows) {
        blocks.push_back({c, all.subspan(first, std::min(kernels::panel_rows, all.size() - first))});
      }
    }
    std::vector<std::vector<Proposal>> found(blocks.size());
    for_each_task(execution_, {.count = blocks.size()}, [&](std::size_t i) { found[i] = propose_in(blocks[i]); });
    std::vector<Proposal> proposals;
    for (const std::vector<Proposal>& some : found) proposals.insert(proposals.end(), some.begin(), some.end());
    std::ranges::stable_sort(proposals, {}, &Proposal::change);
    return proposals;
  }

  [[nodiscard]] std::vector<Proposal> propose_in(const Block& block) const {
    BlockBuffer buffer(problem_.rows.n_columns());
    RowBlock rows(problem_.rows, block.rows, buffer);
    const double size = state_.stats.weight(block.cluster);
    if (size < 1.0) return {};  // lighter than a row: it has none to spare
    std::vector<double> here(kernels::panel_stride);
    clusters_->log_held_out(block.cluster, rows, here.data());
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      const double left = std::max(0.0, size - problem_.rows.weight(block.rows[i]));
      const double change =
          here[i] + shares_->log_share_if(block.cluster, left) - log_share_outside_ + problem_.log_volume;
      if (change < -least_gain) proposals.push_back({block.rows[i], change});
    }
    return proposals;
  }

  // Rows that may leave one after the other: no cluster dies or becomes too light. The others must not hold them back.
  [[nodiscard]] std::vector<std::size_t> free_to_leave(std::span<const Proposal> proposals) const {
    std::vector<double> sizes = state_.stats.weights();
    std::vector<std::size_t> rows;
    for (const Proposal& proposal : proposals) {
      double& size = sizes[static_cast<std::size_t>(state_.labels[proposal.row])];
      const double left = size - problem_.rows.weight(proposal.row);
      if (!(left > 1e-9 * size) || left < min_size_) continue;
      size = left;
      rows.push_back(proposal.row);
    }
    return rows;
  }

  const Execution& execution_;
  const BackgroundProblem& problem_;
  BackgroundState& state_;
  double min_size_;
  std::unique_ptr<Components> clusters_;
  std::unique_ptr<ShareTable> shares_;  // of the clusters and of the background, which has none yet
  double log_share_outside_ = 0.0;
};

// Rows between clusters and background, and between clusters, as long as the background has any.
bool move_singly(const Execution& execution, const BackgroundProblem& problem, BackgroundState& state,
                 double min_size) {
  const Units units(problem.rows);
  const Subset all(units);
  BackgroundState moved = state;
  RowsOutside outside{problem.log_volume, state.weight_outside};
  const std::vector<double> weights = state.stats.weights();
  const double total = std::accumulate(weights.begin(), weights.end(), state.weight_outside);
  const MovingRows rows{.subset = all,
                        .labels = moved.labels,
                        .stats = moved.stats,
                        .deaths = Deaths::undone,
                        .min_size = min_size,
                        .outside = &outside};
  const SingleMovesMade made = move_single_rows(execution, {units, problem.components, problem.clusters, total}, rows);
  if (!(made.gained > 0.0)) return false;
  moved = state_of(execution, problem, std::move(moved.labels));
  if (!(moved.objective < state.objective)) return false;
  state = std::move(moved);
  return true;
}

// Which clusters dissolve together, and the change of the objective if all of their rows go to the background.
struct Dissolving {
  std::vector<bool> is_chosen;
  double change = 0.0;
};

Dissolving dissolving(const BackgroundProblem& problem, const BackgroundState& state,
                      std::span<const double> log_evidence, std::span<const std::size_t> chosen) {
  Dissolving result{std::vector<bool>(state.k(), false)};
  for (const std::size_t cluster : chosen) result.is_chosen[cluster] = true;
  std::vector<double> kept;
  double outside = state.weight_outside;
  for (std::size_t c = 0; c < state.k(); ++c) {
    if (result.is_chosen[c]) {
      outside += state.stats.weight(c);
      result.change += log_evidence[c];
    } else {
      kept.push_back(state.stats.weight(c));
    }
  }
  result.change +=
      outer_part(problem, kept, outside) - outer_part(problem, state.stats.weights(), state.weight_outside);
  return result;
}

// Of single clusters and of the thinnest together: several pieces of one background may each be denser than all of it.
Dissolving best_dissolving(const Execution& execution, const BackgroundProblem& problem, const BackgroundState& state) {
  const std::vector<double> log_evidence = problem.components.log_evidences(execution, state.stats);
  std::vector<std::size_t> thinnest_first(state.k());
  std::iota(thinnest_first.begin(), thinnest_first.end(), std::size_t{0});
  std::ranges::stable_sort(thinnest_first, {}, [&](std::size_t c) { return log_evidence[c] / state.stats.weight(c); });
  const std::span<const std::size_t> all(thinnest_first);
  Dissolving best;
  const auto consider = [&](std::span<const std::size_t> chosen) {
    Dissolving one = dissolving(problem, state, log_evidence, chosen);
    if (one.change < best.change) best = std::move(one);
  };
  for (std::size_t i = 0; i < all.size(); ++i) consider(all.subspan(i, 1));
  // Only the thinnest n, in order of density: K sets more instead of 2^K. All of them together are left out, one
  // cluster stays.
  for (std::size_t n = 2; n < all.size(); ++n) consider(all.first(n));
  return best;
}

}  // namespace

double BackgroundProblem::objective(const StatsArena& stats, double weight_outside) const {
  double data_part = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) data_part -= components.log_evidence(stats[c]);
  return data_part + outer_part(*this, stats.weights(), weight_outside);
}

BackgroundState state_of(const Execution& execution, const BackgroundProblem& problem,
                         std::vector<std::int32_t> labels) {
  std::vector<std::size_t> inside;
  std::vector<std::int32_t> labels_inside;
  BackgroundState state;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] == background_label) {
      state.weight_outside += problem.rows.weight(row);
    } else {
      inside.push_back(row);
      labels_inside.push_back(labels[row]);
    }
  }
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(labels_inside, k);
  const Units units(problem.rows);
  const StatsArena all = statistics_of_list(execution, Subset(units, inside), problem.components, numbered, k);
  std::vector<std::int32_t> place(k, background_label);
  state.stats = StatsArena(0, problem.components.stats_size());
  for (std::size_t c = 0; c < k; ++c) {
    if (!(all.weight(c) > 0.0)) continue;
    place[c] = static_cast<std::int32_t>(state.stats.size());
    state.stats.append(all[c]);
  }
  state.labels = std::move(labels);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    state.labels[inside[i]] = place[static_cast<std::size_t>(numbered[i])];
  }
  state.objective = problem.objective(state.stats, state.weight_outside);
  return state;
}

double negligible(const BackgroundState& state) {
  const std::vector<double> weights = state.stats.weights();
  return negligible(state.objective, std::accumulate(weights.begin(), weights.end(), state.weight_outside));
}

bool dissolve_clusters(const Execution& execution, const BackgroundProblem& problem, BackgroundState& state) {
  bool has_dissolved = false;
  while (state.k() > 1) {
    throw_if_stopped(execution.stop);
    const Dissolving best = best_dissolving(execution, problem, state);
    if (!(best.change < -negligible(state))) break;
    std::vector<std::int32_t> labels = state.labels;
    for (std::int32_t& label : labels) {
      if (label != background_label && best.is_chosen[static_cast<std::size_t>(label)]) label = background_label;
    }
    state = state_of(execution, problem, std::move(labels));
    has_dissolved = true;
  }
  return has_dissolved;
}

bool move_rows(const Execution& execution, const BackgroundProblem& problem, BackgroundState& state, double min_size) {
  if (!problem.components.moves_single_rows()) return false;
  const bool has_opened = !(state.weight_outside > 0.0) && FirstOutside(execution, problem, state, min_size).open();
  if (!(state.weight_outside > 0.0)) return false;
  return move_singly(execution, problem, state, min_size) || has_opened;
}

}  // namespace coppice::internal
