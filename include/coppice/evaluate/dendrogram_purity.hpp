// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How pure a tree keeps known classes. Draw two leaves of one class: the purity of the pair is the share of that class
// among the leaves below the node that joins them. 1 if every class is a subtree. [L] and [S] average differently:
// `leaf` draws a leaf first, then another one of its class, so that a class counts by its size; `pairs` draws from all
// pairs alike, so that large classes count by their square. Classes of one leaf have no pair and do not count; without
// any pair the purity is 1.

#include <cstdint>
#include <span>

#include "coppice/data/dendrogram.hpp"

namespace coppice::evaluate {

struct DendrogramPurity {
  double leaf = 1.0;   // [L], footnote 6
  double pairs = 1.0;  // [S], footnote 5
};

// One class per leaf, any integers; DataError if there are more or fewer.
[[nodiscard]] DendrogramPurity dendrogram_purity(const Dendrogram& tree, std::span<const std::int32_t> classes);

}  // namespace coppice::evaluate
