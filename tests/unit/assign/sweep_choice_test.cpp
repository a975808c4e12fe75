// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/sweep_choice.hpp"

#include <gtest/gtest.h>

namespace coppice::internal {
namespace {

constexpr std::size_t n_columns = 4;
constexpr std::uint64_t n_rows = 1000;
constexpr std::uint64_t k = 10;

// A sweep of all rows over k clusters, with so many comparisons of rows and of nodes.
SweepWork sweep(std::uint64_t of_rows, std::uint64_t of_nodes) {
  return {.distances = of_rows + of_nodes, .node_distances = of_nodes, .full_distances = n_rows * k, .rows = n_rows};
}

// All rows against all clusters, and every node on top: never worth it. Next to nothing: always.
const SweepWork in_vain = sweep(n_rows * k, n_rows* k);
const SweepWork quick = sweep(10, 100);
const SweepWork row_by_row = sweep(n_rows * k, 0);

class SweepChoiceTest : public testing::Test {
 protected:
  SweepChoice choice{n_columns};

  // How often it goes row by row before it tries the tree again.
  std::size_t n_until_retry(std::size_t kind) {
    std::size_t n = 0;
    for (; n < 100 && !choice.goes_down(kind); ++n) choice.note_row_by_row(row_by_row);
    return n;
  }
};

TEST_F(SweepChoiceTest, GoesDownAtFirst) {
  for (const std::size_t any : {0U, 1U, 10U, 500U}) EXPECT_TRUE(choice.goes_down(any));
}

TEST_F(SweepChoiceTest, GoesDownAsLongAsItPays) {
  for (int i = 0; i < 20; ++i) {
    choice.note_down(k, quick);
    ASSERT_TRUE(choice.goes_down(k));
  }
}

TEST_F(SweepChoiceTest, GoesRowByRowAfterASweepInVain) {
  for (const std::size_t kind : {0U, 10U}) {
    choice.note_down(kind, in_vain);
    EXPECT_FALSE(choice.goes_down(kind));
  }
}

TEST_F(SweepChoiceTest, TriesAgainAfterEightSweeps) {
  choice.note_down(k, in_vain);
  EXPECT_EQ(n_until_retry(k), 8U);
  choice.note_down(k, in_vain);  // nothing has changed: as before
  EXPECT_EQ(n_until_retry(k), 8U);
  choice.note_down(k, quick);
  EXPECT_EQ(n_until_retry(k), 0U);
}

TEST_F(SweepChoiceTest, TriesAtOnceWhenTheKindChanges) {
  choice.note_down(k, in_vain);
  EXPECT_TRUE(choice.goes_down(k + 1));
  EXPECT_TRUE(choice.goes_down(k - 1));
  choice.note_down(k + 1, in_vain);
  EXPECT_FALSE(choice.goes_down(k + 1));
  EXPECT_EQ(n_until_retry(k + 1), 8U);
}

// The border lies where both ways cost the same.
TEST_F(SweepChoiceTest, ComparesTheWorkOfBothWays) {
  const double limit = SweepChoice::work_row_by_row(row_by_row);
  std::uint64_t n = 0;
  while (choice.work_down(sweep(n, 0)) <= limit) n += 100;
  choice.note_down(k, sweep(n - 100, 0));
  EXPECT_TRUE(choice.goes_down(k));
  choice.note_down(k, sweep(n, 0));
  EXPECT_FALSE(choice.goes_down(k));
}

TEST_F(SweepChoiceTest, WorkGrowsWithComparisons) {
  EXPECT_EQ(choice.work_down(sweep(0, 0)), 0.0);
  EXPECT_LT(choice.work_down(sweep(100, 0)), choice.work_down(sweep(200, 0)));
  EXPECT_LT(choice.work_down(sweep(100, 0)), choice.work_down(sweep(0, 100)));  // a node is dearer than a row
  EXPECT_GE(choice.work_down(sweep(100, 0)), 100.0);                            // in a full panel is cheapest
  const SweepWork twice{.full_distances = 2 * n_rows * k, .rows = 2 * n_rows};
  EXPECT_GE(SweepChoice::work_row_by_row(quick), static_cast<double>(n_rows * k));
  EXPECT_EQ(SweepChoice::work_row_by_row(twice), 2.0 * SweepChoice::work_row_by_row(quick));
}

TEST_F(SweepChoiceTest, SumsUpWhatWasDone) {
  EXPECT_EQ(choice.distances(), 0U);
  EXPECT_EQ(choice.full_distances(), 0U);
  choice.note_down(k, sweep(30, 7));
  choice.note_down(3, {.distances = 5, .full_distances = 3 * n_rows, .rows = n_rows});
  choice.note_row_by_row(row_by_row);
  EXPECT_EQ(choice.distances(), 30U + 7U + 5U + n_rows * k);
  EXPECT_EQ(choice.full_distances(), (k + 3U + k) * n_rows);
  EXPECT_EQ(choice.n_down(), 2U);
  EXPECT_EQ(choice.n_row_by_row(), 1U);
}

}  // namespace
}  // namespace coppice::internal
