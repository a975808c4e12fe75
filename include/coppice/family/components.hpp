// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// K clusters of one family at their posteriors, behind an interface that is compiled against once: assignment,
// inference and structure search know this class and no family. One virtual call serves a whole block of rows, or a
// tree node. FamilyAdapter<F> makes one from any family.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/family/box.hpp"
#include "coppice/family/family.hpp"
#include "coppice/family/merged_evidence.hpp"
#include "coppice/family/node_costs.hpp"
#include "coppice/family/prediction_bounds.hpp"
#include "coppice/family/row_sampler.hpp"
#include "coppice/family/stats.hpp"
#include "coppice/kernels/argmin.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

// Memory that nearest() works in; make one per thread. Nothing of it is set before it is used.
struct NearestWorkspace {
  std::vector<double> costs;
  kernels::RowMinima minima;
  std::vector<double> row;
  std::array<std::int32_t, kernels::panel_rows> winners;
  std::array<std::uint32_t, kernels::panel_rows> doubtful;
};

// Where every row of a block belongs. `present(i)` is the label of row i so far (-1: none), asked for only where
// clusters tie; `labels` receives the new ones.
struct Nearest {
  const std::function<std::int32_t(std::size_t)>& present;
  std::span<std::int32_t> labels;
};

// A number that no one else gets.
[[nodiscard]] std::uint64_t new_identity() noexcept;

class Components {
 public:
  Components() = default;
  Components(const Components&) = delete;
  Components& operator=(const Components&) = delete;
  virtual ~Components() = default;

  [[nodiscard]] virtual std::unique_ptr<Components> clone() const = 0;

  // The family and its prior.
  [[nodiscard]] virtual std::string_view family() const = 0;
  [[nodiscard]] virtual std::size_t n_columns() const = 0;
  [[nodiscard]] virtual std::size_t stats_size() const = 0;
  [[nodiscard]] virtual NamedArrays prior_arrays() const = 0;

  // Statistics.
  virtual void add(StatsRef into, RowBlock& rows, Weights weights) const = 0;
  // Rows that belong to one of the present clusters. Only families that weigh members (WeighsMembers) tell the
  // difference.
  virtual void add_members(std::size_t /*cluster*/, StatsRef into, RowBlock& rows, Weights weights) const {
    add(into, rows, weights);
  }
  [[nodiscard]] virtual bool weighs_members() const { return false; }
  // Of members that have been weighed: weighs all of them by one more factor, if that raises the log evidence. Setting
  // members and clusters in turn comes near the best such factor slowly.
  virtual void balance(StatsRef /*stats*/) const {}
  void balance(const Execution& execution, StatsArena& stats) const;  // every cluster
  virtual void merge(StatsRef into, ConstStatsRef from) const = 0;
  // As merge, if the rows behind `from` weighed `factor` times as much.
  virtual void add_scaled(StatsRef into, ConstStatsRef from, double factor) const = 0;
  [[nodiscard]] virtual double log_evidence(ConstStatsRef stats) const = 0;
  // A length for every column, by which the family measures distances before any row is seen: in proportion to the
  // units of the columns. Empty where all columns have one unit.
  [[nodiscard]] virtual std::vector<double> column_lengths() const { return {}; }
  // With columns divided by lengths, if some are given. Nothing if statistics do not tell it; rows do
  // (structure/principal_axis.hpp).
  [[nodiscard]] virtual std::optional<SplitAxis> split_axis(ConstStatsRef stats,
                                                            std::span<const double> lengths) const = 0;
  [[nodiscard]] std::optional<SplitAxis> split_axis(ConstStatsRef stats) const { return split_axis(stats, {}); }
  [[nodiscard]] virtual ColumnMoments column_moments(ConstStatsRef stats) const = 0;
  // Of every cluster.
  [[nodiscard]] std::vector<double> log_evidences(const Execution& execution, const StatsArena& stats) const;
  // About how many operations a posterior, a log evidence or a row's cost takes, to within a factor of ten or so: what
  // decides how often to look at the clock.
  [[nodiscard]] double operations_per_cluster() const {
    return static_cast<double>(stats_size()) * static_cast<double>(n_columns());
  }
  [[nodiscard]] double operations_per_row() const { return static_cast<double>(stats_size()); }
  // log evidence lost by putting both in one cluster; negative where one cluster explains them better than two.
  [[nodiscard]] double merge_loss(ConstStatsRef a, ConstStatsRef b) const;
  // The same for many pairs, of clusters with these statistics. Keep the components while it is in use.
  [[nodiscard]] virtual std::unique_ptr<MergedEvidence> merged_evidence(const StatsArena& stats) const;

  // The clusters.
  // Posteriors from statistics; as many clusters as given. Stopped on the way, the clusters are those before.
  virtual void update(const Execution& execution, const StatsArena& stats) = 0;
  void update(const StatsArena& stats);  // on this thread, to the end
  [[nodiscard]] virtual std::size_t size() const = 0;
  // Another number whenever a cluster is made of other statistics or by another prior, and never one that was given
  // before; 0 if that is not kept track of.
  [[nodiscard]] virtual std::uint64_t identity(std::size_t /*cluster*/) const { return 0; }
  // The cluster of least cost + offset for every row. Near-ties are settled exactly: the result depends neither on the
  // instruction set nor on which clusters were looked at in which order. Only `candidates` compete (empty: all).
  virtual void nearest(std::span<const double> offsets, std::span<const std::int32_t> candidates, RowBlock& rows,
                       const Nearest& out, NearestWorkspace& workspace) const = 0;
  // The same for costs that are known already: places[i] is the cluster of costs[i * kernels::panel_stride + row],
  // which costs() wrote, or -1 if nobody's. Every cluster has one place.
  virtual void nearest_by_costs(std::span<const double> offsets, std::span<const std::int32_t> places,
                                const double* costs, RowBlock& rows, const Nearest& out,
                                NearestWorkspace& workspace) const = 0;
  // The same for a node or summary, by the mean cost of all rows behind it; returns cluster and summed cost.
  struct NodeLabel {
    std::int32_t label = 0;
    double cost = 0.0;
  };
  [[nodiscard]] virtual NodeLabel nearest_node(std::span<const double> offsets,
                                               std::span<const std::int32_t> candidates, ConstStatsRef node,
                                               std::int32_t present) const = 0;
  // The summed cost of all rows behind a node, if they belong to the cluster.
  [[nodiscard]] virtual double node_cost(std::size_t cluster, ConstStatsRef node) const = 0;
  // The same for panels of nodes and all clusters, to be used many times. Keep the clusters while it is in use.
  [[nodiscard]] virtual std::unique_ptr<NodeCosts> node_costs() const;
  // Judges whole boxes by cost + offset (box.hpp); nothing if the family cannot. Keep the clusters while it is in use.
  [[nodiscard]] virtual std::unique_ptr<BoxTest> box_test(std::span<const double> offsets) const = 0;
  // The same clusters at the mean of their posteriors: costs are minus the log density there. For costs, nodes and
  // boxes alone.
  [[nodiscard]] virtual std::unique_ptr<Components> plug_in() const = 0;
  // out[i * kernels::panel_stride + row] for candidate i, or for every cluster if there are no candidates
  virtual void costs(std::span<const std::int32_t> candidates, RowBlock& rows, double* out) const = 0;
  // The same for log densities of one more row.
  virtual void log_predictive(std::span<const std::int32_t> candidates, RowBlock& rows, double* out) const = 0;
  // Bounds of these densities over whole boxes; nothing if the family knows none. Keep the clusters while it is in use.
  [[nodiscard]] virtual std::unique_ptr<PredictionBounds> prediction_bounds() const { return nullptr; }
  // log of what the predictive densities of a cluster add up to over all rows. It is less than 0 where values are
  // rounded: what a row adds to the evidence pays for what rounding hides.
  [[nodiscard]] virtual double log_mass(std::size_t /*cluster*/) const { return 0.0; }
  // Draws new rows from the clusters; nothing if the family does not know how. Keep the clusters while it is in use.
  [[nodiscard]] virtual std::unique_ptr<RowSampler> row_sampler() const { return nullptr; }
  // For exact moves of single rows, if the family knows how (MovesSingleRows): statistics less those of some of their
  // rows, and log densities of a cluster's members, each given the other members. std::logic_error if it does not.
  [[nodiscard]] virtual bool moves_single_rows() const { return false; }
  virtual void subtract(StatsRef from, ConstStatsRef part) const;
  virtual void log_held_out(std::size_t cluster, RowBlock& rows, double* out) const;
  [[nodiscard]] virtual double kl_to_prior(std::size_t cluster) const = 0;
  // Whether the family says how probable rows are; one that knows distances alone does not.
  [[nodiscard]] virtual bool has_density() const { return true; }
  // Means of spherical clusters, one after the other; empty for families where distance to a centre decides nothing.
  [[nodiscard]] virtual std::span<const double> centres() const { return {}; }
  // What ties between them may span beyond the tie band's share of squared distances (centroid.hpp).
  [[nodiscard]] virtual double tie_reserve() const { return 0.0; }
  // Whether blocks of sparse rows may be handed over.
  [[nodiscard]] virtual bool takes_sparse_rows() const { return false; }
  // Whether a row counts by its shares of the row's total, as counts of words do.
  [[nodiscard]] virtual bool compares_shares() const { return false; }
  // Whether statistics are the weight, the mean, and squares about it by column or in all, and nothing else: then rows
  // that many clusters share are summed up for all of them at once (soft_sums.hpp).
  [[nodiscard]] virtual bool shares_by_column() const { return false; }
  // DataError if the family cannot take such numbers.
  virtual void check_rows(const Dataset& /*data*/) const {}
};

}  // namespace coppice
