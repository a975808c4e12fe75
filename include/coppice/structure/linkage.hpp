// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Hierarchies by linkage: every row begins as a cluster, and always the two clusters that are closest become one. What
// the distance between clusters is gives the linkage its name. Heights are those of SciPy's linkage().

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "coppice/data/dendrogram.hpp"
#include "coppice/data/rows.hpp"

namespace coppice {

enum class Linkage : std::uint8_t {
  single,    // of the closest two members; O(N) memory
  complete,  // of the farthest two members; N^2 / 2 doubles
  average,   // the mean over all pairs of members; N^2 / 2 doubles
  ward       // how much the summed squares about the means grow: sqrt(2 growth); O(N) memory
};

[[nodiscard]] constexpr std::string_view to_string(Linkage linkage) noexcept {
  switch (linkage) {
    case Linkage::single:
      return "single";
    case Linkage::complete:
      return "complete";
    case Linkage::average:
      return "average";
    case Linkage::ward:
      break;
  }
  return "ward";
}

struct LinkageTree {
  Dendrogram tree;              // one leaf per row; merges by height, of equal ones those of smaller nodes first
  std::uint64_t distances = 0;  // that were computed
};

// Merges that have been found, in any order of heights.
struct MergesSoFar {
  std::size_t n_merges = 0;
  std::size_t n_clusters = 0;  // of rows that weigh something
  // The clusters of all rows, numbered from 0; rows of weight 0 are in the first. Made when asked for.
  std::function<std::vector<std::int32_t>()> labels;
};
// Hears of every merge on the calling thread; may throw Stopped.
using MergeObserver = std::function<void(const MergesSoFar&)>;

// Time O(N^2 D). A row of weight w counts as w copies; one of weight 0 is attached at height 0 to the closest row that
// has weight, before all other merges. Rows are dense, and one has weight. The tree is the same for any number of
// threads. Throws Stopped when asked to; LimitError if the distances do not fit into memory; NumericError if they
// exceed double precision.
[[nodiscard]] LinkageTree linkage(const Execution& execution, const Rows& rows, Linkage kind,
                                  const MergeObserver& observer = {});

}  // namespace coppice
