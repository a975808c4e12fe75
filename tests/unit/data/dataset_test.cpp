// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/dataset.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "coppice/runtime/error.hpp"

namespace coppice {
namespace {

TEST(Dataset, KeepsValuesAsStored) {
  const Dataset floats = Dataset::from_rows(std::vector<float>{1, 2, 3, 4}, 2, 2);
  EXPECT_EQ(floats.storage(), Storage::float32);
  EXPECT_TRUE(floats.doubles().empty());
  EXPECT_EQ(floats.value(1, 0), 3.0);
}

TEST(Dataset, GuessesColumnKinds) {
  const Dataset table = Dataset::from_rows(std::vector<double>{0, 3, 0.5, 1, 7, -1}, 2, 3);
  EXPECT_EQ(table.columns()[0].kind, ColumnKind::binary);
  EXPECT_EQ(table.columns()[1].kind, ColumnKind::count);
  EXPECT_EQ(table.columns()[2].kind, ColumnKind::real);
}

TEST(Dataset, RefusesNonFiniteValuesWithTheirPlace) {
  try {
    (void)Dataset::from_rows(std::vector<double>{1, 2, 3, std::numeric_limits<double>::quiet_NaN()}, 2, 2);
    FAIL() << "accepted a NaN";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("row 2, column 2 (counted from 1)"), std::string::npos) << error.what();
    EXPECT_EQ(error.exit_code(), 3);
  }
}

TEST(Dataset, RefusesWrongLengthsAndNegativeWeights) {
  EXPECT_THROW((void)Dataset::from_rows(std::vector<double>{1, 2, 3}, 2, 2), DataError);
  const Dataset table = Dataset::from_rows(std::vector<double>{1, 2}, 2, 1);
  EXPECT_THROW((void)table.with_weights({1.0}), DataError);
  EXPECT_THROW((void)table.with_weights({1.0, -1.0}), DataError);
  EXPECT_THROW((void)table.with_ids({"a"}), DataError);
  EXPECT_THROW((void)table.with_names({"a", "b"}), DataError);
}

TEST(Dataset, IsAValue) {
  const Dataset table = Dataset::from_rows(std::vector<double>{1, 2}, 2, 1);
  const Dataset copy = table;
  EXPECT_EQ(copy, table);
  EXPECT_EQ(copy.doubles().data(), table.doubles().data());  // shares the numbers
  EXPECT_NE(table.with_weights({1.0, 2.0}), table);
}

}  // namespace
}  // namespace coppice
