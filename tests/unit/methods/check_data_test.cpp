// SPDX-License-Identifier: BSD-3-Clause
#include "methods/check_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "coppice/data/constant_columns.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

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

// Columns whose deviations are 1, `wide` and 0.
Dataset of_unlike_scale(double wide) {
  return Dataset::from_rows(std::vector<double>{1, wide, 7, -1, wide, 7, 1, -wide, 7, -1, -wide, 7}, 4, 3);
}

TEST(UnlikeScale, IsAHundredfold) {
  EXPECT_THAT(unlike_scale_warnings(of_unlike_scale(99.0), "distances"), IsEmpty());
  EXPECT_THAT(plain(unlike_scale_warnings(of_unlike_scale(2e4), "distances")),
              ElementsAre("column 'x2' spreads 2e+04 times as wide as 'x1': distances see the widest columns alone; "
                          "transform standardize gives all columns one scale"));
  EXPECT_THAT(unlike_scale_warnings(of_unlike_scale(0.009), "distances"), SizeIs(1));
}

TEST(UnlikeScale, RowsWithoutWeightHaveNoSay) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 1, 2, 3, 500, 2}, 3, 2);
  EXPECT_THAT(unlike_scale_warnings(data, "distances"), SizeIs(1));
  EXPECT_THAT(unlike_scale_warnings(data.with_weights({1.0, 1.0, 0.0}), "distances"), IsEmpty());
}

TEST(UnlikeScale, OfPrincipalComponentsMeansSomething) {
  const Dataset data = of_unlike_scale(1e3);
  EXPECT_THAT(unlike_scale_warnings(data.with_names({"pc1", "pc2", "pc3"}), "distances"), IsEmpty());
  EXPECT_THAT(unlike_scale_warnings(data.with_names({"pc1", "pc2", "mass"}), "distances"), SizeIs(1));
}

}  // namespace
}  // namespace coppice::internal
