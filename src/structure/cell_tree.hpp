// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The tree of merges of many cells by Ward's rule, and its best cut: the clusters among all its nodes at which an
// objective is lowest. A cut need not be a level of the tree, so that clusters may differ in scale.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

class CellTree {
 public:
  // `centres` decide who is merged (as clusters of Centroid), `cells` are the same cells in the statistics of a family.
  // Pairs of cells far apart are not looked at.
  CellTree(const Execution& execution, const StatsArena& centres, const Components& family, const StatsArena& cells);

  // Nodes, each of a cluster; every cell is below one of them.
  using Cut = std::vector<std::uint32_t>;
  [[nodiscard]] Cut at_level(std::size_t k) const;
  // The cut at which the objective is lowest, if the last of its clusters cost as much as the last of k do.
  [[nodiscard]] Cut best_cut(const Execution& execution, const Problem& problem, std::size_t k) const;

  [[nodiscard]] StatsArena clusters(const Cut& cut) const;
  // The cluster of every cell.
  [[nodiscard]] std::vector<std::int32_t> labels(const Cut& cut) const;

 private:
  struct Children {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
  };
  [[nodiscard]] bool is_cell(std::size_t node) const noexcept { return node < n_cells_; }
  [[nodiscard]] const Children& children(std::size_t node) const noexcept { return children_[node - n_cells_]; }

  std::size_t n_cells_;
  StatsArena nodes_;  // cells, then what every merge made
  std::vector<Children> children_;
};

}  // namespace coppice::internal
