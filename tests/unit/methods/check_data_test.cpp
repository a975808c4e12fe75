// SPDX-License-Identifier: BSD-3-Clause
#include "methods/check_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "coppice/data/constant_columns.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ConstantColumns, AreThoseInWhichNoRowDiffersFromTheFirst) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 2, 3, 4,  //
                                                              1, 2, 5, 4,  //
                                                              1, 9, 3, 4},
                                          3, 4);
  EXPECT_THAT(constant_columns(data), ElementsAre(0, 3));
}

TEST(ConstantColumns, RowsWithoutWeightHaveNoSay) {
  const Dataset data = Dataset::from_rows(std::vector<double>{7, 7, 1, 2, 1, 3, 8, 8}, 4, 2);
  EXPECT_THAT(constant_columns(data), IsEmpty());
  EXPECT_THAT(constant_columns(data.with_weights({0.0, 1.0, 0.5, 0.0})), ElementsAre(0));
  EXPECT_THAT(constant_columns(data.with_weights({0.0, 1.0, 0.0, 0.0})), IsEmpty()) << "one row says nothing";
}

TEST(ConstantColumns, FloatsAndMinusZeroCount) {
  const Dataset data = Dataset::from_rows(std::vector<float>{0.0F, 0.1F, -0.0F, 0.1F}, 2, 2);
  EXPECT_THAT(constant_columns(data), ElementsAre(0, 1));
}

TEST(ConstantColumns, GetOneSentenceHoweverManyThereAre) {
  EXPECT_THAT(constant_column_warnings(Dataset::from_rows(std::vector<double>{1, 2, 3, 4}, 2, 2)), IsEmpty());
  const Dataset one = Dataset::from_rows(std::vector<double>{1, 2, 1, 4}, 2, 2);
  EXPECT_THAT(constant_column_warnings(one), ElementsAre("column 'x1' is constant: it tells no cluster from another"));
  const Dataset two = Dataset::from_rows(std::vector<double>{1, 2, 5, 1, 4, 5}, 2, 3);
  EXPECT_THAT(constant_column_warnings(two),
              ElementsAre("2 columns are constant: they tell no cluster from another ('x1', 'x3')"));
  const Dataset many = Dataset::from_rows(std::vector<double>(2000, 3.0), 2, 1000);
  EXPECT_THAT(constant_column_warnings(many),
              ElementsAre("1000 columns are constant: they tell no cluster from another ('x1', 'x2', 'x3', 'x4', 'x5' "
                          "and 995 more)"));
}

}  // namespace
}  // namespace coppice::internal
