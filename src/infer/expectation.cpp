// SPDX-License-Identifier: BSD-3-Clause
// The expectation step for rows and for summaries. A panel of 256 rows goes through all clusters (log densities), then
// through the softmax (kernels/shares.hpp), then into the statistics: the table of shares, N x K, is never there as a
// whole. What decides the speed is how many rows a cluster has a share in at all. Where clusters lie apart these are
// few, and statistics of all pairs of columns are dear: such rows are put off and gathered over the block until they
// fill a panel. Sums are taken in fixed blocks and a fixed order, whatever the threads.

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

// For every unit of a panel the first of its largest shares; the last clusters may not count.
void take_labels(std::span<const double> shares, std::size_t n_unlabelled, std::span<std::int32_t> labels) {
  shares = shares.first(shares.size() - n_unlabelled * kernels::panel_stride);
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

// Those of the rows that are units (empty: all), and what of them is shared out (empty: their weights).
struct ChosenRows {
  std::span<const std::size_t> list = {};
  Weights masses = {};
};

// What all blocks have in common.
struct RowsToShare {
  const Rows& rows;
  ChosenRows chosen;
  const Components& clusters;
  const SoftSums& sums;
  std::span<const double> log_weights;
  Densities densities;
  std::span<std::int32_t> labels;  // to fill, unless empty
  std::size_t n_unlabelled = 0;
};

// One block of rows, panel by panel.
class RowsPass {
 public:
  RowsPass(const StopSignal& stop, const RowsToShare& given, RowsWorkspace& workspace, std::span<double> accumulator)
      : stop_(stop),
        rows_(given.rows),
        list_(given.chosen.list),
        masses_(given.chosen.masses),
        clusters_(given.clusters),
        sums_(given.sums),
        log_weights_(given.log_weights),
        densities_(given.densities),
        labels_(given.labels),
        n_unlabelled_(given.n_unlabelled),
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
    // At the end of the block, and not later: what a block adds up must not depend on the one that the thread took
    // before.
    for (std::size_t c = 0; c < log_weights_.size(); ++c) flush(c);
  }

 private:
  void take_panel(std::size_t first, std::size_t count, std::size_t n_following) {
    RowBlock block = list_.empty() ? RowBlock(rows_, first, count, workspace_.buffer, n_following)
                                   : RowBlock(rows_, list_.subspan(first, count), workspace_.buffer, n_following);
    take_log_densities(block);
    log_likelihood_ += kernels::take_shares(workspace_.shares.data(), log_weights_, count, weights(first, count),
                                            {workspace_.weights.data(), workspace_.n_left.data()});
    if (!labels_.empty()) take_labels(workspace_.shares, n_unlabelled_, labels_.subspan(first, count));
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
    if (!masses_.empty()) return masses_.subspan(first, count);
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
  Weights masses_;
  const Components& clusters_;
  const SoftSums& sums_;
  std::span<const double> log_weights_;
  Densities densities_;
  std::span<std::int32_t> labels_;
  std::size_t n_unlabelled_;
  RowsWorkspace& workspace_;
  std::span<double> stats_;
  double& log_likelihood_;
};

// Units that are statistics, summaries or tied nodes, and what of them is shared out (empty: their weights).
struct Summaries {
  std::size_t size = 0;
  std::function<ConstStatsRef(std::size_t i)> at;
  Weights masses = {};
};

struct SummariesWorkspace {
  explicit SummariesWorkspace(std::size_t k) : shares(k * kernels::panel_stride), totals(k), n_left(k) {}
  std::vector<double> shares;
  std::vector<double> totals;
  std::vector<std::uint32_t> n_left;
  std::vector<ConstStatsRef> nodes;
  std::array<double, kernels::panel_rows> weights;
};

// Of all units, to fill unless empty.
struct PanelLabels {
  std::span<std::int32_t> all;
  std::size_t n_unlabelled = 0;
};

// At most a panel of summaries. All rows behind a summary share alike, by their mean cost.
void take_summaries(const Summaries& summaries, std::size_t first, std::size_t count, const Components& clusters,
                    const NodeCosts& costs, std::span<const double> log_weights, const PanelLabels& labels,
                    SummariesWorkspace& workspace, std::span<double> accumulator) {
  workspace.nodes.clear();
  for (std::size_t i = 0; i < count; ++i) {
    workspace.nodes.push_back(summaries.at(first + i));
    workspace.weights[i] = workspace.nodes[i][0];
  }
  costs.costs(workspace.nodes, workspace.shares.data());
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    for (std::size_t i = 0; i < count; ++i) {
      double& value = workspace.shares[c * kernels::panel_stride + i];
      // Per row behind the summary: shares hang on the mean cost, the likelihood counts it times the mass ([V] section
      // 6, with the term in the scatter that errata 25 asks for).
      value = workspace.weights[i] > 0.0 ? -value / workspace.weights[i] : 0.0;
    }
  }
  const Weights masses =
      summaries.masses.empty() ? Weights(workspace.weights).first(count) : summaries.masses.subspan(first, count);
  accumulator.back() += kernels::take_shares(workspace.shares.data(), log_weights, count, masses,
                                             {workspace.totals.data(), workspace.n_left.data()});
  if (!labels.all.empty()) take_labels(workspace.shares, labels.n_unlabelled, labels.all.subspan(first, count));
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

Expectation of_rows(const Execution& execution, const Rows& rows, const ChosenRows& chosen, const Components& clusters,
                    std::span<const double> log_weights, const ExpectationOptions& options) {
  const std::unique_ptr<SoftSums> sums = make_soft_sums(clusters);
  const std::size_t n_units = chosen.list.empty() ? rows.size() : chosen.list.size();
  std::vector<std::int32_t> labels(options.gives_labels ? n_units : 0);
  const RowsToShare given{rows, chosen, clusters, *sums, log_weights, options.densities, labels, options.n_unlabelled};
  Expectation result = sum_up<RowsWorkspace>(
      execution, {.n_items = n_units}, clusters,
      [&] { return std::make_unique<RowsWorkspace>(rows.n_columns(), clusters.size()); },
      [&](std::span<double> accumulator, std::size_t first, std::size_t last, RowsWorkspace& workspace) {
        RowsPass(execution.stop, given, workspace, accumulator).run(first, last);
      });
  result.labels = std::move(labels);
  return result;
}

Expectation of_summaries(const Execution& execution, const Summaries& summaries, const Components& clusters,
                         std::span<const double> log_weights, const ExpectationOptions& options) {
  std::vector<std::int32_t> labels(options.gives_labels ? summaries.size : 0);
  const std::unique_ptr<NodeCosts> costs = clusters.node_costs();
  Expectation result = sum_up<SummariesWorkspace>(
      execution, {.n_items = summaries.size, .items_per_block = kernels::panel_rows}, clusters,
      [&] { return std::make_unique<SummariesWorkspace>(clusters.size()); },
      [&](std::span<double> accumulator, std::size_t first, std::size_t last, SummariesWorkspace& workspace) {
        take_summaries(summaries, first, last - first, clusters, *costs, log_weights, {labels, options.n_unlabelled},
                       workspace, accumulator);
      });
  result.labels = std::move(labels);
  return result;
}

// Summaries and rows, each if there are any.
Expectation of_both(const Execution& execution, const Units& units, const Summaries& summaries, const ChosenRows* rows,
                    const Components& clusters, std::span<const double> log_weights,
                    const ExpectationOptions& options) {
  if (rows == nullptr) return of_summaries(execution, summaries, clusters, log_weights, options);
  // Units are summaries first and then rows, and so are their labels; sums of the two kinds are merged in that order.
  Expectation of_rows_alone = of_rows(execution, rows_behind(units), *rows, clusters, log_weights, options);
  if (summaries.size == 0) return of_rows_alone;
  Expectation both = of_summaries(execution, summaries, clusters, log_weights, options);
  for (std::size_t c = 0; c < clusters.size(); ++c) clusters.merge(both.stats[c], of_rows_alone.stats[c]);
  both.log_likelihood += of_rows_alone.log_likelihood;
  both.distances += of_rows_alone.distances;
  both.labels.insert(both.labels.end(), of_rows_alone.labels.begin(), of_rows_alone.labels.end());
  return both;
}

Expectation of_all(const Execution& execution, const Units& units, const Components& clusters,
                   std::span<const double> log_weights, const ExpectationOptions& options) {
  if (units.are_rows()) return of_rows(execution, units.rows(), {}, clusters, log_weights, options);
  const bool has_rows = units.have_opened_rows();
  const ChosenRows rows{has_rows ? units.front()->front->rows() : std::span<const std::size_t>{}};
  const std::size_t n_summaries = units.size() - rows.list.size();
  const Summaries summaries{n_summaries, [&units](std::size_t i) { return units.summary(i); }};
  return of_both(execution, units, summaries, has_rows ? &rows : nullptr, clusters, log_weights, options);
}

Expectation of_portion(const Execution& execution, const Units& units, const Components& clusters,
                       std::span<const double> log_weights, const ExpectationOptions& options) {
  const PortionParts parts(units, options.portion);
  const std::span<const std::size_t> chosen = parts.summaries.units;
  const Summaries summaries{chosen.size(), [&units, chosen](std::size_t i) { return units.summary(chosen[i]); },
                            parts.summaries.masses};
  const ChosenRows rows{parts.rows.units, parts.rows.masses};
  return of_both(execution, units, summaries, rows.list.empty() ? nullptr : &rows, clusters, log_weights, options);
}

}  // namespace

Expectation expectation(const Execution& execution, const Units& units, const Components& clusters,
                        std::span<const double> log_weights, const ExpectationOptions& options) {
  return options.portion.units.empty() ? of_all(execution, units, clusters, log_weights, options)
                                       : of_portion(execution, units, clusters, log_weights, options);
}

bool takes_long(const Units& units, const Components& family, std::size_t k) {
  constexpr double long_pass = 1e9;  // operations
  return units.are_rows() &&
         static_cast<double>(units.size()) * static_cast<double>(k) * family.operations_per_row() >= long_pass;
}

}  // namespace coppice::internal
