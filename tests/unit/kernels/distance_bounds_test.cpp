// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/distance_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "unit/kernels/rows_by_hand.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Bounds of rows by some groups of centres, all of about the size `scale`.
struct Example {
  Example(std::size_t n_rows_, std::size_t n_groups, float scale) : n_rows(n_rows_), stride(n_rows + 5) {
    RandomStream random{n_rows, Purpose::test, n_groups};
    const auto size = [&] { return scale * static_cast<float>(random.uniform()); };
    for (std::size_t c = 0; c < n_centres; ++c) centre_drifts.push_back(0.2F * size());
    for (std::size_t g = 0; g < n_groups; ++g) group_drifts.push_back(0.2F * size());
    lower.assign(n_groups * stride, -1.0F);
    for (std::size_t row = 0; row < n_rows; ++row) {
      bounded.push_back(static_cast<std::int32_t>(random.below(n_centres)));
      now.push_back(random.below(8) == 0 ? static_cast<std::int32_t>(random.below(n_centres + 1)) - 1 : bounded.back());
      upper.push_back(size());
      for (std::size_t g = 0; g < n_groups; ++g)
        lower[g * stride + row] = random.below(9) == 0 ? infinity : 2.0F * size();
    }
  }
  [[nodiscard]] bool is_bounded(std::size_t row) const { return now[row] >= 0 && now[row] == bounded[row]; }
  [[nodiscard]] std::size_t n_groups() const { return group_drifts.size(); }

  static constexpr std::size_t n_centres = 6;
  std::size_t n_rows;
  std::size_t stride;
  std::vector<float> centre_drifts;
  std::vector<float> group_drifts;
  std::vector<std::int32_t> now;
  std::vector<std::int32_t> bounded;
  std::vector<float> upper;
  std::vector<float> lower;
};

// Bounds hold, and are wider than they have to be by rounding alone.
void expect_moved(const Example& before, const Example& after, const std::vector<float>& least) {
  const double tiny = 4.0 * std::numeric_limits<float>::min();
  for (std::size_t row = 0; row < before.n_rows; ++row) {
    float smallest = infinity;
    const double drift = before.is_bounded(row) ? before.centre_drifts[static_cast<std::size_t>(before.now[row])] : 0.0;
    const double upper = static_cast<double>(before.upper[row]) + drift;
    if (before.is_bounded(row)) {
      ASSERT_GE(after.upper[row], upper);
      ASSERT_LE(after.upper[row], upper * (1.0 + 0x1p-20) + tiny);
    } else {
      ASSERT_EQ(after.upper[row], infinity);
    }
    for (std::size_t g = 0; g < before.n_groups(); ++g) {
      const float found = after.lower[g * after.stride + row];
      smallest = std::min(smallest, found);
      const double moved = static_cast<double>(before.lower[g * before.stride + row]) - before.group_drifts[g];
      const double lower = before.is_bounded(row) ? std::max(moved, 0.0) : 0.0;
      ASSERT_LE(found, lower);
      if (lower == static_cast<double>(infinity)) {
        ASSERT_EQ(found, infinity);
      } else {
        ASSERT_GE(found, lower * (1.0 - 0x1p-20) - tiny);
      }
    }
    ASSERT_EQ(least[row], smallest);
  }
  for (std::size_t g = 0; g < before.n_groups(); ++g) {
    for (std::size_t i = before.n_rows; i < before.stride; ++i) ASSERT_EQ(after.lower[g * after.stride + i], -1.0F);
  }
}

void check(std::size_t n_rows, std::size_t n_groups, float scale) {
  const Example before(n_rows, n_groups, scale);
  Example after = before;
  std::vector<float> least(n_rows);
  std::vector<std::uint32_t> reached(panel_rows);
  const TieLimit limit{0x1p-19F, 0.001F * scale * scale};
  const std::size_t n_reached =
      move_bounds({after.upper.data(), after.lower.data(), after.stride, n_groups}, n_rows,
                  {before.now.data(), before.bounded.data()}, {before.centre_drifts.data(), before.group_drifts.data()},
                  limit, least.data(), reached.data());
  expect_moved(before, after, least);
  reached.resize(n_reached);
  ASSERT_TRUE(std::ranges::is_sorted(reached));
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double lower = least[row];
    const double upper = after.upper[row];
    const double left = (lower - upper) * (lower + upper) - limit.reserve;
    const bool is_listed = std::ranges::binary_search(reached, static_cast<std::uint32_t>(row));
    if (least[row] == infinity) {
      ASSERT_FALSE(is_listed) << "there is no other centre";
    } else if (!(left > 0x1p-20 * lower * lower)) {
      ASSERT_TRUE(is_listed) << row;
    } else if (left > 0x1p-18 * lower * lower + 1e-5 * limit.reserve) {
      ASSERT_FALSE(is_listed) << row;
    }
  }
}

TEST(MoveBounds, WidenByDriftsAndRounding) {
  for_each_target([] {
    for (const std::size_t n_rows : {1U, 3U, 16U, 17U, 100U, 255U, 256U}) {
      for (const std::size_t n_groups : {1U, 2U, 7U}) {
        for (const float scale : {1.0F, 1e-6F, 1e10F}) check(n_rows, n_groups, scale);
      }
    }
  });
}

TEST(MoveBounds, DoNotTrustSquaresThatOverflow) {
  for_each_target([] {
    float upper = 1e20F;
    float lower = 1e30F;
    const float drift = 0.0F;
    const std::int32_t label = 0;
    float least = 0.0F;
    std::vector<std::uint32_t> reached(panel_rows);
    EXPECT_EQ(move_bounds({&upper, &lower, 1, 1}, 1, {&label, &label}, {&drift, &drift}, {0x1p-19F, 0.0F}, &least,
                          reached.data()),
              1U);
    EXPECT_GE(upper, 1e20F);
    EXPECT_LE(lower, 1e30F);
  });
}

template <class Value>
void check_distances(std::size_t n_columns) {
  constexpr std::size_t n_stored = 20;
  constexpr std::size_t n_centres = 3;
  const std::vector<double> numbers = random_numbers(n_stored * n_columns, n_columns);
  const std::vector<Value> values(numbers.begin(), numbers.end());
  const std::vector<double> origin = random_numbers(n_columns, 1);
  const std::vector<double> centres = random_numbers(n_centres * n_columns, 2);
  const std::vector<std::size_t> index = {7, 3, 19, 0, 3};
  const std::vector<std::int32_t> labels = {2, 0, 1, 1, 2};
  StoredRows rows{.index = index.data(), .n_rows = index.size(), .origin = origin.data()};
  set_values(rows, values);
  std::vector<double> squared(index.size());
  squared_distances_from_own(rows, n_columns, centres.data(), labels.data(), squared.data());
  for (std::size_t i = 0; i < index.size(); ++i) {
    long double want = 0.0L;
    for (std::size_t c = 0; c < n_columns; ++c) {
      const double x = static_cast<double>(values[index[i] * n_columns + c]) - origin[c];
      const long double t = x - static_cast<long double>(centres[static_cast<std::size_t>(labels[i]) * n_columns + c]);
      want += t * t;
    }
    ASSERT_NEAR(squared[i], static_cast<double>(want), 1e-15 * static_cast<double>(want * (n_columns + 2.0L)));
  }
}

TEST(SquaredDistancesFromOwn, EqualLongDouble) {
  for_each_target([] {
    for (const std::size_t n_columns : {1U, 2U, 7U, 8U, 9U, 33U, 100U}) {
      check_distances<double>(n_columns);
      check_distances<float>(n_columns);
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
