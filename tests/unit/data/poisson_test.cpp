// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/poisson.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/kernels/special.hpp"

namespace coppice::internal {
namespace {

double probability(double number, double mean) {
  return std::exp(number * std::log(mean) - mean - kernels::log_gamma(number + 1.0));
}

// Chi-square over numbers in cells of expectation 20 or more: a sum of n - 1 squared normals, mean n - 1, variance
// 2 (n - 1). Five standard deviations fail by chance less than once in a hundred thousand seeds.
void expect_distribution(double mean) {
  constexpr std::size_t n_draws = 20000;
  RandomStream random{1, Purpose::test, static_cast<std::uint64_t>(mean * 100.0)};
  std::vector<double> draws(n_draws);
  for (double& draw : draws) draw = draw_poisson(random, mean);
  std::ranges::sort(draws);
  double chi_square = 0.0;
  double n_cells = 0.0;
  double expected = 0.0;
  double left = n_draws;
  auto at = draws.begin();
  for (double number = 0.0; left - expected >= 20.0; number += 1.0) {
    expected += n_draws * probability(number, mean);
    if (expected < 20.0) continue;
    const auto end = std::upper_bound(at, draws.end(), number);
    const double difference = static_cast<double>(end - at) - expected;
    chi_square += difference * difference / expected;
    n_cells += 1.0;
    left -= expected;
    expected = 0.0;
    at = end;
  }
  const double freedom = std::max(1.0, n_cells - 1.0);
  EXPECT_LT(chi_square, freedom + 5.0 * std::sqrt(2.0 * freedom) + 5.0) << "mean " << mean;
  EXPECT_GT(chi_square, freedom - 5.0 * std::sqrt(2.0 * freedom)) << "mean " << mean << ": too good to be random";
}

TEST(DrawPoisson, HasThePoissonDistribution) {
  for (const double mean : {0.3, 1.0, 5.0, 9.9, 10.0, 37.0, 400.0}) expect_distribution(mean);
}

TEST(DrawPoisson, OfMeanZeroIsZero) {
  RandomStream random{1, Purpose::test};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(draw_poisson(random, 0.0), 0.0);
}

// The mean of n draws lies within 5 sqrt(mean / n) of the mean but for one case in a million.
TEST(DrawPoisson, KeepsItsMeanForLargeNumbers) {
  constexpr int n_draws = 2000;
  for (const double mean : {1e4, 1e8, 1e12}) {
    RandomStream random{2, Purpose::test};
    double total = 0.0;
    for (int i = 0; i < n_draws; ++i) {
      const double draw = draw_poisson(random, mean);
      EXPECT_EQ(draw, std::floor(draw));
      total += draw - mean;
    }
    EXPECT_LT(std::abs(total / n_draws), 5.0 * std::sqrt(mean / n_draws)) << mean;
  }
}

}  // namespace
}  // namespace coppice::internal
