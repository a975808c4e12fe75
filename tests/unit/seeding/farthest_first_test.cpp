// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/seeding/farthest_first.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "coppice/data/row_draw.hpp"
#include "seeding/weighted_mean.hpp"
#include "unit/seeding/seeding_examples.hpp"

namespace coppice::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double squared_from(const Dataset& data, std::size_t row, const std::vector<double>& point) {
  double sum = 0.0;
  for (std::size_t c = 0; c < point.size(); ++c)
    sum += (data.value(row, c) - point[c]) * (data.value(row, c) - point[c]);
  return sum;
}

std::vector<double> mean_of(const Dataset& data) {
  std::vector<double> mean(data.n_columns(), 0.0);
  double total = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    total += data.weight(row);
    for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += data.weight(row) * data.value(row, c);
  }
  for (double& value : mean) value /= total;
  return mean;
}

std::size_t farthest(const Dataset& data, const std::vector<double>& squared) {
  std::size_t best = data.n_rows();
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (data.weight(row) == 0.0) continue;
    if (best == data.n_rows() || squared[row] > squared[best] ||
        (squared[row] == squared[best] && content_less(data, row, best))) {
      best = row;
    }
  }
  return best;
}

std::vector<std::size_t> brute_force(const Dataset& data, std::size_t k) {
  std::vector<double> squared(data.n_rows());
  const std::vector<double> mean = mean_of(data);
  for (std::size_t row = 0; row < squared.size(); ++row) squared[row] = squared_from(data, row, mean);
  std::vector<std::size_t> chosen = {farthest(data, squared)};
  squared.assign(data.n_rows(), infinity);
  while (chosen.size() < k) {
    const Rows rows(data, std::vector<double>(data.n_columns(), 0.0));
    const std::vector<double> last = copy_points(rows, std::span(chosen).last(1));
    for (std::size_t row = 0; row < squared.size(); ++row) {
      squared[row] = std::min(squared[row], squared_from(data, row, last));
    }
    chosen.push_back(farthest(data, squared));
  }
  return chosen;
}

TEST(FarthestFirstRows, AreThoseOfBruteForce) {
  for (const std::size_t d : {1U, 2U, 3U, 10U}) {
    const Dataset data = scattered_rows(6000, d, 5, 30 + d);
    for (const Dataset& table : {data, data.with_weights(some_weights(6000, d))}) {
      Seeded seeded(table);
      EXPECT_EQ(farthest_first_rows(seeded.execution(), seeded.rows(), 12), brute_force(table, 12));
    }
  }
}

// On a lattice many rows are equally far, and every distance is exact.
TEST(FarthestFirstRows, TiesGoByContentOrder) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Dataset data = lattice_rows(3000, 2, 12, seed);
    Seeded seeded(data);
    const std::vector<double> expected = copy_points(seeded.rows(), brute_force(data, 30));
    EXPECT_EQ(copy_points(seeded.rows(), farthest_first_rows(seeded.execution(), seeded.rows(), 30)), expected);
  }
}

TEST(FarthestFirstRows, TheFirstIsFarthestFromTheWeightedMean) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0.0, 1.0, 10.0}, 3, 1);
  Seeded by_rows(data);
  EXPECT_EQ(farthest_first_rows(by_rows.execution(), by_rows.rows(), 3), (std::vector<std::size_t>{2, 0, 1}));
  Seeded by_weight(data.with_weights({1.0, 1.0, 20.0}));
  EXPECT_EQ(farthest_first_rows(by_weight.execution(), by_weight.rows(), 3), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(FarthestFirstLambda2, IsThatOfTheGoldenCase) {
  Seeded seeded(golden_points());
  const std::vector<std::pair<std::size_t, double>> expected = {
      {1, 13.953285816326533}, {2, 6.222648102040814}, {4, 2.6726919591836733}};
  for (const auto& [k, lambda2] : expected) {
    EXPECT_NEAR(farthest_first_lambda2(seeded.execution(), seeded.rows(), k), lambda2, 1e-10) << k;
  }
}

TEST(FarthestFirstLambda2, IsZeroWhenNothingIsLeft) {
  Seeded seeded(Dataset::from_rows(std::vector<double>{1.0, 3.0, 1.0}, 3, 1));
  EXPECT_NEAR(farthest_first_lambda2(seeded.execution(), seeded.rows(), 1), 16.0 / 9.0, 1e-11);
  EXPECT_EQ(farthest_first_lambda2(seeded.execution(), seeded.rows(), 5), 0.0);
  EXPECT_EQ(farthest_first_lambda2(seeded.execution(), seeded.rows(), 0), 0.0);
}

TEST(FarthestFirstLambda2, HasTheUnitOfTheData) {
  for (const double scale : {0x1p-500, 0x1p-300, 0x1p10, 0x1p300, 0x1p500}) {
    const Dataset data = golden_points();
    std::vector<double> values(data.doubles().begin(), data.doubles().end());
    for (double& value : values) value *= scale;
    LocalExecution local(1);
    const Rows rows(Dataset::from_rows(values, 7, 2), {0.0, 0.0});
    EXPECT_NEAR(farthest_first_lambda2(local.get(), rows, 2) / scale / scale, 6.222648102040814, 1e-10) << scale;
  }
}

TEST(WeightedMean, IsThatByHandAndTheSameForShuffledRows) {
  const Dataset data = scattered_rows(9000, 3, 5, 40).with_weights(some_weights(9000, 40));
  Seeded seeded(data);
  const std::vector<double> mean = weighted_mean(seeded.execution(), SeedingTable(seeded.execution(), seeded.rows()));
  const std::vector<double> expected = mean_of(data);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(mean[c] + 0.25, expected[c], 1e-10);
  Seeded shuffled(rows_in_order(data, shuffled_order(9000, 1)), 2);
  EXPECT_EQ(weighted_mean(shuffled.execution(), SeedingTable(shuffled.execution(), shuffled.rows())), mean);
}

}  // namespace
}  // namespace coppice::internal
