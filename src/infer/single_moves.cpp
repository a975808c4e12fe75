// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/single_moves.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "coppice/assign/naive.hpp"
#include "coppice/infer/near_points.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_passes = 20;
constexpr double least_gain = 1e-7;       // nats; less may be rounding
constexpr std::size_t few_clusters = 64;  // with more, rows move to near clusters alone
constexpr std::size_t n_near = 16;

struct Proposal {
  std::size_t position = 0;
  std::int32_t to = -1;
  double change = -least_gain;  // of the objective, as far as the pass can tell
};

// Some rows, those of a cluster next to one another, and the clusters to which they might go.
struct Block {
  std::span<const std::size_t> positions;
  std::vector<std::int32_t> targets;
};

class SingleMoves {
 public:
  SingleMoves(const Execution& execution, const Problem& problem, const MovingRows& rows)
      : execution_(execution),
        problem_(problem),
        rows_(rows),
        k_(rows.stats.size() + rows.others.size()),
        clusters_(rows.made != nullptr ? rows.made->clone() : problem.components.clone()),
        everyone_(rows.stats.size()),
        buffer_(problem.components.n_columns()) {
    std::iota(everyone_.begin(), everyone_.end(), 0);
  }

  SingleMovesMade run() {
    has_changed_.assign(everyone_.size(), true);
    for (std::size_t c = 0; c < rows_.resting.size(); ++c) has_changed_[c] = !rows_.resting[c];
    SingleMovesMade made;
    for (std::size_t pass = 0; pass < most_passes; ++pass) {
      throw_if_stopped(execution_.stop);
      if (std::ranges::find(has_changed_, true) == has_changed_.end()) return made;
      const double of_pass = run_pass();
      made.gained += of_pass;
      if (!(of_pass > 0.0)) return made;
    }
    made.is_at_rest = false;
    return made;
  }

 private:
  double run_pass() {
    log_evidence_ = problem_.components.log_evidences(execution_, rows_.stats);
    const std::vector<Proposal> proposals = propose();
    has_changed_.assign(everyone_.size(), false);
    double gained = 0.0;
    for (const Proposal& proposal : proposals) {
      throw_if_stopped_before(execution_.stop, problem_.components.operations_per_cluster());
      gained += make(proposal);
    }
    return gained;
  }

  // Rows that would rather be elsewhere as things stand, the most eager first. Between two clusters that have not
  // changed since the last pass there is nothing new.
  [[nodiscard]] std::vector<Proposal> propose() {
    clusters_->update(execution_, rows_.stats);
    take_shares();
    std::vector<std::int32_t> changed;
    for (const std::int32_t c : everyone_) {
      if (has_changed_[static_cast<std::size_t>(c)]) changed.push_back(c);
    }
    const std::vector<std::size_t> restless = members_of(true);
    const std::vector<std::size_t> settled = members_of(false);
    std::vector<Block> blocks;
    if (everyone_.size() <= few_clusters) {
      add_blocks({restless, everyone_}, blocks);
      add_blocks({settled, changed}, blocks);
    } else {
      const auto near = nearest_clusters(execution_, problem_.components, rows_.stats, n_near);
      add_blocks_of_clusters(restless, near, blocks);
      add_blocks_of_clusters(settled, near, blocks);
    }
    std::vector<std::vector<Proposal>> found(blocks.size());
    for_each_task(execution_, {.count = blocks.size()}, [&](std::size_t i) { found[i] = propose_in(blocks[i]); });
    std::vector<Proposal> all;
    for (const std::vector<Proposal>& some : found) all.insert(all.end(), some.begin(), some.end());
    std::ranges::stable_sort(all, {}, &Proposal::change);
    return all;
  }

  // Positions of the rows of clusters that have changed, or of those that have not, cluster by cluster. Rows without
  // weight are in any cluster, maybe one without weight: they do not move.
  [[nodiscard]] std::vector<std::size_t> members_of(bool changed) const {
    std::vector<std::vector<std::size_t>> members(everyone_.size());
    for (std::size_t i = 0; i < rows_.labels.size(); ++i) {
      if (has_changed_[cluster_of(i)] != changed || !(problem_.units.weight(rows_.subset.unit(i)) > 0.0)) continue;
      members[cluster_of(i)].push_back(i);
    }
    std::vector<std::size_t> all;
    for (const std::vector<std::size_t>& some : members) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  static void add_blocks(const Block& all, std::vector<Block>& blocks) {
    for (std::size_t first = 0; first < all.positions.size(); first += kernels::panel_rows) {
      const std::size_t n = std::min(kernels::panel_rows, all.positions.size() - first);
      blocks.push_back({all.positions.subspan(first, n), all.targets});
    }
  }

  // The rows of each cluster by themselves, with the clusters near it; of those in which nothing is new, near ones in
  // which something is.
  void add_blocks_of_clusters(std::span<const std::size_t> positions,
                              const std::vector<std::vector<std::uint32_t>>& near, std::vector<Block>& blocks) const {
    for (std::size_t first = 0, n = 0; first < positions.size(); first += n) {
      const std::size_t cluster = cluster_of(positions[first]);
      for (n = 1; first + n < positions.size() && cluster_of(positions[first + n]) == cluster;) ++n;
      Block block{positions.subspan(first, n), {}};
      for (const std::uint32_t target : near[cluster]) {
        if (has_changed_[cluster] || has_changed_[target]) block.targets.push_back(static_cast<std::int32_t>(target));
      }
      if (!block.targets.empty()) add_blocks(block, blocks);
    }
  }

  [[nodiscard]] std::size_t cluster_of(std::size_t position) const {
    return static_cast<std::size_t>(rows_.labels[position]);
  }

  // Clusters that have died since the moves began have no share.
  void take_shares() {
    std::vector<double> sizes;
    place_.assign(rows_.stats.size(), 0);
    for (std::size_t c = 0; c < rows_.stats.size(); ++c) {
      place_[c] = sizes.size();
      if (rows_.stats.weight(c) > 0.0) sizes.push_back(rows_.stats.weight(c));
    }
    sizes.insert(sizes.end(), rows_.others.begin(), rows_.others.end());
    shares_ = problem_.partition.share_table(sizes, problem_.total_weight);
  }

  [[nodiscard]] std::vector<Proposal> propose_in(const Block& block) const {
    std::vector<std::size_t> units;
    for (const std::size_t position : block.positions) units.push_back(rows_.subset.unit(position));
    BlockBuffer buffer(problem_.components.n_columns());
    RowBlock rows(problem_.units.rows(), units, buffer);
    const auto elsewhere = std::make_unique_for_overwrite<double[]>(block.targets.size() * kernels::panel_stride);
    clusters_->log_predictive(block.targets, rows, elsewhere.get());
    const std::vector<double> here = log_held_out(block, units);
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const Proposal best = best_target(block, i, here[i], elsewhere.get() + i);
      if (best.to >= 0) proposals.push_back(best);
    }
    return proposals;
  }

  // Log densities of the rows in their own clusters. A cluster lighter than a row of weight 1 has none to spare.
  [[nodiscard]] std::vector<double> log_held_out(const Block& block, std::span<const std::size_t> units) const {
    BlockBuffer buffer(problem_.components.n_columns());
    std::vector<double> here(2 * kernels::panel_stride);  // kernels write behind the last row
    for (std::size_t first = 0, n = 0; first < units.size(); first += n) {
      const std::size_t cluster = cluster_of(block.positions[first]);
      for (n = 1; first + n < units.size() && cluster_of(block.positions[first + n]) == cluster;) ++n;
      if (rows_.stats.weight(cluster) < 1.0) {
        std::fill_n(here.begin() + static_cast<std::ptrdiff_t>(first), n, std::numeric_limits<double>::infinity());
        continue;
      }
      RowBlock rows(problem_.units.rows(), units.subspan(first, n), buffer);
      clusters_->log_held_out(cluster, rows, here.data() + first);
    }
    return here;
  }

  // `elsewhere` has the log densities of the row at steps of kernels::panel_stride.
  [[nodiscard]] Proposal best_target(const Block& block, std::size_t i, double here, const double* elsewhere) const {
    const std::size_t position = block.positions[i];
    const std::size_t from = cluster_of(position);
    const double left = rows_.stats.weight(from) - problem_.units.weight(rows_.subset.unit(position));
    const bool dies = !(left > 1e-9 * rows_.stats.weight(from));
    const double share_left = dies ? 0.0 : shares_->log_share_if(place_[from], left);
    Proposal best{.position = position};
    for (std::size_t target = 0; target < block.targets.size(); ++target) {
      const auto to = static_cast<std::size_t>(block.targets[target]);
      if (to == from || !(rows_.stats.weight(to) > 0.0)) continue;
      const double of_shares =
          dies ? partition_change(from, to, 0.0, 0.0) : share_left - shares_->log_share(place_[to]);
      const double change = here - elsewhere[target * kernels::panel_stride] + of_shares;
      if (change < best.change) best = {position, block.targets[target], change};
    }
    return best;
  }

  // Makes the move if it still lowers the objective after those before it; by how much.
  double make(const Proposal& proposal) {
    std::int32_t& label = rows_.labels[proposal.position];
    const auto from = static_cast<std::size_t>(label);
    const auto to = static_cast<std::size_t>(proposal.to);
    const std::size_t unit = rows_.subset.unit(proposal.position);
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
    has_changed_[from] = has_changed_[to] = true;
    if (dies) {
      --k_;
      has_changed_.assign(everyone_.size(), true);  // what the death of another would change
    }
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
    const MergeTerms& merges = problem_.partition.merges();
    const double merged = merges.pair(rows_.stats.weight(from), rows_.stats.weight(to));
    if (size_from > 0.0) return merged - merges.pair(size_from, size_to);
    return merged + merges.level(problem_.total_weight, k_);
  }

  const Execution& execution_;
  const Problem& problem_;
  MovingRows rows_;
  std::size_t k_;
  std::unique_ptr<Components> clusters_;
  std::vector<std::int32_t> everyone_;  // 0, 1, ..., K - 1
  std::vector<bool> has_changed_;       // since the last pass
  std::unique_ptr<ShareTable> shares_;  // of the clusters that are alive, and of those outside the subset
  std::vector<std::size_t> place_;      // of every cluster among the shares
  std::vector<double> log_evidence_;
  std::vector<double> row_;
  std::vector<double> without_;
  std::vector<double> with_;
  BlockBuffer buffer_;
};

}  // namespace

SingleMovesMade move_single_rows(const Execution& execution, const Problem& problem, const MovingRows& rows) {
  const SingleMovesMade made = SingleMoves(execution, problem, rows).run();
  if (made.gained > 0.0) {
    // Sums that rows are taken out of again and again lose digits: anew from the labels.
    rows.stats = statistics_of_list(execution, rows.subset, problem.components, rows.labels, rows.stats.size());
  }
  return made;
}

namespace {

std::vector<bool> find_resting(const RestingClusters& known, const StatsArena& clusters, Deaths deaths,
                               double min_size) {
  if (known.deaths != deaths || known.min_size != min_size) return {};
  const std::vector<std::int32_t> same = same_statistics(known.clusters, clusters);
  std::vector<bool> resting(same.size());
  for (std::size_t c = 0; c < same.size(); ++c) resting[c] = same[c] >= 0;
  return resting;
}

}  // namespace

bool move_single_rows(MaximizationExpectation& me, State& state, Deaths deaths, double min_size) {
  if (state.k() < 2) return false;
  const Problem& problem = me.problem();
  State moved = state;
  const Subset all(problem.units);
  me.journal().counters().distances += problem.units.size() * state.k();
  const SingleMovesMade made = move_single_rows(me.execution(), problem,
                                                {.subset = all,
                                                 .labels = moved.labels.list(),
                                                 .stats = moved.stats,
                                                 .deaths = deaths,
                                                 .min_size = min_size,
                                                 .resting = find_resting(me.resting(), state.stats, deaths, min_size),
                                                 .made = &me.clusters()});
  drop_empty_clusters(moved);
  constexpr std::size_t most_kept = std::size_t{1} << 21;  // numbers of statistics
  me.resting() = {};
  if (made.is_at_rest && moved.stats.values().size() <= most_kept) me.resting() = {moved.stats, deaths, min_size};
  if (!(made.gained > 0.0)) return false;
  moved.objective = problem.objective(me.execution(), moved.stats);
  if (!(moved.objective < state.objective)) return false;
  state = std::move(moved);
  me.journal().report(state, "single moves");
  return true;
}

}  // namespace coppice::internal
