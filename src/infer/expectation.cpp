// SPDX-License-Identifier: BSD-3-Clause
#include "infer/expectation.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "coppice/assign/accumulators.hpp"
#include "coppice/family/soft_sums.hpp"
#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/shares.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice::internal {

namespace {

// Rows of which a cluster has a share, put off until they fill a panel.
struct ShareList {
  std::array<std::size_t, kernels::panel_rows> rows;
  std::array<double, kernels::panel_rows> shares;
  std::size_t size = 0;
};

// What one thread works in.
struct RowsWorkspace {
  RowsWorkspace(std::size_t n_columns, std::size_t k)
      : buffer(n_columns), list_buffer(n_columns), shares(k * kernels::panel_stride), weights(k), n_left(k), lists(k) {}
  BlockBuffer buffer;
  BlockBuffer list_buffer;
  kernels::AlignedVector<double> shares;  // log densities at first
  std::vector<double> weights;
  std::array<double, kernels::panel_rows> row_weights;
  std::vector<std::uint32_t> n_left;
  std::vector<ShareList> lists;
  std::vector<PanelPart> parts;
};

// For every unit of a panel the first of its largest shares.
void take_labels(std::span<const double> shares, std::span<std::int32_t> labels) {
  std::array<double, kernels::panel_rows> largest;
  std::ranges::fill(largest, -1.0);
  for (std::size_t c = 0; c * kernels::panel_stride < shares.size(); ++c) {
    const double* of_cluster = shares.data() + c * kernels::panel_stride;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!(of_cluster[i] > largest[i])) continue;
      largest[i] = of_cluster[i];
      labels[i] = static_cast<std::int32_t>(c);
    }
  }
}

// What all blocks have in common.
struct RowsToShare {
  const Rows& rows;
  std::span<const std::size_t> list;  // those of the rows that are units; empty: all
  const Components& clusters;
  const SoftSums& sums;
  std::span<const double> log_weights;
  Densities densities;
  std::span<std::int32_t> labels;  // to fill, unless empty
};

// One block of rows, panel by panel.
class RowsPass {
 public:
  RowsPass(const StopSignal& stop, const RowsToShare& given, RowsWorkspace& workspace, std::span<double> accumulator)
      : stop_(stop),
        rows_(given.rows),
        list_(given.list),
        clusters_(given.clusters),
        sums_(given.sums),
        log_weights_(given.log_weights),
        densities_(given.densities),
        labels_(given.labels),
        workspace_(workspace),
        stats_(accumulator.first(accumulator.size() - 1)),
        log_likelihood_(accumulator.back()) {}

  void run(std::size_t first, std::size_t last) {
    const double panel_work =
        static_cast<double>(log_weights_.size() * kernels::panel_rows) * clusters_.operations_per_row();
    for (std::size_t at = first; at < last; at += kernels::panel_rows) {
      throw_if_stopped_before(stop_, panel_work);
      const std::size_t count = std::min(kernels::panel_rows, last - at);
      take_panel(at, count, std::min(kernels::panel_rows, last - at - count));
    }
    for (std::size_t c = 0; c < log_weights_.size(); ++c) flush(c);
  }

 private:
  void take_panel(std::size_t first, std::size_t count, std::size_t n_following) {
    RowBlock block = list_.empty() ? RowBlock(rows_, first, count, workspace_.buffer, n_following)
                                   : RowBlock(rows_, list_.subspan(first, count), workspace_.buffer, n_following);
    take_log_densities(block);
    log_likelihood_ += kernels::take_shares(workspace_.shares.data(), log_weights_, count, weights(first, count),
                                            {workspace_.weights.data(), workspace_.n_left.data()});
    if (!labels_.empty()) take_labels(workspace_.shares, labels_.subspan(first, count));
    workspace_.parts.clear();
    for (std::size_t c = 0; c < log_weights_.size(); ++c) {
      if (workspace_.n_left[c] == 0) continue;
      const Weights shares = std::span(workspace_.shares).subspan(c * kernels::panel_stride, count);
      // Where most rows count, picking them out costs more than it saves.
      if (workspace_.n_left[c] > count / 2) {
        workspace_.parts.push_back({c, stats_of(c), shares.data(), workspace_.weights[c]});
      } else {
        put_off(c, first, shares);
      }
    }
    sums_.add(block, workspace_.parts);
  }

  [[nodiscard]] Weights weights(std::size_t first, std::size_t count) {
    const Weights all = rows_.data().weights();
    if (all.empty()) return all;
    if (list_.empty()) return all.subspan(first, count);
    for (std::size_t i = 0; i < count; ++i) workspace_.row_weights[i] = all[list_[first + i]];
    return Weights(workspace_.row_weights).first(count);
  }

  void take_log_densities(RowBlock& block) {
    if (densities_ == Densities::predictive) return clusters_.log_predictive({}, block, workspace_.shares.data());
    clusters_.costs({}, block, workspace_.shares.data());
    for (double& value : workspace_.shares) value = -value;
  }

  void put_off(std::size_t cluster, std::size_t first, Weights shares) {
    std::array<std::uint32_t, kernels::panel_rows> positive;
    const std::size_t n_positive = kernels::list_positive(shares.data(), shares.size(), positive.data());
    ShareList& list = workspace_.lists[cluster];
    for (const std::uint32_t i : std::span(positive).first(n_positive)) {
      list.rows[list.size] = list_.empty() ? first + i : list_[first + i];
      list.shares[list.size] = shares[i];
      if (++list.size == list.rows.size()) flush(cluster);
    }
  }

  void flush(std::size_t cluster) {
    ShareList& list = workspace_.lists[cluster];
    if (list.size == 0) return;
    RowBlock block(rows_, std::span(list.rows).first(list.size), workspace_.list_buffer);
    clusters_.add_members(cluster, stats_of(cluster), block, std::span(list.shares).first(list.size));
    list.size = 0;
  }

  [[nodiscard]] StatsRef stats_of(std::size_t cluster) const {
    return stats_.subspan(cluster * clusters_.stats_size(), clusters_.stats_size());
  }

  const StopSignal& stop_;
  const Rows& rows_;
  std::span<const std::size_t> list_;
  const Components& clusters_;
  const SoftSums& sums_;
  std::span<const double> log_weights_;
  Densities densities_;
  std::span<std::int32_t> labels_;
  RowsWorkspace& workspace_;
  std::span<double> stats_;
  double& log_likelihood_;
};

// Units that are statistics: summaries, or tied leaves.
using SummaryOf = std::function<ConstStatsRef(std::size_t unit)>;

struct SummariesWorkspace {
  explicit SummariesWorkspace(std::size_t k) : shares(k * kernels::panel_stride), totals(k), n_left(k) {}
  std::vector<double> shares;
  std::vector<double> totals;
  std::vector<std::uint32_t> n_left;
  std::vector<ConstStatsRef> nodes;
  std::array<double, kernels::panel_rows> weights;
};

// At most a panel of summaries. All rows behind a summary share alike, by their mean cost.
void take_summaries(const SummaryOf& summary, std::size_t first, std::size_t count, const Components& clusters,
                    const NodeCosts& costs, std::span<const double> log_weights, std::span<std::int32_t> labels,
                    SummariesWorkspace& workspace, std::span<double> accumulator) {
  workspace.nodes.clear();
  for (std::size_t i = 0; i < count; ++i) {
    workspace.nodes.push_back(summary(first + i));
    workspace.weights[i] = workspace.nodes[i][0];
  }
  costs.costs(workspace.nodes, workspace.shares.data());
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    for (std::size_t i = 0; i < count; ++i) {
      double& value = workspace.shares[c * kernels::panel_stride + i];
      value = workspace.weights[i] > 0.0 ? -value / workspace.weights[i] : 0.0;
    }
  }
  accumulator.back() +=
      kernels::take_shares(workspace.shares.data(), log_weights, count, Weights(workspace.weights).first(count),
                           {workspace.totals.data(), workspace.n_left.data()});
  if (!labels.empty()) take_labels(workspace.shares, labels.subspan(first, count));
  const std::size_t size = clusters.stats_size();
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    for (std::size_t i = 0; i < count && workspace.n_left[c] > 0; ++i) {
      const double share = workspace.shares[c * kernels::panel_stride + i];
      if (!(share > 0.0)) continue;
      clusters.add_scaled(accumulator.subspan(c * size, size), workspace.nodes[i], share / workspace.weights[i]);
    }
  }
}

// Calls add(accumulator, first, last, workspace) for every block, and sums up.
template <class Workspace, class Make, class Add>
Expectation sum_up(const Execution& execution, const Blocks& blocks, const Components& clusters, const Make& make,
                   const Add& add) {
  const Accumulators<1> accumulators{clusters, clusters.size()};
  Workspaces<Workspace> workspaces(execution.n_threads());
  const auto add_block = [&](std::span<double> accumulator, std::size_t block, std::size_t worker) {
    add(accumulator, blocks.first(block), blocks.last(block), workspaces.of(worker, make));
  };
  const auto merge = [&](auto into, auto from) { accumulators.merge(into, from); };
  std::vector<double> total =
      ordered_sum(execution, blocks, {.size = accumulators.size(), .add = add_block, .merge = merge});
  Expectation result;
  result.log_likelihood = total.back();
  result.distances = blocks.n_items * clusters.size();
  result.stats = accumulators.stats(std::move(total));
  return result;
}

Expectation of_rows(const Execution& execution, const Rows& rows, std::span<const std::size_t> list,
                    const Components& clusters, std::span<const double> log_weights,
                    const ExpectationOptions& options) {
  const std::unique_ptr<SoftSums> sums = make_soft_sums(clusters);
  const std::size_t n_units = list.empty() ? rows.size() : list.size();
  std::vector<std::int32_t> labels(options.gives_labels ? n_units : 0);
  const RowsToShare given{rows, list, clusters, *sums, log_weights, options.densities, labels};
  Expectation result = sum_up<RowsWorkspace>(
      execution, {.n_items = n_units}, clusters,
      [&] { return std::make_unique<RowsWorkspace>(rows.n_columns(), clusters.size()); },
      [&](std::span<double> accumulator, std::size_t first, std::size_t last, RowsWorkspace& workspace) {
        RowsPass(execution.stop, given, workspace, accumulator).run(first, last);
      });
  result.labels = std::move(labels);
  return result;
}

Expectation of_summaries(const Execution& execution, std::size_t n_units, const SummaryOf& summary,
                         const Components& clusters, std::span<const double> log_weights,
                         const ExpectationOptions& options) {
  std::vector<std::int32_t> labels(options.gives_labels ? n_units : 0);
  const std::unique_ptr<NodeCosts> costs = clusters.node_costs();
  Expectation result = sum_up<SummariesWorkspace>(
      execution, {.n_items = n_units, .items_per_block = kernels::panel_rows}, clusters,
      [&] { return std::make_unique<SummariesWorkspace>(clusters.size()); },
      [&](std::span<double> accumulator, std::size_t first, std::size_t last, SummariesWorkspace& workspace) {
        take_summaries(summary, first, last - first, clusters, *costs, log_weights, labels, workspace, accumulator);
      });
  result.labels = std::move(labels);
  return result;
}

// The nodes of a front, and the rows that it has opened.
Expectation of_front(const Execution& execution, const FrontUnits& units, const SummaryOf& summary,
                     const Components& clusters, std::span<const double> log_weights,
                     const ExpectationOptions& options) {
  const Front& front = *units.front;
  if (front.nodes().empty()) {
    return of_rows(execution, units.of.tree.rows(), front.rows(), clusters, log_weights, options);
  }
  Expectation nodes = of_summaries(execution, front.nodes().size(), summary, clusters, log_weights, options);
  if (front.rows().empty()) return nodes;
  const Expectation rows = of_rows(execution, units.of.tree.rows(), front.rows(), clusters, log_weights, options);
  for (std::size_t c = 0; c < clusters.size(); ++c) clusters.merge(nodes.stats[c], rows.stats[c]);
  nodes.log_likelihood += rows.log_likelihood;
  nodes.distances += rows.distances;
  nodes.labels.insert(nodes.labels.end(), rows.labels.begin(), rows.labels.end());
  return nodes;
}

}  // namespace

Expectation expectation(const Execution& execution, const Units& units, const Components& clusters,
                        std::span<const double> log_weights, const ExpectationOptions& options) {
  if (units.are_rows()) return of_rows(execution, units.rows(), {}, clusters, log_weights, options);
  const auto summary = [&](std::size_t unit) { return units.summary(unit); };
  if (units.front() != nullptr) return of_front(execution, *units.front(), summary, clusters, log_weights, options);
  return of_summaries(execution, units.size(), summary, clusters, log_weights, options);
}

bool takes_long(const Units& units, const Components& family, std::size_t k) {
  constexpr double long_pass = 1e9;  // operations
  return units.are_rows() &&
         static_cast<double>(units.size()) * static_cast<double>(k) * family.operations_per_row() >= long_pass;
}

}  // namespace coppice::internal
