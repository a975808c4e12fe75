// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/closest_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "unit/kernels/rows_by_hand.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rows at random with infinity behind them.
struct Example {
  Example(std::size_t n_rows, std::size_t d)
      : n_rows(n_rows), d(d), rows(random_numbers(n_rows * d, d)), panel(d * panel_stride, infinity) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (std::size_t c = 0; c < d; ++c) panel[c * panel_stride + row] = rows[row * d + c];
    }
  }
  [[nodiscard]] PanelView view() const { return {panel.data(), n_rows, d}; }

  std::size_t n_rows;
  std::size_t d;
  std::vector<double> rows;
  std::vector<double> panel;
};

template <class Check>
void for_each_example(const Check& check) {
  for_each_target([&] {
    for (const std::size_t d : {1U, 2U, 3U, 16U, 21U}) {
      for (const std::size_t n_rows : {1U, 7U, 31U, 32U, 33U, 255U, 256U}) check(Example(n_rows, d));
    }
  });
}

TEST(ClosestRow, LeastDistancesAreThoseByHand) {
  for_each_example([](const Example& example) {
    const std::vector<double> points = random_numbers(3 * example.d, 7);
    std::vector<double> least(panel_rows, infinity);
    std::vector<double> expected(example.n_rows, infinity);
    for (std::size_t p = 0; p < 3; ++p) {
      const double* point = points.data() + p * example.d;
      for (std::size_t row = 0; row < example.n_rows; ++row) {
        expected[row] = std::min(expected[row], by_hand(example.rows.data() + row * example.d, point, example.d));
      }
      const double smallest = lower_to_distances(example.view(), point, least.data());
      ASSERT_EQ(smallest, *std::ranges::min_element(expected));
      for (std::size_t row = 0; row < example.n_rows; ++row) ASSERT_EQ(least[row], expected[row]);
      for (std::size_t row = example.n_rows; row < panel_rows; ++row) ASSERT_EQ(least[row], infinity);
    }
  });
}

TEST(ClosestRow, ScaledDistancesAreThoseByHand) {
  for_each_example([](const Example& example) {
    const std::vector<double> point = random_numbers(example.d, 8);
    std::vector<double> scales(panel_rows, 1.0);
    for (std::size_t row = 0; row < example.n_rows; ++row) scales[row] = 1.0 / static_cast<double>(row + 1);
    std::vector<double> values(panel_rows);
    const double smallest = scaled_distances(example.view(), scales.data(), point.data(), 0.25, values.data());
    double expected = infinity;
    for (std::size_t row = 0; row < example.n_rows; ++row) {
      const double value = by_hand(example.rows.data() + row * example.d, point.data(), example.d);
      ASSERT_EQ(values[row], value / (scales[row] + 0.25));
      expected = std::min(expected, values[row]);
    }
    ASSERT_EQ(smallest, expected);
  });
}

TEST(ClosestRow, RowsAtInfinityArePassedOver) {
  for_each_target([] {
    Example example(40, 3);
    const std::vector<double> point(example.rows.begin(), example.rows.begin() + 3);  // row 0 itself
    std::vector<double> least(panel_rows, infinity);
    example.panel[0] = infinity;
    EXPECT_GT(lower_to_distances(example.view(), point.data(), least.data()), 0.0);
    EXPECT_EQ(least[0], infinity);
    std::vector<double> values(panel_rows);
    EXPECT_GT(
        scaled_distances(example.view(), std::vector<double>(panel_rows, 1.0).data(), point.data(), 1.0, values.data()),
        0.0);
    EXPECT_EQ(values[0], infinity);
  });
}

}  // namespace
}  // namespace coppice::kernels
