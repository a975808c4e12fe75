// SPDX-License-Identifier: BSD-3-Clause
#include "structure/enough_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "coppice/data/distinct_sample.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

Dataset reversed(const Dataset& data) {
  std::vector<double> values;
  for (std::size_t row = data.n_rows(); row-- > 0;) {
    for (std::size_t i = 0; i < data.n_columns(); ++i) values.push_back(data.value(row, i));
  }
  return Dataset::from_rows(std::move(values), data.n_rows(), data.n_columns());
}

std::size_t enough(const Dataset& data, std::size_t threads = 2) {
  LocalExecution local(threads);
  const MixtureSpec spec;
  const MixturePlan plan = make_plan(local.get(), spec, ready_rows(local.get(), spec, data).rows);
  std::vector<double> centre(data.n_columns());
  const Rows sample(distinct_sample(local.get(), data, 1), {plan.rows.origin().begin(), plan.rows.origin().end()});
  sample.copy_row(0, centre);
  return enough_rows(local.get(), plan, {}, gaussian_shape(local.get(), plan.rows).variance, centre);
}

TEST(RowsAroundOne, AreTheNearestWhateverTheOrder) {
  LocalExecution local(2);
  const Dataset data = scattered_rows(500, 2, 4, 1);
  const std::vector<double> variance = {1.0, 4.0};
  const std::vector<double> centre = {0.5, -0.5};
  std::multiset<double> found[2];
  for (const bool is_reversed : {false, true}) {
    const Rows rows(is_reversed ? reversed(data) : data, std::vector<double>(2, 0.0));
    const Dataset around = rows_around_one(local.get(), rows, variance, centre, 60);
    ASSERT_EQ(around.n_rows(), 60U);
    for (std::size_t row = 0; row < 60; ++row) found[is_reversed ? 1 : 0].insert(around.value(row, 0));
  }
  EXPECT_EQ(found[0], found[1]);
  const Rows rows(data, std::vector<double>(2, 0.0));
  EXPECT_EQ(rows_around_one(local.get(), rows, variance, centre, 1000).n_rows(), 500U);
}

// 900 clusters of 60 rows: a neighbourhood of 10,000 has 170 of them.
TEST(EnoughRows, GrowWithTheClustersOfANeighbourhood) {
  const Dataset data = generate(BirchGrid{.side = 30, .rows_per_cluster = 60}).data;
  const std::size_t n = enough(data);
  EXPECT_GT(n, 15000U);
  EXPECT_LT(n, 40000U);
  EXPECT_EQ(enough(reversed(data), 1), n);
}

TEST(EnoughRows, AreNotAskedForWhereClustersAreFew) { EXPECT_EQ(enough(scattered_rows(20000, 2, 10, 2)), 0U); }

}  // namespace
}  // namespace coppice::internal
