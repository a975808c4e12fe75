// SPDX-License-Identifier: BSD-3-Clause
// The kernels of merged clusters; their values are checked with the families, in merged_evidence_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "coppice/kernels/merge_axes.hpp"
#include "coppice/kernels/merge_few_columns.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

std::vector<std::uint32_t> all(std::size_t n) {
  std::vector<std::uint32_t> clusters(n);
  std::iota(clusters.begin(), clusters.end(), 0U);
  return clusters;
}

// Clusters at m0 of one column: merged with nothing, b0 + s is all there is to b.
struct LogExample {
  explicit LogExample(const std::vector<double>& values) : clusters(values.size() + 1, 3), one(values.size()) {
    for (std::size_t c = 0; c < values.size(); ++c) {
      clusters.entry(0)[c] = 1.0;
      clusters.entry(2)[c] = values[c];
    }
  }
  [[nodiscard]] std::vector<double> logs() const {
    const std::vector<double> zero = {0.0};
    std::vector<double> out(one);
    merged_round_logs({1.0, zero, zero}, clusters, static_cast<std::uint32_t>(one), all(one), out.data());
    return out;
  }

  ClusterArrays clusters;
  std::size_t one;
};

TEST(MergedLogs, AreRightToTheLastBits) {
  RandomStream random{5, Purpose::test};
  std::vector<double> values = {1.0, 2.0, 0.5, 1.0 + 1e-15, 1.0 - 1e-15, 1e-280, 1e280, std::sqrt(2.0), std::sqrt(0.5)};
  for (std::size_t i = 0; i < 20'000; ++i) values.push_back(std::exp(random.uniform(-600.0, 600.0)));
  for (std::size_t i = 0; i < 20'000; ++i) values.push_back(random.uniform(0.5, 2.0));
  const LogExample example(values);
  for_each_target([&] {
    const std::vector<double> logs = example.logs();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = std::log(values[i]);
      const double unit = std::nextafter(std::abs(expected), 1e300) - std::abs(expected);
      ASSERT_NEAR(logs[i], expected, 2.0 * unit) << values[i];
    }
  });
}

TEST(MergedLogs, SayWhereNumbersAreOutOfRange) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const LogExample example({1e-300, 1e300, 0.0, -1.0, infinity, std::nan(""), 1.0, 1e-310, 2.0});
  for_each_target([&] {
    const std::vector<double> logs = example.logs();
    for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 5U, 7U}) EXPECT_TRUE(std::isnan(logs[i])) << i;
    EXPECT_EQ(logs[6], 0.0);
    EXPECT_NEAR(logs[8], std::log(2.0), 1e-16);
  });
}

// Two rows of two columns, by hand: alpha = 1 / 2, beta = 2 / 3 with xi0 = 1.
TEST(MergedLogDets, ByHand) {
  ClusterArrays clusters(2, 6);
  const double rows[2][3] = {{1.0, 1.0, 0.0}, {1.0, 3.0, 2.0}};
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < 3; ++i) clusters.entry(i)[c] = rows[c][i];
  }
  const std::vector<double> m0 = {1.0, 1.0};
  const std::vector<double> b0 = {1.0, 0.0, 2.0};
  const std::vector<std::uint32_t> others = {1};
  // d = (2, 2), v = (1, 0): B = (1 + 2 + 2 / 3, 2; 2, 2 + 2)
  for_each_target([&] {
    double log_det = 0.0;
    merged_log_dets({1.0, m0, b0}, clusters, 0, others, &log_det);
    EXPECT_NEAR(log_det, std::log((3.0 + 2.0 / 3.0) * 4.0 - 4.0), 1e-15);
  });
}

}  // namespace
}  // namespace coppice::kernels
