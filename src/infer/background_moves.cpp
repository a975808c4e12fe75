// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/background_moves.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "coppice/assign/naive.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_passes = 20;
constexpr double least_gain = 1e-7;  // nats; less may be rounding

// The partition's part of the objective, with the background's rows.
double outer_part(const BackgroundProblem& problem, std::vector<double> sizes, double weight_outside) {
  double total = weight_outside;
  for (const double size : sizes) total += size;
  if (weight_outside > 0.0) sizes.push_back(weight_outside);
  return problem.clusters.objective(sizes, total) + weight_outside * problem.log_volume;
}

// A row that would rather be on the other side, as things stand before a pass.
struct Proposal {
  std::size_t row = 0;
  std::int32_t to = background_label;
  double change = -least_gain;  // of the objective, as far as the pass can tell
};

// Rows of one cluster, or of the background.
struct Block {
  std::int32_t label;
  std::span<const std::size_t> rows;
};

class RowMoves {
 public:
  RowMoves(const Execution& execution, const BackgroundProblem& problem, BackgroundState& state, double min_size)
      : execution_(execution),
        problem_(problem),
        state_(state),
        min_size_(min_size),
        clusters_(problem.components.clone()),
        buffer_(problem.components.n_columns()) {}

  // False if no row moved.
  bool run_pass() {
    throw_if_stopped(execution_.stop);
    const std::vector<Proposal> proposals = propose();
    if (proposals.empty()) return false;
    if (!(state_.weight_outside > 0.0)) return open_background(proposals);
    const BackgroundState before = state_;
    bool has_moved = false;
    for (const Proposal& proposal : proposals) has_moved = make(proposal) || has_moved;
    if (!has_moved) return false;
    // Sums that rows are taken out of again and again lose digits: anew from the labels.
    state_ = state_of(execution_, problem_, std::move(state_.labels));
    if (state_.objective < before.objective) return true;
    state_ = before;
    return false;
  }

 private:
  [[nodiscard]] std::vector<Proposal> propose() {
    clusters_->update(execution_, state_.stats);
    take_shares();
    std::vector<std::vector<std::size_t>> members(state_.k() + 1);  // the background's last
    for (std::size_t row = 0; row < state_.labels.size(); ++row) {
      if (!(problem_.rows.weight(row) > 0.0)) continue;
      const std::int32_t label = state_.labels[row];
      members[label == background_label ? state_.k() : static_cast<std::size_t>(label)].push_back(row);
    }
    std::vector<Block> blocks;
    for (std::size_t c = 0; c < members.size(); ++c) {
      const std::span<const std::size_t> all(members[c]);
      const std::int32_t label = c == state_.k() ? background_label : static_cast<std::int32_t>(c);
      for (std::size_t first = 0; first < all.size(); first += kernels::panel_rows) {
        blocks.push_back({label, all.subspan(first, std::min(kernels::panel_rows, all.size() - first))});
      }
    }
    std::vector<std::vector<Proposal>> found(blocks.size());
    for_each_task(execution_, {.count = blocks.size()}, [&](std::size_t i) {
      found[i] = blocks[i].label == background_label ? propose_back(blocks[i]) : propose_out(blocks[i]);
    });
    std::vector<Proposal> proposals;
    for (const std::vector<Proposal>& some : found) proposals.insert(proposals.end(), some.begin(), some.end());
    std::ranges::stable_sort(proposals, {}, &Proposal::change);
    return proposals;
  }

  // The background's share is the last, also if it has no rows yet.
  void take_shares() {
    std::vector<double> sizes = state_.stats.weights();
    double total = state_.weight_outside;
    for (const double size : sizes) total += size;
    sizes.push_back(state_.weight_outside);
    shares_ = problem_.clusters.share_table(sizes, total);
    log_remainder_ = problem_.clusters.log_remainder(sizes, total);
  }

  // The first row of a background opens a group, where the prior knows such a thing.
  [[nodiscard]] double log_share_outside(double size) const {
    if (size > 0.0) return shares_->log_share_if(state_.k(), size);
    return std::max(shares_->log_share_if(state_.k(), 0.0), log_remainder_);
  }

  [[nodiscard]] std::vector<Proposal> propose_out(const Block& block) const {
    BlockBuffer buffer(problem_.rows.n_columns());
    RowBlock rows(problem_.rows, block.rows, buffer);
    const auto from = static_cast<std::size_t>(block.label);
    const double size = state_.stats.weight(from);
    if (size < 1.0) return {};  // lighter than a row: it has none to spare
    std::vector<double> here(kernels::panel_stride);
    clusters_->log_held_out(from, rows, here.data());
    const double outside = log_share_outside(state_.weight_outside) - problem_.log_volume;
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      const double weight = problem_.rows.weight(block.rows[i]);
      const double change = here[i] + shares_->log_share_if(from, std::max(0.0, size - weight)) - outside;
      if (change < -least_gain) proposals.push_back({block.rows[i], background_label, change});
    }
    return proposals;
  }

  [[nodiscard]] std::vector<Proposal> propose_back(const Block& block) const {
    BlockBuffer buffer(problem_.rows.n_columns());
    RowBlock rows(problem_.rows, block.rows, buffer);
    std::vector<double> inside(state_.k() * kernels::panel_stride);
    clusters_->log_predictive({}, rows, inside.data());
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      const double weight = problem_.rows.weight(block.rows[i]);
      const double here = log_share_outside(state_.weight_outside - weight) - problem_.log_volume;
      Proposal best{.row = block.rows[i]};
      for (std::size_t c = 0; c < state_.k(); ++c) {
        const double change = here - inside[c * kernels::panel_stride + i] - shares_->log_share(c);
        if (change < best.change) best = {block.rows[i], static_cast<std::int32_t>(c), change};
      }
      if (best.to != background_label) proposals.push_back(best);
    }
    return proposals;
  }

  // A new group costs more than one row may gain: all that want to leave together, or the most eager half of them, ...
  bool open_background(std::span<const Proposal> proposals) {
    const std::vector<std::size_t> rows = free_to_leave(proposals);
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

  // Rows that may leave one after the other: no cluster dies or becomes too light. The others must not hold them back.
  [[nodiscard]] std::vector<std::size_t> free_to_leave(std::span<const Proposal> proposals) const {
    std::vector<double> sizes = state_.stats.weights();
    std::vector<std::size_t> rows;
    for (const Proposal& proposal : proposals) {
      double& size = sizes[static_cast<std::size_t>(state_.labels[proposal.row])];
      const double left = without(size, problem_.rows.weight(proposal.row));
      if (!(left > 0.0) || left < min_size_) continue;
      size = left;
      rows.push_back(proposal.row);
    }
    return rows;
  }

  // Makes the move if it still lowers the objective after those before it.
  bool make(const Proposal& proposal) {
    std::int32_t& label = state_.labels[proposal.row];
    const bool goes_out = proposal.to == background_label;
    const auto cluster = static_cast<std::size_t>(goes_out ? label : proposal.to);
    const double weight = problem_.rows.weight(proposal.row);
    std::vector<double> sizes = state_.stats.weights();
    const double before = outer_part(problem_, sizes, state_.weight_outside);
    const double outside = goes_out ? state_.weight_outside + weight : without(state_.weight_outside, weight);
    sizes[cluster] = goes_out ? without(sizes[cluster], weight) : sizes[cluster] + weight;
    if (!(sizes[cluster] > 0.0) || (goes_out && sizes[cluster] < min_size_)) return false;

    take_row(proposal.row, weight);
    changed_.assign(state_.stats[cluster].begin(), state_.stats[cluster].end());
    if (goes_out) {
      problem_.components.subtract(changed_, row_);
    } else {
      problem_.components.merge(changed_, row_);
    }
    const double evidence = problem_.components.log_evidence(state_.stats[cluster]);
    const double change =
        evidence - problem_.components.log_evidence(changed_) + outer_part(problem_, sizes, outside) - before;
    if (!(change < -least_gain)) return false;
    label = proposal.to;
    state_.stats.assign(cluster, changed_);
    state_.weight_outside = outside;
    return true;
  }

  // What is left of a weight; rounding is nothing.
  static double without(double all, double part) { return all - part > 1e-9 * all ? all - part : 0.0; }

  void take_row(std::size_t row, double weight) {
    row_.assign(problem_.components.stats_size(), 0.0);
    RowBlock block(problem_.rows, {&row, 1}, buffer_);
    problem_.components.add(row_, block, {&weight, 1});
  }

  const Execution& execution_;
  const BackgroundProblem& problem_;
  BackgroundState& state_;
  double min_size_;
  std::unique_ptr<Components> clusters_;
  std::unique_ptr<ShareTable> shares_;  // of the clusters and of the background
  double log_remainder_ = 0.0;
  std::vector<double> row_;
  std::vector<double> changed_;
  BlockBuffer buffer_;
};

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
  RowMoves moves(execution, problem, state, min_size);
  std::size_t n_passes = 0;
  while (n_passes < most_passes && moves.run_pass()) ++n_passes;
  return n_passes > 0;
}

}  // namespace coppice::internal
