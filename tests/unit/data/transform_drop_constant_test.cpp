// SPDX-License-Identifier: BSD-3-Clause
// drop-constant, the step that leaves out columns which do not vary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/data/transform_examples.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Dataset table() {
  return Dataset::from_rows(std::vector<double>{1, 7, 2, -3, 4, 7, 6, -3, 5, 7, 6, -3}, 3, 4)
      .with_names({"a", "b", "c", "d"});
}

TEST(DropConstant, LeavesOutColumnsThatDoNotVaryAndSaysSo) {
  const FittedTransforms found = transformed(table(), "drop-constant");
  EXPECT_THAT(found.warnings, ElementsAre("'b', 'd' are constant and left out: they tell no cluster from another"));
  ASSERT_EQ(found.data.n_columns(), 2U);
  EXPECT_EQ(found.data.columns()[0].name, "a");
  EXPECT_EQ(found.data.columns()[1].name, "c");
  EXPECT_EQ(found.data.value(1, 1), 6.0);
  EXPECT_EQ(found.chain.n_output_columns(), 2U);
  EXPECT_EQ(found.chain.input_columns().size(), 4U);
}

TEST(DropConstant, GivesTheirValuesBack) {
  const Transforms chain = transformed(table(), "drop-constant").chain;
  EXPECT_EQ(chain.inverse_kind(), Inverse::exact);
  EXPECT_THAT(chain.inverse({10.0, 20.0}), ElementsAre(10.0, 7.0, 20.0, -3.0));
}

TEST(DropConstant, LeavesATableAloneWhereEverythingVaries) {
  const Dataset data = correlated_rows(20, 3, 0.5);
  const FittedTransforms found = transformed(data, "drop-constant");
  EXPECT_THAT(found.warnings, IsEmpty());
  EXPECT_EQ(largest_difference(found.data, data), 0.0);
}

// What is constant was learnt: new rows may hold any number there.
TEST(DropConstant, TakesRowsWhereTheColumnsVary) {
  const Transforms chain = transformed(table(), "drop-constant").chain;
  const Dataset other =
      Dataset::from_rows(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4).with_names({"a", "b", "c", "d"});
  const Dataset found = apply(chain, other);
  EXPECT_EQ(largest_difference(found, Dataset::from_rows(std::vector<double>{1, 3, 5, 7}, 2, 2)), 0.0);
}

TEST(DropConstant, RowsWithoutWeightDoNotCount) {
  const Dataset data = table().with_weights({0.0, 1.0, 1.0});
  EXPECT_EQ(transformed(data, "drop-constant").data.n_columns(), 1U);
}

TEST(DropConstant, SomethingMustVary) {
  const Dataset same = Dataset::from_rows(std::vector<double>(6, 1.5), 3, 2);
  EXPECT_THAT(message_of<DataError>([&] { (void)transformed(same, "drop-constant"); }),
              HasSubstr("every column holds the same value"));
}

TEST(DropConstant, NamesMayComeTwiceOrLookLikeNumbers) {
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"x", "x", "x", "x"}, {"3", "2", "1", "4"}, {"", "", "", ""}}) {
    const Dataset found = transformed(table().with_names(names), "drop-constant").data;
    EXPECT_EQ(largest_difference(found, Dataset::from_rows(std::vector<double>{1, 2, 4, 6, 5, 6}, 3, 2)), 0.0);
    EXPECT_EQ(found.columns()[0].name, names[0]);
    EXPECT_EQ(found.columns()[1].name, names[2]);
  }
}

TEST(DropConstant, SparseRowsStaySparse) {
  const SparsePair pair = sparse_pair(100, 5);  // the second column is empty
  const FittedTransforms found = transformed(pair.sparse, "drop-constant");
  EXPECT_TRUE(found.data.is_sparse());
  EXPECT_EQ(found.data.n_columns(), 4U);
  EXPECT_EQ(largest_difference(found.data, transformed(pair.dense, "drop-constant").data), 0.0);
}

TEST(DropConstant, FollowsOtherSteps) {
  const FittedTransforms found = transformed(table(), "standardize,drop-constant,pca:1");
  EXPECT_EQ(found.data.n_columns(), 1U);
  EXPECT_EQ(largest_difference(apply(found.chain, table()), found.data), 0.0);
}

}  // namespace
}  // namespace coppice::internal
