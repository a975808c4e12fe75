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

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "coppice/runtime/communicator.hpp"
#include "coppice/runtime/stop.hpp"
#include "coppice/runtime/thread_pool.hpp"

namespace coppice {

// Rows per block: fixed, never derived from the number of threads.
inline constexpr std::size_t rows_per_block = 4096;

struct Blocks {
  std::size_t n_items = 0;
  std::size_t items_per_block = rows_per_block;

  [[nodiscard]] std::size_t count() const noexcept { return (n_items + items_per_block - 1) / items_per_block; }
  [[nodiscard]] std::size_t first(std::size_t block) const noexcept { return block * items_per_block; }
  [[nodiscard]] std::size_t last(std::size_t block) const noexcept {
    return std::min(n_items, (block + 1) * items_per_block);
  }
};

// How a fit runs: its threads, its other processes, and who may stop it.
struct Execution {
  ThreadPool& pool;
  const Communicator& communicator;
  const StopSignal& stop;
};

struct OrderedSum {
  std::size_t size = 0;  // doubles in an accumulator
  std::function<void(std::span<double> accumulator, std::size_t block, std::size_t worker)> add;
  std::function<void(std::span<double> into, std::span<const double> from)> merge;
};

// The total over all blocks. Throws Stopped as soon as the execution's stop signal asks for it.
[[nodiscard]] std::vector<double> ordered_sum(const Execution& execution, const Blocks& blocks, const OrderedSum& sum);

}  // namespace coppice
