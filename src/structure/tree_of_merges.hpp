// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From merges as an algorithm finds them to a tree whose merges are in order.

#include <cstddef>
#include <cstdint>
#include <span>

#include "coppice/data/dendrogram.hpp"

namespace coppice::internal {

// The clusters of two leaves become one.
struct JoinedPair {
  std::uint32_t a = 0;  // any leaf of the one cluster
  std::uint32_t b = 0;  // any leaf of the other
  double height = 0.0;
};

// Below every height: for merges that come before all others; the tree has height 0 there.
inline constexpr double before_all = -1.0;

// The tree of n_leaves - 1 pairs. No pair may be lower than those before it that made its clusters. Merges come out by
// height, of equal ones those of smaller nodes first: whatever order the pairs were found in, the same tree is written
// down in the same way.
[[nodiscard]] Dendrogram to_tree(std::size_t n_leaves, std::span<const JoinedPair> pairs);

}  // namespace coppice::internal
