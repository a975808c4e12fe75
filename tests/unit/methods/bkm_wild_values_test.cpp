// SPDX-License-Identifier: BSD-3-Clause
// Bayesian k-means of tables in which many cells are wild, far from all others on both sides: rows without such cells
// have the clusters that they would have by themselves.
#include <gtest/gtest.h>

#include "at_length.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

struct WildTable {
  Dataset data;
  std::vector<std::int32_t> labels;
  std::vector<bool> is_wild;  // row by row
};

// Three round clusters ten standard deviations apart; every cell is replaced with that probability.
WildTable wild_table(std::size_t n_rows, std::size_t n_columns, double probability, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 91};
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  std::vector<bool> is_wild;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t cluster = row % 3;
    is_wild.push_back(false);
    for (std::size_t column = 0; column < n_columns; ++column) {
      const double far = (random.below(2) == 0 ? -1.0 : 1.0) * random.uniform(3e4, 1e5);
      const double near = random.normal() + (cluster == column + 1 ? 10.0 : 0.0);
      const bool is_replaced = random.uniform(0.0, 1.0) < probability;
      if (is_replaced) is_wild.back() = true;
      values.push_back(is_replaced ? far : near);
    }
    labels.push_back(static_cast<std::int32_t>(cluster));
  }
  return {Dataset::from_rows(std::move(values), n_rows, n_columns), std::move(labels), std::move(is_wild)};
}

double index_of_the_others(const WildTable& table, const std::vector<std::int32_t>& found) {
  std::vector<std::int32_t> truth;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < found.size(); ++row) {
    if (table.is_wild[row]) continue;
    truth.push_back(table.labels[row]);
    labels.push_back(found[row]);
  }
  return evaluate::adjusted_rand_index(labels, truth);
}

TEST(BkmWildValues, DoNotHideTheClustersOfTheOthers) {
  const auto n_seeds = n_cases<std::uint64_t>(2, 8);
  for (const double probability : {0.02, 0.1}) {
    for (const auto& [n, d] : {std::pair(300U, 2U), std::pair(600U, 3U)}) {
      for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
        const WildTable table = wild_table(n, d, probability, seed);
        EXPECT_GT(index_of_the_others(table, fit(table.data, BayesianKMeans{}).labels), 0.98)
            << probability << " of " << n << " x " << d << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace coppice::internal
