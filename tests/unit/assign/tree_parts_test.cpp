// SPDX-License-Identifier: BSD-3-Clause
// Parts of a tree, planes through it, given labels and tied leaves, each against the rows or summaries one by one.
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/assign/naive.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

// One label per position of a part, from one per row of the table.
Labels present_of(const Subset& subset, const KdTree& tree, const LabelList& by_row) {
  LabelList by_position;
  for (const std::size_t member : subset.members()) {
    by_position.push_back(by_row[subset.units().are_in_tree() ? tree.order()[member] : member]);
  }
  return subset.units().are_in_tree() ? in_runs(by_position) : Labels(std::move(by_position));
}

// The other way round; -9 for rows that are not in the part.
LabelList by_row(const Subset& subset, const KdTree& tree, const Labels& labels) {
  LabelList result(tree.n_rows(), -9);
  const std::vector<std::size_t> members = subset.members();
  const LabelList by_position = labels.by_unit();
  EXPECT_EQ(by_position.size(), members.size());
  for (std::size_t i = 0; i < by_position.size(); ++i) {
    result[subset.units().are_in_tree() ? tree.order()[members[i]] : members[i]] = by_position[i];
  }
  return result;
}

// What a part of the tree and the same part of the list lead to.
struct Pair {
  Assignment in_tree;
  Assignment listed;
};

void expect_same(const TreeExample& example, const Subset& of_tree, const Subset& of_list, const Pair& pair) {
  EXPECT_EQ(by_row(of_tree, example.tree(), pair.in_tree.labels), by_row(of_list, example.tree(), pair.listed.labels));
  expect_close_statistics(pair.in_tree.stats, pair.listed.stats, example);
  const double size = 1.0 + std::abs(pair.listed.data_term);
  EXPECT_NEAR(pair.in_tree.data_term, pair.listed.data_term, 1e-10 * size);
}

// Calls check(part of the tree, the same part of the list) for the members of 5 clusters, one of them empty, and for
// all.
template <class Check>
void for_each_part(const TreeExample& example, const Check& check) {
  const LabelList labels = labels_by_distance(example.rows(), 4, 1);
  const Members of_tree(example.in_tree(), labels_of(example.in_tree(), labels), 5);
  const Members of_list(example.listed(), Labels(labels), 5);
  for (std::size_t cluster = 0; cluster < 5; ++cluster) check(of_tree.of(cluster), of_list.of(cluster));
  check(Subset(example.in_tree()), Subset(example.listed()));
}

void expect_same_parts(TreeExample& example, const Clusters& candidates, std::uint64_t seed) {
  const LabelList present = random_present(example.rows().size(), candidates.k(), seed);
  for_each_part(example, [&](const Subset& of_tree, const Subset& of_list) {
    const auto run = [&](const Subset& subset) {
      return assign(example.execution(), subset, candidates.components, candidates.offsets,
                    present_of(subset, example.tree(), present));
    };
    expect_same(example, of_tree, of_list, {run(of_tree), run(of_list)});
  });
}

TEST(TreePart, MembersOfAClusterGoToTwoCandidates) {
  for (const std::size_t d : {1U, 2U, 5U}) {
    TreeExample example(scattered_rows(3000, d, 6, d), 10);
    expect_same_parts(example, clusters_of(example, 2, 10 + d), 20 + d);
    TreeExample weighted(scattered_rows(3000, d, 6, d).with_weights(some_weights(3000, d)), 10);
    expect_same_parts(weighted, clusters_of(weighted, 2, 10 + d), 20 + d);
  }
}

// Pieces hold only some of a leaf's rows where copies of a row have gone different ways.
TEST(TreePart, MembersThatTie) {
  TreeExample example(rounded(scattered_rows(3000, 2, 4, 30), 0.5), 10);
  StatsArena twins(0, Gaussian::stats_size(2));
  for (int copy = 0; copy < 2; ++copy) twins.append(example.stats()[0]);
  expect_same_parts(example, {twins, plain_prior(2)}, 31);
  expect_same_parts(example, clusters_of(example, 2, 32), 33);
}

TEST(TreePart, RandomMembers) {
  TreeExample example(scattered_rows(2000, 2, 4, 40), 20);
  const Clusters candidates = clusters_of(example, 2, 41);
  const LabelList labels = random_labels(2000, 3, 42);
  const Members of_tree(example.in_tree(), labels_of(example.in_tree(), labels), 3);
  const Members of_list(example.listed(), Labels(labels), 3);
  for (std::size_t cluster = 0; cluster < 3; ++cluster) {
    const auto run = [&](const Subset& subset) {
      return assign(example.execution(), subset, candidates.components, candidates.offsets,
                    present_of(subset, example.tree(), LabelList(2000, -1)));
    };
    const Subset subset = of_tree.of(cluster);
    const Subset twin = of_list.of(cluster);
    expect_same(example, subset, twin, {run(subset), run(twin)});
  }
}

TEST(TreePart, BitsDoNotDependOnThreads) {
  TreeExample example(scattered_rows(20000, 2, 6, 50), 10);
  const Clusters candidates = clusters_of(example, 2, 51);
  const Labels labels = labels_of(example.in_tree(), labels_by_distance(example.rows(), 3, 52));
  const Members members(example.in_tree(), labels, 3);
  const Subset subset = members.of(1);
  const Labels present = present_of(subset, example.tree(), LabelList(20000, 0));
  const auto run = [&](std::size_t threads) {
    LocalExecution local(threads);
    return assign(local.get(), subset, candidates.components, candidates.offsets, present);
  };
  const Assignment one = run(1);
  for (const std::size_t threads : {2U, 3U}) {
    EXPECT_EQ(run(threads).labels, one.labels);
    EXPECT_EQ(run(threads).stats, one.stats);
  }
}

void expect_same_sides(TreeExample& example, const Plane& plane) {
  for_each_part(example, [&](const Subset& of_tree, const Subset& of_list) {
    const auto run = [&](const Subset& subset) { return divide(example.execution(), subset, example.family(), plane); };
    const Pair pair{run(of_tree), run(of_list)};
    ASSERT_EQ(pair.listed.stats.size(), 2U);
    expect_same(example, of_tree, of_list, pair);
  });
}

TEST(Divide, ATreeFallsApartAsItsRowsDo) {
  for (const std::size_t d : {1U, 2U, 3U, 8U}) {
    TreeExample example(scattered_rows(2000, d, 5, 60 + d).with_weights(some_weights(2000, d)), 10);
    RandomStream random{d, Purpose::test, 70};
    for (int trial = 0; trial < 10; ++trial) {
      Plane plane{std::vector<double>(d), random.normal()};
      for (double& value : plane.normal) value = random.normal();
      expect_same_sides(example, plane);
    }
  }
}

// Rows on the plane itself belong to side 0. Sums of tenths are off by a rounding, for boxes as for rows.
TEST(Divide, RowsOnThePlane) {
  for (const double step : {0.1, 1.0}) {
    TreeExample example(rounded(scattered_rows(4000, 2, 1, 70, 0.0), step), 10);
    for (const double threshold : {-0.3, 0.0, 0.5, 2.0}) {
      expect_same_sides(example, {{1.0, 0.0}, threshold});
      expect_same_sides(example, {{1.0, -1.0}, threshold});
      expect_same_sides(example, {{0.3, 0.7}, threshold});
    }
  }
}

TEST(Divide, SidesAreThoseOfThePlane) {
  TreeExample example(Dataset::from_rows(std::vector<double>{0.0, 1.0, 2.0, 3.0}, 4, 1), 3);
  const Assignment halves = divide(example.execution(), Subset(example.in_tree()), example.family(), {{1.0}, 2.0});
  EXPECT_EQ(halves.labels.by_row(), (LabelList{1, 1, 0, 0}));
  EXPECT_EQ(halves.stats.weight(0), 2.0);
  EXPECT_EQ(halves.stats[1][1], 0.5);
  const Assignment none = divide(example.execution(), Subset(example.in_tree()), example.family(), {{1.0}, -7.0});
  EXPECT_EQ(none.labels, one_label(example.in_tree()));
}

TEST(StatisticsOf, ATreeAreThoseOfItsRows) {
  for (const std::size_t d : {1U, 2U, 5U}) {
    TreeExample example(scattered_rows(3000, d, 5, 80 + d).with_weights(some_weights(3000, d)), 10);
    for (const LabelList& labels :
         {labels_by_distance(example.rows(), 6, d), random_labels(3000, 6, d), LabelList(3000, 4)}) {
      const auto run = [&](const Units& units) {
        return statistics_of(example.execution(), units, example.family(), labels_of(units, labels), 7);
      };
      expect_close_statistics(run(example.in_tree()), run(example.listed()), example);
    }
  }
}

TEST(StatisticsOf, ATreeHaveTheSameBitsForAnyThreads) {
  TreeExample example(scattered_rows(20000, 2, 5, 90), 10);
  const Labels labels = labels_of(example.in_tree(), labels_by_distance(example.rows(), 6, 91));
  const StatsArena one = statistics_of(example.execution(), example.in_tree(), example.family(), labels, 6);
  for (const std::size_t threads : {2U, 3U}) {
    LocalExecution local(threads);
    EXPECT_EQ(statistics_of(local.get(), example.in_tree(), example.family(), labels, 6), one);
  }
}

TEST(LabelsOf, GiveBackWhatTheyWereMadeOf) {
  const TreeExample example(scattered_rows(500, 2, 5, 95));
  const LabelList by_row = random_present(500, 5, 96);
  for (const Units& units : {example.listed(), example.in_tree()}) {
    const Labels labels = labels_of(units, by_row);
    EXPECT_EQ(labels.are_runs(), units.are_in_tree());
    EXPECT_EQ(labels.by_row(), by_row);
    EXPECT_EQ(one_label(units).by_row(), LabelList(500, 0));
  }
  EXPECT_EQ(labels_of(example.in_tree(), by_row).at(17), by_row[example.tree().order()[17]]);
}

// A tree whose leaves are units, and the same leaves as summaries.
struct TiedLeaves {
  explicit TiedLeaves(const Dataset& data)
      : example(data), leaves(example.tree().leaves()), summaries(0, example.family().stats_size()) {
    for (const std::size_t leaf : leaves) summaries.append(example.stats()[leaf]);
  }
  // One label per leaf, for all of its rows, in the tree's order.
  [[nodiscard]] LabelList spread(const LabelList& of_leaves) const {
    LabelList labels;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      labels.insert(labels.end(), example.tree().n_rows(leaves[i]), of_leaves[i]);
    }
    return labels;
  }
  void expect_same(const Clusters& clusters, const LabelList& present) {
    const Assignment naive =
        assign_naive(example.execution(), Subset(Units(summaries)), clusters.components, clusters.offsets, present);
    const Assignment tied = assign(example.execution(), Subset(example.tied()), clusters.components, clusters.offsets,
                                   labels_by_unit(example.tied(), present));
    EXPECT_EQ(tied.labels.by_unit(), naive.labels.by_unit());
    EXPECT_EQ(tied.labels.by_row(), in_runs(spread(naive.labels.by_unit()), example.tree().shared_order()).by_row());
    expect_close_statistics(tied.stats, naive.stats, example);
  }

  TreeExample example;
  std::vector<std::size_t> leaves;
  StatsArena summaries;
};

TEST(TiedLeavesTest, AreAssignedAsTheirSummaries) {
  for (const std::size_t d : {1U, 2U, 4U}) {
    for (const bool is_weighted : {false, true}) {
      const Dataset data = scattered_rows(3000, d, 6, 100 + d);
      TiedLeaves tied(is_weighted ? data.with_weights(some_weights(3000, d)) : data);
      const Clusters clusters = clusters_of(tied.example, 9, 110 + d);
      tied.expect_same(clusters, random_present(tied.leaves.size(), 9, d));
      tied.expect_same(clusters, LabelList(tied.leaves.size(), -1));
    }
  }
}

// Twins tie for every leaf; the label that is there stays.
TEST(TiedLeavesTest, KeepTheirLabelInATie) {
  TiedLeaves tied(rounded(scattered_rows(3000, 2, 6, 120), 0.25));
  StatsArena stats(0, Gaussian::stats_size(2));
  for (int copy = 0; copy < 2; ++copy) {
    for (std::size_t node = 1; node < 4; ++node) stats.append(tied.example.stats()[node]);
  }
  tied.expect_same({stats, plain_prior(2)}, random_present(tied.leaves.size(), 6, 121));
}

TEST(TiedLeavesTest, AreNotTiedUnlessAskedFor) {
  const Dataset data = scattered_rows(3000, 2, 6, 130);
  TreeExample example(data);
  const Clusters clusters = clusters_of(example, 9, 131);
  const auto run = [&](const Units& units) {
    return assign(example.execution(), Subset(units), clusters.components, clusters.offsets, one_label(units));
  };
  EXPECT_NE(run(example.tied()).labels.by_row(), run(example.in_tree()).labels.by_row());
}

// Rows of a tree may be taken one by one (in_tree) unless leaves tie them together; elsewhere are no nodes to skip.
TEST(TiedLeavesTest, AreNoRowsOfATree) {
  const TreeExample example(scattered_rows(100, 2, 6, 140));
  EXPECT_TRUE(example.in_tree().are_in_tree());
  EXPECT_FALSE(example.listed().are_in_tree());
  EXPECT_FALSE(example.tied().are_in_tree());
  EXPECT_FALSE(example.tied().are_rows());
}

}  // namespace
}  // namespace coppice::internal
