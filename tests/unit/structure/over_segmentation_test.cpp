// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/over_segmentation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

LabelList segments(const Dataset& data, std::size_t k, std::uint64_t seed = 0, std::size_t threads = 1) {
  LocalExecution local(threads);
  const Rows rows(data, std::vector<double>(data.n_columns(), 0.0));
  return over_segmented(local.get(), rows, gaussian_shape(local.get(), rows).variance, k, seed, 0);
}

std::size_t count(const LabelList& labels) { return std::set<std::int32_t>(labels.begin(), labels.end()).size(); }

TEST(OverSegmentation, GivesAsManyClustersAsAskedFor) {
  const Dataset data = scattered_rows(500, 3, 5, 1);
  for (const std::size_t k : {1U, 2U, 12U, 30U}) {
    const LabelList labels = segments(data, k);
    ASSERT_EQ(labels.size(), 500U);
    EXPECT_EQ(count(labels), k);
    EXPECT_LT(static_cast<std::size_t>(std::ranges::max(labels)), k);
    EXPECT_GE(std::ranges::min(labels), 0);
  }
}

TEST(OverSegmentation, GivesFewerWhereRowsAreFew) {
  const Dataset three = Dataset::from_rows(std::vector<double>{1, 2, 3, 1, 2, 3, 1, 2, 3}, 9, 1);
  EXPECT_EQ(count(segments(three, 7)), 3U);
}

// Every cluster of a clear mixture is cut, none is joined with another.
TEST(OverSegmentation, DoesNotMixWhatIsFarApart) {
  const Generated made = generate(GaussianMixture{.n_rows = 400, .n_columns = 2, .k = 4, .tau = 8.0, .seed = 2});
  const LabelList labels = segments(made.data, 16);
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t row = 0; row < 400; ++row) pairs.insert({labels[row], made.labels[row]});
  EXPECT_EQ(pairs.size(), count(labels));
}

TEST(OverSegmentation, UnitsOfColumnsDoNotMatter) {
  const Dataset data = scattered_rows(300, 2, 5, 3);
  std::vector<double> scaled(data.doubles().begin(), data.doubles().end());
  for (std::size_t i = 1; i < scaled.size(); i += 2) scaled[i] *= 1024.0;  // exact, so that rounding is the same
  const LabelList a = segments(data, 9);
  const LabelList b = segments(Dataset::from_rows(scaled, 300, 2), 9);
  EXPECT_GT(evaluate::adjusted_rand_index(a, b), 0.3) << "seeds are drawn by contents, which differ";
}

TEST(OverSegmentation, OrderOfRowsAndThreadsDoNotMatter) {
  const Dataset data = scattered_rows(600, 2, 5, 4);
  const LabelList labels = segments(data, 10);
  EXPECT_EQ(segments(data, 10, 0, 2), labels);
  std::vector<double> reversed;
  for (std::size_t row = 600; row-- > 0;) reversed.insert(reversed.end(), {data.value(row, 0), data.value(row, 1)});
  LabelList back = segments(Dataset::from_rows(reversed, 600, 2), 10);
  std::ranges::reverse(back);
  EXPECT_EQ(evaluate::adjusted_rand_index(back, labels), 1.0);
  EXPECT_NE(segments(data, 10, 1), labels) << "other seeds, other segments";
}

TEST(OverSegmentation, HeavyRowsPullCentresAndWeightlessOnesDoNot) {
  std::vector<double> values = {0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 1000.0};
  const Dataset data = Dataset::from_rows(values, 7, 1).with_weights({1, 1, 1, 1, 1, 1, 0});
  const LabelList labels = segments(data, 2);
  EXPECT_EQ(labels[0], labels[2]);
  EXPECT_EQ(labels[3], labels[5]);
  EXPECT_NE(labels[0], labels[3]) << "a row without weight is no cluster";
}

}  // namespace
}  // namespace coppice::internal
