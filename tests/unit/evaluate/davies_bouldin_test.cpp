// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/davies_bouldin.hpp"

#include <gtest/gtest.h>

#include "coppice/runtime/error.hpp"
#include "unit/evaluate/labelings.hpp"
#include "unit/evaluate/labelled_tables.hpp"

namespace coppice::evaluate {
namespace {

TEST(DaviesBouldin, EqualsReferenceValues) {
  for (const ScoredTable& table : scored_tables()) {
    EXPECT_NEAR(davies_bouldin(table.data, table.labels), table.davies_bouldin, 1e-12 * table.davies_bouldin);
  }
}

// Means 1, 11, 41 and distances within 1, 1, 2: worst ratios 2/10, 2/10 and 3/30 (against the second).
TEST(DaviesBouldin, SmallExampleByHand) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0, 2, 10, 12, 39, 43}, 6, 1);
  EXPECT_DOUBLE_EQ(davies_bouldin(data, Labels{0, 0, 1, 1, 2, 2}), (0.2 + 0.2 + 0.1) / 3.0);
}

TEST(DaviesBouldin, NothingWithinClustersScoresZero) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0.1, 0.1, 0.1, 0.7, 0.7}, 5, 1);
  EXPECT_EQ(davies_bouldin(data, Labels{0, 0, 0, 1, 1}), 0.0);
}

TEST(DaviesBouldin, EqualMeansAreNotCompared) {
  const Dataset same = Dataset::from_rows(std::vector<double>{-1, 1, -2, 2}, 4, 1);
  EXPECT_EQ(davies_bouldin(same, Labels{0, 0, 1, 1}), 0.0);
  // A third cluster around 10: ratios (1 + 1) / 10, (2 + 1) / 10 and the larger of the two.
  const Dataset third = Dataset::from_rows(std::vector<double>{-1, 1, -2, 2, 9, 11}, 6, 1);
  EXPECT_DOUBLE_EQ(davies_bouldin(third, Labels{0, 0, 1, 1, 2, 2}), (0.2 + 0.3 + 0.3) / 3.0);
  // Means that are equal but for rounding: 0.1 + 0.2 is not 0.3.
  const Dataset rounded = Dataset::from_rows(std::vector<double>{0.1, 0.2, 0.0, 0.3}, 4, 1);
  EXPECT_EQ(davies_bouldin(rounded, Labels{0, 0, 1, 1}), 0.0);
}

TEST(DaviesBouldin, RefusesWhatItCannotScore) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 2, 3}, 3, 1);
  EXPECT_THROW((void)davies_bouldin(data, Labels{0, 0, 0}), OptionError);
  EXPECT_THROW((void)davies_bouldin(data, Labels{0, 1, 2}), OptionError);
  EXPECT_THROW((void)davies_bouldin(data, Labels{0, 1}), DataError);
}

}  // namespace
}  // namespace coppice::evaluate
