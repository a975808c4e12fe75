// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Makes the abstract Components out of a family. This is all that a family from outside the library needs:
//
//   auto components = std::make_unique<FamilyAdapter<MyFamily>>(MyFamily{...});

#include <numeric>
#include <utility>

#include "coppice/family/components.hpp"
#include "coppice/family/tie_rule.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice {

// The family's finder, or nothing.
template <class F>
struct FinderOrNothing {
  struct type {};
};
template <FindsNearest F>
struct FinderOrNothing<F> {
  using type = typename F::Finder;
};

template <Family F>
class FamilyAdapter final : public Components {
 public:
  explicit FamilyAdapter(F family) : family_(std::move(family)) {}

  [[nodiscard]] std::unique_ptr<Components> clone() const override {
    auto copy = std::make_unique<FamilyAdapter>(family_);
    copy->made_from_ = made_from_;
    copy->identities_ = identities_;
    copy->set_clusters(clusters_);
    return copy;
  }

  [[nodiscard]] const F& get() const noexcept { return family_; }
  [[nodiscard]] std::string_view family() const override { return family_.name(); }
  [[nodiscard]] std::size_t n_columns() const override { return family_.n_columns(); }
  [[nodiscard]] std::size_t stats_size() const override { return family_.stats_size(); }
  [[nodiscard]] NamedArrays prior_arrays() const override { return family_.to_arrays(); }

  void add(StatsRef into, RowBlock& rows, Weights weights) const override { family_.add(into, rows, weights); }
  void add_members(std::size_t cluster, StatsRef into, RowBlock& rows, Weights weights) const override {
    if constexpr (WeighsMembers<F>) {
      family_.add_members(clusters_[cluster], into, rows, weights);
    } else {
      family_.add(into, rows, weights);
    }
  }
  [[nodiscard]] bool weighs_members() const override { return WeighsMembers<F>; }
  using Components::balance;
  void balance(StatsRef stats) const override {
    if constexpr (WeighsMembers<F>) family_.balance(stats);
  }
  void merge(StatsRef into, ConstStatsRef from) const override { family_.merge(into, from); }
  void add_scaled(StatsRef into, ConstStatsRef from, double factor) const override {
    family_.add_scaled(into, from, factor);
  }
  [[nodiscard]] double log_evidence(ConstStatsRef stats) const override { return family_.log_evidence(stats); }
  [[nodiscard]] std::vector<double> column_lengths() const override {
    if constexpr (requires { family_.column_lengths(); }) {
      return family_.column_lengths();
    } else {
      return {};
    }
  }
  using Components::split_axis;
  [[nodiscard]] std::optional<SplitAxis> split_axis(ConstStatsRef stats,
                                                    std::span<const double> lengths) const override {
    if constexpr (requires { family_.split_axis(stats, lengths); }) {
      return family_.split_axis(stats, lengths);
    } else {
      return family_.split_axis(stats);
    }
  }
  [[nodiscard]] ColumnMoments column_moments(ConstStatsRef stats) const override {
    return family_.column_moments(stats);
  }
  [[nodiscard]] std::unique_ptr<MergedEvidence> merged_evidence(const StatsArena& stats) const override {
    if constexpr (MergesFast<F>) {
      if (std::unique_ptr<MergedEvidence> fast = family_.merged_evidence(stats)) return fast;
    }
    return Components::merged_evidence(stats);
  }

  using Components::update;
  // Clusters whose statistics are those of clusters before stay as they are.
  void update(const Execution& execution, const StatsArena& stats) override {
    const std::vector<std::int32_t> same = same_statistics(made_from_, stats);
    std::vector<std::optional<Posterior>> made(stats.size());
    std::vector<std::uint64_t> identities(stats.size());
    for_each_task(execution, {stats.size(), operations_per_cluster()}, [&](std::size_t c) {
      const auto before = static_cast<std::size_t>(same[c]);
      made[c].emplace(same[c] >= 0 ? clusters_[before] : family_.posterior(stats[c]));
      identities[c] = same[c] >= 0 ? identities_[before] : new_identity();
    });
    std::vector<Posterior> clusters;
    clusters.reserve(stats.size());
    for (std::optional<Posterior>& posterior : made) clusters.push_back(std::move(*posterior));
    made_from_ = stats.values().size() <= most_kept ? stats : StatsArena();
    identities_ = std::move(identities);
    set_clusters(std::move(clusters));
  }
  [[nodiscard]] std::size_t size() const override { return clusters_.size(); }
  [[nodiscard]] std::uint64_t identity(std::size_t cluster) const override {
    return made_from_.size() > 0 ? identities_[cluster] : 0;
  }

  void nearest(std::span<const double> offsets, std::span<const std::int32_t> candidates, RowBlock& rows,
               const Nearest& out, NearestWorkspace& workspace) const override {
    const auto competing = candidates.empty() ? std::span<const std::int32_t>(everyone_) : candidates;
    const NearestQuery query{offsets, competing, doubt_limits(widest_scale(offsets, competing), n_columns(), tie_unit)};
    settle_doubtful(find_nearest(query, rows, out.labels, workspace), query, rows, out, workspace);
  }
  void nearest_by_costs(std::span<const double> offsets, std::span<const std::int32_t> places, const double* costs,
                        RowBlock& rows, const Nearest& out, NearestWorkspace& workspace) const override {
    const NearestQuery query{offsets, everyone_, doubt_limits(widest_scale(offsets, everyone_), n_columns(), tie_unit)};
    double tile_offsets[tile];
    for (std::size_t first = 0; first < places.size(); first += tile) {
      const std::size_t n = std::min(tile, places.size() - first);
      for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t cluster = places[first + i];
        tile_offsets[i] =
            cluster < 0 ? std::numeric_limits<double>::infinity() : offsets[static_cast<std::size_t>(cluster)];
      }
      kernels::update_minima(costs + first * kernels::panel_stride, {tile_offsets, n}, first, rows.n_rows(),
                             workspace.minima);
    }
    const std::size_t n_doubtful = take_winners(query, places, rows, out.labels, workspace);
    for (std::size_t i = 0; i < rows.n_rows(); ++i)
      out.labels[i] = std::max(0, out.labels[i]);  // if no cost is a number
    settle_doubtful(n_doubtful, query, rows, out, workspace);
  }

  // Ties are judged by the cost per weight, as those of single rows are: a node's weight does not widen the band.
  [[nodiscard]] NodeLabel nearest_node(std::span<const double> offsets, std::span<const std::int32_t> candidates,
                                       ConstStatsRef node, std::int32_t present) const override {
    const auto competing = candidates.empty() ? std::span<const std::int32_t>(everyone_) : candidates;
    const double weight = node[0];
    const auto cost_of = [&](std::int32_t c) {
      if (weight <= 0.0) return ExactCost{};  // costs nothing anywhere: all clusters tie
      const auto cluster = static_cast<std::size_t>(c);
      const double cost = family_.node_cost(clusters_[cluster], node) / weight;
      return ExactCost{cost + offsets[cluster], std::abs(cost)};
    };
    const std::int32_t label = settle(competing, present, cost_of, tie_unit);
    return {label, weight * cost_of(label).value};
  }
  [[nodiscard]] double node_cost(std::size_t cluster, ConstStatsRef node) const override {
    return family_.node_cost(clusters_[cluster], node);
  }

  [[nodiscard]] std::unique_ptr<NodeCosts> node_costs() const override {
    if constexpr (CostsNodes<F>) {
      return std::make_unique<PanelNodeCosts<F>>(family_, clusters_);
    } else {
      return Components::node_costs();
    }
  }

  [[nodiscard]] std::unique_ptr<BoxTest> box_test(std::span<const double> offsets) const override {
    if constexpr (BoxBounded<F>) {
      return family_.box_test(clusters_, offsets);
    } else {
      return nullptr;
    }
  }
  [[nodiscard]] std::unique_ptr<Components> plug_in() const override {
    auto copy = std::make_unique<FamilyAdapter>(family_);
    std::vector<Posterior> clusters;
    for (const Posterior& q : clusters_) clusters.push_back(family_.plug_in(q));
    copy->set_clusters(std::move(clusters));
    return copy;
  }

  void costs(std::span<const std::int32_t> candidates, RowBlock& rows, double* out) const override {
    for_neighbours(candidates, [&](std::span<const Posterior> clusters, std::size_t place) {
      family_.costs(clusters, rows, out + place * kernels::panel_stride);
    });
  }
  void log_predictive(std::span<const std::int32_t> candidates, RowBlock& rows, double* out) const override {
    for_neighbours(candidates, [&](std::span<const Posterior> clusters, std::size_t place) {
      family_.log_predictive(clusters, rows, out + place * kernels::panel_stride);
    });
  }
  [[nodiscard]] std::unique_ptr<PredictionBounds> prediction_bounds() const override {
    if constexpr (BoundsPredictions<F>) {
      return family_.prediction_bounds(clusters_);
    } else {
      return nullptr;
    }
  }
  [[nodiscard]] double log_mass(std::size_t cluster) const override {
    if constexpr (requires { family_.log_mass(clusters_[cluster]); }) {
      return family_.log_mass(clusters_[cluster]);
    } else {
      return 0.0;
    }
  }
  [[nodiscard]] std::unique_ptr<RowSampler> row_sampler() const override {
    if constexpr (SamplesRows<F>) {
      return family_.row_sampler(clusters_);
    } else {
      return nullptr;
    }
  }
  [[nodiscard]] bool moves_single_rows() const override { return MovesSingleRows<F>; }
  void subtract(StatsRef from, ConstStatsRef part) const override {
    if constexpr (MovesSingleRows<F>) {
      family_.subtract(from, part);
    } else {
      Components::subtract(from, part);
    }
  }
  void log_held_out(std::size_t cluster, RowBlock& rows, double* out) const override {
    if constexpr (MovesSingleRows<F>) {
      family_.log_held_out(clusters_[cluster], rows, out);
    } else {
      Components::log_held_out(cluster, rows, out);
    }
  }
  [[nodiscard]] double kl_to_prior(std::size_t cluster) const override {
    return family_.kl_to_prior(clusters_[cluster]);
  }

  [[nodiscard]] bool has_density() const override {
    if constexpr (requires { F::has_density; }) {
      return F::has_density;
    } else {
      return true;
    }
  }
  [[nodiscard]] std::span<const double> centres() const override {
    if constexpr (requires { finder_.centres(); }) {
      return finder_.centres();
    } else {
      return {};
    }
  }
  [[nodiscard]] double tie_reserve() const override {
    if constexpr (requires { F::tie_reserve(clusters_); }) {
      return F::tie_reserve(clusters_);
    } else {
      return 0.0;
    }
  }
  [[nodiscard]] bool takes_sparse_rows() const override {
    if constexpr (requires { F::takes_sparse_rows; }) {
      return F::takes_sparse_rows;
    } else {
      return false;
    }
  }
  [[nodiscard]] bool compares_shares() const override {
    if constexpr (requires { F::compares_shares; }) {
      return F::compares_shares;
    } else {
      return false;
    }
  }
  [[nodiscard]] bool shares_by_column() const override {
    if constexpr (requires { F::shares_by_column; }) {
      return F::shares_by_column;
    } else {
      return false;
    }
  }
  void check_rows(const Dataset& data) const override {
    if constexpr (requires { family_.check_rows(data); }) family_.check_rows(data);
  }

 private:
  using Posterior = typename F::Posterior;
  static constexpr std::size_t most_kept = std::size_t{1} << 21;  // numbers of statistics
  static constexpr std::size_t tile = 64;                         // clusters at a time: their costs stay in the cache
  static constexpr double tie_unit = [] {
    if constexpr (requires { F::tie_unit; }) {
      return F::tie_unit;
    } else {
      return 1.0;
    }
  }();

  // Calls visit(clusters, place of the first in the list) for candidates (empty: everyone), neighbours at once.
  template <class Visit>
  void for_neighbours(std::span<const std::int32_t> candidates, const Visit& visit) const {
    const auto chosen = candidates.empty() ? std::span<const std::int32_t>(everyone_) : candidates;
    for (std::size_t i = 0; i < chosen.size();) {
      std::size_t n = 1;
      while (i + n < chosen.size() && chosen[i + n] == chosen[i + n - 1] + 1) ++n;
      visit(std::span<const Posterior>(&clusters_[static_cast<std::size_t>(chosen[i])], n), i);
      i += n;
    }
  }

  void set_clusters(std::vector<Posterior> clusters) {
    clusters_ = std::move(clusters);
    everyone_.resize(clusters_.size());
    std::iota(everyone_.begin(), everyone_.end(), 0);
    if constexpr (FindsNearest<F>) finder_ = family_.finder(clusters_);
  }

  // The winners by fast costs; returns how many of them are in doubt.
  std::size_t find_nearest(const NearestQuery& query, RowBlock& rows, std::span<std::int32_t> labels,
                           NearestWorkspace& workspace) const {
    if constexpr (FindsNearest<F>) {
      const std::optional<std::size_t> found = finder_.find(rows, query, labels.data(), workspace.doubtful.data());
      if (found) return *found;
    }
    const std::span<const std::int32_t> competing = query.competing;
    workspace.costs.resize(std::min(competing.size(), tile) * kernels::panel_stride);
    for (std::size_t first = 0; first < competing.size(); first += tile) {
      const auto clusters = competing.subspan(first, std::min(tile, competing.size() - first));
      take_tile(query.offsets, clusters, first, rows, workspace);
    }
    return take_winners(query, competing, rows, labels, workspace);
  }

  // The clusters at the places of the least costs; returns how many of them are in doubt.
  static std::size_t take_winners(const NearestQuery& query, std::span<const std::int32_t> places, const RowBlock& rows,
                                  std::span<std::int32_t> labels, NearestWorkspace& workspace) {
    const std::size_t n_doubtful = kernels::take_winners(workspace.minima, rows.n_rows(), query.limits,
                                                         workspace.winners.data(), workspace.doubtful.data());
    for (std::size_t i = 0; i < rows.n_rows(); ++i) {
      labels[i] = places[static_cast<std::size_t>(workspace.winners[i])];
    }
    return n_doubtful;
  }

  void settle_doubtful(std::size_t n_doubtful, const NearestQuery& query, const RowBlock& rows, const Nearest& out,
                       NearestWorkspace& workspace) const {
    for (std::size_t i = 0; i < n_doubtful; ++i) {
      const std::size_t row = workspace.doubtful[i];
      out.labels[row] = settle_row(query.offsets, query.competing, rows, row, out.present(row), workspace);
    }
  }

  // Costs of some of the competing clusters, taken into the running minima under their place in the list.
  void take_tile(std::span<const double> offsets, std::span<const std::int32_t> clusters, std::size_t first,
                 RowBlock& rows, NearestWorkspace& workspace) const {
    double tile_offsets[tile];
    for (std::size_t i = 0; i < clusters.size(); ++i) tile_offsets[i] = offsets[static_cast<std::size_t>(clusters[i])];
    costs(clusters, rows, workspace.costs.data());
    kernels::update_minima(workspace.costs.data(), {tile_offsets, clusters.size()}, first, rows.n_rows(),
                           workspace.minima);
  }

  // One promise that holds for all of the competing clusters.
  [[nodiscard]] TieScale widest_scale(std::span<const double> offsets, std::span<const std::int32_t> competing) const {
    TieScale widest{0.0, std::numeric_limits<double>::infinity()};
    for (const std::int32_t c : competing) {
      const auto cluster = static_cast<std::size_t>(c);
      const TieScale scale = family_.tie_scale(clusters_[cluster]);
      widest.ratio = std::max(widest.ratio, scale.ratio);
      widest.floor = std::min(widest.floor, scale.floor + offsets[cluster]);
    }
    return widest;
  }

  [[nodiscard]] std::int32_t settle_row(std::span<const double> offsets, std::span<const std::int32_t> competing,
                                        const RowBlock& rows, std::size_t i, std::int32_t present,
                                        NearestWorkspace& workspace) const {
    const auto settle_by = [&](const auto& row) {
      const auto cost_of = [&](std::int32_t c) {
        const auto cluster = static_cast<std::size_t>(c);
        ExactCost cost = family_.exact_cost(clusters_[cluster], row);
        cost.value += offsets[cluster];
        return cost;
      };
      return settle(competing, present, cost_of, tie_unit);
    };
    if constexpr (requires(const SparseRow& row) { family_.exact_cost(clusters_.front(), row); }) {
      if (rows.are_sparse()) return settle_by(rows.sparse_row(i));
    }
    workspace.row.resize(n_columns());
    rows.source().copy_row(rows.row(i), workspace.row);
    return settle_by(std::span<const double>(workspace.row));
  }

  F family_;
  std::vector<Posterior> clusters_;
  StatsArena made_from_;                   // what the clusters were made from, unless that is too much to keep
  std::vector<std::uint64_t> identities_;  // of the clusters
  std::vector<std::int32_t> everyone_;     // 0, 1, ..., K - 1
  [[no_unique_address]] typename FinderOrNothing<F>::type finder_;
};

}  // namespace coppice
