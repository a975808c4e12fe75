// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/tie_rule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace coppice {
namespace {

using Labels = std::vector<std::int32_t>;

std::int32_t settled(const Labels& candidates, std::int32_t present, const std::vector<ExactCost>& costs) {
  return settle(candidates, present, [&](std::int32_t c) { return costs[static_cast<std::size_t>(c)]; });
}

TEST(IsTie, BandGrowsWithCostsAndScales) {
  EXPECT_TRUE(is_tie({1.0, 0.0}, {1.0, 0.0}));
  EXPECT_TRUE(is_tie({0.0, 0.0}, {tie_band, 0.0}));
  EXPECT_FALSE(is_tie({0.0, 0.0}, {1.01 * tie_band, 0.0}));
  EXPECT_TRUE(is_tie({0.0, 1.0}, {1.9 * tie_band, 0.0}));
  EXPECT_TRUE(is_tie({1e6, 0.0}, {1e6 + 1.9e6 * tie_band, 0.0}));
  EXPECT_TRUE(is_tie({0.0, 0.0}, {-tie_band, 0.0}));
}

// Costs in the data's own units: the band is a share of them, and nothing but equal costs of 0 ties at 0.
TEST(IsTie, WithoutAUnitTheBandScalesWithTheCosts) {
  for (const double scale : {1e-200, 1e-20, 1.0, 1e20}) {
    EXPECT_TRUE(is_tie({scale, scale}, {scale * (1.0 + 3.9 * tie_band), scale}, 0.0)) << scale;
    EXPECT_FALSE(is_tie({scale, scale}, {scale * (1.0 + 4.1 * tie_band), scale}, 0.0)) << scale;
  }
  EXPECT_TRUE(is_tie({0.0, 0.0}, {0.0, 0.0}, 0.0));
  EXPECT_FALSE(is_tie({0.0, 0.0}, {1e-300, 1e-300}, 0.0));
}

TEST(Settle, TheUnitDecidesWhatATieIs) {
  const std::vector<ExactCost> costs = {{2e-20, 2e-20}, {1e-20, 1e-20}};
  const auto cost_of = [&](std::int32_t c) { return costs[static_cast<std::size_t>(c)]; };
  EXPECT_EQ(settle(Labels{0, 1}, 0, cost_of), 0) << "equal in nats";
  EXPECT_EQ(settle(Labels{0, 1}, 0, cost_of, 0.0), 1);
}

TEST(Settle, TheCheapestWins) {
  EXPECT_EQ(settled({0, 1, 2}, -1, {{3.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}}), 1);
  EXPECT_EQ(settled({0, 1, 2}, 0, {{3.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}}), 1);
}

TEST(Settle, TiesKeepThePresentLabel) {
  const std::vector<ExactCost> costs = {{1.0, 0.0}, {1.0, 0.0}, {1.0 + tie_band, 0.0}, {5.0, 0.0}};
  EXPECT_EQ(settled({0, 1, 2, 3}, 1, costs), 1);
  EXPECT_EQ(settled({0, 1, 2, 3}, 2, costs), 2);  // within the band is a tie, too
  EXPECT_EQ(settled({0, 1, 2, 3}, 3, costs), 0);
}

TEST(Settle, OtherwiseTheSmallestIndex) {
  const std::vector<ExactCost> costs = {{9.0, 0.0}, {1.0 + tie_band, 0.0}, {1.0, 0.0}, {1.0, 0.0}};
  EXPECT_EQ(settled({0, 1, 2, 3}, -1, costs), 1);
  EXPECT_EQ(settled({3, 2, 1, 0}, -1, costs), 1);  // whatever the order of the list
  EXPECT_EQ(settled({3, 2, 0}, -1, costs), 2);
}

// The scales of very flat clusters make a tie many nats wide: there is no label to be kept by it.
TEST(Settle, ScalesDoNotMatterToRowsWithoutALabel) {
  const std::vector<ExactCost> costs = {{9.0, 1e12}, {1.0, 0.0}};
  EXPECT_EQ(settled({0, 1}, 0, costs), 0);
  EXPECT_EQ(settled({0, 1}, -1, costs), 1);
  const auto in_units = [&](std::int32_t c) { return costs[static_cast<std::size_t>(c)]; };
  EXPECT_EQ(settle(Labels{0, 1}, -1, in_units, 0.0), 0) << "centres that coincide but for rounding";
}

TEST(Settle, APresentLabelThatDoesNotCompeteIsNotKept) {
  EXPECT_EQ(settled({0, 2}, 1, {{2.0, 0.0}, {1.0, 0.0}, {1.5, 0.0}}), 2);
}

TEST(Settle, InfiniteCostsLose) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(settled({0, 1}, -1, {{infinity, 0.0}, {4.0, 0.0}}), 1);
  EXPECT_EQ(settled({0, 1}, 0, {{infinity, 0.0}, {4.0, 0.0}}), 1);
}

// A cost at the edge of the tie band, the scales as large as the promise allows, must still be in doubt.
TEST(DoubtLimits, CoverTheWholeTieBand) {
  for (const double best : {-3.0, 0.5, 1e4}) {
    for (const double ratio : {1.0, 50.0, 1e6}) {
      const double floor = -5.0;
      const kernels::DoubtLimits limits = doubt_limits({ratio, floor}, 3);
      const double scale = ratio * (best - floor);
      const double edge = best + 0.999 * tie_band * (1.0 + 2.0 * std::abs(best) + 2.0 * scale);
      ASSERT_TRUE(is_tie({best, scale}, {edge, scale}));
      const double doubt = limits.base + limits.per_size * std::abs(best) + limits.per_excess * (best - limits.floor);
      EXPECT_GT(doubt, edge - best);
    }
  }
}

TEST(DoubtLimits, CoverTheTieBandWithoutAUnit) {
  for (const double best : {1e-30, 1.0, 1e30}) {
    const kernels::DoubtLimits limits = doubt_limits({1.0, 0.0}, 3, 0.0);
    const double edge = best * (1.0 + 3.999 * tie_band);
    ASSERT_TRUE(is_tie({best, best}, {edge, edge}, 0.0));
    const double doubt = limits.base + limits.per_size * best + limits.per_excess * best;
    EXPECT_GT(doubt, edge - best);
    EXPECT_LT(doubt, 2.0 * (edge - best)) << "not much wider than the band";
  }
}

// Of very flat clusters the runner-up's scale grows with how far behind it is: a tie may be many nats wide.
TEST(DoubtLimits, CoverTheRunnerUpsOwnScale) {
  for (const double ratio : {1e9, 1e10, 5e10, 1e12}) {
    for (const double gap : {1e-6, 0.1, 5.0, 1e3}) {
      const double best = 2.0;
      const double floor = -1.0;
      const ExactCost other{best + gap, ratio * (best + gap - floor)};
      if (!is_tie({best, ratio * (best - floor)}, other)) continue;
      const kernels::DoubtLimits limits = doubt_limits({ratio, floor}, 2);
      EXPECT_GE(limits.base + limits.per_size * best + limits.per_excess * (best - floor), gap) << ratio << ", " << gap;
    }
  }
  EXPECT_TRUE(is_tie({0.0, 0.0}, {5.0, 5e12}));
  EXPECT_EQ(doubt_limits({1e12, 0.0}, 2).base, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace coppice
