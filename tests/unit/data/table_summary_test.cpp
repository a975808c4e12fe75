// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/table_summary.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "coppice/runtime/local_execution.hpp"

namespace coppice {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

TableSummary summary_of(const Dataset& table) {
  LocalExecution local(2);
  return summarize_table(local.get(), table);
}

TEST(TableSummary, RangesLeaveOutWhatIsMissing) {
  const TableSummary summary = summary_of(Dataset::from_rows_with_gaps({1, gap, -4, gap, 6, gap}, 3, 2));
  EXPECT_EQ(summary.columns[0].least, -4);
  EXPECT_EQ(summary.columns[0].mean, 1);
  EXPECT_EQ(summary.columns[0].most, 6);
  EXPECT_EQ(summary.columns[0].n_missing, 0U);
  EXPECT_TRUE(std::isnan(summary.columns[1].mean));
  EXPECT_EQ(summary.columns[1].n_missing, 3U);
}

TEST(TableSummary, SparseColumnsCountTheirZeros) {
  const Dataset table = Dataset::from_sparse_rows(SparseEntries<double>{{0, 1, 3, 3}, {0, 0, 1}, {2, 4, -3}, 2});
  const TableSummary summary = summary_of(table);
  EXPECT_EQ(summary.columns[0].least, 0);
  EXPECT_EQ(summary.columns[0].mean, 2);
  EXPECT_EQ(summary.columns[0].most, 4);
  EXPECT_EQ(summary.columns[1].least, -3);
  EXPECT_EQ(summary.columns[1].most, 0);
}

TEST(TableSummary, CountsRowsThatCameBefore) {
  const Dataset table = Dataset::from_rows(std::vector<double>{1, 2, 0, 5, 1, 2, 1, 2, -0.0, 5}, 5, 2);
  EXPECT_EQ(summary_of(table).n_duplicates, 3U);
}

TEST(TableSummary, RowsThatDifferInAWordAreNoCopies) {
  const Dataset numbers = Dataset::from_rows(std::vector<double>{1, 1, 1, 1}, 4, 1);
  const Dataset table = numbers.with_categories({CategoryColumn{"word", {"a", "b"}, {0, 1, 0, 1}}});
  EXPECT_EQ(summary_of(numbers).n_duplicates, 3U);
  EXPECT_EQ(summary_of(table).n_duplicates, 2U);
}

TEST(TableSummary, MissingEntriesAreEqual) {
  EXPECT_EQ(summary_of(Dataset::from_rows_with_gaps({gap, 1, gap, 1, gap, 2}, 3, 2)).n_duplicates, 1U);
}

}  // namespace
}  // namespace coppice
