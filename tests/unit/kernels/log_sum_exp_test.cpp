// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/log_sum_exp.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace coppice::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double of(const std::vector<double>& x) { return log_sum_exp(x); }

TEST(LogSumExp, AddsOrdinaryTerms) {
  EXPECT_NEAR(of({std::log(1.0), std::log(2.0), std::log(4.0)}), std::log(7.0), 1e-15);
  EXPECT_DOUBLE_EQ(of({-3.25}), -3.25);
}

TEST(LogSumExp, NeitherOverflowsNorUnderflows) {
  EXPECT_NEAR(of({1000.0, 1000.0}), 1000.0 + std::log(2.0), 1e-12);
  EXPECT_NEAR(of({-1000.0, -1000.0}), -1000.0 + std::log(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(of({800.0, -800.0}), 800.0);
}

TEST(LogSumExp, InfiniteTerms) {
  EXPECT_EQ(of({}), -infinity);
  EXPECT_EQ(of({-infinity, -infinity}), -infinity);
  EXPECT_DOUBLE_EQ(of({-infinity, 2.0}), 2.0);
  EXPECT_EQ(of({infinity, 2.0}), infinity);
}

}  // namespace
}  // namespace coppice::kernels
