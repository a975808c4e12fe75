// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/communicator.hpp"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(LocalCommunicator, IsTheOnlyRank) {
  const LocalCommunicator local;
  const Communicator& communicator = local;
  EXPECT_EQ(communicator.rank(), 0U);
  EXPECT_EQ(communicator.size(), 1U);
}

TEST(LocalCommunicator, HandsBackWhatItGot) {
  const LocalCommunicator local;
  const Communicator& communicator = local;
  std::vector<double> values = {3.0, -1.0, 2.0};
  EXPECT_EQ(communicator.gather(values), values);
  EXPECT_TRUE(communicator.gather({}).empty());
  EXPECT_EQ(communicator.max(-4.0), -4.0);
  communicator.broadcast(values);
  EXPECT_EQ(values, (std::vector<double>{3.0, -1.0, 2.0}));
}

}  // namespace
}  // namespace coppice
