// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/little_work.hpp"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(LittleWork, IsDoneWithoutALookAtTheSignal) {
  std::stop_source source;
  const StopSignal stop(source.get_token(), nullptr, std::nullopt);
  EXPECT_NO_THROW(throw_if_stopped_before(stop, little_work));
  source.request_stop();
  EXPECT_NO_THROW(throw_if_stopped_before(stop, 0.9 * little_work));
  EXPECT_THROW(throw_if_stopped_before(stop, little_work), Stopped);
}

}  // namespace
}  // namespace coppice
