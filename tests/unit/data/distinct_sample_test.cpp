// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/distinct_sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "coppice/runtime/local_execution.hpp"
#include "unit/data/transform_examples.hpp"

namespace coppice::internal {
namespace {

using Row = std::vector<double>;

// Rows by content, with their summed weight; fails if one comes twice.
std::map<Row, double> contents(const Dataset& data) {
  std::map<Row, double> found;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    Row content;
    for (std::size_t column = 0; column < data.n_columns(); ++column) content.push_back(data.value(row, column));
    EXPECT_TRUE(found.emplace(content, data.weight(row)).second) << "a content comes twice";
  }
  return found;
}

Dataset sample(const Dataset& data, std::size_t n, std::size_t threads = 1) {
  LocalExecution local(threads);
  return distinct_sample(local.get(), data, n);
}

// n_rows numbers from 0 to n_values - 1 in two columns.
Dataset few_contents(std::size_t n_rows, std::size_t n_values, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 72};
  std::vector<double> values;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const auto value = static_cast<double>(random.below(n_values));
    values.insert(values.end(), {value, 10.0 * value});
  }
  return Dataset::from_rows(std::move(values), n_rows, 2);
}

TEST(DistinctSample, OfAllContentsHasEachOnceWithTheWeightOfItsCopies) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 2, 3, 4, 1, 2, 1, 2, 3, 4, 5, 6}, 6, 2);
  EXPECT_EQ(contents(sample(data, 100)), (std::map<Row, double>{{{1, 2}, 3.0}, {{3, 4}, 2.0}, {{5, 6}, 1.0}}));
  const Dataset weighted = data.with_weights({1.0, 0.5, 2.0, 0.25, 0.0, 0.0});
  EXPECT_EQ(contents(sample(weighted, 100)), (std::map<Row, double>{{{1, 2}, 3.25}, {{3, 4}, 0.5}}));
}

TEST(DistinctSample, HasNoMoreContentsThanAskedForAndAllCopiesOfEach) {
  const Dataset data = few_contents(2000, 300, 1);
  const std::map<Row, double> all = contents(sample(data, 1000));
  for (const std::size_t n : {1U, 10U, 200U}) {
    const std::map<Row, double> some = contents(sample(data, n));
    EXPECT_EQ(some.size(), n);
    for (const auto& [content, weight] : some) EXPECT_EQ(weight, all.at(content));
  }
}

TEST(DistinctSample, DependsNeitherOnTheOrderOfRowsNorOnTheThreads) {
  const Dataset data = few_contents(3000, 500, 2);
  std::vector<double> reversed;
  for (std::size_t row = 3000; row-- > 0;) reversed.insert(reversed.end(), {data.value(row, 0), data.value(row, 1)});
  const Dataset found = sample(data, 50);
  EXPECT_EQ(largest_difference(sample(Dataset::from_rows(reversed, 3000, 2), 50), found), 0.0);
  EXPECT_EQ(largest_difference(sample(data, 50, 2), found), 0.0);
}

TEST(DistinctSample, ContentsDoNotDependOnHowOftenTheyAreRepeated) {
  const Dataset data = few_contents(400, 100, 3);
  std::vector<double> weights(400, 1.0);
  for (std::size_t row = 0; row < 400; row += 3) weights[row] = 4.0;
  const Dataset weighted = data.with_weights(weights);
  const Dataset copies = repeated(weighted);
  EXPECT_EQ(contents(sample(weighted, 20)), contents(sample(copies, 20)));
  EXPECT_EQ(largest_difference(sample(data, 20), sample(copies, 20)), 0.0);
}

TEST(DistinctSample, KeepsNamesKindsAndStorage) {
  const Dataset data = Dataset::from_rows(std::vector<float>{1, 0, 2, 1, 1, 0}, 3, 2)
                           .with_names({"visits", "is_new"})
                           .with_kinds({ColumnKind::count, ColumnKind::binary});
  const Dataset found = sample(data, 10);
  EXPECT_EQ(found.n_rows(), 2U);
  EXPECT_EQ(found.storage(), Storage::float32);
  EXPECT_EQ(found.columns()[0].name, "visits");
  EXPECT_EQ(found.columns()[0].kind, ColumnKind::count);
  EXPECT_EQ(found.columns()[1].kind, ColumnKind::binary);
}

TEST(DistinctSample, SparseRowsStaySparse) {
  const SparsePair pair = sparse_pair(300, 6);
  const Dataset found = sample(pair.sparse, 40);
  EXPECT_TRUE(found.is_sparse());
  EXPECT_EQ(found.n_rows(), 40U);
  for (const auto& [content, weight] : contents(found)) {
    double expected = 0.0;
    for (std::size_t row = 0; row < 300; ++row) {
      bool is_same = true;
      for (std::size_t column = 0; column < 6; ++column) is_same &= pair.dense.value(row, column) == content[column];
      expected += is_same ? 1.0 : 0.0;
    }
    EXPECT_EQ(weight, expected);
  }
}

}  // namespace
}  // namespace coppice::internal
