// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Makes the abstract Components out of a family. This is all that a family from outside the library needs:
//
//   auto components = std::make_unique<FamilyAdapter<MyFamily>>(MyFamily{...});

#include <numeric>
#include <utility>

#include "coppice/family/cluster_contest.hpp"
#include "coppice/family/components.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice {

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
    contest().nearest(offsets, candidates, rows, out, workspace);
  }
  void nearest_by_costs(std::span<const double> offsets, std::span<const std::int32_t> places, const double* costs,
                        RowBlock& rows, const Nearest& out, NearestWorkspace& workspace) const override {
    contest().nearest_by_costs(offsets, places, costs, rows, out, workspace);
  }
  [[nodiscard]] NodeLabel nearest_node(std::span<const double> offsets, std::span<const std::int32_t> candidates,
                                       ConstStatsRef node, std::int32_t present) const override {
    return contest().nearest_node(offsets, candidates, node, present);
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
    contest().for_neighbours(candidates, [&](std::span<const Posterior> clusters, std::size_t place) {
      family_.costs(clusters, rows, out + place * kernels::panel_stride);
    });
  }
  void log_predictive(std::span<const std::int32_t> candidates, RowBlock& rows, double* out) const override {
    contest().for_neighbours(candidates, [&](std::span<const Posterior> clusters, std::size_t place) {
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

  [[nodiscard]] ClusterContest<F> contest() const { return {family_, clusters_, everyone_, finder_}; }

  void set_clusters(std::vector<Posterior> clusters) {
    clusters_ = std::move(clusters);
    everyone_.resize(clusters_.size());
    std::iota(everyone_.begin(), everyone_.end(), 0);
    if constexpr (FindsNearest<F>) finder_ = family_.finder(clusters_);
  }

  F family_;
  std::vector<Posterior> clusters_;
  StatsArena made_from_;                   // what the clusters were made from, unless that is too much to keep
  std::vector<std::uint64_t> identities_;  // of the clusters
  std::vector<std::int32_t> everyone_;     // 0, 1, ..., K - 1
  [[no_unique_address]] typename FinderOrNothing<F>::type finder_;
};

}  // namespace coppice
