// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A tree of merges, the value behind SciPy's linkage matrix. Leaves are 0 .. n_leaves - 1 in the order of the rows (or
// of whatever was joined); merge i makes node n_leaves + i out of two nodes that no earlier merge has taken.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice {

struct Merge {
  std::uint32_t a = 0;  // a < b
  std::uint32_t b = 0;
  double height = 0.0;
  double size = 0.0;  // leaves below
  bool operator==(const Merge&) const = default;
};

struct Dendrogram {
  std::size_t n_leaves = 0;
  std::vector<Merge> merges = {};  // n_leaves - 1 of them, in the order in which they are made
  bool operator==(const Dendrogram&) const = default;
};

// The label of every leaf when the last k - 1 merges are undone, 1 <= k <= n_leaves. Clusters are numbered in the order
// of their first leaf.
[[nodiscard]] std::vector<std::int32_t> cut(const Dendrogram& tree, std::size_t k);

}  // namespace coppice
