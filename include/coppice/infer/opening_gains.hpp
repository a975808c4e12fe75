// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a front leaves on the table: by how much the free energy of a mixture falls if a node's rows need not share
// alike any more, the parameters staying as they are. It is never less than nothing ([V] section 6): what a node's rows
// share is the mean of what its children's do, and log sum exp is convex.

#include <memory>
#include <span>
#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

// sum_n log sum_c exp(E[log weight_c] - cost_c(x_n)) over the rows of nodes, for one mixture over one tree.
class NodeLogSums {
 public:
  // Keep the problem, whose units are a front of the tree, meanwhile.
  NodeLogSums(const Execution& execution, const Problem& problem, const StatsArena& mixture);

  // Where the rows of each node share alike.
  [[nodiscard]] std::vector<double> tied(std::span<const std::uint32_t> nodes) const;
  // Where every row has shares of its own.
  [[nodiscard]] std::vector<double> by_row(std::span<const std::uint32_t> nodes) const;
  // About by_row() - tied(), from a few rows of each node: what its rows gain by shares of their own is the divergence
  // of the node's shares from these, which is never less than nothing and needs no other rows.
  [[nodiscard]] std::vector<double> sampled_gains(std::span<const std::uint32_t> nodes) const;

 private:
  class Panel;
  template <class Take>
  void for_each_panel(std::span<const std::uint32_t> nodes, const Take& take,
                      std::size_t n_nodes = kernels::panel_rows) const;

  Execution execution_;
  const TreeUnits& of_;
  std::vector<double> log_weights_;
  std::unique_ptr<Components> clusters_;
  std::unique_ptr<NodeCosts> node_costs_;
};

// For every node of the front that the problem's units are: what is gained by its two children in its place, by its
// rows if it is a leaf.
[[nodiscard]] std::vector<double> opening_gains(const Execution& execution, const Problem& problem,
                                                const StatsArena& mixture);

}  // namespace coppice::internal
