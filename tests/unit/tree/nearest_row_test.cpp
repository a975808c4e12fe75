// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/tree/nearest_row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/clustering_problem.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A table, its tree, and the answer by looking at every row.
class NearestRow {
 public:
  explicit NearestRow(const Dataset& data, std::size_t capacity = 16)
      : rows_(data, std::vector<double>(data.n_columns(), 0.25)), tree_(local_.get(), rows_, capacity) {}

  [[nodiscard]] std::vector<double> row(std::size_t i) const {
    std::vector<double> row(rows_.n_columns());
    rows_.copy_row(i, row);
    return row;
  }
  [[nodiscard]] double find(const std::vector<double>& point, double limit = infinity) const {
    return nearest_different_row(tree_, point, limit);
  }
  [[nodiscard]] double brute_force(const std::vector<double>& point, double limit = infinity) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::vector<double> other = row(i);
      if (rows_.weight(i) == 0.0 || other == point) continue;
      double sum = 0.0;
      for (std::size_t c = 0; c < point.size(); ++c) sum += (other[c] - point[c]) * (other[c] - point[c]);
      limit = std::min(limit, sum);
    }
    return limit;
  }
  void expect_brute_force(const std::vector<double>& point, double limit = infinity) const {
    const double expected = brute_force(point, limit);
    ASSERT_NEAR(find(point, limit), expected, rounding(expected));
  }
  void expect_brute_force_from_rows(std::size_t step) const {
    for (std::size_t i = 0; i < rows_.size(); i += step) expect_brute_force(row(i));
  }
  // D squares may be added in any order.
  [[nodiscard]] double rounding(double distance) const {
    return 0x1p-52 * static_cast<double>(rows_.n_columns()) * distance;
  }

 private:
  LocalExecution local_{1};
  Rows rows_;
  KdTree tree_;
};

Dataset rounded_rows(std::size_t n, std::size_t d, double step, std::uint64_t seed) {
  const Dataset data = scattered_rows(n, d, 3, seed);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (double& value : values) value = step * std::round(value / step);
  return Dataset::from_rows(std::move(values), n, d);
}

TEST(NearestDifferentRow, IsTheNearestOther) {
  kernels::for_each_target([] {
    for (std::size_t d = 1; d <= 8; ++d) NearestRow(scattered_rows(1000, d, 5, d)).expect_brute_force_from_rows(17);
    NearestRow(scattered_rows(1000, 19, 5, 9)).expect_brute_force_from_rows(17);
  });
}

TEST(NearestDifferentRow, FromAnyPoint) {
  for (std::size_t d = 1; d <= 8; ++d) {
    const NearestRow example(scattered_rows(1000, d, 5, 10 + d));
    RandomStream random{d, Purpose::test, 30};
    for (int query = 0; query < 100; ++query) {
      std::vector<double> point(d);
      for (double& value : point) value = 8.0 * random.normal();  // inside and outside of the boxes
      example.expect_brute_force(point);
    }
  }
}

TEST(NearestDifferentRow, AmongFloats) {
  kernels::for_each_target([] {
    for (const std::size_t d : {3U, 8U, 11U}) {
      NearestRow(as_float32(scattered_rows(1000, d, 5, 20))).expect_brute_force_from_rows(17);
    }
  });
}

// On a lattice most rows have copies, and many neighbours are equally near.
TEST(NearestDifferentRow, CopiesDoNotCount) {
  for (std::size_t d = 1; d <= 3; ++d) NearestRow(rounded_rows(2000, d, 0.5, 30 + d)).expect_brute_force_from_rows(3);
}

// A leaf may hold more than copies of the query, or nothing else.
TEST(NearestDifferentRow, ManyCopiesOfFewRows) {
  std::vector<double> values(900, 1.0);
  for (std::size_t i = 0; i < 300; ++i) values[2 * i] = 4.0;  // 300 rows (4, 1), 150 rows (1, 1)
  values[0] = 3.5;
  const NearestRow example(Dataset::from_rows(values, 450, 2));
  EXPECT_EQ(example.find(example.row(0)), 0.25);    // (3.5, 1)
  EXPECT_EQ(example.find(example.row(1)), 0.25);    // (4, 1)
  EXPECT_EQ(example.find(example.row(449)), 6.25);  // (1, 1)
}

TEST(NearestDifferentRow, RowsWithoutWeightDoNotCount) {
  for (const std::size_t d : {1U, 2U, 4U}) {
    const Dataset data = scattered_rows(1000, d, 5, 40 + d);
    std::vector<double> weights(1000, 0.0);
    for (std::size_t i = 0; i < weights.size(); i += 3) weights[i] = 0.5;
    NearestRow(data.with_weights(weights)).expect_brute_force_from_rows(7);
  }
}

TEST(NearestDifferentRow, NothingNearerThanTheLimitGivesTheLimit) {
  const NearestRow example(scattered_rows(1000, 2, 5, 50));
  for (std::size_t i = 0; i < 1000; i += 11) {
    const double nearest = example.brute_force(example.row(i));
    EXPECT_EQ(example.find(example.row(i), 0.5 * nearest), 0.5 * nearest);
    EXPECT_EQ(example.find(example.row(i), 0.0), 0.0);
    EXPECT_NEAR(example.find(example.row(i), 2.0 * nearest), nearest, example.rounding(nearest));
  }
}

TEST(NearestDifferentRow, NobodyElseGivesTheLimit) {
  const NearestRow alone(Dataset::from_rows(std::vector<double>{1.0, 2.0}, 1, 2));
  EXPECT_EQ(alone.find(alone.row(0), 9.0), 9.0);
  EXPECT_EQ(alone.find(alone.row(0)), infinity);
  const NearestRow copies(Dataset::from_rows(std::vector<double>(300, 2.0), 300, 1));
  EXPECT_EQ(copies.find(copies.row(5)), infinity);
  const NearestRow weightless(Dataset::from_rows(std::vector<double>{1.0, 2.0}, 2, 1).with_weights({1.0, 0.0}));
  EXPECT_EQ(weightless.find(weightless.row(0)), infinity);
  EXPECT_EQ(weightless.find(weightless.row(1)), 1.0);  // the query itself needs no weight
}

}  // namespace
}  // namespace coppice::internal
