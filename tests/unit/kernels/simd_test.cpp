// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
namespace {

TEST(SimdTarget, IsOneThatTheKernelsWereCompiledFor) {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
  EXPECT_NE(std::ranges::find(names, simd_target()), names.end()) << simd_target();
}

TEST(SimdTarget, FollowsTheDispatcher) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OneTarget only(target);
    EXPECT_EQ(simd_target(), hwy::TargetName(target));
  }
}

}  // namespace
}  // namespace coppice::kernels
