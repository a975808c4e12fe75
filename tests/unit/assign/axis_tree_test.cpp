// SPDX-License-Identifier: BSD-3-Clause
// Clusters without correlations over a tree and row by row: the same labels.
#include <gtest/gtest.h>

#include "coppice/family/diagonal.hpp"
#include "coppice/family/spherical.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

std::unique_ptr<Components> diagonal(std::size_t d, std::vector<double> rounding) {
  return std::make_unique<FamilyAdapter<DiagonalGaussian>>(
      DiagonalGaussian({std::vector<double>(d, 0.0), 0.1, 2.0, std::vector<double>(d, 1.0), std::move(rounding)}));
}
std::unique_ptr<Components> spherical(std::size_t d, std::vector<double> rounding) {
  return std::make_unique<FamilyAdapter<SphericalGaussian>>(
      SphericalGaussian({std::vector<double>(d, 0.0), 0.1, 2.0, {1.0}, std::move(rounding)}));
}

void expect_same(const Dataset& data, const Components& family, std::size_t k, std::uint64_t seed) {
  LocalExecution local(1);
  const Rows rows(data, std::vector<double>(data.n_columns(), 0.0));
  const KdTree tree(local.get(), rows, 16);
  const StatsArena nodes = node_statistics(local.get(), tree, family);
  const TreeUnits tree_units{tree, nodes};
  const Units listed(rows);
  const Units in_tree(tree_units);
  const Labels start(labels_by_distance(rows, k, seed));
  const std::unique_ptr<Components> clusters = family.clone();
  clusters->update(statistics_of(local.get(), listed, family, start, k));
  RandomStream random{seed, Purpose::test, 61};
  std::vector<double> offsets(k);
  for (double& offset : offsets) offset = random.uniform(0.0, 2.0);
  const LabelList present = random_present(rows.size(), k, seed);
  const Assignment by_row = assign(local.get(), Subset(listed), *clusters, offsets, Labels(present));
  const Assignment by_node = assign(local.get(), Subset(in_tree), *clusters, offsets, labels_of(in_tree, present));
  EXPECT_EQ(by_node.labels.by_row(), by_row.labels.by_row());
  EXPECT_NEAR(by_node.data_term, by_row.data_term, 1e-10 * (1000.0 + std::abs(by_row.data_term)));
}

TEST(AxisTree, DiagonalAndSphericalLabelsAreTheSameOverATree) {
  for (const std::size_t d : {1U, 2U, 3U, 6U}) {
    const Dataset data = scattered_rows(2000, d, 8, d);
    for (const std::size_t k : {2U, 7U, 30U}) {
      SCOPED_TRACE(testing::Message() << d << " columns, " << k << " clusters");
      expect_same(data, *diagonal(d, {}), k, 10 * d + k);
      expect_same(data, *spherical(d, {}), k, 10 * d + k);
    }
  }
}

TEST(AxisTree, RoundedRowsAndWeightsToo) {
  for (const std::size_t d : {2U, 4U}) {
    const Dataset data = rounded(scattered_rows(2000, d, 8, 20 + d), 1.0).with_weights(some_weights(2000, d));
    const std::vector<double> rounding(d, 1.0 / 12.0);
    expect_same(data, *diagonal(d, rounding), 9, d);
    expect_same(data, *spherical(d, rounding), 9, d);
  }
}

}  // namespace
}  // namespace coppice::internal
