// SPDX-License-Identifier: BSD-3-Clause
// Made-up counts and bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/data/generate.hpp"
#include "coppice/runtime/error.hpp"
#include "data/generate/dirichlet.hpp"

namespace coppice::internal {
namespace {

// Shares stay shares where the gamma numbers themselves would all be 0.
TEST(DirichletDraw, AddsUpToOne) {
  RandomStream random{2, Purpose::test, 95};
  for (const double concentration : {1e-6, 0.01, 1.0, 1e6}) {
    double total = 0.0;
    for (const double share : draw_dirichlet(50, concentration, random)) {
      ASSERT_TRUE(share >= 0.0 && share <= 1.0);
      total += share;
    }
    EXPECT_NEAR(total, 1.0, 1e-12);
  }
}

TEST(GenerateCounts, EveryRowHasItsTotal) {
  const Generated made = generate(CountClusters{.n_rows = 301, .n_columns = 7, .k = 4, .total = 25, .seed = 3});
  ASSERT_EQ(made.data.n_rows(), 301U);
  ASSERT_EQ(made.data.n_columns(), 7U);
  for (std::size_t row = 0; row < 301; ++row) {
    double total = 0.0;
    for (std::size_t c = 0; c < 7; ++c) {
      const double value = made.data.value(row, c);
      ASSERT_TRUE(value >= 0.0 && value == std::floor(value));
      total += value;
    }
    ASSERT_EQ(total, 25.0);
  }
  for (std::int32_t label = 0; label < 4; ++label) {
    EXPECT_EQ(std::ranges::count(made.labels, label), label == 0 ? 76 : 75);
  }
}

TEST(GenerateCounts, SparseRowsHaveTheSameNumbers) {
  CountClusters options{.n_rows = 50, .n_columns = 40, .k = 3, .total = 30, .concentration = 0.3, .seed = 4};
  const Generated dense = generate(options);
  options.is_sparse = true;
  const Generated sparse = generate(options);
  ASSERT_TRUE(sparse.data.is_sparse());
  EXPECT_EQ(sparse.labels, dense.labels);
  for (std::size_t row = 0; row < 50; ++row) {
    for (std::size_t c = 0; c < 40; ++c) ASSERT_EQ(sparse.data.value(row, c), dense.data.value(row, c));
  }
}

// Rows of a cluster are alike: within clusters, column means differ less than between them.
TEST(GenerateCounts, ClustersDiffer) {
  const Generated made =
      generate(CountClusters{.n_rows = 4000, .n_columns = 5, .k = 2, .concentration = 1.0, .seed = 5});
  double mean[2] = {0.0, 0.0};
  for (std::size_t row = 0; row < 4000; ++row) mean[made.labels[row]] += made.data.value(row, 0) / 2000.0;
  EXPECT_GT(std::abs(mean[0] - mean[1]), 2.0);  // standard errors are below 0.2
}

TEST(GenerateBinary, IsZerosAndOnes) {
  const Generated made = generate(BinaryClusters{.n_rows = 500, .n_columns = 9, .k = 3, .seed = 6});
  std::size_t n_ones = 0;
  for (const float value : made.data.floats()) {
    ASSERT_TRUE(value == 0.0F || value == 1.0F);
    n_ones += value == 1.0F ? 1 : 0;
  }
  EXPECT_GT(n_ones, 1000U);
  EXPECT_LT(n_ones, 3500U);
  EXPECT_EQ(std::ranges::count(made.labels, 2), 166);
}

TEST(GenerateBinary, ASmallConcentrationMakesClearColumns) {
  const Generated made = generate(BinaryClusters{.n_rows = 200, .n_columns = 30, .k = 1, .concentration = 0.01});
  std::size_t n_clear = 0;
  for (std::size_t c = 0; c < 30; ++c) {
    double ones = 0.0;
    for (std::size_t row = 0; row < 200; ++row) ones += made.data.value(row, c);
    n_clear += ones < 4.0 || ones > 196.0 ? 1 : 0;
  }
  EXPECT_GT(n_clear, 25U);
}

TEST(GenerateDiscrete, SeedsDecide) {
  EXPECT_EQ(generate(CountClusters{.seed = 1}).data, generate(CountClusters{.seed = 1}).data);
  EXPECT_FALSE(generate(CountClusters{.seed = 1}).data == generate(CountClusters{.seed = 2}).data);
  EXPECT_EQ(generate(BinaryClusters{.seed = 1}).data, generate(BinaryClusters{.seed = 1}).data);
  EXPECT_FALSE(generate(BinaryClusters{.seed = 1}).data == generate(BinaryClusters{.seed = 2}).data);
}

TEST(GenerateDiscrete, RefusesNonsense) {
  for (const double concentration : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((void)generate(CountClusters{.concentration = concentration}), OptionError);
    EXPECT_THROW((void)generate(BinaryClusters{.concentration = concentration}), OptionError);
  }
  EXPECT_THROW((void)generate(CountClusters{.total = 0}), OptionError);
  EXPECT_THROW((void)generate(CountClusters{.n_rows = 3, .k = 4}), OptionError);
  EXPECT_THROW((void)generate(BinaryClusters{.n_columns = 0}), OptionError);
}

}  // namespace
}  // namespace coppice::internal
