// SPDX-License-Identifier: BSD-3-Clause
// A move is judged on a table of its own: the rows in which the clusters concerned have a share, weighed by that share.
// The soft bound over that table, beside the sizes of all other clusters, changes by as much as the whole bound would
// with the others' shares as they are. So moves are judged side by side at the cost of their own rows, and the best are
// then tried over everything. Several starts are softened for a few steps, and only the best goes on.

#include "structure/soft_moves.hpp"

#include <algorithm>

#include "coppice/data/choose_rows.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/merge.hpp"
#include "structure/split_starts.hpp"

namespace coppice::internal {

namespace {

constexpr double least_share = 1e-3;       // of a row that a cluster is judged by
constexpr std::size_t pairs_beyond_k = 6;  // near pairs that are judged: as many more than there are clusters
constexpr double too_far_behind = 0.02;    // nats per row that two clusters may be behind after a short trial
constexpr SoftLimits short_trial{.max_iterations = 12, .tolerance = 1e-2};
constexpr SoftLimits long_trial{.max_iterations = 60, .tolerance = 1e-2};

class SoftMoves {
 public:
  SoftMoves(const Execution& execution, const Problem& problem, const StatsArena& clusters, const SearchLimits& limits,
            std::uint64_t stream)
      : execution_(execution),
        problem_(problem),
        clusters_(clusters),
        limits_(limits),
        stream_(stream),
        shared_(shared_rows(execution, problem, clusters, least_share)) {}

  [[nodiscard]] std::vector<SoftMove> find() {
    const std::vector<MergeGains::Pair> pairs = near_pairs();
    const std::size_t n_splits = limits_.k || clusters_.size() < limits_.max_k ? clusters_.size() : 0;
    std::vector<std::optional<SoftMove>> found(n_splits + pairs.size());
    // Every move by one thread, many moves side by side.
    LocalExecution alone(1, execution_.stop);
    for_each_task(execution_, {.count = found.size()}, [&](std::size_t i) {
      found[i] = i < n_splits ? split(alone.get(), i) : merge(alone.get(), pairs[i - n_splits]);
    });
    return sorted(std::move(found));
  }

  [[nodiscard]] std::vector<SoftMove> find_redivisions() {
    const std::vector<MergeGains::Pair> pairs = near_pairs();
    std::vector<std::optional<SoftMove>> found(pairs.size());
    LocalExecution alone(1, execution_.stop);
    for_each_task(execution_, {.count = found.size()},
                  [&](std::size_t i) { found[i] = redivide(alone.get(), pairs[i]); });
    return sorted(std::move(found));
  }

 private:
  static std::vector<SoftMove> sorted(std::vector<std::optional<SoftMove>> found) {
    std::vector<SoftMove> moves;
    for (std::optional<SoftMove>& move : found) {
      if (move) moves.push_back(std::move(*move));
    }
    std::ranges::stable_sort(moves, {}, &SoftMove::gain);
    return moves;
  }

  [[nodiscard]] std::vector<MergeGains::Pair> near_pairs() const {
    if (clusters_.size() < 2) return {};
    return MergeGains(execution_, problem_, clusters_).nearest(clusters_.size() + pairs_beyond_k);
  }

  // A table of the rows alone, that weigh what the clusters have of them.
  [[nodiscard]] Rows table_of(const SharedRows& shared) const {
    const Rows& rows = problem_.units.rows();
    return {choose_rows(rows.data(), shared.rows).with_weights(shared.shares),
            {rows.origin().begin(), rows.origin().end()}};
  }

  [[nodiscard]] std::vector<double> sizes_without(std::size_t a, std::size_t b) const {
    std::vector<double> sizes;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      if (c != a && c != b) sizes.push_back(clusters_.weight(c));
    }
    return sizes;
  }

  // Two clusters in the place of one, of several starts the best; none if there is none, or none that might come near
  // the bound `now`.
  [[nodiscard]] SoftClusters best_two(const Execution& execution, const Problem& inside, ConstStatsRef whole,
                                      std::span<const double> others, double now) const {
    const Subset members(inside.units);
    // Draws differ from round to round: a cluster that resisted may be cut otherwise next time.
    const SplitOptions options{.seed = limits_.seed, .stream = (limits_.restart << 20U) + stream_};
    std::vector<StatsArena> starts;
    for (const Plane& plane : split_starts(inside, whole, members, options)) {
      starts.push_back(divide(execution, members, problem_.components, plane).stats);
    }
    if (std::optional<StatsArena> around = neighbourhood_start(inside, whole, options)) {
      starts.push_back(std::move(*around));
    }
    SoftClusters best;
    for (StatsArena& halves : starts) {
      if (!(std::min(halves.weight(0), halves.weight(1)) > 0.0)) continue;
      SoftClusters trial = soften(execution, inside, std::move(halves), short_trial, others);
      if (trial.stats.size() == 2 && (best.stats.size() == 0 || trial.bound < best.bound)) best = std::move(trial);
    }
    // Far behind after a short trial is behind after a long one.
    if (best.stats.size() == 0 || best.bound > now + too_far_behind * problem_.total_weight) return {};
    SoftClusters two = soften(execution, inside, std::move(best.stats), long_trial, others);
    const bool is_light =
        two.stats.size() == 2 && std::min(two.stats.weight(0), two.stats.weight(1)) < limits_.min_size;
    return is_light ? SoftClusters{} : two;
  }

  [[nodiscard]] std::optional<SoftMove> split(const Execution& execution, std::size_t cluster) const {
    if (shared_[cluster].rows.size() < 2) return std::nullopt;
    const Rows rows = table_of(shared_[cluster]);
    const Units units(rows);
    const Problem inside{units, problem_.components, problem_.partition, problem_.total_weight};
    const std::vector<double> others = sizes_without(cluster, cluster);
    StatsArena whole(0, clusters_.stats_size());
    whole.append(clusters_[cluster]);
    const double together = soften(execution, inside, std::move(whole), short_trial, others).bound;
    SoftClusters two = best_two(execution, inside, clusters_[cluster], others, together);
    if (two.stats.size() < 2) return std::nullopt;
    return SoftMove{cluster, {}, std::move(two.stats), two.bound - together};
  }

  // Two others in the place of two, over the rows of which they have a share.
  [[nodiscard]] std::optional<SoftMove> redivide(const Execution& execution, const MergeGains::Pair& pair) const {
    const SharedRows both = joined(shared_[pair.a], shared_[pair.b]);
    if (both.rows.size() < 2) return std::nullopt;
    const Rows rows = table_of(both);
    const Units units(rows);
    const Problem inside{units, problem_.components, problem_.partition, problem_.total_weight};
    const std::vector<double> others = sizes_without(pair.a, pair.b);
    StatsArena one(1, clusters_.stats_size());
    one.assign(0, clusters_[pair.a]);
    problem_.components.merge(one[0], clusters_[pair.b]);
    StatsArena now(0, clusters_.stats_size());
    now.append(clusters_[pair.a]);
    now.append(clusters_[pair.b]);
    const double apart = soften(execution, inside, std::move(now), short_trial, others).bound;
    SoftClusters two = best_two(execution, inside, one[0], others, apart);
    if (two.stats.size() < 2) return std::nullopt;
    return SoftMove{pair.a, pair.b, std::move(two.stats), two.bound - apart};
  }

  // As they are against one in their place, over the rows of which the two have a share.
  [[nodiscard]] std::optional<SoftMove> merge(const Execution& execution, const MergeGains::Pair& pair) const {
    const SharedRows both = joined(shared_[pair.a], shared_[pair.b]);
    if (both.rows.empty()) return std::nullopt;
    const Rows rows = table_of(both);
    const Units units(rows);
    const Problem inside{units, problem_.components, problem_.partition, problem_.total_weight};
    const std::vector<double> others = sizes_without(pair.a, pair.b);
    StatsArena two(0, clusters_.stats_size());
    two.append(clusters_[pair.a]);
    two.append(clusters_[pair.b]);
    StatsArena one(1, clusters_.stats_size());
    one.assign(0, clusters_[pair.a]);
    problem_.components.merge(one[0], clusters_[pair.b]);
    SoftClusters merged = soften(execution, inside, std::move(one), short_trial, others);
    const SoftClusters apart = soften(execution, inside, std::move(two), short_trial, others);
    return SoftMove{pair.a, pair.b, std::move(merged.stats), merged.bound - apart.bound};
  }

  // Rows of one or both, with what the two have of them.
  static SharedRows joined(const SharedRows& a, const SharedRows& b) {
    SharedRows both;
    // Two sorted lists merged; a row in both counts with the sum of its shares.
    for (std::size_t i = 0, j = 0; i < a.rows.size() || j < b.rows.size();) {
      const bool takes_a = i < a.rows.size() && (j == b.rows.size() || a.rows[i] <= b.rows[j]);
      const bool takes_b = j < b.rows.size() && (i == a.rows.size() || b.rows[j] <= a.rows[i]);
      both.rows.push_back(takes_a ? a.rows[i] : b.rows[j]);
      both.shares.push_back((takes_a ? a.shares[i++] : 0.0) + (takes_b ? b.shares[j++] : 0.0));
    }
    return both;
  }

  const Execution& execution_;
  const Problem& problem_;
  const StatsArena& clusters_;
  const SearchLimits& limits_;
  std::uint64_t stream_;
  std::vector<SharedRows> shared_;
};

}  // namespace

std::vector<SoftMove> find_soft_moves(const Execution& execution, const Problem& problem, const StatsArena& clusters,
                                      const SearchLimits& limits, std::uint64_t stream) {
  return SoftMoves(execution, problem, clusters, limits, stream).find();
}

std::vector<SoftMove> find_soft_redivisions(const Execution& execution, const Problem& problem,
                                            const StatsArena& clusters, const SearchLimits& limits,
                                            std::uint64_t stream) {
  return SoftMoves(execution, problem, clusters, limits, stream).find_redivisions();
}

std::vector<SoftMove> improving(std::vector<SoftMove> moves, double least_gain) {
  std::erase_if(moves, [&](const SoftMove& move) { return !(move.gain < -least_gain); });
  return moves;
}

StatsArena after_move(const StatsArena& clusters, const SoftMove& move) {
  StatsArena after = clusters;
  after.assign(move.first, move.result[0]);
  if (move.is_split()) {
    after.append(move.result[1]);
  } else if (move.is_redivision()) {
    after.assign(*move.second, move.result[1]);
  } else {
    after.erase(*move.second);
  }
  return after;
}

}  // namespace coppice::internal
