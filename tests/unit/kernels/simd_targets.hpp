// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs a check once for every instruction set that this machine has and the kernels were compiled for.

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace coppice::kernels {

class OneTarget {
 public:
  explicit OneTarget(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
  OneTarget(const OneTarget&) = delete;
  OneTarget& operator=(const OneTarget&) = delete;
  ~OneTarget() { hwy::SetSupportedTargetsForTest(0); }
};

template <class Check>
void for_each_target(const Check& check) {
  ASSERT_FALSE(hwy::SupportedAndGeneratedTargets().empty());
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const OneTarget only(target);
    check();
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace coppice::kernels
