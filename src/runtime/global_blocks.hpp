// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The numbers that blocks have among those of all processes. A process holds whole blocks, which follow those of the
// processes before it; the very last block may be short, and a process may have none.

#include <cstddef>
#include <vector>

#include "coppice/runtime/blocks.hpp"
#include "coppice/runtime/execution.hpp"

namespace coppice::internal {

class GlobalBlocks {
 public:
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  // Collective. DataError on all ranks if one before the last that has items ends within a block; Stopped on all if one
  // was asked to stop.
  GlobalBlocks(const Execution& execution, const Blocks& blocks);

  [[nodiscard]] std::size_t count() const noexcept { return ranges_.back().last; }
  [[nodiscard]] const Range& of_rank(std::size_t rank) const noexcept { return ranges_[rank]; }
  [[nodiscard]] const Range& mine() const noexcept { return ranges_[rank_]; }

 private:
  std::size_t rank_;
  std::vector<Range> ranges_;
};

}  // namespace coppice::internal
