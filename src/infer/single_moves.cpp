// SPDX-License-Identifier: BSD-3-Clause
// Hartigan's moves, exact for any conjugate family (single_moves.hpp has the formula). One pass finds proposals for all
// rows side by side, by predictive densities at the state before the pass: O(N K D^2), in panels. Then proposals are
// made one after the other, the most eager first, each after its exact change has been worked out from the statistics
// as they are by then: two log evidences. Making them at once would not do, since rows that leave together leave
// another cluster behind than each expected. Clusters are looked at again only if something in them has changed.

#include "coppice/infer/single_moves.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "coppice/assign/naive.hpp"
#include "coppice/infer/near_points.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/little_work.hpp"
#include "infer/moving_groups.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_passes = 20;
constexpr double least_gain = 1e-7;       // nats; less may be rounding
constexpr std::size_t few_clusters = 64;  // with more, rows move to near clusters alone
constexpr std::size_t n_near = 16;

// Where a row would rather be, as things stand before a pass.
struct Proposal {
  std::size_t position = 0;
  std::size_t to = 0;
  double change = -least_gain;  // of the objective, as far as the pass can tell
};

// Some rows, those of a group next to one another, and where they might go.
struct Block {
  std::span<const std::size_t> positions;
  std::vector<std::int32_t> clusters;
  bool may_leave = false;  // for the background
};

class SingleMoves {
 public:
  SingleMoves(const Execution& execution, const Problem& problem, const MovingRows& rows)
      : execution_(execution),
        problem_(problem),
        rows_(rows),
        groups_(problem, rows_),
        clusters_(rows.made != nullptr ? rows.made->clone() : problem.components.clone()),
        everyone_(rows.stats.size()) {
    std::iota(everyone_.begin(), everyone_.end(), 0);
  }

  SingleMovesMade run() {
    // Clusters that were at rest in the last search are so still, if they are the same to the last bit (find_resting).
    has_changed_.assign(groups_.size(), true);
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
    groups_.begin_pass(execution_);
    const std::vector<Proposal> proposals = propose();
    has_changed_.assign(groups_.size(), false);
    double gained = 0.0;
    for (const Proposal& proposal : proposals) {
      throw_if_stopped_before(execution_.stop, problem_.components.operations_per_cluster());
      gained += make(proposal);
    }
    return gained;
  }

  // Rows that would rather be elsewhere as things stand, the most eager first. Between two groups that have not
  // changed since the last pass there is nothing new.
  [[nodiscard]] std::vector<Proposal> propose() {
    clusters_->update(execution_, rows_.stats);
    std::vector<std::int32_t> changed;
    for (const std::int32_t c : everyone_) {
      if (has_changed_[static_cast<std::size_t>(c)]) changed.push_back(c);
    }
    const std::vector<std::size_t> restless = members_of(true);
    // Rows whose own cluster has not changed can only be drawn to those that have.
    const std::vector<std::size_t> settled = members_of(false);
    std::vector<Block> blocks;
    if (everyone_.size() <= few_clusters) {
      add_blocks({restless, everyone_, is_open()}, blocks);
      add_blocks({settled, changed, is_open() && has_changed_.back()}, blocks);
    } else {
      const auto near = nearest_clusters(execution_, problem_.components, rows_.stats, n_near);
      add_blocks_of_groups(restless, near, blocks);
      add_blocks_of_groups(settled, near, blocks);
    }
    std::vector<std::vector<Proposal>> found(blocks.size());
    for_each_task(execution_, {.count = blocks.size()}, [&](std::size_t i) { found[i] = propose_in(blocks[i]); });
    std::vector<Proposal> all;
    for (const std::vector<Proposal>& some : found) all.insert(all.end(), some.begin(), some.end());
    std::ranges::stable_sort(all, {}, &Proposal::change);
    return all;
  }

  // There is a background that has rows.
  [[nodiscard]] bool is_open() const { return rows_.outside != nullptr && rows_.outside->weight > 0.0; }

  // Positions of the rows of groups that have changed, or of those that have not, group by group. Rows without weight
  // are in any cluster, maybe one without weight: they do not move.
  [[nodiscard]] std::vector<std::size_t> members_of(bool changed) const {
    std::vector<std::vector<std::size_t>> members(groups_.size());
    for (std::size_t i = 0; i < rows_.labels.size(); ++i) {
      const std::size_t group = groups_.of(i);
      if (has_changed_[group] != changed || !(problem_.units.weight(rows_.subset.unit(i)) > 0.0)) continue;
      members[group].push_back(i);
    }
    std::vector<std::size_t> all;
    for (const std::vector<std::size_t>& some : members) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  static void add_blocks(const Block& all, std::vector<Block>& blocks) {
    for (std::size_t first = 0; first < all.positions.size(); first += kernels::panel_rows) {
      const std::size_t n = std::min(kernels::panel_rows, all.positions.size() - first);
      blocks.push_back({all.positions.subspan(first, n), all.clusters, all.may_leave});
    }
  }

  // The rows of each group by themselves, with the clusters near it; of those in which nothing is new, near ones in
  // which something is. The background is near to all.
  void add_blocks_of_groups(std::span<const std::size_t> positions, const std::vector<std::vector<std::uint32_t>>& near,
                            std::vector<Block>& blocks) const {
    for (std::size_t first = 0, n = 0; first < positions.size(); first += n) {
      const std::size_t group = groups_.of(positions[first]);
      for (n = 1; first + n < positions.size() && groups_.of(positions[first + n]) == group;) ++n;
      Block block{positions.subspan(first, n), {}, is_open() && (has_changed_[group] || has_changed_.back())};
      const auto consider = [&](std::size_t cluster) {
        const bool is_new = has_changed_[group] || has_changed_[cluster];
        if (is_new) block.clusters.push_back(static_cast<std::int32_t>(cluster));
      };
      if (groups_.is_outside(group)) {
        for (std::size_t cluster = 0; cluster < everyone_.size(); ++cluster) consider(cluster);
      } else {
        std::ranges::for_each(near[group], consider);
      }
      if (!block.clusters.empty() || block.may_leave) add_blocks(block, blocks);
    }
  }

  [[nodiscard]] std::vector<Proposal> propose_in(const Block& block) const {
    std::vector<std::size_t> units;
    for (const std::size_t position : block.positions) units.push_back(rows_.subset.unit(position));
    BlockBuffer buffer(problem_.components.n_columns());
    RowBlock rows(problem_.units.rows(), units, buffer);
    const auto elsewhere = std::make_unique_for_overwrite<double[]>(block.clusters.size() * kernels::panel_stride);
    if (!block.clusters.empty()) clusters_->log_predictive(block.clusters, rows, elsewhere.get());
    const std::vector<double> here = log_held_out(block, units);
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const Proposal best = best_target(block, i, here[i], elsewhere.get() + i);
      if (best.change < -least_gain) proposals.push_back(best);
    }
    return proposals;
  }

  // Log densities of the rows in their own groups. A cluster lighter than a row of weight 1 has none to spare.
  [[nodiscard]] std::vector<double> log_held_out(const Block& block, std::span<const std::size_t> units) const {
    BlockBuffer buffer(problem_.components.n_columns());
    std::vector<double> here(2 * kernels::panel_stride);  // kernels write behind the last row
    for (std::size_t first = 0, n = 0; first < units.size(); first += n) {
      const std::size_t group = groups_.of(block.positions[first]);
      for (n = 1; first + n < units.size() && groups_.of(block.positions[first + n]) == group;) ++n;
      const auto fill = [&](double density) {
        std::fill_n(here.begin() + static_cast<std::ptrdiff_t>(first), n, density);
      };
      if (groups_.is_outside(group)) {
        fill(-rows_.outside->log_volume);
      } else if (groups_.weight(group) < 1.0) {
        fill(std::numeric_limits<double>::infinity());  // no move gains
      } else {
        RowBlock rows(problem_.units.rows(), units.subspan(first, n), buffer);
        clusters_->log_held_out(group, rows, here.data() + first);
      }
    }
    return here;
  }

  // `elsewhere` has the log densities of the row at steps of kernels::panel_stride.
  [[nodiscard]] Proposal best_target(const Block& block, std::size_t i, double here, const double* elsewhere) const {
    const std::size_t position = block.positions[i];
    const std::size_t from = groups_.of(position);
    const double row_weight = problem_.units.weight(rows_.subset.unit(position));
    const std::optional<double> share_left = groups_.log_share_without(from, row_weight);
    Proposal best{.position = position};
    const auto consider = [&](std::size_t to, double there) {
      if (to == from || !(groups_.weight(to) > 0.0)) return;
      const double change = here - there + groups_.change_of_shares(from, to, share_left);
      if (change < best.change) best = {position, to, change};
    };
    for (std::size_t target = 0; target < block.clusters.size(); ++target) {
      consider(static_cast<std::size_t>(block.clusters[target]), elsewhere[target * kernels::panel_stride]);
    }
    if (block.may_leave) consider(groups_.n_clusters(), -rows_.outside->log_volume);
    return best;
  }

  // Makes the move if it still lowers the objective after those before it; by how much.
  // With statistics as they are now: proposals made before this one may have changed both clusters.
  double make(const Proposal& proposal) {
    const std::size_t from = groups_.of(proposal.position);
    const MovingGroups::Move made = groups_.move(proposal.position, proposal.to, least_gain);
    if (!(made.change < 0.0)) return 0.0;
    has_changed_[from] = has_changed_[proposal.to] = true;
    if (made.is_death) has_changed_.assign(groups_.size(), true);  // what the death of another would change
    return -made.change;
  }

  const Execution& execution_;
  const Problem& problem_;
  MovingRows rows_;
  MovingGroups groups_;
  std::unique_ptr<Components> clusters_;
  std::vector<std::int32_t> everyone_;  // clusters 0, 1, ..., K - 1
  std::vector<bool> has_changed_;       // groups since the last pass
};

}  // namespace

SingleMovesMade move_single_rows(const Execution& execution, const Problem& problem, const MovingRows& rows) {
  const SingleMovesMade made = SingleMoves(execution, problem, rows).run();
  if (made.gained > 0.0 && rows.outside == nullptr) {
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
