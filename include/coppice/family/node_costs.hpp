// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Costs of many nodes (or summaries) at once. The summed cost of the rows behind a node is that of as many rows at
// their mean, and what their scatter about it adds, which is linear in the statistics behind the mean:
//
//   cost(node) = weight cost(mean) + sum_j scatter_cost_j second_j
//
// So means go through the kernels of rows, panel by panel, and nothing but a dot product is left to do for a node.
// Numbers agree with node_cost() but for rounding: they are for shares, not for settling ties.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/family.hpp"
#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/panel.hpp"

namespace coppice {

class NodeCosts {
 public:
  NodeCosts() = default;
  NodeCosts(const NodeCosts&) = delete;
  NodeCosts& operator=(const NodeCosts&) = delete;
  virtual ~NodeCosts() = default;

  // out[cluster * kernels::panel_stride + i] for at most a panel of nodes, as node_cost() tells it; meaningless values
  // behind the last one. From several threads.
  virtual void costs(std::span<const ConstStatsRef> nodes, double* out) const = 0;
};

// Families whose statistics are the weight, a number per column, and what costs of nodes are linear in.
template <class F>
concept CostsNodes = Family<F> &&
    requires(const F f, const typename F::Posterior q, std::span<const typename F::Posterior> all,
             kernels::PanelView means, double* out) {
  {f.mean_costs(all, means, out)};  // as costs(), without what rows have of their own in common to all clusters
  { f.scatter_costs(q) } -> std::same_as<std::vector<double>>;  // one for every number behind the columns'
  { F::keeps_sums } -> std::convertible_to<bool>;               // the numbers per column are sums, not means
};

// The means of at most a panel of nodes.
[[nodiscard]] kernels::PanelView load_means(std::span<const ConstStatsRef> nodes, std::size_t n_columns, bool are_sums,
                                            kernels::AlignedVector<double>& panel);

// From costs of means to costs of nodes; one set of scatter costs after the other, a cluster each.
void add_scatter_costs(std::span<const ConstStatsRef> nodes, std::size_t n_columns,
                       std::span<const double> scatter_costs, std::size_t k, double* out);

template <CostsNodes F>
class PanelNodeCosts final : public NodeCosts {
 public:
  // Keep family and clusters.
  PanelNodeCosts(const F& family, std::span<const typename F::Posterior> clusters)
      : family_(family), clusters_(clusters) {
    for (const typename F::Posterior& q : clusters) {
      const std::vector<double> of_cluster = family.scatter_costs(q);
      scatter_costs_.insert(scatter_costs_.end(), of_cluster.begin(), of_cluster.end());
    }
  }

  void costs(std::span<const ConstStatsRef> nodes, double* out) const override {
    thread_local kernels::AlignedVector<double> panel;
    family_.mean_costs(clusters_, load_means(nodes, family_.n_columns(), F::keeps_sums, panel), out);
    add_scatter_costs(nodes, family_.n_columns(), scatter_costs_, clusters_.size(), out);
  }

 private:
  const F& family_;
  std::span<const typename F::Posterior> clusters_;
  std::vector<double> scatter_costs_;
};

}  // namespace coppice
