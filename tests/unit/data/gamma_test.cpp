// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/gamma.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace coppice::internal {
namespace {

TEST(DrawLogGamma, HasTheMomentsOfAGamma) {
  for (const double shape : {0.3, 1.0, 4.5}) {
    RandomStream random{1, Purpose::test, 95};
    constexpr int n = 40000;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
      const double x = std::exp(draw_log_gamma(random, shape));
      sum += x;
      squares += x * x;
    }
    const double mean = sum / n;
    EXPECT_NEAR(mean, shape, 5.0 * std::sqrt(shape / n));
    EXPECT_NEAR(squares / n - mean * mean, shape, 0.1 * shape + 0.02);
  }
}

}  // namespace
}  // namespace coppice::internal
