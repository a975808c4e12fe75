// SPDX-License-Identifier: BSD-3-Clause
// Ranks tell each other how many items they have, once per sum. Only the last of them may end within a block: everybody
// else's blocks would have other borders than those of a single process, and sums other bits.

#include "runtime/global_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

std::vector<std::size_t> items_of_ranks(const Execution& execution, const Blocks& blocks) {
  if (execution.communicator.is_alone()) return {blocks.n_items};
  const auto n_items = static_cast<double>(blocks.n_items);
  std::vector<std::size_t> counts;
  for (const std::vector<double>& of_rank : execution.communicator.gather({&n_items, 1}, execution.stop.reason())) {
    counts.push_back(static_cast<std::size_t>(of_rank.front()));
  }
  return counts;
}

void require_whole_blocks(const std::vector<std::size_t>& counts, std::size_t items_per_block) {
  std::optional<std::size_t> short_rank;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] == 0) continue;
    if (short_rank) {
      throw DataError(
          fmt::format("rank {} holds {} rows, and rank {} more: every rank but the last one with rows needs a multiple "
                      "of {} rows",
                      *short_rank, counts[*short_rank], rank, items_per_block));
    }
    if (counts[rank] % items_per_block != 0) short_rank = rank;
  }
}

}  // namespace

GlobalBlocks::GlobalBlocks(const Execution& execution, const Blocks& blocks) : rank_(execution.communicator.rank()) {
  const std::vector<std::size_t> counts = items_of_ranks(execution, blocks);
  require_whole_blocks(counts, blocks.items_per_block);
  std::size_t next = 0;
  for (const std::size_t n_items : counts) {
    const std::size_t first = next;
    next += Blocks{n_items, blocks.items_per_block}.count();
    ranges_.push_back({first, next});
  }
}

}  // namespace coppice::internal
