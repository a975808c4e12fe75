// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sums over blocks whose bits do not depend on the number of threads. Every block fills an accumulator of its own (flat
// doubles, zero at first); accumulators are combined in a fixed binary tree over the block numbers:
//
//   block:   0   1   2   3   4   5   6            (0+1)+(2+3), then that + ((4+5)+6)
//
// Whoever completes a pair combines it and climbs, so that only a few accumulators are alive at any time. Since the
// tree depends on block numbers alone, processes that number their blocks globally can hand over maximal complete
// subtrees and leave the tree as it is.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "coppice/runtime/blocks.hpp"
#include "coppice/runtime/execution.hpp"

namespace coppice {

struct OrderedSum {
  std::size_t size = 0;  // doubles in an accumulator
  std::function<void(std::span<double> accumulator, std::size_t block, std::size_t worker)> add;
  std::function<void(std::span<double> into, std::span<const double> from)> merge;
};

// The total over all blocks. Throws Stopped as soon as the execution's stop signal asks for it.
[[nodiscard]] std::vector<double> ordered_sum(const Execution& execution, const Blocks& blocks, const OrderedSum& sum);

}  // namespace coppice
