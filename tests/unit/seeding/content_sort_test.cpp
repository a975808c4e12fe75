// SPDX-License-Identifier: BSD-3-Clause
#include "seeding/content_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "coppice/data/row_draw.hpp"
#include "seeding/content_order.hpp"
#include "unit/seeding/seeding_examples.hpp"

namespace coppice::internal {
namespace {

TEST(SortByContent, IsContentOrderThenRowNumber) {
  const Dataset data = lattice_rows(2000, 2, 20, 50);
  std::vector<std::size_t> rows = shuffled_order(2000, 50);
  std::vector<std::size_t> expected = rows;
  std::ranges::sort(expected);
  std::ranges::stable_sort(expected, [&](std::size_t a, std::size_t b) { return content_less(data, a, b); });
  sort_by_content(data, rows);
  EXPECT_EQ(rows, expected);
}

TEST(ContentOrder, HoldsTheRowsWithWeight) {
  const Dataset data = lattice_rows(5000, 2, 20, 51).with_weights(some_weights(5000, 51));
  std::vector<std::size_t> expected;
  for (std::size_t row = 0; row < 5000; ++row) {
    if (data.weight(row) > 0.0) expected.push_back(row);
  }
  sort_by_content(data, expected);
  Seeded seeded(data, 2);
  const ContentOrder order(seeded.execution(), SeedingTable(seeded.execution(), seeded.rows()));
  EXPECT_TRUE(std::ranges::equal(order.rows(), expected));
  EXPECT_EQ(order.begin(0), 0U);
  EXPECT_EQ(order.begin(n_content_buckets), expected.size());
}

}  // namespace
}  // namespace coppice::internal
