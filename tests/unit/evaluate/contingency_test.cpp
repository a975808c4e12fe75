// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/contingency.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

#include "coppice/runtime/error.hpp"
#include "unit/evaluate/labelings.hpp"

namespace coppice::evaluate {
namespace {

TEST(Contingency, CountsCellsAndMarginals) {
  const Contingency table = contingency(Labels{4, 4, -1, 4, -1}, Labels{0, 9, 0, 0, 0});
  EXPECT_EQ(table.n_rows, 5U);
  EXPECT_EQ(table.cluster_labels, (Labels{-1, 4}));
  EXPECT_EQ(table.truth_labels, (Labels{0, 9}));
  EXPECT_EQ(table.cluster_sizes, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(table.truth_sizes, (std::vector<std::size_t>{4, 1}));
  EXPECT_EQ(table.cells, (std::vector<Contingency::Cell>{{0, 0, 2}, {1, 0, 2}, {1, 1, 1}}));
}

TEST(Contingency, TakesTheExtremesOfTheLabelType) {
  constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t high = std::numeric_limits<std::int32_t>::max();
  const Contingency table = contingency(Labels{high, low, 0}, Labels{low, high, -1});
  EXPECT_EQ(table.cluster_labels, (Labels{low, 0, high}));
  EXPECT_EQ(table.truth_labels, (Labels{low, -1, high}));
  EXPECT_EQ(table.cells, (std::vector<Contingency::Cell>{{0, 2, 1}, {1, 1, 1}, {2, 0, 1}}));
}

TEST(Contingency, EqualsCountingInAMap) {
  const Labels labels = random_labels(5000, 37, 1);
  const Labels truth = random_labels(5000, 11, 2);
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> counts;
  for (std::size_t row = 0; row < labels.size(); ++row) ++counts[{labels[row], truth[row]}];
  const Contingency table = contingency(labels, truth);
  ASSERT_EQ(table.cells.size(), counts.size());
  auto expected = counts.begin();
  for (const Contingency::Cell& cell : table.cells) {
    EXPECT_EQ(expected->first, std::make_pair(table.cluster_labels[cell.cluster], table.truth_labels[cell.truth]));
    EXPECT_EQ(expected->second, cell.count);
    ++expected;
  }
}

// Labels far apart take another path than labels close together.
TEST(Contingency, ScatteredLabelsCountLikeCloseOnes) {
  const Labels labels = random_labels(3000, 20, 3);
  const Labels truth = random_labels(3000, 7, 4);
  Labels scattered = labels;
  for (std::int32_t& label : scattered) label *= 100000007;
  Contingency table = contingency(scattered, truth);
  for (std::int32_t& label : table.cluster_labels) label /= 100000007;
  EXPECT_EQ(table, contingency(labels, truth));
}

TEST(Contingency, OfNoRowsIsEmpty) {
  const Contingency table = contingency(Labels{}, Labels{});
  EXPECT_EQ(table.k(), 0U);
  EXPECT_EQ(table.k_truth(), 0U);
  EXPECT_TRUE(table.cells.empty());
}

TEST(Contingency, RefusesDifferentLengthsAndNamesThem) {
  try {
    (void)contingency(Labels{0, 1, 2}, Labels{0, 1});
    FAIL() << "accepted 3 and 2 labels";
  } catch (const DataError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("3 labels"), std::string::npos) << message;
    EXPECT_NE(message.find("2 true labels"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace coppice::evaluate
