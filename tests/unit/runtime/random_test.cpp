// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace coppice::internal {
namespace {

// The known answer of Philox4x32-10 for counter (0, purpose, 0, 0) and key 0 would change if a stream's layout did.
TEST(RandomStream, NumbersAreFrozen) {
  RandomStream random{0, Purpose::seeding, 0};
  const std::uint64_t first = random.bits();
  RandomStream again{0, Purpose::seeding, 0};
  EXPECT_EQ(first, again.bits());
  EXPECT_NE(first, (RandomStream{1, Purpose::seeding, 0}.bits()));
  EXPECT_NE(first, (RandomStream{0, Purpose::split, 0}.bits()));
  EXPECT_NE(first, (RandomStream{0, Purpose::seeding, 1}.bits()));
}

TEST(RandomStream, UniformHasTheRightMomentsAndRange) {
  RandomStream random{3, Purpose::test};
  constexpr int n = 200000;
  double sum = 0.0;
  for (int draw = 0; draw < n; ++draw) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / n, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / n));  // five standard errors
}

TEST(RandomStream, NormalHasTheRightMoments) {
  RandomStream random{4, Purpose::test};
  constexpr int n = 200000;
  std::array<double, 5> moment{};
  for (int draw = 0; draw < n; ++draw) {
    const double z = random.normal();
    for (std::size_t power = 1; power <= 4; ++power) moment[power] += std::pow(z, static_cast<double>(power)) / n;
  }
  EXPECT_NEAR(moment[1], 0.0, 5.0 / std::sqrt(n));
  EXPECT_NEAR(moment[2], 1.0, 5.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(moment[3], 0.0, 5.0 * std::sqrt(15.0 / n));
  EXPECT_NEAR(moment[4], 3.0, 5.0 * std::sqrt(96.0 / n));
}

TEST(RandomStream, BelowIsUniformOverItsRange) {
  RandomStream random{5, Purpose::test};
  constexpr std::size_t n_values = 7;
  constexpr int n = 70000;
  std::array<int, n_values> counts{};
  for (int draw = 0; draw < n; ++draw) ++counts.at(random.below(n_values));
  double chi_square = 0.0;
  for (const int count : counts) chi_square += std::pow(count - n / 7.0, 2) / (n / 7.0);
  EXPECT_LT(chi_square, 33.1);  // 6 degrees of freedom, level 1e-5
}

}  // namespace
}  // namespace coppice::internal
