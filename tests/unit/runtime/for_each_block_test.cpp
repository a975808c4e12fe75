// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/for_each_block.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "coppice/runtime/local_execution.hpp"

namespace coppice::internal {
namespace {

TEST(ForEachBlock, GivesEveryRowToOneBlock) {
  for (const std::size_t n_threads : {1U, 3U}) {
    LocalExecution local(n_threads);
    for (const std::size_t n_rows : {0U, 1U, 4096U, 4097U, 30000U}) {
      std::vector<int> times(n_rows, 0);
      std::vector<int> blocks(n_rows / rows_per_block + 1, 0);
      for_each_block(local.get(), {.n_items = n_rows}, [&](const BlockRange& block) {
        EXPECT_EQ(block.first, block.number * rows_per_block);
        EXPECT_LT(block.worker, n_threads);
        ++blocks[block.number];
        for (std::size_t row = block.first; row < block.last; ++row) ++times[row];
      });
      EXPECT_EQ(times, std::vector<int>(n_rows, 1));
      for (std::size_t block = 0; block < blocks.size(); ++block) {
        EXPECT_EQ(blocks[block], block * rows_per_block < n_rows ? 1 : 0);
      }
    }
  }
}

TEST(ForEachBlock, LooksAtTheSignalBeforeEveryBlock) {
  for (const std::size_t n_threads : {1U, 4U}) {
    std::stop_source source;
    LocalExecution local(n_threads, StopSignal(source.get_token(), nullptr, std::nullopt));
    std::atomic<std::size_t> n_done = 0;
    const auto stop_in_third = [&](const BlockRange& block) {
      ++n_done;
      if (block.number == 2) source.request_stop();
    };
    const Blocks blocks{.n_items = 1000, .items_per_block = 1};
    EXPECT_THROW(for_each_block(local.get(), blocks, stop_in_third), Stopped);
    EXPECT_LE(n_done.load(), 3U + 2U * n_threads);
    EXPECT_NO_THROW(for_each_block(local.get().unstoppable(), blocks, stop_in_third));
  }
}

TEST(ForEachBlock, TheFirstFailureReachesTheCaller) {
  for (const std::size_t n_threads : {1U, 4U}) {
    LocalExecution local(n_threads);
    const auto fail_from_three = [](const BlockRange& block) {
      if (block.number >= 3) throw std::runtime_error(std::to_string(block.number));
    };
    try {
      for_each_block(local.get(), {.n_items = 100, .items_per_block = 1}, fail_from_three);
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::string("3"));
    }
  }
}

}  // namespace
}  // namespace coppice::internal
