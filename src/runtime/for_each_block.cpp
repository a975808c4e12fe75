// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

void for_each_block(const Execution& execution, const Blocks& blocks,
                    const std::function<void(const BlockRange& block)>& work) {
  execution.pool.run(blocks.count(), [&](std::size_t block, std::size_t worker) {
    throw_if_stopped(execution);
    work({blocks.first(block), blocks.last(block), block, worker});
  });
}

}  // namespace coppice::internal
