// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/single_moves.hpp"

#include <algorithm>

#include "coppice/assign/naive.hpp"

namespace coppice {

namespace {

constexpr std::size_t most_passes = 20;
constexpr double least_gain = 1e-7;  // nats; less may be rounding

struct Proposal {
  std::size_t position = 0;
  std::int32_t to = -1;
  double change = -least_gain;  // of the objective, as far as the pass can tell
};

// Some members of one cluster.
struct Block {
  std::size_t cluster;
  std::span<const std::size_t> positions;
};

class SingleMoves {
 public:
  SingleMoves(const Execution& execution, const Problem& problem, const MovingRows& rows, std::size_t k)
      : execution_(execution),
        problem_(problem),
        rows_(rows),
        k_(k),
        clusters_(problem.components.clone()),
        buffer_(problem.components.n_columns()) {}

  double run() {
    double gained = 0.0;
    for (std::size_t pass = 0; pass < most_passes; ++pass) {
      throw_if_stopped(execution_.stop);
      const double of_pass = run_pass();
      gained += of_pass;
      if (!(of_pass > 0.0)) break;
    }
    return gained;
  }

 private:
  double run_pass() {
    log_evidence_.clear();
    for (std::size_t c = 0; c < rows_.stats.size(); ++c) {
      log_evidence_.push_back(problem_.components.log_evidence(rows_.stats[c]));
    }
    double gained = 0.0;
    for (const Proposal& proposal : propose()) gained += make(proposal);
    return gained;
  }

  // Rows that would rather be elsewhere as things stand, the most eager first.
  [[nodiscard]] std::vector<Proposal> propose() {
    clusters_->update(rows_.stats);
    log_shares_.clear();
    for (std::size_t c = 0; c < rows_.stats.size(); ++c) log_shares_.push_back(log_share(rows_.stats.weight(c)));
    std::vector<std::vector<std::size_t>> members(rows_.stats.size());
    for (std::size_t i = 0; i < rows_.labels.size(); ++i) {
      if (!(problem_.units.weight(rows_.part.unit(i)) > 0.0)) continue;  // in any cluster, maybe one without weight
      members[static_cast<std::size_t>(rows_.labels[i])].push_back(i);
    }
    std::vector<Block> blocks;
    for (std::size_t c = 0; c < members.size(); ++c) {
      const std::span<const std::size_t> of_cluster(members[c]);
      for (std::size_t first = 0; first < of_cluster.size(); first += kernels::panel_rows) {
        blocks.push_back({c, of_cluster.subspan(first, std::min(kernels::panel_rows, of_cluster.size() - first))});
      }
    }
    std::vector<std::vector<Proposal>> found(blocks.size());
    execution_.pool.run(blocks.size(),
                        [&](std::size_t i, std::size_t /*worker*/) { found[i] = propose_in(blocks[i]); });
    std::vector<Proposal> all;
    for (const std::vector<Proposal>& some : found) all.insert(all.end(), some.begin(), some.end());
    std::ranges::stable_sort(all, {}, &Proposal::change);
    return all;
  }

  [[nodiscard]] double log_share(double size) const {
    return problem_.partition.log_share(std::max(0.0, size), problem_.total_weight, k_);
  }

  [[nodiscard]] std::vector<Proposal> propose_in(const Block& block) const {
    const std::size_t n = block.positions.size();
    std::vector<std::size_t> units(n);
    for (std::size_t i = 0; i < n; ++i) units[i] = rows_.part.unit(block.positions[i]);
    BlockBuffer buffer(problem_.components.n_columns());
    RowBlock rows(problem_.units.rows(), units, buffer);
    std::vector<double> elsewhere(rows_.stats.size() * kernels::panel_stride);
    std::vector<double> here(kernels::panel_stride);
    clusters_->log_predictive(rows, elsewhere.data());
    clusters_->log_held_out(block.cluster, rows, here.data());
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < n; ++i) {
      const double left = rows_.stats.weight(block.cluster) - problem_.units.weight(units[i]);
      const bool dies = !(left > 1e-9 * rows_.stats.weight(block.cluster));
      const double share_left = dies ? 0.0 : log_share(left);
      Proposal best{.position = block.positions[i]};
      for (std::size_t c = 0; c < rows_.stats.size(); ++c) {
        if (c == block.cluster || !(rows_.stats.weight(c) > 0.0)) continue;
        const double of_shares = dies ? partition_change(block.cluster, c, 0.0, 0.0) : share_left - log_shares_[c];
        const double change = here[i] - elsewhere[c * kernels::panel_stride + i] + of_shares;
        if (change < best.change) best = {block.positions[i], static_cast<std::int32_t>(c), change};
      }
      if (best.to >= 0) proposals.push_back(best);
    }
    return proposals;
  }

  // Makes the move if it still lowers the objective after those before it; by how much.
  double make(const Proposal& proposal) {
    std::int32_t& label = rows_.labels[proposal.position];
    const auto from = static_cast<std::size_t>(label);
    const auto to = static_cast<std::size_t>(proposal.to);
    const std::size_t unit = rows_.part.unit(proposal.position);
    const double weight = problem_.units.weight(unit);
    const double left = rows_.stats.weight(from) - weight;
    const bool dies = !(left > 1e-9 * rows_.stats.weight(from));
    if (dies ? rows_.deaths != Deaths::allowed : left < rows_.min_size) return 0.0;
    if (!(rows_.stats.weight(to) > 0.0)) return 0.0;

    take_row(unit, weight);
    without_.assign(rows_.stats[from].begin(), rows_.stats[from].end());
    problem_.components.subtract(without_, row_);
    with_.assign(rows_.stats[to].begin(), rows_.stats[to].end());
    problem_.components.merge(with_, row_);
    const double evidence_without = dies ? 0.0 : problem_.components.log_evidence(without_);
    const double evidence_with = problem_.components.log_evidence(with_);
    const double change = log_evidence_[from] + log_evidence_[to] - evidence_without - evidence_with +
                          partition_change(from, to, dies ? 0.0 : left, with_[0]);
    if (!(change < -least_gain)) return 0.0;
    label = proposal.to;
    rows_.stats.assign(from, without_);
    rows_.stats.assign(to, with_);
    log_evidence_[from] = evidence_without;
    log_evidence_[to] = evidence_with;
    if (dies) --k_;
    return -change;
  }

  void take_row(std::size_t unit, double weight) {
    row_.assign(problem_.components.stats_size(), 0.0);
    RowBlock block(problem_.units.rows(), {&unit, 1}, buffer_);
    problem_.components.add(row_, block, {&weight, 1});
  }

  // Change of the partition's part of the objective if two clusters have other sizes. Two clusters merged, and the same
  // two with other sizes: the difference of two merges is that of the sizes.
  [[nodiscard]] double partition_change(std::size_t from, std::size_t to, double size_from, double size_to) const {
    const PartitionPrior& partition = problem_.partition;
    const double merged = partition.merge_pair(rows_.stats.weight(from), rows_.stats.weight(to));
    if (size_from > 0.0) return merged - partition.merge_pair(size_from, size_to);
    return merged + partition.merge_level(problem_.total_weight, k_);
  }

  const Execution& execution_;
  const Problem& problem_;
  MovingRows rows_;
  std::size_t k_;
  std::unique_ptr<Components> clusters_;
  std::vector<double> log_shares_;
  std::vector<double> log_evidence_;
  std::vector<double> row_;
  std::vector<double> without_;
  std::vector<double> with_;
  BlockBuffer buffer_;
};

}  // namespace

double move_single_rows(const Execution& execution, const Problem& problem, const MovingRows& rows, std::size_t k) {
  const double gained = SingleMoves(execution, problem, rows, k).run();
  if (gained > 0.0) {
    // Sums that rows are taken out of again and again lose digits: anew from the labels.
    rows.stats = statistics_of_list(execution, rows.part, problem.components, rows.labels, rows.stats.size());
  }
  return gained;
}

bool move_single_rows(MaximizationExpectation& me, State& state, Deaths deaths, double min_size) {
  if (state.k() < 2) return false;
  const Problem& problem = me.problem();
  State moved = state;
  const Part all(problem.units);
  me.counters().distances += problem.units.size() * state.k();
  const double gained =
      move_single_rows(me.execution(), problem, {all, moved.labels.list(), moved.stats, deaths, min_size}, state.k());
  if (!(gained > 0.0)) return false;
  drop_empty_clusters(moved);
  moved.objective = problem.objective(moved.stats);
  if (!(moved.objective < state.objective)) return false;
  state = std::move(moved);
  me.report(state, "single moves");
  return true;
}

}  // namespace coppice
