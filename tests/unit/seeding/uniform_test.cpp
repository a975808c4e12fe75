// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/seeding/uniform.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unit/seeding/seeding_examples.hpp"

namespace coppice::internal {
namespace {

// Pairs in the order drawn: the second among what is left.
TEST(UniformRows, FollowTheWeights) {
  const std::vector<double> weights = {1.0, 0.5, 0.0, 2.0, 4.0, 0.25, 1.0};
  double total = 0.0;
  for (const double weight : weights) total += weight;
  std::vector<double> law;
  for (std::size_t a = 0; a < 7; ++a) {
    for (std::size_t b = 0; b < 7; ++b) {
      law.push_back(a == b ? 0.0 : weights[a] / total * weights[b] / (total - weights[a]));
    }
  }
  Seeded seeded(golden_points().with_weights(weights));
  std::vector<std::size_t> counts(49, 0);
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const std::vector<std::size_t> chosen = seeded.chosen(2, {.rule = SeedingRule::uniform}, seed);
    ++counts[7 * chosen[0] + chosen[1]];
  }
  EXPECT_LT(chi_square(counts, law), chi_square_limit(law));
}

// A content is as likely as all its copies together, and none comes twice.
TEST(UniformRows, CountCopiesTogether) {
  const std::vector<double> values = {5, 1, 5, 2, 5, 3, 5, 1};  // 5 four times, 1 twice
  Seeded seeded(Dataset::from_rows(values, 8, 1));
  std::vector<std::size_t> counts(4, 0);
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const std::vector<std::size_t> chosen = seeded.chosen(8, {.rule = SeedingRule::uniform}, seed);
    EXPECT_EQ(std::set<std::size_t>(chosen.begin(), chosen.end()), (std::set<std::size_t>{0, 1, 3, 5}));
    const double first = values[chosen[0]];
    ++counts[first == 5.0 ? 0 : static_cast<std::size_t>(first)];
  }
  const std::vector<double> law = {0.5, 0.25, 0.125, 0.125};
  EXPECT_LT(chi_square(counts, law), chi_square_limit(law));
}

}  // namespace
}  // namespace coppice::internal
