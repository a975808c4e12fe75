// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/equal_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/data/distinct_sample.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// Values of `scattered_rows` rounded to a grid.
Dataset rounded_rows(std::size_t n_rows, std::size_t n_columns, double grid, double spread = 3.0) {
  const Dataset data = scattered_rows(n_rows, n_columns, 3, 11, spread);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (double& value : values) value = grid * std::nearbyint(value / grid);
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

EqualPairs pairs_of(const Dataset& data) {
  LocalExecution local(2);
  return equal_pairs(local.get(), distinct_sample(local.get(), data, data.n_rows()));
}

TEST(EqualPairs, AreCounted) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 1, 1, 2, 2, 2, 5}, 7, 1);
  EXPECT_EQ(pairs_of(data).found, 6.0);
  const Dataset weighted = Dataset::from_rows(std::vector<double>{1, 2, 5}, 3, 1).with_weights({3.0, 3.0, 1.0});
  EXPECT_EQ(pairs_of(weighted).found, 6.0);
}

// Two columns of 0 and 1, all four rows equally often: n (n - 1) / 2 = 28 pairs of 8 are equal in each. Half of all
// rows agree in a column, but of the four different rows a third: 2 x 64 pairs differ in one column alone, as many as
// lie a step apart.
TEST(EqualPairs, ByChanceAreTakenFromPairsThatDifferInOneColumn) {
  const Dataset data =
      Dataset::from_rows(std::vector<double>{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2).with_weights({8.0, 8.0, 8.0, 8.0});
  const EqualPairs pairs = pairs_of(data);
  EXPECT_EQ(pairs.found, 4.0 * 28.0);
  EXPECT_DOUBLE_EQ(pairs.by_chance, 128.0);
}

TEST(EqualPairs, OfCoarseValuesAreExplained) {
  for (const double grid : {1.0, 2.0}) {
    for (const std::size_t n_columns : {1U, 2U, 3U}) {
      const EqualPairs pairs = pairs_of(rounded_rows(3000, n_columns, grid));
      EXPECT_GT(pairs.found, 100.0);
      EXPECT_LT(pairs.found, 2.0 * pairs.by_chance) << grid << ' ' << n_columns;
    }
  }
}

TEST(EqualPairs, OfFineValuesAreNot) {
  const Dataset once = rounded_rows(300, 4, 0.05);
  const Dataset twice = once.with_weights(std::vector<double>(300, 2.0));
  const EqualPairs pairs = pairs_of(twice);
  EXPECT_EQ(pairs.found, 300.0);
  EXPECT_LT(pairs.by_chance, 3.0);
}

}  // namespace
}  // namespace coppice::internal
