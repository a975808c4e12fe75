// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sums over the rows of all processes, whose bits depend neither on the number of threads nor on that of processes.
// Every block fills an accumulator of its own (flat doubles, zero at first); accumulators are combined in a fixed
// binary tree over the block numbers:
//
//   block:   0   1   2   3   4   5   6            (0+1)+(2+3), then that + ((4+5)+6)
//
// Whoever completes a pair combines it and climbs, so that only a few accumulators are alive at any time. Processes
// number their blocks one after the other. Each combines its own as far as complete subtrees go, all gather those, and
// every one of them climbs the rest of the tree:
//
//   ranks:   0   0   0 | 1   1   1   1            0 sends (0+1) and 2, 1 sends 3 and (4+5) and 6

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

// Accumulators of any length, empty at first: for sums of which a block touches a small part.
struct GrowingSum {
  std::function<void(std::vector<double>& accumulator, std::size_t block, std::size_t worker)> add;
  std::function<void(std::vector<double>& into, std::span<const double> from)> merge;
};

// The total over all blocks, on every rank; zeros (nothing) without blocks. The blocks and their numbers in add() are
// those of this process. Collective: DataError on all ranks if one before the last that has rows does not hold whole
// blocks. Before each block the stop signal is looked at: Stopped on all ranks if one was asked to stop. Of several
// exceptions in one process, that of its first block reaches the caller; blocks not begun are left out.
[[nodiscard]] std::vector<double> ordered_sum(const Execution& execution, const Blocks& blocks, const OrderedSum& sum);
[[nodiscard]] std::vector<double> ordered_sum(const Execution& execution, const Blocks& blocks, const GrowingSum& sum);

}  // namespace coppice
