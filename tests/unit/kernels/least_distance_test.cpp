// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/least_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Value>
struct Example {
  Example(std::size_t n, std::size_t d) : rows(n * d), origin(d), point(d), weights(n) {
    RandomStream random{n + 100 * d, Purpose::test, 80};
    for (Value& value : rows) value = static_cast<Value>(random.normal());
    for (double& value : origin) value = 0.25 * random.normal();
    for (double& value : point) value = random.normal();
    for (double& weight : weights) weight = random.uniform() < 0.3 ? 0.0 : 1.0;
  }

  [[nodiscard]] double brute_force(bool is_weighted, double limit) const {
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (is_weighted && weights[row] == 0.0) continue;
      double sum = 0.0;
      for (std::size_t c = 0; c < point.size(); ++c) {
        const double t = static_cast<double>(rows[row * point.size() + c]) - origin[c] - point[c];
        sum += t * t;
      }
      if (sum > 0.0) limit = std::min(limit, sum);
    }
    return limit;
  }
  [[nodiscard]] double least(bool is_weighted, double limit) const {
    return least_distance(rows.data(), weights.size(), origin, point, is_weighted ? weights.data() : nullptr, limit);
  }

  std::vector<Value> rows;
  std::vector<double> origin;
  std::vector<double> point;
  std::vector<double> weights;
};

template <class Value>
void expect_brute_force() {
  for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 8U, 13U, 64U}) {
    for (const std::size_t n : {1U, 7U, 40U}) {
      const Example<Value> example(n, d);
      for (const bool is_weighted : {false, true}) {
        const double expected = example.brute_force(is_weighted, infinity);
        // D squares may be added in any order.
        const double rounding = std::isfinite(expected) ? 0x1p-52 * static_cast<double>(d) * expected : 0.0;
        if (std::isfinite(expected)) {
          EXPECT_NEAR(example.least(is_weighted, infinity), expected, rounding);
        } else {
          EXPECT_EQ(example.least(is_weighted, infinity), infinity) << "nobody has weight";
        }
      }
    }
  }
}

TEST(LeastDistance, IsThatOfBruteForce) {
  for_each_target([] {
    expect_brute_force<double>();
    expect_brute_force<float>();
  });
}

TEST(LeastDistance, IsTheLimitIfNobodyIsNearer) {
  const Example<double> example(20, 3);
  const double least = example.brute_force(false, infinity);
  EXPECT_EQ(example.least(false, 0.5 * least), 0.5 * least);
  EXPECT_LT(example.least(false, 2.0 * least), 2.0 * least);
}

TEST(LeastDistance, CopiesOfThePointDoNotCount) {
  const std::vector<double> rows = {1.5, 2.0, 1.5, 2.0, 4.5, 6.0};
  const std::vector<double> origin = {0.5, 1.0};
  EXPECT_EQ(least_distance(rows.data(), 3, origin, std::vector<double>{1.0, 1.0}, nullptr, infinity), 25.0);
  EXPECT_EQ(least_distance(rows.data(), 2, origin, std::vector<double>{1.0, 1.0}, nullptr, infinity), infinity);
}

}  // namespace
}  // namespace coppice::kernels
