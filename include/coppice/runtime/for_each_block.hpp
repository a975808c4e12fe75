// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Loops over the rows that this process holds, block by block. Blocks write into places of their own: which thread
// takes which is not known. Sums over rows are not made this way but by ordered_sum.
//
//   for_each_block(execution, {.n_items = rows.size()}, [&](const BlockRange& block) {
//     for (std::size_t row = block.first; row < block.last; ++row) lengths[row] = length_of(rows, row);
//   });

#include <cstddef>
#include <functional>

#include "coppice/runtime/blocks.hpp"
#include "coppice/runtime/execution.hpp"

namespace coppice::internal {

struct BlockRange {
  std::size_t first = 0;
  std::size_t last = 0;    // behind the last row
  std::size_t number = 0;  // of the block
  std::size_t worker = 0;  // of the thread, for workspaces
};

// Calls work once for every block. Blocks are begun in order. Before each the stop signal is looked at: Stopped leaves
// the loop as any exception does (of several processes, none stops here: throw_if_stopped(execution)). Of several
// exceptions, that of the first block reaches the caller; blocks not begun are left out.
void for_each_block(const Execution& execution, const Blocks& blocks,
                    const std::function<void(const BlockRange& block)>& work);

}  // namespace coppice::internal
