// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/partition/background.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "unit/partition/one_cluster.hpp"

namespace coppice::internal {
namespace {

constexpr double log_volume = 3.5;
constexpr double outside = 7.0;
const std::vector<double> sizes = {20.0, 12.5, 4.0};
constexpr double total = 36.5;

std::vector<std::unique_ptr<PartitionPrior>> both() {
  std::vector<std::unique_ptr<PartitionPrior>> priors;
  priors.push_back(make_dirichlet(2.0));
  priors.push_back(make_dirichlet_process(1.5));
  return priors;
}

TEST(BesideBackground, IsOneGroupMore) {
  for (const auto& prior : both()) {
    const auto beside = beside_background(prior->clone(), {log_volume, outside});
    const std::vector<double> groups = {20.0, 12.5, 4.0, outside};
    EXPECT_DOUBLE_EQ(beside->objective(sizes, total), prior->objective(groups, total + outside) + outside * log_volume);
    EXPECT_DOUBLE_EQ(offset(*beside, 12.5, total, 3), offset(*prior, 12.5, total + outside, 4));
    EXPECT_DOUBLE_EQ(log_share(*beside, 12.5, total, 3), log_share(*prior, 12.5, total + outside, 4));
    EXPECT_EQ(log_remainder(*beside, total), log_remainder(*prior, total + outside));
    EXPECT_DOUBLE_EQ(background_cost(*beside, sizes, total), log_volume + offset(*prior, outside, total + outside, 4));
    EXPECT_DOUBLE_EQ(background_log_joint(*beside, sizes, total),
                     log_share(*prior, outside, total + outside, 4) - log_volume);
    EXPECT_EQ(beside->name(), prior->name());
    EXPECT_EQ(beside->parameters(), prior->parameters());
  }
}

TEST(BesideBackground, MergesChangeTheObjectiveAsTheySay) {
  for (const auto& prior : both()) {
    const auto beside = beside_background(prior->clone(), {log_volume, outside});
    const std::vector<double> merged = {20.0, 16.5};
    EXPECT_NEAR(beside->merges().pair(12.5, 4.0) + beside->merges().level(total, 3),
                beside->objective(merged, total) - beside->objective(sizes, total), 1e-10);
  }
}

TEST(BesideBackground, WithoutRowsChangesNothing) {
  for (const auto& prior : both()) {
    const auto beside = beside_background(prior->clone(), {log_volume, 0.0});
    EXPECT_EQ(beside->objective(sizes, total), prior->objective(sizes, total));
    EXPECT_EQ(offset(*beside, 4.0, total, 3), offset(*prior, 4.0, total, 3));
    EXPECT_EQ(beside->merges().level(total, 3), prior->merges().level(total, 3));
    EXPECT_TRUE(std::isinf(background_cost(*beside, sizes, total)));
    EXPECT_TRUE(std::isinf(background_log_joint(*beside, sizes, total)));
  }
}

TEST(BesideBackground, IsFoundAgainInCopies) {
  const auto beside = beside_background(make_dirichlet(2.0), {log_volume, outside})->clone();
  ASSERT_NE(beside->background(), nullptr);
  EXPECT_EQ(*beside->background(), (Background{log_volume, outside}));
  EXPECT_EQ(beside->of_clusters().background(), nullptr);
  EXPECT_EQ(make_dirichlet(2.0)->background(), nullptr);
}

}  // namespace
}  // namespace coppice::internal
