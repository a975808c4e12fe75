// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/silhouette.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "coppice/runtime/error.hpp"
#include "unit/evaluate/labelings.hpp"
#include "unit/evaluate/labelled_tables.hpp"

namespace coppice::evaluate {
namespace {

double by_definition(const Dataset& data, const Labels& labels) {
  double total = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    std::map<std::int32_t, std::pair<double, double>> sums;  // label -> (sum of distances, rows)
    for (std::size_t other = 0; other < data.n_rows(); ++other) {
      if (other == row) continue;
      double squared = 0.0;
      for (std::size_t column = 0; column < data.n_columns(); ++column) {
        squared += std::pow(data.value(row, column) - data.value(other, column), 2.0);
      }
      sums[labels[other]].first += std::sqrt(squared);
      sums[labels[other]].second += 1.0;
    }
    if (!sums.contains(labels[row])) continue;  // alone in its cluster
    double a = 0.0;
    double b = std::numeric_limits<double>::infinity();
    for (const auto& [label, sum] : sums) {
      if (label == labels[row]) a = sum.first / sum.second;
      if (label != labels[row]) b = std::min(b, sum.first / sum.second);
    }
    total += (b - a) / std::max(a, b);
  }
  return total / static_cast<double>(data.n_rows());
}

TEST(Silhouette, EqualsReferenceValues) {
  for (const ScoredTable& table : scored_tables()) {
    EXPECT_NEAR(silhouette(table.data, table.labels), table.silhouette, 1e-12);
  }
}

TEST(Silhouette, EqualsItsDefinitionAcrossPanels) {
  // 700 rows in 2 clusters: more than one panel per cluster, and an odd rest.
  const Dataset data = Dataset::from_rows(normal_values(700, 3, 0.0), 700, 3);
  for (const std::size_t k : {2U, 9U}) {
    const Labels labels = random_labels(700, k, k);
    EXPECT_NEAR(silhouette(data, labels), by_definition(data, labels), 1e-13);
  }
}

TEST(Silhouette, TakesFloatsAsTheyAre) {
  const Dataset floats = Dataset::from_rows(std::vector<float>{0.1F, 0.2F, 5.3F, 5.4F}, 4, 1);
  const Dataset doubles = Dataset::from_rows(std::vector<double>{0.1F, 0.2F, 5.3F, 5.4F}, 4, 1);
  EXPECT_EQ(silhouette(floats, Labels{0, 0, 1, 1}), silhouette(doubles, Labels{0, 0, 1, 1}));
}

TEST(Silhouette, RowsAloneAndRowsOnTopOfAllOthersCountZero) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0, 0, 0, 0}, 4, 1);
  EXPECT_EQ(silhouette(data, Labels{0, 0, 1, 1}), 0.0);
  const Dataset pair = Dataset::from_rows(std::vector<double>{0, 0, 7}, 3, 1);
  EXPECT_DOUBLE_EQ(silhouette(pair, Labels{4, 4, -1}), 2.0 / 3.0);
}

TEST(Silhouette, RefusesTooFewOrTooManyClustersWithTheNumbers) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 2, 3}, 3, 1);
  EXPECT_THROW((void)silhouette(data, Labels{0, 0, 0}), OptionError);
  EXPECT_THROW((void)silhouette(data, Labels{0, 1, 2}), OptionError);
  EXPECT_THROW((void)silhouette(Dataset{}, Labels{}), OptionError);
  try {
    (void)silhouette(data, Labels{0, 1});
    FAIL() << "accepted 2 labels for 3 rows";
  } catch (const DataError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("2 labels"), std::string::npos) << message;
    EXPECT_NE(message.find("3 rows"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace coppice::evaluate
