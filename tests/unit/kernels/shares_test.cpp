// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/shares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

struct Example {
  std::size_t n_rows;
  std::vector<double> values;  // log densities
  std::vector<double> log_weights;
  std::vector<double> weights;

  // Log densities that differ by about `spread`.
  Example(std::size_t rows, std::size_t k, double spread, bool is_weighted)
      : n_rows(rows), values(k * panel_stride, 1e300) {
    RandomStream random{rows, Purpose::test, k};
    for (std::size_t c = 0; c < k; ++c) {
      log_weights.push_back(std::log(random.uniform(0.01, 1.0)));
      for (std::size_t row = 0; row < rows; ++row) values[c * panel_stride + row] = -700.0 + spread * random.normal();
    }
    for (std::size_t row = 0; row < rows && is_weighted; ++row) {
      weights.push_back(row % 5 == 2 ? 0.0 : random.uniform(0.1, 3.0));
    }
  }
  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

struct Result {
  std::vector<double> shares;
  double log_likelihood = 0.0;
  std::vector<double> sums;
  std::vector<std::uint32_t> n_rows;
};

Result computed(const Example& example) {
  const std::size_t k = example.log_weights.size();
  Result result{example.values, 0.0, std::vector<double>(k, -1.0), std::vector<std::uint32_t>(k, 99)};
  result.log_likelihood = take_shares(result.shares.data(), example.log_weights, example.n_rows, example.weights,
                                      {result.sums.data(), result.n_rows.data()});
  return result;
}

// In long double, from the definition.
void check(const Example& example) {
  const Result got = computed(example);
  const std::size_t k = example.log_weights.size();
  std::vector<double> log_sums_found(panel_rows);
  log_sums(example.values.data(), example.log_weights, example.n_rows, log_sums_found.data());
  long double log_likelihood = 0.0L;
  std::vector<double> sums(k, 0.0);
  std::vector<std::uint32_t> n_rows(k, 0);
  for (std::size_t row = 0; row < example.n_rows; ++row) {
    const auto log_joint = [&](std::size_t c) {
      return static_cast<long double>(example.values[c * panel_stride + row] + example.log_weights[c]);
    };
    long double greatest = log_joint(0);
    for (std::size_t c = 1; c < k; ++c) greatest = std::max(greatest, log_joint(c));
    long double sum = 0.0L;
    for (std::size_t c = 0; c < k; ++c) sum += std::exp(log_joint(c) - greatest);
    log_likelihood += example.weight(row) * (greatest + std::log(sum));
    ASSERT_NEAR(log_sums_found[row], static_cast<double>(greatest + std::log(sum)), 1e-12) << row;
    for (std::size_t c = 0; c < k; ++c) {
      const auto share = static_cast<double>(example.weight(row) * std::exp(log_joint(c) - greatest) / sum);
      const double found = got.shares[c * panel_stride + row];
      ASSERT_NEAR(found, share, 4e-15 * share + 1e-18 * example.weight(row)) << row << ", " << c;
      sums[c] += found;
      n_rows[c] += found > 0.0 ? 1 : 0;
    }
  }
  ASSERT_NEAR(got.log_likelihood, static_cast<double>(log_likelihood), 1e-13 * std::abs(got.log_likelihood));
  for (std::size_t c = 0; c < k; ++c) {
    ASSERT_NEAR(got.sums[c], sums[c], 1e-13 * sums[c]);
    ASSERT_EQ(got.n_rows[c], n_rows[c]);
    std::vector<std::uint32_t> positive(example.n_rows);
    const double* of_cluster = got.shares.data() + c * panel_stride;
    ASSERT_EQ(list_positive(of_cluster, example.n_rows, positive.data()), n_rows[c]);
    for (std::size_t i = 0; i < n_rows[c]; ++i) {
      ASSERT_GT(of_cluster[positive[i]], 0.0);
      ASSERT_TRUE(i == 0 || positive[i] > positive[i - 1]);
    }
    for (std::size_t row = example.n_rows; row < panel_rows && row % 16 != 0; ++row) {
      ASSERT_EQ(got.shares[c * panel_stride + row], 0.0) << "nothing behind the last row";
    }
  }
}

TEST(TakeShares, EqualsTheDefinition) {
  for_each_target([] {
    for (const std::size_t n_rows : {1U, 3U, 8U, 15U, 16U, 17U, 100U, 255U, 256U}) {
      for (const std::size_t k : {1U, 2U, 7U, 40U}) {
        for (const double spread : {0.0, 0.5, 10.0, 200.0}) {
          for (const bool is_weighted : {false, true}) check(Example(n_rows, k, spread, is_weighted));
        }
      }
    }
  });
}

TEST(TakeShares, FarClustersHaveNoShareAtAll) {
  for_each_target([] {
    Example example(4, 2, 0.0, false);
    example.log_weights = {0.0, 0.0};
    for (std::size_t row = 0; row < 4; ++row) {
      example.values[row] = -1.0;
      example.values[panel_stride + row] = -1.0 - (row < 2 ? widest_gap - 1e-9 : widest_gap + 1e-9);
    }
    const Result got = computed(example);
    EXPECT_EQ(got.n_rows, (std::vector<std::uint32_t>{4, 2}));
    EXPECT_NEAR(got.shares[panel_stride], std::exp(-widest_gap), 1e-6 * std::exp(-widest_gap));
    EXPECT_EQ(got.shares[panel_stride + 2], 0.0);
    EXPECT_EQ(got.shares[2], 1.0);
  });
}

// A cluster of weight 0 in the mixture, and a row that has no density anywhere.
TEST(TakeShares, InfinitiesAreTakenAsTheyAre) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for_each_target([] {
    Example example(3, 2, 1.0, false);
    example.log_weights[1] = -infinity;
    const Result got = computed(example);
    EXPECT_EQ(got.sums, (std::vector<double>{3.0, 0.0}));
    EXPECT_TRUE(std::isfinite(got.log_likelihood));

    example.values[1] = example.values[panel_stride + 1] = -infinity;
    const Result lost = computed(example);
    EXPECT_FALSE(std::isfinite(lost.log_likelihood));
    EXPECT_EQ(lost.shares[1], 0.0);
    example.weights = {1.0, 0.0, 1.0};
    EXPECT_TRUE(std::isfinite(computed(example).log_likelihood)) << "a row of weight 0 does not count";
  });
}

}  // namespace
}  // namespace coppice::kernels
