// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/argmin.hpp"

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

struct Costs {
  std::vector<double> values;  // cluster * panel_stride + row
  std::vector<double> offsets;
};

// Few distinct values, so that ties abound; one cost in ten is infinite.
Costs draw_costs(std::size_t n_clusters, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test};
  Costs costs{std::vector<double>(n_clusters * panel_stride), std::vector<double>(n_clusters)};
  for (double& value : costs.values) {
    value = random.below(10) == 0 ? infinity : static_cast<double>(random.below(6)) - 2.0;
  }
  for (double& offset : costs.offsets) offset = static_cast<double>(random.below(3));
  return costs;
}

struct Minimum {
  double best = infinity;
  double second = infinity;
  double index = 0.0;
};

Minimum scalar_minimum(const Costs& costs, std::size_t row) {
  Minimum minimum;
  for (std::size_t c = 0; c < costs.offsets.size(); ++c) {
    const double cost = costs.values[c * panel_stride + row] + costs.offsets[c];
    if (cost < minimum.best) {
      minimum = {cost, minimum.best, static_cast<double>(c)};
    } else if (cost < minimum.second) {
      minimum.second = cost;
    }
  }
  return minimum;
}

void check(const Costs& costs, std::size_t n_rows, std::size_t tile) {
  RowMinima minima;
  for (std::size_t first = 0; first < costs.offsets.size(); first += tile) {
    const std::size_t count = std::min(tile, costs.offsets.size() - first);
    update_minima(&costs.values[first * panel_stride], {&costs.offsets[first], count}, first, n_rows, minima);
  }
  for (std::size_t row = 0; row < n_rows; ++row) {
    const Minimum expected = scalar_minimum(costs, row);
    ASSERT_EQ(minima.best[row], expected.best) << row;
    ASSERT_EQ(minima.second[row], expected.second) << row;
    ASSERT_EQ(minima.index[row], expected.index) << row;
  }
}

TEST(UpdateMinima, EqualsTheScalarAnswerForAnyNumberOfRows) {
  for_each_target([] {
    const Costs costs = draw_costs(9, 1);
    for (std::size_t n_rows = 1; n_rows <= panel_rows; ++n_rows) check(costs, n_rows, 9);
  });
}

TEST(UpdateMinima, TilesMakeNoDifference) {
  for_each_target([] {
    for (const std::size_t n_clusters : {1U, 2U, 63U, 64U, 65U, 200U}) {
      const Costs costs = draw_costs(n_clusters, n_clusters);
      for (const std::size_t tile : {1U, 7U, 64U, 200U}) check(costs, 101, tile);
    }
  });
}

TEST(UpdateMinima, TheSmallerNumberWinsATie) {
  const Costs costs{std::vector<double>(3 * panel_stride, 1.5), {1.0, 0.0, 0.0}};
  RowMinima minima;
  update_minima(costs.values.data(), costs.offsets, 0, 3, minima);
  EXPECT_EQ(minima.index[2], 1.0);
  EXPECT_EQ(minima.best[2], 1.5);
  EXPECT_EQ(minima.second[2], 1.5);
}

TEST(UpdateMinima, ClustersNumberedFromZeroBeginAnew) {
  RowMinima minima;
  const std::vector<double> low(panel_stride, -5.0);
  const std::vector<double> high(panel_stride, 7.0);
  const std::vector<double> no_offset = {0.0};
  update_minima(low.data(), no_offset, 0, 1, minima);
  update_minima(low.data(), no_offset, 1, 1, minima);
  update_minima(high.data(), no_offset, 0, 1, minima);
  EXPECT_EQ(minima.best[0], 7.0);
  EXPECT_EQ(minima.second[0], infinity);
  EXPECT_EQ(minima.index[0], 0.0);
}

// Minima whose gaps lie on both sides of the limit, from far inside to far outside.
RowMinima draw_minima(const DoubtLimits& limits) {
  RandomStream random{3, Purpose::test};
  RowMinima minima;
  for (std::size_t row = 0; row < panel_rows; ++row) {
    minima.best[row] = random.uniform(-20.0, 20.0);
    const double excess = std::max(minima.best[row] - limits.floor, 0.0);
    const double limit = limits.base + limits.per_size * std::abs(minima.best[row]) + limits.per_excess * excess;
    minima.second[row] = minima.best[row] + limit * random.uniform(0.0, 4.0);
    minima.index[row] = static_cast<double>(random.below(100000));
  }
  minima.second[5] = infinity;
  minima.second[6] = minima.best[6];
  return minima;
}

// Every row within the limit is doubtful, none beyond twice the limit is.
void check_winners(const RowMinima& minima, std::size_t n_rows, const DoubtLimits& limits) {
  std::vector<std::int32_t> winners(panel_rows);
  std::vector<std::uint32_t> doubtful(panel_rows);
  doubtful.resize(take_winners(minima, n_rows, limits, winners.data(), doubtful.data()));
  ASSERT_TRUE(std::ranges::is_sorted(doubtful));
  for (std::size_t row = 0; row < n_rows; ++row) {
    ASSERT_EQ(static_cast<double>(winners[row]), minima.index[row]) << row;
    const double excess = std::max(minima.best[row] - limits.floor, 0.0);
    const double limit = limits.base + limits.per_size * std::abs(minima.best[row]) + limits.per_excess * excess;
    const double gap = minima.second[row] - minima.best[row];
    const bool is_doubtful = std::ranges::find(doubtful, row) != doubtful.end();
    ASSERT_TRUE(is_doubtful || gap > 0.999999 * limit) << row;
    ASSERT_TRUE(!is_doubtful || gap < 2.000001 * limit) << row;
  }
  for (const std::uint32_t row : doubtful) ASSERT_LT(row, n_rows);
}

TEST(TakeWinners, DoubtsWhoeverIsWithinTheLimitsAndNobodyFarBeyond) {
  for_each_target([] {
    const DoubtLimits limits{.base = 0.01, .per_size = 0.002, .per_excess = 0.03, .floor = -4.0};
    const RowMinima minima = draw_minima(limits);
    for (std::size_t n_rows = 1; n_rows <= panel_rows; ++n_rows) check_winners(minima, n_rows, limits);
  });
}

}  // namespace
}  // namespace coppice::kernels
