// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/communicator.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "coppice/runtime/error.hpp"
#include "unit/runtime/in_process_ranks.hpp"

namespace coppice {
namespace {

TEST(LocalCommunicator, IsTheOnlyRank) {
  const LocalCommunicator local;
  const Communicator& communicator = local;
  EXPECT_EQ(communicator.rank(), 0U);
  EXPECT_EQ(communicator.size(), 1U);
  EXPECT_TRUE(communicator.is_alone());
}

TEST(LocalCommunicator, HandsBackWhatItGot) {
  const LocalCommunicator local;
  const Communicator& communicator = local;
  std::vector<double> values = {3.0, -1.0, 2.0};
  EXPECT_EQ(communicator.gather(values), Communicator::Gathered{values});
  EXPECT_EQ(communicator.gather({}), Communicator::Gathered{{}});
  EXPECT_EQ(communicator.max(-4.0), -4.0);
  communicator.broadcast(values);
  EXPECT_EQ(values, (std::vector<double>{3.0, -1.0, 2.0}));
}

TEST(Communicator, EveryRankGetsTheNumbersOfAll) {
  for (const std::size_t n_ranks : {1U, 2U, 3U, 5U}) {
    on_ranks(n_ranks, [&](const Communicator& communicator) {
      EXPECT_EQ(communicator.is_alone(), n_ranks == 1);
      // Rank r sends r numbers, several times: no meeting may mix with the next.
      for (int round = 0; round < 20; ++round) {
        const auto numbers_of = [&](std::size_t rank) { return std::vector<double>(rank, 10.0 * round + 1.0); };
        Communicator::Gathered expected;
        for (std::size_t rank = 0; rank < n_ranks; ++rank) expected.push_back(numbers_of(rank));
        EXPECT_EQ(communicator.gather(numbers_of(communicator.rank())), expected);
      }
      EXPECT_EQ(communicator.max(-static_cast<double>(communicator.rank()) - 3.0), -3.0);
      std::vector<double> values(2, static_cast<double>(communicator.rank()) + 7.0);
      communicator.broadcast(values);
      EXPECT_EQ(values, std::vector<double>(2, 7.0));
    });
  }
}

TEST(Communicator, AStopOfOneRankIsHeardByAllAndTheyGoOn) {
  on_ranks(3, [](const Communicator& communicator) {
    const std::optional<StopReason> reason =
        communicator.rank() == 1 ? std::optional(StopReason::time_limit) : std::nullopt;
    try {
      (void)communicator.gather({}, reason);
      FAIL() << "not stopped";
    } catch (const Stopped& stopped) {
      EXPECT_EQ(stopped.reason(), StopReason::time_limit);
    }
    EXPECT_EQ(communicator.max(static_cast<double>(communicator.rank())), 2.0);
  });
}

TEST(Communicator, ARankThatLeavesTellsTheOthersWhy) {
  on_ranks(3, [](const Communicator& communicator) {
    if (communicator.rank() == 2) return communicator.leave(DataError("line 7: \xc3\xa4 is no number"));
    try {
      (void)communicator.max(1.0);
      FAIL() << "the others have left";
    } catch (const RankError& error) {
      EXPECT_EQ(error.what(), std::string("rank 2: line 7: \xc3\xa4 is no number"));
      EXPECT_EQ(error.exit_code(), 3);
      communicator.leave(error);  // everybody knows: nobody is waited for
    }
  });
}

TEST(Communicator, AnErrorOfTheStandardLibraryEndsWithExitCodeOne) {
  on_ranks(2, [](const Communicator& communicator) {
    if (communicator.rank() == 0) return communicator.leave(std::out_of_range("beyond"));
    try {
      (void)communicator.gather({});
      FAIL() << "the others have left";
    } catch (const RankError& error) {
      EXPECT_EQ(error.what(), std::string("rank 0: beyond"));
      EXPECT_EQ(error.exit_code(), 1);
    }
  });
}

TEST(Communicator, SeveralMayLeaveAtOnce) {
  on_ranks(3, [](const Communicator& communicator) {
    if (communicator.rank() != 0) return communicator.leave(NumericError("nan"));
    EXPECT_THROW((void)communicator.gather({}), RankError);
  });
}

}  // namespace
}  // namespace coppice
