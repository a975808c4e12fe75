// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/blocks.hpp"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Blocks, CoverAllItemsOnce) {
  for (const std::size_t n_items : {0U, 1U, 4095U, 4096U, 4097U, 10000U}) {
    const Blocks blocks{.n_items = n_items};
    std::size_t next = 0;
    for (std::size_t block = 0; block < blocks.count(); ++block) {
      EXPECT_EQ(blocks.first(block), next);
      EXPECT_GT(blocks.last(block), next);
      EXPECT_LE(blocks.last(block) - next, rows_per_block);
      next = blocks.last(block);
    }
    EXPECT_EQ(next, n_items);
  }
}

}  // namespace
}  // namespace coppice
