// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/together.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "coppice/runtime/error.hpp"
#include "unit/runtime/in_process_ranks.hpp"

namespace coppice::internal {
namespace {

TEST(Together, ReturnsWhatTheWorkReturns) {
  EXPECT_EQ(together(LocalCommunicator(), [] { return 7; }), 7);
  on_ranks(3, [](const Communicator& communicator) {
    EXPECT_EQ(together(communicator, [&] { return communicator.max(2.0); }), 2.0);
  });
}

// Wherever it fails, before the others' first exchange, between two, or behind their last.
TEST(Together, AFailureOfOneRankEndsAll) {
  for (const int n_exchanges : {0, 1, 4, 5}) {
    std::atomic<int> n_own = 0;
    std::atomic<int> n_others = 0;
    on_ranks(3, [&](const Communicator& communicator) {
      const auto work = [&] {
        for (int i = 0; i < 5; ++i) {
          if (communicator.rank() == 1 && i == n_exchanges) throw LimitError("no memory");
          (void)communicator.max(0.0);
        }
        if (communicator.rank() == 1 && n_exchanges == 5) throw LimitError("no memory");
        return 0;
      };
      try {
        (void)together(communicator, work);
      } catch (const LimitError&) {
        ++n_own;
      } catch (const RankError& error) {
        EXPECT_EQ(error.what(), std::string("rank 1: no memory"));
        ++n_others;
      }
    });
    EXPECT_EQ(n_own, 1);
    EXPECT_EQ(n_others, 2);
  }
}

}  // namespace
}  // namespace coppice::internal
