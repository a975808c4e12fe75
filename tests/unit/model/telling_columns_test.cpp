// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/telling_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "unit/model/model_examples.hpp"

namespace coppice::internal {
namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

// Of the rows with this label; -1: of all rows.
Moments moments_of(const Dataset& data, const std::vector<std::int32_t>& labels, std::int32_t label,
                   std::size_t column) {
  double n = 0.0;
  double sum = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (label >= 0 && labels[row] != label) continue;
    n += 1.0;
    sum += data.value(row, column);
  }
  double squares = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (label < 0 || labels[row] == label) squares += std::pow(data.value(row, column) - sum / n, 2.0);
  }
  return {sum / n, squares / n};
}

// The integral of p log(p / q) over ten standard deviations of p by the midpoint rule: exact to rounding for Gaussians.
double divergence(const Moments& p, const Moments& q) {
  const double deviation = std::sqrt(p.variance);
  constexpr int n_steps = 2000;
  const double step = 20.0 / n_steps;
  double sum = 0.0;
  for (int i = 0; i < n_steps; ++i) {
    const double z = -10.0 + step * (i + 0.5);
    const double x = p.mean + z * deviation;
    const double log_p = -0.5 * z * z - 0.5 * std::log(p.variance);
    const double log_q = -0.5 * (x - q.mean) * (x - q.mean) / q.variance - 0.5 * std::log(q.variance);
    sum += step * std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi) * (log_p - log_q);
  }
  return sum;
}

TEST(TellingColumns, AreTheHighestDivergences) {
  const std::size_t d = 7;
  const Dataset data = scattered_rows(120, d, 3, 5);
  const std::vector<std::int32_t> labels = random_labels(120, 3, 5);
  const auto told = telling_columns(model_of_labels(data, labels, 3, make_dirichlet(2.0)));
  ASSERT_EQ(told.size(), 3U);
  for (std::int32_t cluster = 0; cluster < 3; ++cluster) {
    std::vector<double> expected;
    for (std::size_t c = 0; c < d; ++c) {
      expected.push_back(divergence(moments_of(data, labels, cluster, c), moments_of(data, labels, -1, c)));
    }
    const std::vector<TellingColumn>& columns = told[static_cast<std::size_t>(cluster)];
    ASSERT_EQ(columns.size(), 5U);
    for (const TellingColumn& column : columns) EXPECT_NEAR(column.score, expected[column.column], 1e-10);
    std::ranges::sort(expected, std::ranges::greater{});
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(columns[i].score, expected[i], 1e-10);
  }
}

TEST(TellingColumns, FewColumnsAreAllTold) {
  const auto told = telling_columns(example_model(2, 0));
  for (const auto& columns : told) EXPECT_EQ(columns.size(), 2U);
}

// Constant inside a cluster: the floor of a billionth, no infinity. Constant everywhere: nothing to tell.
TEST(TellingColumns, ConstantColumnsHaveFiniteScores) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 4, 1, 4, 3, 4, 5, 4}, 4, 2);
  const auto told = telling_columns(model_of_labels(data, {0, 0, 1, 1}, 2, make_dirichlet(2.0)));
  ASSERT_EQ(told[0].size(), 2U);
  EXPECT_EQ(told[0][0].column, 0U);
  const double shift = std::pow(1.0 - 2.5, 2.0) / 2.75;  // the column's mean is 2.5, its variance 2.75
  EXPECT_NEAR(told[0][0].score, (1e-9 + shift - 1.0 - std::log(1e-9)) / 2.0, 1e-12);
  EXPECT_EQ(told[0][1].score, 0.0);
}

}  // namespace
}  // namespace coppice::internal
