// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/calinski_harabasz.hpp"

#include <gtest/gtest.h>

#include "coppice/runtime/error.hpp"
#include "unit/evaluate/labelings.hpp"
#include "unit/evaluate/labelled_tables.hpp"

namespace coppice::evaluate {
namespace {

TEST(CalinskiHarabasz, EqualsReferenceValues) {
  for (const ScoredTable& table : scored_tables()) {
    EXPECT_NEAR(calinski_harabasz(table.data, table.labels), table.calinski_harabasz, 1e-12 * table.calinski_harabasz);
  }
}

// Means 1 and 11, overall 6: B = 4 * 25, W = 4 * 1, K = 2, N = 4.
TEST(CalinskiHarabasz, SmallExampleByHand) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0, 2, 10, 12}, 4, 1);
  EXPECT_DOUBLE_EQ(calinski_harabasz(data, Labels{0, 0, 1, 1}), 100.0 * 2.0 / (4.0 * 1.0));
}

TEST(CalinskiHarabasz, DoesNotLoseDigitsFarFromTheOrigin) {
  const Labels labels = random_labels(300, 4, 1);
  std::vector<double> values = normal_values(300, 2, 0.0);
  for (double& value : values) value = static_cast<double>(static_cast<int>(value * 64.0));  // exact after the shift
  const double near = calinski_harabasz(Dataset::from_rows(values, 300, 2), labels);
  for (double& value : values) value += 0x1p30;
  EXPECT_NEAR(calinski_harabasz(Dataset::from_rows(values, 300, 2), labels), near, 1e-6 * near);
}

TEST(CalinskiHarabasz, NothingWithinClustersScoresOne) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0.1, 0.1, 0.1, 0.7, 0.7}, 5, 1);
  EXPECT_EQ(calinski_harabasz(data, Labels{0, 0, 0, 1, 1}), 1.0);
}

TEST(CalinskiHarabasz, RefusesWhatItCannotScore) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 2, 3}, 3, 1);
  EXPECT_THROW((void)calinski_harabasz(data, Labels{0, 0, 0}), OptionError);
  EXPECT_THROW((void)calinski_harabasz(data, Labels{0, 1, 2}), OptionError);
  EXPECT_THROW((void)calinski_harabasz(data, Labels{0, 1}), DataError);
}

}  // namespace
}  // namespace coppice::evaluate
