// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/decimals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;

std::vector<int> decimals_of(const Dataset& data) {
  std::vector<int> decimals;
  for (const Column& column : with_decimals(data)) decimals.push_back(column.decimals);
  return decimals;
}

TEST(Decimals, SufficeForAllValues) {
  const std::vector<double> values{1.0,  39.1, -0.25, 1.0 / 3.0, 1e15, 0.0,  //
                                   -7.0, 40.0, 12.5,  0.5,       1.0,  1e-9};
  EXPECT_THAT(decimals_of(Dataset::from_rows(values, 2, 6)), ElementsAre(0, 1, 2, -1, -1, 9));
  const std::vector<float> floats(values.begin(), values.begin() + 4);
  EXPECT_THAT(decimals_of(Dataset::from_rows(floats, 1, 4)), ElementsAre(0, 1, 2, -1));
}

// Every decimal number is found for what it is, and no other has few decimals.
TEST(Decimals, AreThoseThatWereWritten) {
  RandomStream random{1, Purpose::test, 40};
  for (int decimals = 0; decimals <= 5; ++decimals) {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(rounded_to(100.0 * random.normal(), decimals));
    EXPECT_THAT(decimals_of(Dataset::from_rows(values, 1000, 1)), ElementsAre(decimals));
  }
  std::vector<double> values(100);
  for (double& value : values) value = random.uniform();
  EXPECT_THAT(decimals_of(Dataset::from_rows(values, 100, 1)), ElementsAre(-1));
  EXPECT_THAT(decimals_of(Dataset::from_rows(std::vector<float>(values.begin(), values.end()), 100, 1)),
              ElementsAre(-1));
}

TEST(Decimals, OfRowsThatWeighNothingDoNotCount) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1.5, 2.25}, 2, 1).with_weights({1.0, 0.0});
  EXPECT_THAT(decimals_of(data), ElementsAre(1));
}

TEST(Decimals, AreNotAskedOfSparseTables) {
  EXPECT_THAT(decimals_of(Dataset::from_sparse_rows(SparseEntries<double>{{0, 1}, {1}, {2.5}, 2})),
              ElementsAre(-1, -1));
}

TEST(Decimals, RoundToTheNearest) {
  EXPECT_EQ(rounded_to(-3.14159, 2), -3.14);
  EXPECT_EQ(rounded_to(2.5000001, 0), 3.0);
  EXPECT_EQ(rounded_to(1e300, 3), 1e300);
}

}  // namespace
}  // namespace coppice::internal
