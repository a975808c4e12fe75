// SPDX-License-Identifier: BSD-3-Clause
#include "assign/tree_assign.hpp"

#include <algorithm>
#include <numeric>

#include "assign/accumulators.hpp"
#include "assign/judges.hpp"
#include "assign/tree_sweep.hpp"
#include "coppice/assign/naive.hpp"
#include "runtime/assert.hpp"

namespace coppice {

namespace {

// The whole tree: from the root down to its subtrees, with the candidates that are left there.
template <class Judge>
class TopDown {
 public:
  TopDown(const KdTree& tree, const Judge& judge) : tree_(tree), judge_(judge) {
    std::vector<std::int32_t> everyone(judge.n_candidates());
    std::iota(everyone.begin(), everyone.end(), 0);
    visit(0, std::move(everyone));
  }

  std::vector<SweepTask> tasks;
  std::uint64_t distances = 0;
  std::uint64_t nodes = 0;

 private:
  void visit(std::uint32_t node, std::vector<std::int32_t> candidates) {
    const bool is_subtree = std::ranges::binary_search(tree_.subtrees(), node, {}, &KdTree::Subtree::begin);
    if (!is_subtree && candidates.size() > 1) {
      distances += candidates.size();
      ++nodes;
      candidates.resize(judge_.prune(tree_.box(node), candidates, scratch_));
    }
    if (is_subtree || candidates.size() == 1) {
      const KdTree::Node& rows = tree_.node(node);
      tasks.push_back({{{node, rows.first, rows.last, 0}}, std::move(candidates), rows.first});
      return;
    }
    visit(static_cast<std::uint32_t>(KdTree::left(node)), candidates);
    visit(static_cast<std::uint32_t>(tree_.right(node)), std::move(candidates));
  }

  const KdTree& tree_;
  const Judge& judge_;
  std::vector<double> scratch_;
};

// A part's pieces, those of one subtree together.
std::vector<SweepTask> tasks_of(const Part& part, std::size_t n_candidates) {
  std::vector<std::int32_t> everyone(n_candidates);
  std::iota(everyone.begin(), everyone.end(), 0);
  std::vector<SweepTask> tasks;
  std::size_t position = 0;
  for (const TreePiece& piece : part.pieces()) {
    if (tasks.empty() || tasks.back().pieces.front().subtree != piece.subtree) {
      tasks.push_back({{}, everyone, position});
    }
    tasks.back().pieces.push_back(piece);
    position += piece.size();
  }
  return tasks;
}

void add_loose_rows(const Execution& execution, const KdTree& tree, const Components& components,
                    const LooseRows& loose, StatsArena& stats) {
  const Units rows(tree.rows());
  const StatsArena sums = statistics_of_list(execution, Part(rows, loose.rows), components, loose.labels, stats.size());
  for (std::size_t c = 0; c < stats.size(); ++c) components.merge(stats[c], sums[c]);
}

template <class Judge>
Assignment sweep(const Execution& execution, const Part& part, const Components& components, const Judge& judge,
                 const Labels& present) {
  const TreeUnits& units = part.units().tree();
  Assignment result;
  std::vector<SweepTask> tasks;
  if (part.is_all()) {
    TopDown top(units.tree, judge);
    tasks = std::move(top.tasks);
    result.node_distances = top.distances;
    result.nodes_visited = top.nodes;
  } else {
    tasks = tasks_of(part, judge.n_candidates());
  }
  std::vector<SweepResult> results(tasks.size());
  const Accumulators<n_sweep_counts> accumulators{components, judge.n_candidates()};
  Workspaces<SweepWorkspace> workspaces(execution.pool.n_threads());
  const auto add = [&](std::span<double> accumulator, std::size_t task, std::size_t worker) {
    SweepWorkspace& workspace =
        workspaces.of(worker, [&] { return std::make_unique<SweepWorkspace>(units.tree, judge.n_candidates()); });
    Sweep<Judge>(units, components, judge, accumulator, workspace, results[task]).run(tasks[task], present.runs());
  };
  std::vector<double> total = ordered_sum(execution, {.n_items = tasks.size(), .items_per_block = 1},
                                          {.size = accumulators.size(), .add = add, .merge = [&](auto into, auto from) {
                                             accumulators.merge(into, from);
                                           }});

  RunWriter runs;
  LooseRows loose;
  std::size_t n_runs = 0;
  for (const SweepResult& of_task : results) n_runs += of_task.runs.runs().size();
  runs.reserve(n_runs);
  for (const SweepResult& of_task : results) {
    runs.append(of_task.runs.runs());
    loose.append(of_task.loose);
  }
  result.labels = Labels(std::move(runs).take(), part.is_all() ? units.tree.shared_order() : nullptr);
  const double* counts = total.data() + accumulators.n_stats();
  result.node_distances += static_cast<std::uint64_t>(counts[node_distances]);
  result.distances = result.node_distances + static_cast<std::uint64_t>(counts[row_distances]);
  result.nodes_visited += static_cast<std::uint64_t>(counts[nodes_visited]);
  result.stats = accumulators.stats(std::move(total));
  add_loose_rows(execution, units.tree, components, loose, result.stats);
  if (present.size() > 0) result.n_changed = count_changes(result.labels, present);
  return result;
}

}  // namespace

Assignment assign_in_tree(const Execution& execution, const Part& part, const Components& components,
                          std::span<const double> offsets, const Labels& present) {
  COPPICE_ASSERT(offsets.size() == components.size() && present.size() == part.size());
  return sweep(execution, part, components, ClusterJudge(components, offsets), present);
}

Assignment divide_in_tree(const Execution& execution, const Part& part, const Components& components,
                          const Plane& plane) {
  return sweep(execution, part, components, PlaneJudge(components, plane), {});
}

StatsArena statistics_in_tree(const Execution& execution, const Units& units, const Components& components,
                              const Labels& labels, std::size_t k) {
  const KdTree& tree = units.tree().tree;
  const Accumulators<0> accumulators{components, k};
  std::vector<double> total = ordered_sum(
      execution, {.n_items = tree.subtrees().size(), .items_per_block = 1},
      {.size = accumulators.size(),
       .add =
           [&](std::span<double> accumulator, std::size_t subtree, std::size_t /*worker*/) {
             BlockStatistics statistics(components.n_columns());
             std::vector<std::size_t> chosen;
             RunReader reader(labels.runs(), tree.node(tree.subtrees()[subtree].begin).first);
             for_each_piece(tree, static_cast<std::uint32_t>(subtree), reader,
                            [&](const TreePiece& piece, std::int32_t label) {
                              const std::size_t size = components.stats_size();
                              const StatsRef into = accumulator.subspan(static_cast<std::size_t>(label) * size, size);
                              if (piece.size() == tree.n_rows(piece.node)) {
                                components.merge(into, units.tree().stats[piece.node]);
                                return;
                              }
                              chosen.resize(piece.size());
                              std::iota(chosen.begin(), chosen.end(), std::size_t{piece.first});
                              statistics.add_rows(tree.rows(), components, chosen, into);
                            });
           },
       .merge = [&](auto into, auto from) { accumulators.merge(into, from); }});
  return accumulators.stats(std::move(total));
}

}  // namespace coppice
