// SPDX-License-Identifier: BSD-3-Clause
// Assignment over a tree against assignment of the rows one by one: the same labels, ties included.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "coppice/kernels/moments.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

// Costs may have either sign: the modulus of what every cluster adds to the data term.
double size_of_data_term(const Clusters& clusters, const StatsArena& stats) {
  double size = 0.0;
  for (std::size_t c = 0; c < clusters.k(); ++c) {
    if (stats.weight(c) == 0.0) continue;
    size += std::abs(clusters.components.node_cost(c, stats[c])) + std::abs(stats.weight(c) * clusters.offsets[c]);
  }
  return size;
}

// All three ways through the table agree. Returns the labels by row.
LabelList expect_same(TreeExample& example, const Clusters& clusters, const LabelList& present) {
  const Assignment listed =
      assign(example.execution(), Subset(example.listed()), clusters.components, clusters.offsets, Labels(present));
  const Labels present_in_tree = labels_of(example.in_tree(), present);
  EXPECT_EQ(present_in_tree.by_row(), present);
  const Assignment down =
      assign(example.execution(), Subset(example.in_tree()), clusters.components, clusters.offsets, present_in_tree);
  const Assignment row_by_row =
      assign_row_by_row(example.execution(), example.in_tree(), clusters.components, clusters.offsets, present_in_tree);
  EXPECT_EQ(down.labels, row_by_row.labels);
  const double size = size_of_data_term(clusters, listed.stats);
  for (const Assignment* in_tree : {&down, &row_by_row}) {
    EXPECT_EQ(in_tree->labels.by_row(), listed.labels.by_row());
    expect_close_statistics(in_tree->stats, listed.stats, example);
    EXPECT_NEAR(in_tree->data_term, listed.data_term, 1e-10 * size);
  }
  return listed.labels.by_row();
}

// The same with labels present at random and with none.
void expect_same(TreeExample& example, std::size_t k, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << example.n_columns() << " columns, " << k << " clusters");
  const Clusters clusters = clusters_of(example, k, seed);
  expect_same(example, clusters, random_present(example.rows().size(), k, seed));
  expect_same(example, clusters, LabelList(example.rows().size(), -1));
}

TEST(TreeAssign, BlobsOfAnyKAndD) {
  for (const std::size_t d : {1U, 2U, 3U, 5U, 8U, 16U}) {
    TreeExample example(scattered_rows(2000, d, 8, d));
    for (const std::size_t k : {1U, 2U, 7U, 30U}) expect_same(example, k, 10 * d + k);
  }
}

TEST(TreeAssign, ManyClusters) {
  for (const std::size_t d : {1U, 2U, 6U}) {
    TreeExample example(scattered_rows(4000, d, 50, 100 + d));
    expect_same(example, 200, d);
  }
}

// Nodes are long in one column and hold means there, but lie beside them in the others.
TEST(TreeAssign, ElongatedTables) {
  for (const std::size_t d : {2U, 3U, 5U}) {
    TreeExample example(changed(scattered_rows(3000, d, 8, 20 + d), [&](double value, std::size_t column) {
      return value * std::pow(0.05, static_cast<double>(column));
    }));
    for (const std::size_t k : {3U, 12U}) expect_same(example, k, 20 * d + k);
  }
}

TEST(TreeAssign, LargeAndSmallLeaves) {
  const Dataset data = scattered_rows(3000, 2, 6, 30);
  for (const std::size_t capacity : {3U, 300U, 700U, 3000U}) {  // 256 rows make a panel
    TreeExample example(data, capacity);
    expect_same(example, 9, capacity);
  }
}

TEST(TreeAssign, WeightsSomeOfThemZero) {
  for (const std::size_t d : {1U, 2U, 4U}) {
    TreeExample example(scattered_rows(3000, d, 6, 40 + d).with_weights(some_weights(3000, d)));
    for (const std::size_t k : {2U, 11U}) expect_same(example, k, 40 * d + k);
  }
}

TEST(TreeAssign, HeavyDuplicates) {
  for (const std::size_t d : {1U, 2U, 3U}) {
    TreeExample example(rounded(scattered_rows(3000, d, 4, 50 + d), 1.5));
    for (const std::size_t k : {2U, 9U}) expect_same(example, k, 50 * d + k);
  }
}

TEST(TreeAssign, ConstantColumns) {
  for (const std::size_t constant : {0U, 1U, 2U}) {
    TreeExample example(changed(scattered_rows(2000, 3, 4, 60),
                                [&](double value, std::size_t column) { return column == constant ? 4.25 : value; }));
    expect_same(example, 6, 60 + constant);
  }
  TreeExample all_equal(changed(scattered_rows(1000, 2, 4, 61), [](double, std::size_t) { return -1.5; }));
  expect_same(all_equal, 4, 63);
}

// Most clusters are empty then, and all of those at the prior: they tie with one another everywhere.
// A column of no width beside one that is ten thousand times wider than the prior: costs many nats apart tie, and the
// present label decides.
TEST(TreeAssign, VeryFlatClusters) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    TreeExample example(changed(scattered_rows(3000, 2, 8, seed),
                                [](double value, std::size_t column) { return column == 1 ? 0.0 : 1e4 * value; }));
    expect_same(example, 8, seed);
  }
}

TEST(TreeAssign, MoreClustersThanDistinctRows) {
  TreeExample example(rounded(scattered_rows(2000, 2, 3, 64), 4.0));
  expect_same(example, 60, 64);
  TreeExample few(scattered_rows(5, 2, 3, 65));
  expect_same(few, 12, 65);
}

// Floats about 10^6 lie 1/16 apart: rows repeat, and digits are few.
TEST(TreeAssign, FloatsFarFromTheOrigin) {
  for (const std::size_t d : {1U, 2U, 5U}) {
    const Dataset data = as_float32(changed(scattered_rows(3000, d, 5, 70 + d), [](double value, std::size_t column) {
      return 1e6 + 0.3 * value + static_cast<double>(column);
    }));
    std::vector<double> means(d, 0.0);
    for (std::size_t i = 0; i < data.floats().size(); ++i) means[i % d] += data.floats()[i] / 3000.0;
    TreeExample centred(data, means);
    TreeExample off_centre(data, std::vector<double>(d, 1e6));
    for (TreeExample* example : {&centred, &off_centre}) {
      for (const std::size_t k : {2U, 8U}) expect_same(*example, k, 70 * d + k);
    }
  }
}

// An empty cluster under the Dirichlet process.
TEST(TreeAssign, NobodyGoesToAnInfiniteOffset) {
  TreeExample example(scattered_rows(2000, 2, 6, 80));
  Clusters clusters = clusters_of(example, 5, 80);
  clusters.offsets[0] = clusters.offsets[3] = std::numeric_limits<double>::infinity();
  const LabelList labels = expect_same(example, clusters, random_present(2000, 5, 81));
  EXPECT_EQ(std::ranges::count(labels, 0) + std::ranges::count(labels, 3), 0);
}

// Clusters of equal shape. With a prior at the origin, two of them mirror each other if their centres do.
Clusters clusters_at(const std::vector<std::vector<double>>& centres) {
  const std::size_t d = centres.front().size();
  StatsArena stats(0, Gaussian::stats_size(d));
  for (const std::vector<double>& centre : centres) {
    std::vector<double> of_cluster(stats.stats_size(), 0.0);
    of_cluster[0] = 20.0;
    std::ranges::copy(centre, of_cluster.begin() + 1);
    for (std::size_t i = 0; i < d; ++i) of_cluster[1 + d + kernels::packed_index(i, i)] = 40.0;
    stats.append(of_cluster);
  }
  return {stats, plain_prior(d)};
}

// At (+-a, +-b, ...), one cluster for every choice of signs, for each of the given centres: rows with a zero tie.
Clusters mirrored_clusters(const std::vector<std::vector<double>>& centres) {
  std::vector<std::vector<double>> all;
  for (const std::vector<double>& centre : centres) {
    for (std::size_t signs = 0; signs < std::size_t{1} << centre.size(); ++signs) {
      all.push_back(centre);
      for (std::size_t i = 0; i < centre.size(); ++i) all.back()[i] *= ((signs >> i) & 1U) == 0U ? 1.0 : -1.0;
    }
  }
  return clusters_at(all);
}

// How many rows go where they are told to go, rather than to the smallest index.
std::size_t n_decided_by_present(TreeExample& example, const Clusters& clusters, std::uint64_t seed) {
  const std::size_t n = example.rows().size();
  const LabelList free = expect_same(example, clusters, LabelList(n, -1));
  const LabelList held = expect_same(example, clusters, random_present(n, clusters.k(), seed));
  std::size_t n_decided = 0;
  for (std::size_t row = 0; row < n; ++row) n_decided += free[row] != held[row] ? 1 : 0;
  return n_decided;
}

// Lattice rows about the origin, some of whose columns are exactly zero (or a rounding away from it, if the table lies
// elsewhere).
class LatticeTest : public testing::TestWithParam<double> {
 protected:
  std::size_t n_tied(const Clusters& clusters, std::uint64_t seed) {
    const std::size_t d = clusters.components.n_columns();
    std::size_t n = 0;
    for (const double origin : {0.0, 0.3}) {
      const Dataset data = rounded(scattered_rows(6000, d, 1, seed, 0.0), GetParam());
      TreeExample example(changed(data, [&](double value, std::size_t) { return value + origin; }),
                          std::vector<double>(d, origin), 8);
      n += n_decided_by_present(example, clusters, seed);
    }
    return n;
  }
};
INSTANTIATE_TEST_SUITE_P(Steps, LatticeTest, testing::Values(0.1, 0.5, 1.0));

// Whole lines and planes of rows tie; a wrong answer about a single row would show.
TEST_P(LatticeTest, TiesWhereAColumnIsZero) {
  EXPECT_GT(n_tied(mirrored_clusters({{1.0}, {2.5}}), 90), 50U);
  EXPECT_GT(n_tied(mirrored_clusters({{2.0, 1.0}, {1.0, 2.0}}), 91), 50U);
  EXPECT_GT(n_tied(mirrored_clusters({{1.0, 2.0, 0.5}}), 92), 50U);
  EXPECT_GT(n_tied(mirrored_clusters({{0.01, 0.02, 0.01, 0.02}}), 93), 50U);
}

// Nothing about such a row is zero.
TEST_P(LatticeTest, TiesWhereTwoColumnsAreEqual) {
  EXPECT_GT(n_tied(clusters_at({{3.0, 1.0}, {1.0, 3.0}}), 95), 50U);
  EXPECT_GT(n_tied(clusters_at({{3.0, 1.0, 2.0}, {1.0, 3.0, 2.0}, {1.0, 2.0, 3.0}}), 96), 50U);
}

// Every cluster three times over.
TEST(TreeAssign, ClustersInOnePlaceAreToldApartByThePresentLabel) {
  for (const std::size_t d : {1U, 3U}) {
    TreeExample example(scattered_rows(2000, d, 6, 100 + d));
    const Labels once(labels_by_distance(example.rows(), 4, d));
    StatsArena stats = statistics_of(example.execution(), example.listed(), example.family(), once, 4);
    const StatsArena of_four = stats;
    for (std::size_t c = 0; c < 8; ++c) stats.append(of_four[c % 4]);
    const Clusters clusters(stats, plain_prior(d));
    const LabelList free = expect_same(example, clusters, LabelList(2000, -1));
    const LabelList present = random_present(2000, 12, d);
    const LabelList held = expect_same(example, clusters, present);
    for (std::size_t row = 0; row < 2000; ++row) {
      ASSERT_LT(free[row], 4);
      ASSERT_EQ(held[row], present[row] >= 0 && present[row] % 4 == free[row] ? present[row] : free[row]);
    }
  }
}

// Ten thousand equal rows in one leaf, and a tie over all of them: more than is summed up at a time.
TEST(TreeAssign, OneLeafMayGoToManyClusters) {
  const std::size_t n = 12000;
  std::vector<double> values(2 * n, 0.5);
  for (std::size_t row = 10000; row < n; ++row) values[2 * row] = 0.001 * static_cast<double>(row);
  TreeExample example(Dataset::from_rows(values, n, 2).with_weights(some_weights(n, 110)));
  StatsArena stats(0, Gaussian::stats_size(2));
  for (int copy = 0; copy < 3; ++copy) stats.append(std::vector<double>{5.0, 0.5, 0.0, 3.0, 1.0, 2.0});
  const LabelList labels = expect_same(example, {stats, plain_prior(2)}, random_labels(n, 3, 111));
  EXPECT_EQ(labels, random_labels(n, 3, 111));
}

TEST(TreeAssign, DataTermIsTheSumOfCosts) {
  TreeExample example(scattered_rows(2000, 2, 6, 120).with_weights(some_weights(2000, 121)));
  const Clusters clusters = clusters_of(example, 7, 122);
  const Assignment down = assign(example.execution(), Subset(example.in_tree()), clusters.components, clusters.offsets,
                                 labels_of(example.in_tree(), LabelList(2000, -1)));
  const LabelList labels = down.labels.by_row();
  std::vector<double> costs(7 * kernels::panel_stride);
  BlockBuffer buffer(2);
  double sum = 0.0;
  for (std::size_t row = 0; row < 2000; ++row) {
    RowBlock block(example.rows(), row, 1, buffer);
    clusters.components.costs({}, block, costs.data());
    const auto label = static_cast<std::size_t>(labels[row]);
    sum += example.rows().weight(row) * (costs[label * kernels::panel_stride] + clusters.offsets[label]);
  }
  EXPECT_NEAR(down.data_term, sum, 1e-10 * size_of_data_term(clusters, down.stats));
}

TEST(TreeAssign, BitsDoNotDependOnThreads) {
  for (const double step : {0.01, 1.0}) {
    TreeExample example(rounded(scattered_rows(30000, 2, 6, 130), step).with_weights(some_weights(30000, 131)));
    const Clusters clusters = clusters_of(example, 12, 132);
    const Labels present = labels_of(example.in_tree(), random_present(30000, 12, 133));
    const auto run = [&](std::size_t threads) {
      LocalExecution local(threads);
      return assign(local.get(), Subset(example.in_tree()), clusters.components, clusters.offsets, present);
    };
    const Assignment one = run(1);
    for (const std::size_t threads : {2U, 3U}) {
      const Assignment many = run(threads);
      EXPECT_EQ(many.labels, one.labels);
      EXPECT_EQ(many.stats, one.stats);
      EXPECT_EQ(many.data_term, one.data_term);
      EXPECT_EQ(many.distances, one.distances);
      EXPECT_EQ(many.node_distances, one.node_distances);
      EXPECT_EQ(many.nodes_visited, one.nodes_visited);
    }
  }
}

// Clusters that lie apart own nodes far up: 50 times less work than row by row, and rows only at the borders.
TEST(TreeAssign, FarFewerComparisonsOnSeparatedBlobs) {
  const Generated made = generate(SeparatedGaussians{.n_rows = 50000, .n_columns = 2, .k = 5, .separation = 6.0});
  TreeExample example(made.data, leaf_capacity(Gaussian::stats_size(2), made.data));
  const Clusters clusters(
      statistics_of(example.execution(), example.listed(), example.family(), Labels(made.labels), 5), plain_prior(2));
  const Assignment down = assign(example.execution(), Subset(example.in_tree()), clusters.components, clusters.offsets,
                                 labels_of(example.in_tree(), made.labels));
  EXPECT_EQ(down.labels.by_row(), made.labels);
  EXPECT_LE(down.distances, 50000U * 5U / 50U);
  EXPECT_LE(down.node_distances, down.distances);
  EXPECT_GE(down.node_distances, 2 * down.nodes_visited);  // a node with one candidate is not looked at
  EXPECT_GT(down.nodes_visited, 0U);
}

TEST(TreeAssign, CountsComparisons) {
  TreeExample one_leaf(scattered_rows(40, 2, 1, 140), 100);
  const Clusters clusters = mirrored_clusters({{0.1, 0.1}});
  const Labels nobody = labels_of(one_leaf.in_tree(), LabelList(40, -1));
  const Assignment down =
      assign(one_leaf.execution(), Subset(one_leaf.in_tree()), clusters.components, clusters.offsets, nobody);
  EXPECT_EQ(down.nodes_visited, 1U);
  EXPECT_EQ(down.node_distances, 4U);
  EXPECT_EQ(down.distances, 4U + 4U * 40U);  // nobody is ruled out by the box
  const Assignment row_by_row =
      assign_row_by_row(one_leaf.execution(), one_leaf.in_tree(), clusters.components, clusters.offsets, nobody);
  EXPECT_EQ(row_by_row.distances, 4U * 40U);
  EXPECT_EQ(row_by_row.node_distances, 0U);
}

TEST(TreeAssign, StopsWhenAsked) {
  TreeExample example(scattered_rows(2000, 2, 6, 150));
  const Clusters clusters = clusters_of(example, 5, 150);
  const std::atomic<bool> is_asked = true;
  LocalExecution local(2, StopSignal({}, &is_asked, {}));
  EXPECT_THROW((void)assign(local.get(), Subset(example.in_tree()), clusters.components, clusters.offsets,
                            one_label(example.in_tree())),
               Stopped);
}

}  // namespace
}  // namespace coppice::internal
