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

// Enough rows for several blocks on several threads.
class ManyRows : public testing::TestWithParam<std::size_t> {
 protected:
  static constexpr std::size_t n_rows = 700'000;
  static constexpr std::size_t n_columns = 2;

  [[nodiscard]] Dataset table() const {
    return Dataset::from_memory(nullptr, values_.data(), Storage::float32, n_rows, n_columns, GetParam());
  }
  std::vector<float> values_ = std::vector<float>(n_rows * n_columns, 1.0F);
};

TEST_P(ManyRows, EveryOneHasASayInTheKinds) {
  EXPECT_EQ(table().columns()[0].kind, ColumnKind::binary);
  values_[(n_rows - 1) * n_columns] = 2.0F;
  values_[300'001 * n_columns + 1] = 0.5F;
  EXPECT_EQ(table().columns()[0].kind, ColumnKind::count);
  EXPECT_EQ(table().columns()[1].kind, ColumnKind::real);
}

TEST_P(ManyRows, TheFirstThatIsNotFiniteIsNamed) {
  values_[650'000 * n_columns] = std::numeric_limits<float>::infinity();
  values_[10'000 * n_columns + 1] = -std::numeric_limits<float>::infinity();
  values_[9'999 * n_columns + 1] = std::numeric_limits<float>::quiet_NaN();
  try {
    (void)table();
    FAIL() << "accepted a NaN";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("row 10000, column 2 (counted from 1): the value is nan"),
              std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ManyRows, testing::Values(1, 2, 3));

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
