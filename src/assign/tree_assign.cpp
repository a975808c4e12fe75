// SPDX-License-Identifier: BSD-3-Clause
// A sweep over a tree has two parts. From the root down to the fixed subtrees one thread finds out who is left where
// (TopDown): that ends at 64 subtrees at most. Then threads share out the subtrees, a few to a block, each with the
// candidates that are left for it, and sum up from left to right; blocks are combined in the fixed binary tree. So sums
// depend on the tree and not on the threads. A subset (the members of a cluster) is a list of pieces and has no way
// down of its own: it begins at its pieces with all candidates.

#include "assign/tree_assign.hpp"

#include <algorithm>
#include <numeric>

#include "assign/sweep_judges.hpp"
#include "assign/tree_sweep.hpp"
#include "coppice/assign/accumulators.hpp"
#include "coppice/assign/naive.hpp"
#include "coppice/runtime/assert.hpp"

namespace coppice::internal {

namespace {

// Subtrees that one thread takes at a time: each has little to do where nodes are given away whole.
constexpr std::size_t tasks_per_block = 4;

// What a sweep is cut into, for threads to share out.
struct SweepPlan {
  std::vector<TreePiece> pieces;
  std::vector<std::int32_t> lists;  // of candidates, one after the other
  std::vector<SweepTask> tasks;
  std::uint64_t distances = 0;
  std::uint64_t nodes = 0;
};

// From the root of a tree down to its subtrees, with the candidates that are left there: a visitor of the tree.
template <class Judge>
class TopDown {
 public:
  TopDown(const TreeUnits& units, const Judge& judge) : tree_(units.tree), stats_(units.stats), judge_(judge) {}

  SweepPlan plan() && {
    std::vector<std::int32_t> everyone(judge_.n_candidates());
    std::iota(everyone.begin(), everyone.end(), 0);
    Descent().run(tree_, 0, everyone, *this);
    const std::int32_t* list = plan_.lists.data();
    for (std::size_t i = 0; i < plan_.pieces.size(); ++i) {
      plan_.tasks.push_back({{&plan_.pieces[i], 1}, {list, list_sizes_[i]}, plan_.pieces[i].first});
      list += list_sizes_[i];
    }
    return std::move(plan_);
  }

  void prune(std::span<NodeCandidates> nodes) {
    for (NodeCandidates& at : nodes) {
      if (at.n == 1 || ends(at.node)) continue;
      plan_.distances += at.n;
      ++plan_.nodes;
      judge_.prune(tree_, {&at, 1}, scratch_);
    }
  }
  void own(std::size_t node, std::int32_t candidate) { leaf(node, {&candidate, 1}); }
  // The sweep begins with what is left here: it can be on its way meanwhile.
  void prefetch(std::size_t node, bool /*is_owned*/) const { __builtin_prefetch(stats_[node].data()); }
  [[nodiscard]] bool ends(std::size_t node) const { return tree_.is_subtree(node); }
  void leaf(std::size_t node, std::span<const std::int32_t> candidates) {
    plan_.pieces.push_back({static_cast<std::uint32_t>(node), tree_.node(node).first, tree_.node(node).last, 0});
    plan_.lists.insert(plan_.lists.end(), candidates.begin(), candidates.end());
    list_sizes_.push_back(candidates.size());
  }

 private:
  const KdTree& tree_;
  const StatsArena& stats_;
  const Judge& judge_;
  SweepPlan plan_;
  std::vector<std::size_t> list_sizes_;
  std::vector<double> scratch_;
};

// A subset's pieces, those of one subtree together.
SweepPlan plan_of(const Subset& subset, std::size_t n_candidates) {
  SweepPlan plan;
  plan.lists.resize(n_candidates);
  std::iota(plan.lists.begin(), plan.lists.end(), 0);
  const std::span<const TreePiece> pieces = subset.pieces();
  std::size_t position = 0;
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t last = first;
    const std::size_t begin = position;
    for (; last < pieces.size() && pieces[last].subtree == pieces[first].subtree; ++last)
      position += pieces[last].size();
    plan.tasks.push_back({pieces.subspan(first, last - first), plan.lists, begin});
    first = last;
  }
  return plan;
}

template <class Judge>
Assignment sweep(const Execution& execution, const Subset& subset, const Components& components, const Judge& judge,
                 const Labels& present) {
  const TreeUnits& units = subset.units().tree();
  const SweepPlan plan = subset.is_all() ? TopDown<Judge>(units, judge).plan() : plan_of(subset, judge.n_candidates());
  const Blocks blocks{.n_items = plan.tasks.size(), .items_per_block = tasks_per_block};
  std::vector<RunWriter> results(blocks.count());
  // Counts travel behind the statistics in the same sum: they come out the same for any number of threads, too.
  const Accumulators<n_sweep_counts> accumulators{components, judge.n_candidates()};
  Workspaces<SweepWorkspace> workspaces(execution.n_threads());
  const auto add = [&](std::span<double> accumulator, std::size_t block, std::size_t worker) {
    SweepWorkspace& workspace =
        workspaces.of(worker, [&] { return std::make_unique<SweepWorkspace>(components.n_columns(), execution.stop); });
    Sweep<Judge> sweep(units, components, judge, accumulator, workspace, results[block]);
    for (std::size_t i = blocks.first(block); i < blocks.last(block); ++i) {
      throw_if_stopped(execution.stop);
      sweep.run(plan.tasks[i], present.runs());
    }
  };
  std::vector<double> total =
      ordered_sum(execution, blocks, {.size = accumulators.size(), .add = add, .merge = [&](auto into, auto from) {
                                        accumulators.merge(into, from);
                                      }});

  RunWriter runs;
  // Runs of the blocks follow each other from left to right, as the blocks do.
  std::size_t n_runs = 0;
  for (const RunWriter& of_block : results) n_runs += of_block.runs().size();
  runs.reserve(n_runs);
  for (const RunWriter& of_block : results) runs.append(of_block.runs());
  Assignment result;
  result.labels = Labels(std::move(runs).take(), subset.is_all() ? units.tree.shared_order() : nullptr);
  const double* counts = total.data() + accumulators.n_stats();
  result.node_distances = plan.distances + static_cast<std::uint64_t>(counts[node_distances]);
  result.distances = result.node_distances + static_cast<std::uint64_t>(counts[row_distances]);
  result.nodes_visited = plan.nodes + static_cast<std::uint64_t>(counts[nodes_visited]);
  result.stats = accumulators.stats(std::move(total));
  return result;
}

}  // namespace

Assignment assign_in_tree(const Execution& execution, const Subset& subset, const Components& components,
                          std::span<const double> offsets, const Labels& present) {
  COPPICE_ASSERT(offsets.size() == components.size() && present.size() == subset.size());
  return sweep(execution, subset, components, ClusterJudge(components, offsets), present);
}

Assignment divide_in_tree(const Execution& execution, const Subset& subset, const Components& components,
                          const Plane& plane) {
  return sweep(execution, subset, components, PlaneJudge(plane), {});
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
             BlockStatistics statistics(components.n_columns(), execution.stop);
             RunReader reader(labels.runs(), tree.node(tree.subtrees()[subtree].root).first);
             for_each_piece(tree, static_cast<std::uint32_t>(subtree), reader,
                            [&](const TreePiece& piece, std::int32_t label) {
                              const std::size_t size = components.stats_size();
                              const StatsRef into = accumulator.subspan(static_cast<std::size_t>(label) * size, size);
                              // A whole node: its statistics are there already.
                              if (piece.size() == tree.n_rows(piece.node)) {
                                components.merge(into, units.tree().stats[piece.node]);
                                return;
                              }
                              statistics.add_run(tree.rows(), components, piece.first, piece.size(), into);
                            });
           },
       .merge = [&](auto into, auto from) { accumulators.merge(into, from); }});
  return accumulators.stats(std::move(total));
}

}  // namespace coppice::internal
