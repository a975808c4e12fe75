// SPDX-License-Identifier: BSD-3-Clause
// The plain assignment and all sums over lists of units. Labels and statistics come from one pass: a block is labelled
// panel by panel and summed up while its rows are still in a cache. Blocks have a fixed size and are combined in a
// fixed binary tree (ordered_sum), so that no bit depends on the threads. O(N K) costs, O(N) rows added.

#include "coppice/assign/naive.hpp"

#include <algorithm>
#include <utility>

#include "assign/block_statistics.hpp"
#include "assign/divide_list.hpp"
#include "assign/plane_sides.hpp"
#include "assign/sparse_statistics.hpp"
#include "coppice/assign/accumulators.hpp"
#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice::internal {

namespace {

// What one thread works in.
struct Workspace {
  Workspace(std::size_t n_columns, const StopSignal& stop) : buffer(n_columns), statistics(n_columns, stop) {}
  BlockBuffer buffer;
  NearestWorkspace nearest;
  BlockStatistics statistics;
  std::vector<std::int32_t> places;  // of labels in sparse statistics
};

// How many units of a block are labelled before they are summed up. The more there are, the more of them a cluster
// takes at once; but long rows have left the caches by then and are fetched again. Statistics much larger than a row,
// such as all pairs of columns, cost more than that, and sparse rows are short.
std::size_t units_per_group(const Units& units, const Components& components) {
  constexpr std::size_t cached_values = std::size_t{1} << 20;
  const std::size_t n_columns = components.n_columns();
  const bool are_long = units.are_rows() && !units.rows().are_sparse();
  if (!are_long || components.stats_size() > 3 * n_columns) return rows_per_block;
  // A group is a number that the table alone decides: another machine must not sum up in another order.
  const std::size_t n_panels = cached_values / (n_columns * kernels::panel_rows);
  return std::clamp<std::size_t>(n_panels, 4, rows_per_block / kernels::panel_rows) * kernels::panel_rows;
}

// What is summed up: the units of a subset by their labels 0..k-1.
struct Sums {
  const Subset& subset;
  const Components& components;
  std::size_t k;
  AddAs as;
  std::span<const std::int32_t> labels;

  [[nodiscard]] Blocks blocks() const { return {.n_items = subset.size()}; }
};

// add_block(block, worker, add_group) calls add_group(workspace, first, labels) for the units of a block, group by
// group.
template <class AddBlock>
StatsArena sum_whole_arenas(const Execution& execution, const Sums& sums, const AddBlock& add_block) {
  const Accumulators<0> accumulators{sums.components, sums.k};
  const auto add = [&](std::span<double> arena, std::size_t block, std::size_t worker) {
    add_block(block, worker, [&](Workspace& workspace, std::size_t first, std::span<const std::int32_t> labels) {
      workspace.statistics.add(sums.subset, sums.components, first, labels, arena, sums.as);
    });
  };
  const auto merge = [&](std::span<double> into, std::span<const double> from) { accumulators.merge(into, from); };
  return accumulators.stats(
      ordered_sum(execution, sums.blocks(), OrderedSum{.size = accumulators.size(), .add = add, .merge = merge}));
}

// The same sums, where there are many more clusters than units in a block.
template <class AddBlock>
StatsArena sum_touched_clusters(const Execution& execution, const Sums& sums, const AddBlock& add_block) {
  const SparseStatistics sparse(sums.components);
  const auto add = [&](std::vector<double>& accumulator, std::size_t block, std::size_t worker) {
    add_block(block, worker, [&](Workspace& workspace, std::size_t first, std::span<const std::int32_t> labels) {
      workspace.places.assign(labels.begin(), labels.end());
      sparse.make_room(accumulator, workspace.places);
      workspace.statistics.add(sums.subset, sums.components, first, workspace.places,
                               SparseStatistics::arena(accumulator));
    });
  };
  const auto merge = [&](std::vector<double>& into, std::span<const double> from) { sparse.merge(into, from); };
  return sparse.whole(ordered_sum(execution, sums.blocks(), GrowingSum{.add = add, .merge = merge}), sums.k);
}

// Calls label(first, count, workspace) for all positions, at most a panel at a time, and sums up the statistics of the
// labels that it leaves behind.
template <class Label>
StatsArena label_and_sum(const Execution& execution, const Sums& sums, const Label& label) {
  const Components& components = sums.components;
  COPPICE_ASSERT(!sums.subset.units().have_opened_rows());
  const Blocks blocks = sums.blocks();
  const std::size_t group = units_per_group(sums.subset.units(), components);
  const double panel_work = static_cast<double>(sums.k * kernels::panel_rows) * components.operations_per_row();
  Workspaces<Workspace> workspaces(execution.n_threads());
  const auto add_block = [&](std::size_t block, std::size_t worker, const auto& add_group) {
    Workspace& workspace =
        workspaces.of(worker, [&] { return std::make_unique<Workspace>(components.n_columns(), execution.stop); });
    const std::size_t last = blocks.last(block);
    for (std::size_t begin = blocks.first(block); begin < last; begin += group) {
      const std::size_t end = std::min(begin + group, last);
      for (std::size_t at = begin; at < end; at += kernels::panel_rows) {
        throw_if_stopped_before(execution.stop, panel_work);
        label(at, std::min(kernels::panel_rows, end - at), workspace);
      }
      add_group(workspace, begin, sums.labels.subspan(begin, end - begin));
    }
  };
  // Clusters that weigh their members have to know which cluster each is in; in sparse statistics labels are places.
  const bool are_touched_few = SparseStatistics::is_worth_it(sums.k, rows_per_block) && !components.weighs_members();
  return are_touched_few ? sum_touched_clusters(execution, sums, add_block)
                         : sum_whole_arenas(execution, sums, add_block);
}

double summed_evidence(const Execution& execution, const Components& components, const StatsArena& stats) {
  double sum = 0.0;
  for (const double log_evidence : components.log_evidences(execution, stats)) sum += log_evidence;
  return sum;
}

// Members weighed by clusters that are made of their weighed members: to and fro until that gains no more, which it
// does at every step.
StatsArena settle_members(const Execution& execution, const Subset& subset, const Components& components,
                          std::span<const std::int32_t> labels, StatsArena stats) {
  constexpr std::size_t most_steps = 100;
  constexpr double least_gain = 1e-4;  // nats
  const std::unique_ptr<Components> clusters = components.clone();
  double evidence = summed_evidence(execution, components, stats);
  for (std::size_t step = 0; step < most_steps; ++step) {
    clusters->update(execution, stats);
    stats = statistics_of_members(execution, subset, *clusters, labels);
    // The statistics of each step are at their best for the weights of the members, and the weights for the statistics:
    // the evidence never falls, and converges.
    const double before = std::exchange(evidence, summed_evidence(execution, components, stats));
    if (evidence - before < least_gain) break;
  }
  return stats;
}

}  // namespace

Assignment assign_naive(const Execution& execution, const Subset& subset, const Components& components,
                        std::span<const double> offsets, std::span<const std::int32_t> present) {
  COPPICE_ASSERT(offsets.size() == components.size());
  const Units& units = subset.units();
  std::vector<std::int32_t> labels(subset.size());
  const auto label = [&](std::size_t first, std::size_t count, Workspace& workspace) {
    const auto of_panel = std::span(labels).subspan(first, count);
    const auto before = present.subspan(first, count);
    if (units.are_rows()) {
      RowBlock block = subset.rows(first, count, workspace.buffer);
      components.nearest(offsets, {}, block, {[before](std::size_t i) { return before[i]; }, of_panel},
                         workspace.nearest);
      return;
    }
    for (std::size_t i = 0; i < of_panel.size(); ++i) {
      of_panel[i] = components.nearest_node(offsets, {}, units.summary(subset.unit(first + i)), before[i]).label;
    }
  };
  Assignment result;
  result.stats = label_and_sum(execution, {subset, components, components.size(), AddAs::members, labels}, label);
  result.labels = Labels(std::move(labels));
  result.distances = subset.size() * components.size();
  return result;
}

StatsArena statistics_of_list(const Execution& execution, const Subset& subset, const Components& components,
                              std::span<const std::int32_t> labels, std::size_t k) {
  StatsArena stats = label_and_sum(execution, {subset, components, k, AddAs::rows, labels}, [](auto&&...) {});
  return components.weighs_members() ? settle_members(execution, subset, components, labels, std::move(stats)) : stats;
}

StatsArena statistics_of_list(const Execution& execution, const Subset& subset, const Components& components,
                              std::span<const std::int32_t> labels, const StatsArena& known) {
  // Two starts, equal weights and those that the known clusters give; the alternation may end in different places.
  StatsArena best = statistics_of_list(execution, subset, components, labels, known.size());
  if (!components.weighs_members()) return best;
  const std::unique_ptr<Components> clusters = components.clone();
  clusters->update(execution, known);
  const StatsArena other = settle_members(execution, subset, components, labels,
                                          statistics_of_members(execution, subset, *clusters, labels));
  const std::vector<double> of_best = components.log_evidences(execution, best);
  const std::vector<double> of_other = components.log_evidences(execution, other);
  for (std::size_t c = 0; c < known.size(); ++c) {
    if (of_other[c] > of_best[c]) best.assign(c, other[c]);
  }
  return best;
}

StatsArena statistics_of_members(const Execution& execution, const Subset& subset, const Components& clusters,
                                 std::span<const std::int32_t> labels) {
  StatsArena stats =
      label_and_sum(execution, {subset, clusters, clusters.size(), AddAs::members, labels}, [](auto&&...) {});
  clusters.balance(execution, stats);
  return stats;
}

Assignment divide_list(const Execution& execution, const Subset& subset, const Components& components,
                       const Plane& plane) {
  const PlaneSides sides(plane);
  const Units& units = subset.units();
  std::vector<std::int32_t> labels(subset.size());
  const auto label = [&](std::size_t first, std::size_t count, Workspace& workspace) {
    const auto of_panel = std::span(labels).subspan(first, count);
    if (units.are_rows()) {
      RowBlock block = subset.rows(first, count, workspace.buffer);
      return sides.rows(block, of_panel);
    }
    for (std::size_t i = 0; i < of_panel.size(); ++i) {
      of_panel[i] = sides.point(components.column_moments(units.summary(subset.unit(first + i))).mean);
    }
  };
  Assignment result;
  result.stats = label_and_sum(execution, {subset, components, 2, AddAs::rows, labels}, label);
  result.labels = Labels(std::move(labels));
  return result;
}

}  // namespace coppice::internal
