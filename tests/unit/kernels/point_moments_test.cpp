// SPDX-License-Identifier: BSD-3-Clause
// Against two passes in long double.
#include "coppice/kernels/point_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/rows_by_hand.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

template <class Value>
struct Example {
  std::size_t n_columns;
  std::vector<Value> rows;
  std::vector<double> weights = {};     // empty: all ones
  std::vector<std::size_t> index = {};  // empty: all rows
  double origin = 0.5;

  [[nodiscard]] std::size_t n_rows() const { return index.empty() ? rows.size() / n_columns : index.size(); }
  [[nodiscard]] long double weight(std::size_t i) const { return weights.empty() ? 1.0L : weights[i]; }
  [[nodiscard]] long double value(std::size_t i, std::size_t c) const {
    return static_cast<long double>(rows[(index.empty() ? i : index[i]) * n_columns + c]) - origin;
  }
};

template <class Value>
Example<Value> random_example(std::size_t n_rows, std::size_t n_columns, double offset = 0.0) {
  RandomStream random{n_rows, Purpose::test, n_columns};
  Example<Value> example{n_columns, {}};
  for (std::size_t i = 0; i < n_rows * n_columns; ++i) {
    example.rows.push_back(static_cast<Value>(offset + random.normal()));
  }
  return example;
}

// Every third row weighs nothing.
template <class Value>
Example<Value> weighted(Example<Value> example) {
  RandomStream random{7, Purpose::test};
  for (std::size_t i = 0; i < example.n_rows(); ++i) {
    example.weights.push_back(i % 3 == 1 ? 0.0 : random.uniform(0.1, 2.0));
  }
  return example;
}

// Sums of n terms are right to n 2^-53 of them. The scatter is taken about one of the rows; the squares about that are
// at most 2 n^2 times the scatter about the mean if weights are alike, and for normal rows some ten times it. What long
// doubles leave of equal rows is below 1e-30.
template <class Value>
void expect_right(const Example<Value>& example, double offset = 0.0) {
  const std::size_t d = example.n_columns;
  StoredRows stored{nullptr, nullptr, example.index.empty() ? nullptr : example.index.data(), example.n_rows()};
  const std::vector<double> origin(d, example.origin);
  stored.origin = origin.data();
  set_values(stored, example.rows);
  std::vector<double> mean(d, 9.0);
  const PointMoments got = point_moments(stored, example.weights, mean);
  long double weight = 0.0L;
  for (std::size_t i = 0; i < example.n_rows(); ++i) weight += example.weight(i);
  long double scatter = 0.0L;
  for (std::size_t c = 0; c < d; ++c) {
    long double sum = 0.0L;
    for (std::size_t i = 0; i < example.n_rows(); ++i) sum += example.weight(i) * example.value(i, c);
    for (std::size_t i = 0; i < example.n_rows(); ++i) {
      scatter += example.weight(i) * std::pow(example.value(i, c) - sum / weight, 2.0L);
    }
    ASSERT_NEAR(mean[c], static_cast<double>(sum / weight), 1e-14 * (1.0 + std::abs(offset))) << "column " << c;
  }
  const double n = static_cast<double>(example.n_rows());
  ASSERT_NEAR(got.weight, static_cast<double>(weight), n * 0x1p-53 * got.weight);
  ASSERT_NEAR(got.scatter, static_cast<double>(scatter), 1e-30 + 32.0 * n * 0x1p-53 * static_cast<double>(scatter))
      << example.n_rows() << " rows, " << d << " columns";
}

constexpr std::size_t row_counts[] = {1, 2, 3, 8, 31, 256, 300};

TEST(PointMoments, EqualTwoPassesInLongDouble) {
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 16U, 17U, 31U, 33U, 90U}) {
      for (const std::size_t n : row_counts) {
        expect_right(random_example<double>(n, d));
        expect_right(random_example<float>(n, d));
        expect_right(weighted(random_example<double>(n, d)));
        expect_right(weighted(random_example<float>(n, d)));
      }
    }
  });
}

TEST(PointMoments, KeepTheirDigitsFarFromTheOrigin) {
  for_each_target([] {
    for (const std::size_t d : {1U, 3U, 8U, 37U}) {
      expect_right(random_example<double>(256, d, 1e9), 1e9);
      expect_right(weighted(random_example<double>(129, d, 1e9)), 1e9);
      expect_right(random_example<float>(256, d, 1e5), 1e5);
    }
  });
}

TEST(PointMoments, TakeRowsByTheirNumbers) {
  for_each_target([] {
    for (const std::size_t d : {1U, 4U, 19U}) {
      Example<double> some = random_example<double>(50, d);
      some.index = {49, 0, 7, 7, 31};
      expect_right(some);
      some.weights = {0.0, 1.5, 0.0, 2.0, 0.25};
      expect_right(some);
    }
  });
}

TEST(PointMoments, RowsThatAreReadNextDoNotCount) {
  for_each_target([] {
    for (const std::size_t d : {1U, 8U, 19U, 700U}) {
      const Example<float> some = random_example<float>(50, d);
      const std::vector<double> origin(d, 0.5);
      const std::vector<std::size_t> index = {49, 0, 7, 7, 31, 48, 47, 46, 45, 44, 3};
      StoredRows stored{some.rows.data(), nullptr, index.data(), 5, origin.data()};
      std::vector<double> expected(d);
      std::vector<double> got(d);
      const PointMoments alone = point_moments(stored, {}, expected);
      stored.n_following = 6;
      const PointMoments followed = point_moments(stored, {}, got);
      EXPECT_EQ(got, expected);
      EXPECT_EQ(followed.weight, alone.weight);
      EXPECT_EQ(followed.scatter, alone.scatter);
    }
  });
}

TEST(PointMoments, RowsWithoutWeightLeaveNoTrace) {
  for_each_target([] {
    for (const std::size_t d : {1U, 2U, 4U, 9U, 40U}) {
      Example<double> some = random_example<double>(9, d);
      some.weights = {0.0, 1.0, 2.0, 0.0, 1.0, 1.0, 0.5, 1.0, 0.0};
      for (std::size_t c = 0; c < d; ++c) some.rows[c] = some.rows[3 * d + c] = some.rows[8 * d + c] = 1e150;
      expect_right(some);
    }
  });
}

TEST(PointMoments, NoWeightAtAllGivesZeros) {
  for_each_target([] {
    const std::vector<double> rows{1.0, 2.0, 3.0, 4.0};
    const std::vector<double> origin{0.0, 0.0};
    std::vector<double> mean{9.0, 9.0};
    const PointMoments got =
        point_moments({nullptr, rows.data(), nullptr, 2, origin.data()}, std::vector<double>{0.0, 0.0}, mean);
    EXPECT_EQ(got.weight, 0.0);
    EXPECT_EQ(got.scatter, 0.0);
    EXPECT_EQ(mean, (std::vector<double>{0.0, 0.0}));
  });
}

// A far row of next to no weight that happens to come first must not cost the others their digits.
TEST(PointMoments, DoNotDependOnTheWeightOfTheFirstRow) {
  for_each_target([] {
    for (const std::size_t d : {1U, 8U}) {
      Example<double> some = random_example<double>(5, d);
      for (std::size_t c = 0; c < d; ++c) some.rows[c] = 1e8;
      some.weights = {1e-12, 1.0, 1.0, 1.0, 1.0};
      expect_right(some);
    }
  });
}

// Three roundings per number, n of their sum.
TEST(MoveTowards, IsTheWeightedMeanAndTheirDistance) {
  for_each_target([] {
    for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 9U, 15U, 16U, 17U, 90U, 785U}) {
      const std::vector<double> other = random_example<double>(1, n).rows;
      const std::vector<double> start = random_example<double>(1, n, 3.0).rows;
      std::vector<double> mean = start;
      const double got = move_towards(mean, other, 0.3);
      long double squared = 0.0L;
      for (std::size_t c = 0; c < n; ++c) {
        const long double shift = static_cast<long double>(other[c]) - start[c];
        squared += shift * shift;
        ASSERT_NEAR(mean[c], static_cast<double>(start[c] + 0.3L * shift), 1e-15 * (1.0 + std::abs(start[c])));
      }
      ASSERT_NEAR(got, static_cast<double>(squared), static_cast<double>(n + 3) * 0x1p-53 * got);
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
