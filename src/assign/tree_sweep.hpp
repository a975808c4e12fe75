// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One thread's share of an assignment over a tree: pieces of the tree, from left to right, go to the candidates that a
// judge leaves them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assign/block_statistics.hpp"
#include "coppice/assign/labels.hpp"
#include "coppice/assign/subset.hpp"
#include "coppice/family/components.hpp"
#include "coppice/tree/descent.hpp"

namespace coppice::internal {

// What one thread works in.
struct SweepWorkspace {
  SweepWorkspace(std::size_t n_columns, const StopSignal& stop) : buffer(n_columns), statistics(n_columns, stop) {}
  Descent descent;
  BlockBuffer buffer;
  BlockStatistics statistics;
  std::vector<double> scratch;
  NearestWorkspace nearest;
  std::vector<std::int32_t> labels;
};

// Pieces and the candidates that compete for them.
struct SweepTask {
  std::span<const TreePiece> pieces;
  std::span<const std::int32_t> candidates;
  std::size_t position = 0;  // of the first row, among all rows of the part
};

// Behind the statistics of all clusters, an accumulator counts.
enum SweepCount : std::size_t { row_distances, node_distances, nodes_visited, n_sweep_counts };

// A judge gives boxes and rows to candidates:
//
//   std::size_t n_candidates() const;
//   void prune(tree, nodes, scratch) const;                                // as in descent.hpp
//   void rows(block, candidates, nearest, workspace) const;
//
// The sweep is a visitor of the tree.
template <class Judge>
class Sweep {
 public:
  Sweep(const TreeUnits& units, const Components& components, const Judge& judge, std::span<double> accumulator,
        SweepWorkspace& workspace, RunWriter& runs)
      : tree_(units.tree),
        stats_(units.stats),
        components_(components),
        stats_size_(components.stats_size()),
        judge_(judge),
        sums_(accumulator.first(accumulator.size() - n_sweep_counts)),
        counts_(accumulator.last(n_sweep_counts)),
        workspace_(workspace),
        runs_(runs) {}

  void run(const SweepTask& task, std::span<const LabelRun> present) {
    present_ = present;
    position_ = task.position;
    for (const TreePiece& piece : task.pieces) {
      if (piece.size() == tree_.n_rows(piece.node)) {
        workspace_.descent.run(tree_, piece.node, task.candidates, *this);
      } else {
        label_rows(piece.first, piece.last, task.candidates);
        add_rows(piece.first, task.candidates);
      }
    }
  }

  void prune(std::span<NodeCandidates> nodes) {
    // Children begin with the same list, so that the first one's length is that of both.
    const std::size_t n = nodes.front().n;
    if (n == 1) return;
    counts_[node_distances] += static_cast<double>(nodes.size() * n);
    counts_[nodes_visited] += static_cast<double>(nodes.size());
    judge_.prune(tree_, nodes, workspace_.scratch);
  }

  // The statistics; and rows that have to be told apart.
  void prefetch(std::size_t node, bool is_owned) const {
    const ConstStatsRef stats = stats_[node];
    __builtin_prefetch(&stats.front());
    __builtin_prefetch(&stats.back());
    if (!is_owned) tree_.rows().prefetch(tree_.node(node).first, tree_.node(node).last);
  }

  // The statistics of a node are added as they are: the rows below it are not touched. That is what a tree is for.
  void own(std::size_t node, std::int32_t label) {
    components_.merge(sum_of(label), stats_[node]);
    runs_.append(tree_.n_rows(node), label);
    position_ += tree_.n_rows(node);
  }

  [[nodiscard]] bool ends(std::size_t node) const { return tree_.is_leaf(node); }

  void leaf(std::size_t node, std::span<const std::int32_t> candidates) {
    const KdTree::Node rows = tree_.node(node);
    label_rows(rows.first, rows.last, candidates);
    const std::vector<std::int32_t>& labels = workspace_.labels;
    // All rows of the leaf went the same way: its statistics are at hand, and cost less than the rows.
    if (std::ranges::count(labels, labels.front()) == std::ssize(labels)) {
      components_.merge(sum_of(labels.front()), stats_[node]);
    } else {
      add_rows(rows.first, candidates);
    }
  }

 private:
  [[nodiscard]] StatsRef sum_of(std::int32_t label) const {
    return sums_.subspan(static_cast<std::size_t>(label) * stats_size_, stats_size_);
  }

  void label_rows(std::size_t first, std::size_t last, std::span<const std::int32_t> candidates) {
    workspace_.labels.resize(last - first);
    for (std::size_t at = first; at < last; at += kernels::panel_rows) {
      const std::size_t count = std::min(kernels::panel_rows, last - at);
      RowBlock block(tree_.rows(), at, count, workspace_.buffer);
      const std::size_t begin = position_ + (at - first);
      judge_.rows(block, candidates,
                  {[this, begin](std::size_t i) { return label_at(present_, begin + i); },
                   std::span(workspace_.labels).subspan(at - first, count)},
                  workspace_);
    }
    counts_[row_distances] += static_cast<double>((last - first) * candidates.size());
    runs_.append(workspace_.labels);
    position_ += last - first;
  }

  // The rows just labelled, of which `first` is the first one, enter their clusters' statistics one by one.
  void add_rows(std::size_t first, std::span<const std::int32_t> candidates) {
    // Few candidates are left at a leaf, so that going through its labels once for each costs less than sorting them.
    for (const std::int32_t label : candidates) {
      workspace_.statistics.add_labelled(tree_.rows(), components_, first, workspace_.labels, label, sum_of(label));
    }
  }

  const KdTree& tree_;
  const StatsArena& stats_;
  const Components& components_;
  std::size_t stats_size_;
  const Judge& judge_;
  std::span<double> sums_;
  std::span<double> counts_;
  SweepWorkspace& workspace_;
  RunWriter& runs_;
  std::span<const LabelRun> present_;
  std::size_t position_ = 0;
};

}  // namespace coppice::internal
