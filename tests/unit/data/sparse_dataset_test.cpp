// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <limits>

#include "coppice/data/dataset.hpp"
#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;

// 0 2 0 1 / 0 0 0 0 / 3 0 .5 0
SparseEntries<double> example() { return {{0, 2, 2, 4}, {1, 3, 0, 2}, {2.0, 1.0, 3.0, 0.5}, 4}; }

TEST(SparseDataset, KnowsEveryValueAndOnlyStoresEntries) {
  const Dataset table = Dataset::from_sparse_rows(example());
  ASSERT_TRUE(table.is_sparse());
  EXPECT_EQ(table.n_rows(), 3U);
  EXPECT_EQ(table.n_columns(), 4U);
  EXPECT_EQ(table.n_entries(), 4U);
  std::vector<double> values;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) values.push_back(table.value(row, column));
  }
  EXPECT_THAT(values, ElementsAre(0, 2, 0, 1, 0, 0, 0, 0, 3, 0, 0.5, 0));
  EXPECT_TRUE(table.doubles().empty());
  EXPECT_EQ(table.sparse_row(1).size(), 0U);
  EXPECT_THAT(table.sparse_row(2).columns, ElementsAre(0, 2));
}

TEST(SparseDataset, GuessesKindsFromEntries) {
  const Dataset table = Dataset::from_sparse_rows(example());
  EXPECT_EQ(table.columns()[0].kind, ColumnKind::count);
  EXPECT_EQ(table.columns()[2].kind, ColumnKind::real);
  EXPECT_EQ(table.columns()[3].kind, ColumnKind::binary);
}

TEST(SparseDataset, SelectsColumnsInTheOrderAskedFor) {
  const Dataset table = Dataset::from_sparse_rows(example()).select_columns({"x4", "x3", "x2"});
  EXPECT_EQ(table, Dataset::from_sparse_rows(SparseEntries<double>{{0, 2, 2, 3}, {0, 2, 1}, {1.0, 2.0, 0.5}, 3})
                       .with_names({"x4", "x3", "x2"}));
}

TEST(SparseDataset, FirstRowsKeepTheirEntries) {
  const Dataset table = Dataset::from_sparse_rows(example()).with_weights({1, 2, 3}).first_rows(2);
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.n_entries(), 2U);
  EXPECT_THAT(table.weights(), ElementsAre(1, 2));
}

TEST(SparseDataset, GrowsByColumnsOfZeros) {
  const Dataset table = Dataset::from_sparse_rows(example()).with_zero_columns(6);
  EXPECT_EQ(table.n_columns(), 6U);
  EXPECT_EQ(table.columns()[5].name, "x6");
  EXPECT_EQ(table.value(2, 5), 0.0);
  EXPECT_EQ(table.value(2, 2), 0.5);
}

TEST(SparseDataset, RefusesWhatDoesNotFitTogether) {
  SparseEntries<double> wrong = example();
  wrong.columns[1] = 1;  // twice in a row
  EXPECT_THROW((void)Dataset::from_sparse_rows(wrong), DataError);
  wrong = example();
  wrong.columns[1] = 4;
  EXPECT_THROW((void)Dataset::from_sparse_rows(wrong), DataError);
  wrong = example();
  wrong.starts.back() = 5;
  EXPECT_THROW((void)Dataset::from_sparse_rows(wrong), DataError);
  wrong = example();
  wrong.values[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)Dataset::from_sparse_rows(wrong), DataError);
  wrong = example();
  wrong.n_columns = Dataset::most_sparse_columns + 1;
  EXPECT_THROW((void)Dataset::from_sparse_rows(wrong), LimitError);
}

TEST(SparseDataset, HashesByContent) {
  // The first row with a stored zero, and the same entries in other columns.
  const Dataset table = Dataset::from_sparse_rows(
      SparseEntries<float>{{0, 2, 5, 7}, {1, 3, 0, 1, 3, 1, 2}, {2.0F, 1.0F, 0.0F, 2.0F, 1.0F, 2.0F, 1.0F}, 4});
  EXPECT_EQ(row_hash(table, 0), row_hash(table, 1));
  EXPECT_NE(row_hash(table, 0), row_hash(table, 2));
}

TEST(DatasetWithGaps, CountsMissingEntriesPerColumn) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const Dataset table = Dataset::from_rows_with_gaps({1, gap, 0, 2, gap, 2.5}, 3, 2);
  EXPECT_TRUE(table.has_missing());
  EXPECT_EQ(table.n_missing(0), 1U);
  EXPECT_EQ(table.n_missing(1), 1U);
  EXPECT_EQ(table.columns()[0].kind, ColumnKind::binary);
  EXPECT_EQ(table, table.select_columns({"x1", "x2"}));
  EXPECT_EQ(table.first_rows(2).n_missing(0), 0U);
  EXPECT_FALSE(table.first_rows(1).select_columns({"x1"}).has_missing());
  EXPECT_THROW((void)Dataset::from_rows_with_gaps({std::numeric_limits<double>::infinity(), gap}, 1, 2), DataError);
}

TEST(DatasetKinds, AreCheckedAgainstTheValues) {
  const Dataset table = Dataset::from_rows(std::vector<double>{0, 2, 1, 2.5}, 2, 2);
  EXPECT_EQ(table.with_kinds({ColumnKind::count, ColumnKind::real}).columns()[0].kind, ColumnKind::count);
  EXPECT_THROW((void)table.with_kinds({ColumnKind::binary, ColumnKind::count}), DataError);
  EXPECT_THROW((void)table.with_kinds({ColumnKind::binary}), DataError);
}

}  // namespace
}  // namespace coppice::internal
