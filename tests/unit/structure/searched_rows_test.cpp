// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/searched_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using testing::Each;
using testing::IsEmpty;

SearchedRows searched(const Dataset& data, MixtureSpec spec = {}) {
  LocalExecution local(1);
  const ReadyRows ready = ready_rows(local.get(), spec, data);
  const MixturePlan plan = make_plan(local.get(), spec, ready.rows);
  return rows_to_search(local.get(), plan);
}

Dataset in_tenths(std::size_t n_rows) {
  const Dataset data = scattered_rows(n_rows, 3, 2, 4);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (double& value : values) value = std::nearbyint(10.0 * value) / 10.0;
  return Dataset::from_rows(std::move(values), n_rows, 3);
}

// Of 100 rows the first n weigh 3, the others 1.
Dataset with_heavy_rows(const Dataset& data, std::size_t n) {
  std::vector<double> weights(data.n_rows(), 1.0);
  std::fill_n(weights.begin(), n, 3.0);
  return data.with_weights(std::move(weights));
}

// 200 rows of whole numbers, thrice.
Dataset three_coarse_tables() {
  RandomStream random{2, Purpose::test, 80};
  std::vector<double> values;
  for (std::size_t i = 0; i < 2 * 200; ++i) values.push_back(static_cast<double>(random.below(8)));
  std::vector<double> all = values;
  for (std::size_t i = 0; i < 2; ++i) all.insert(all.end(), values.begin(), values.end());
  return Dataset::from_rows(std::move(all), 600, 2);
}

TEST(RowsToSearch, AreTheRowsThemselvesIfAllAreDifferent) {
  const SearchedRows found = searched(in_tenths(100));
  EXPECT_EQ(found.weights, SearchWeights::as_given);
  EXPECT_EQ(found.rows.size(), 100U);
  EXPECT_THAT(found.rows.data().weights(), IsEmpty());
}

TEST(RowsToSearch, CountCopiesOnceIfMostRowsHaveThem) {
  const SearchedRows most = searched(with_heavy_rows(in_tenths(100), 51));
  EXPECT_EQ(most.weights, SearchWeights::copies_once);
  EXPECT_NEAR(total_weight(most.rows.data()), 51.0 + 49.0 * 100.0 / (100.0 + 2.0 * 51.0), 1e-9);
  EXPECT_EQ(searched(with_heavy_rows(in_tenths(100), 50)).weights, SearchWeights::as_given);
}

TEST(RowsToSearch, AreThoseOfTheTableIfThatIsThereSeveralTimes) {
  const SearchedRows all = searched(in_tenths(100).with_weights(std::vector<double>(100, 7.0)));
  EXPECT_EQ(all.weights, SearchWeights::table_once);
  EXPECT_THAT(all.rows.data().weights(), Each(1.0));
  EXPECT_EQ(searched(in_tenths(29).with_weights(std::vector<double>(29, 7.0))).weights, SearchWeights::as_given)
      << "so few may weigh the same by chance";
  // As one of them would be searched: coarse numbers with their copies, of others each row once.
  const SearchedRows coarse = searched(three_coarse_tables());
  EXPECT_EQ(coarse.weights, SearchWeights::table_once);
  EXPECT_EQ(total_weight(coarse.rows.data()), 200.0);
  std::vector<double> weights = with_heavy_rows(in_tenths(100), 51).weights();
  for (double& weight : weights) weight *= 5.0;
  const SearchedRows some = searched(in_tenths(100).with_weights(weights));
  EXPECT_EQ(some.weights, SearchWeights::copies_once);
  EXPECT_EQ(some.rows.data().weights(), searched(with_heavy_rows(in_tenths(100), 51)).rows.data().weights());
}

TEST(RowsToSearch, CountFewCopiesOnceWhereNumbersAreFine) {
  EXPECT_EQ(searched(with_heavy_rows(scattered_rows(100, 3, 2, 4), 1)).weights, SearchWeights::some_copies_once);
}

TEST(RowsToSearch, CopiesOfCoarseNumbersAreAsLikelyAsTheyAreMany) {
  RandomStream random{1, Purpose::test, 80};
  std::vector<double> values(2 * 1000);
  for (double& value : values) value = static_cast<double>(random.below(12));
  const SearchedRows found = searched(Dataset::from_rows(std::move(values), 1000, 2));
  EXPECT_LE(found.rows.size(), 144U);
  EXPECT_EQ(found.weights, SearchWeights::as_given);
  EXPECT_EQ(total_weight(found.rows.data()), 1000.0);
}

// Half of the rows weigh 0.5 and half 1.5: n (1 / 1.25) = 80 rows.
TEST(RowsToSearch, MassesAddUpToTheirEffectiveNumber) {
  std::vector<double> weights(100, 0.5);
  std::fill_n(weights.begin(), 50, 1.5);
  const SearchedRows found = searched(in_tenths(100).with_weights(weights));
  EXPECT_EQ(found.weights, SearchWeights::masses);
  // 1.5 x 0.8 would be 1.2: no row weighs more than 1.
  EXPECT_NEAR(total_weight(found.rows.data()), 50.0 * 0.4 + 50.0, 1e-12);
  for (double& weight : weights) weight *= 1000.25;
  EXPECT_NEAR(total_weight(searched(in_tenths(100).with_weights(weights)).rows.data()), 70.0, 1e-9);
}

TEST(RowsToSearch, MassesBesideABackgroundOrOfNextToNothingCountAsGiven) {
  const Dataset data = in_tenths(100);
  EXPECT_EQ(searched(data.with_weights(std::vector<double>(100, 0.5)), {.has_background = true}).weights,
            SearchWeights::as_given);
  EXPECT_EQ(searched(data.with_weights(std::vector<double>(100, 0.01))).weights, SearchWeights::as_given);
}

}  // namespace
}  // namespace coppice::internal
