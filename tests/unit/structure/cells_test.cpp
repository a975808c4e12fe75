// SPDX-License-Identifier: BSD-3-Clause
#include "structure/cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

LabelList cells(const Dataset& data, double most_weight = 8.0, std::size_t threads = 1) {
  LocalExecution local(threads);
  const Rows rows(data, std::vector<double>(data.n_columns(), 0.0));
  const std::vector<double> variance = gaussian_shape(local.get(), rows).variance;
  return cut_into_cells(local.get(), rows, {CellSpace::unit_deviations, variance, most_weight}).of_row;
}

std::map<std::int32_t, double> weights_of(const LabelList& labels, const Dataset& data) {
  std::map<std::int32_t, double> weights;
  for (std::size_t row = 0; row < labels.size(); ++row) weights[labels[row]] += data.weight(row);
  return weights;
}

TEST(Cells, AreLightAndNumberedFromZero) {
  for (const bool is_weighted : {false, true}) {
    Dataset data = scattered_rows(700, 3, 5, 1);
    if (is_weighted) data = data.with_weights(some_weights(700, 1));
    const LabelList labels = cells(data, 6.0);
    const std::map<std::int32_t, double> weights = weights_of(labels, data);
    EXPECT_GT(weights.size(), 700U / 6);
    EXPECT_EQ(weights.rbegin()->first + 1, static_cast<std::int32_t>(weights.size()));
    for (const auto& [cell, weight] : weights) EXPECT_LE(weight, 6.0);
  }
}

// Rows of a tight cluster far from all others share cells with each other alone.
TEST(Cells, DoNotMixWhatIsFarApart) {
  const Generated made = generate(GaussianMixture{.n_rows = 600, .n_columns = 2, .k = 6, .tau = 12.0, .seed = 2});
  const LabelList labels = cells(made.data, 30.0);
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t row = 0; row < 600; ++row) pairs.insert({labels[row], made.labels[row]});
  EXPECT_LE(pairs.size(), weights_of(labels, made.data).size() + 1);
}

TEST(Cells, LeaveRowsTogetherThatAreAlike) {
  std::vector<double> values;
  for (std::size_t row = 0; row < 100; ++row) values.push_back(row % 2 == 0 ? 0.1 : 0.3);
  const LabelList labels = cells(Dataset::from_rows(values, 100, 1));
  EXPECT_EQ(std::set<std::int32_t>(labels.begin(), labels.end()).size(), 2U);
  for (std::size_t row = 2; row < 100; ++row) EXPECT_EQ(labels[row], labels[row - 2]);
}

TEST(Cells, OrderOfRowsAndThreadsDoNotMatter) {
  const Dataset data = scattered_rows(900, 2, 5, 4);
  const LabelList labels = cells(data);
  EXPECT_EQ(cells(data, 8.0, 3), labels);
  std::vector<double> reversed;
  for (std::size_t row = 900; row-- > 0;) reversed.insert(reversed.end(), {data.value(row, 0), data.value(row, 1)});
  LabelList back = cells(Dataset::from_rows(reversed, 900, 2));
  std::ranges::reverse(back);
  EXPECT_EQ(back, labels);
}

// Every row lies twice as far out as the one before: a cut takes off one or two.
TEST(Cells, RowsFarFromAllOthersEndTheCuttingSomewhere) {
  std::vector<double> values;
  for (int row = 0; row < 200; ++row) values.push_back(std::pow(2.0, row));
  const LabelList labels = cells(Dataset::from_rows(values, 200, 1));
  EXPECT_GT(std::set<std::int32_t>(labels.begin(), labels.end()).size(), 20U);
}

Dataset counts_of_two_kinds(bool is_sparse) {
  RandomStream random{3, Purpose::test, 2};
  std::vector<double> values;
  for (std::size_t row = 0; row < 60; ++row) {
    const double length = row % 3 == 0 ? 40.0 : 4.0;  // shares count, totals do not
    for (std::size_t i = 0; i < 6; ++i) {
      values.push_back((i < 3) == (row % 2 == 0) ? std::floor(length * random.uniform()) + 1.0 : 0.0);
    }
  }
  Dataset dense = Dataset::from_rows(std::move(values), 60, 6);
  if (!is_sparse) return dense;
  std::vector<std::size_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> entries;
  for (std::size_t row = 0; row < 60; ++row) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      if (dense.value(row, i) == 0.0) continue;
      columns.push_back(i);
      entries.push_back(dense.value(row, i));
    }
    begin.push_back(columns.size());
  }
  return Dataset::from_sparse_rows(SparseEntries<double>{std::move(begin), std::move(columns), std::move(entries), 6});
}

TEST(Cells, OfCountsGoBySharesAndSparseRowsGiveTheSame) {
  LocalExecution local(1);
  LabelList labels[2];
  for (const bool is_sparse : {false, true}) {
    const Rows rows(counts_of_two_kinds(is_sparse), std::vector<double>(6, 0.0));
    labels[is_sparse ? 1 : 0] = cut_into_cells(local.get(), rows, {CellSpace::roots_of_shares, {}, 30.0}).of_row;
  }
  EXPECT_EQ(evaluate::adjusted_rand_index(labels[0], labels[1]), 1.0);
  EXPECT_EQ(std::set<std::int32_t>(labels[0].begin(), labels[0].end()).size(), 2U);
  for (std::size_t row = 2; row < 60; ++row) EXPECT_EQ(labels[0][row], labels[0][row - 2]);
}

}  // namespace
}  // namespace coppice::internal
