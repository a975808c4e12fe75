// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// In which cluster a row, or a node of a tree, costs least. Fast costs find the winner; where others come so close that
// rounding may have decided, exact costs are compared by the rule of tie_rule.hpp.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "coppice/family/components.hpp"
#include "coppice/family/tie_rule.hpp"

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

// The clusters of an adapter, seen for one call.
template <Family F>
class ClusterContest {
 public:
  using Posterior = typename F::Posterior;
  using Finder = typename FinderOrNothing<F>::type;

  // `everyone`: 0, 1, ..., K - 1.
  ClusterContest(const F& family, std::span<const Posterior> clusters, std::span<const std::int32_t> everyone,
                 const Finder& finder)
      : family_(family), clusters_(clusters), everyone_(everyone), finder_(finder) {}

  void nearest(std::span<const double> offsets, std::span<const std::int32_t> candidates, RowBlock& rows,
               const Nearest& out, NearestWorkspace& workspace) const {
    const auto competing = candidates.empty() ? everyone_ : candidates;
    const NearestQuery query{offsets, competing,
                             doubt_limits(widest_scale(offsets, competing), family_.n_columns(), tie_unit)};
    settle_doubtful(find_nearest(query, rows, out.labels, workspace), query, rows, out, workspace);
  }
  void nearest_by_costs(std::span<const double> offsets, std::span<const std::int32_t> places, const double* costs,
                        RowBlock& rows, const Nearest& out, NearestWorkspace& workspace) const {
    const NearestQuery query{offsets, everyone_,
                             doubt_limits(widest_scale(offsets, everyone_), family_.n_columns(), tie_unit)};
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
  [[nodiscard]] Components::NodeLabel nearest_node(std::span<const double> offsets,
                                                   std::span<const std::int32_t> candidates, ConstStatsRef node,
                                                   std::int32_t present) const {
    const auto competing = candidates.empty() ? everyone_ : candidates;
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

  // Calls visit(clusters, place of the first in the list) for candidates (empty: everyone), neighbours at once.
  template <class Visit>
  void for_neighbours(std::span<const std::int32_t> candidates, const Visit& visit) const {
    const auto chosen = candidates.empty() ? everyone_ : candidates;
    for (std::size_t i = 0; i < chosen.size();) {
      std::size_t n = 1;
      while (i + n < chosen.size() && chosen[i + n] == chosen[i + n - 1] + 1) ++n;
      visit(std::span<const Posterior>(&clusters_[static_cast<std::size_t>(chosen[i])], n), i);
      i += n;
    }
  }

 private:
  static constexpr std::size_t tile = 64;  // clusters at a time: their costs stay in the cache
  static constexpr double tie_unit = [] {
    if constexpr (requires { F::tie_unit; }) {
      return F::tie_unit;
    } else {
      return 1.0;
    }
  }();

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
    for_neighbours(clusters, [&](std::span<const Posterior> some, std::size_t place) {
      family_.costs(some, rows, workspace.costs.data() + place * kernels::panel_stride);
    });
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
    workspace.row.resize(family_.n_columns());
    rows.source().copy_row(rows.row(i), workspace.row);
    return settle_by(std::span<const double>(workspace.row));
  }

  const F& family_;
  std::span<const Posterior> clusters_;
  std::span<const std::int32_t> everyone_;
  const Finder& finder_;
};

}  // namespace coppice
