// SPDX-License-Identifier: BSD-3-Clause
// Ward's rule by MergeGains with centroids: the gain of a merge is what the summed squares grow by. The tree is made by
// a cheap rule, the cut is judged by the family's evidence, which the tree need not know. The best cut is found from
// the leaves up, in one pass: either a node is a cluster, or the best cuts of its two children together are. For that
// the objective must be a sum over clusters; what one cluster more costs depends on K, and is taken as at k clusters.

#include "structure/cell_tree.hpp"

#include <algorithm>
#include <numeric>

#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/structure/merge.hpp"

namespace coppice::internal {

CellTree::CellTree(const Execution& execution, const StatsArena& centres, const Components& family,
                   const StatsArena& cells)
    : n_cells_(cells.size()), nodes_(cells) {
  const FamilyAdapter<Centroid> ward{Centroid(centres.stats_size() - Centroid::stats_size(0))};
  const std::unique_ptr<PartitionPrior> no_prior = make_no_partition_prior();
  const Units units(centres);
  const Problem problem{units, ward, *no_prior, 0.0};
  MergeGains gains(execution, problem, centres);
  std::vector<std::uint32_t> node(n_cells_);
  std::iota(node.begin(), node.end(), 0U);
  while (gains.n_left() > 1) {
    throw_if_stopped(execution.stop);
    const MergeGains::Pair pair = gains.best();
    std::vector<double> both(nodes_[node[pair.a]].begin(), nodes_[node[pair.a]].end());
    family.merge(both, nodes_[node[pair.b]]);
    children_.push_back({node[pair.a], node[pair.b]});
    node[pair.a] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.append(both);
    gains.merge(pair);
  }
}

CellTree::Cut CellTree::at_level(std::size_t k) const {
  const std::size_t n_nodes = nodes_.size() - (k - 1);
  std::vector<bool> is_below(n_nodes, false);
  for (std::size_t node = n_cells_; node < n_nodes; ++node) {
    is_below[children(node).a] = is_below[children(node).b] = true;
  }
  Cut cut;
  for (std::size_t node = 0; node < n_nodes; ++node) {
    if (!is_below[node]) cut.push_back(static_cast<std::uint32_t>(node));
  }
  return cut;
}

// What a cluster adds to the objective: - log p(X_c), less its size term, and what one cluster more costs.
CellTree::Cut CellTree::best_cut(const Execution& execution, const Problem& problem, std::size_t k) const {
  const std::vector<double> evidence = problem.components.log_evidences(execution, nodes_);
  const MergeTerms& terms = problem.partition.merges();
  const double of_one_more = -terms.level(problem.total_weight, std::max<std::size_t>(k, 2));
  std::vector<double> least(nodes_.size());  // of all cuts below a node
  std::vector<bool> is_whole(nodes_.size(), true);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    // Nodes are numbered as they were made: children come before their parents.
    least[node] = of_one_more - evidence[node] - terms.size_term(nodes_.weight(node));
    if (is_cell(node)) continue;
    const double apart = least[children(node).a] + least[children(node).b];
    is_whole[node] = least[node] <= apart;
    least[node] = std::min(least[node], apart);
  }
  Cut cut;
  std::vector<std::uint32_t> open = {static_cast<std::uint32_t>(nodes_.size() - 1)};
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    if (is_whole[node]) {
      cut.push_back(node);
    } else {
      open.push_back(children(node).b);
      open.push_back(children(node).a);
    }
  }
  return cut;
}

StatsArena CellTree::clusters(const Cut& cut) const {
  StatsArena clusters(0, nodes_.stats_size());
  for (const std::uint32_t node : cut) clusters.append(nodes_[node]);
  return clusters;
}

std::vector<std::int32_t> CellTree::labels(const Cut& cut) const {
  std::vector<std::int32_t> label(nodes_.size(), -1);
  for (std::size_t c = 0; c < cut.size(); ++c) label[cut[c]] = static_cast<std::int32_t>(c);
  // From the root down, so that a label reaches all cells below.
  for (std::size_t node = nodes_.size(); node-- > n_cells_;) {
    if (label[node] >= 0) label[children(node).a] = label[children(node).b] = label[node];
  }
  label.resize(n_cells_);
  return label;
}

}  // namespace coppice::internal
