// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/argmin.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
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
  double index = -1.0;
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
  minima.reset();
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
    for (const std::size_t n_clusters : {1, 2, 63, 64, 65, 200}) {
      const Costs costs = draw_costs(n_clusters, n_clusters);
      for (const std::size_t tile : {1, 7, 64, 200}) check(costs, 101, tile);
    }
  });
}

TEST(UpdateMinima, TheSmallerNumberWinsATie) {
  const Costs costs{std::vector<double>(3 * panel_stride, 1.5), {1.0, 0.0, 0.0}};
  RowMinima minima;
  minima.reset();
  update_minima(costs.values.data(), costs.offsets, 0, 3, minima);
  EXPECT_EQ(minima.index[2], 1.0);
  EXPECT_EQ(minima.best[2], 1.5);
  EXPECT_EQ(minima.second[2], 1.5);
}

TEST(RowMinima, ResetForgetsEverything) {
  RowMinima minima;
  update_minima(std::vector<double>(panel_stride, -5.0).data(), std::vector<double>{0.0}, 3, 1, minima);
  minima.reset();
  EXPECT_EQ(minima.best[0], infinity);
  EXPECT_EQ(minima.second[0], infinity);
  EXPECT_EQ(minima.index[0], -1.0);
}

}  // namespace
}  // namespace coppice::kernels
