// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/running_minima.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

std::vector<double> positive_numbers(std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 91};
  std::vector<double> numbers(n);
  for (double& number : numbers) number = std::abs(random.normal());
  return numbers;
}

TEST(LowerTo, KeepsTheLeastAndReturnsTheLargest) {
  for_each_target([] {
    for (const std::size_t n : {0U, 1U, 3U, 8U, 37U, 256U}) {
      std::vector<double> least = positive_numbers(n + 1, n);
      const std::vector<double> before = least;
      const std::vector<double> values = positive_numbers(n + 1, 1000 + n);
      double largest = 0.125;
      const double returned = lower_to(least.data(), values.data(), n, 0.125);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(least[i], std::min(before[i], values[i]));
        largest = std::max(largest, least[i]);
      }
      EXPECT_EQ(returned, largest);
      EXPECT_EQ(least[n], before[n]) << "behind the end";
    }
  });
}

TEST(RoundedUp, IsTheNextWholeNumber) {
  EXPECT_EQ(rounded_up(0.0), 0);
  EXPECT_EQ(rounded_up(1e-300), 1);
  EXPECT_EQ(rounded_up(2.0), 2);
  EXPECT_EQ(rounded_up(2.25), 3);
  EXPECT_EQ(rounded_up(0x1p62), std::int64_t{1} << 62);
}

TEST(WholeSumOfMinima, IsExact) {
  for_each_target([] {
    for (const std::size_t n : {0U, 1U, 3U, 8U, 37U, 256U}) {
      const std::vector<double> a = positive_numbers(n, n);
      const std::vector<double> b = positive_numbers(n, 1000 + n);
      for (const double scale : {1.0, 0x1p20, 0x1p38}) {
        std::int64_t expected = 0;
        for (std::size_t i = 0; i < n; ++i)
          expected += static_cast<std::int64_t>(std::ceil(scale * std::min(a[i], b[i])));
        EXPECT_EQ(whole_sum_of_minima(a.data(), b.data(), scale, n), static_cast<double>(expected));
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
