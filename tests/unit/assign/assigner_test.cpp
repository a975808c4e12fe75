// SPDX-License-Identifier: BSD-3-Clause
// Which assigner rows get, what it says of itself, and that all of them give the labels of every row against every
// cluster.
#include "coppice/assign/assigner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>

#include "coppice/assign/naive.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/family/student.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t enough_rows = 4096;

void expect_report(const Assigner& assigner, const std::string& used, const std::string& why) {
  EXPECT_EQ(assigner.report().used, used);
  EXPECT_EQ(assigner.report().why.plain(), why);
}

// Rows with clusters of one family to give them to.
template <class F>
class Ground {
 public:
  Ground(const Dataset& data, F family, StopSignal stop = {})
      : local_(1, std::move(stop)),
        rows_(data, std::vector<double>(data.n_columns(), 0.0)),
        family_(std::move(family)) {}

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] const FamilyAdapter<F>& family() const { return family_; }
  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] std::unique_ptr<Assigner> make(const AssignChoice& choice = {}) {
    return make_assigner(local_.get(), rows_, family_, choice);
  }
  // Clusters as labels of the rows make them.
  [[nodiscard]] StatsArena statistics(const LabelList& labels, std::size_t k) {
    return statistics_of(local_.get(), Units(rows_), family_, Labels(labels), k);
  }
  [[nodiscard]] std::unique_ptr<Components> clusters(const StatsArena& stats) const {
    std::unique_ptr<Components> clusters = family_.clone();
    clusters->update(stats);
    return clusters;
  }
  [[nodiscard]] std::unique_ptr<Components> clusters(const LabelList& labels, std::size_t k) {
    return clusters(statistics(labels, k));
  }

 private:
  LocalExecution local_;
  Rows rows_;
  FamilyAdapter<F> family_;
};

Ground<Gaussian> gaussian_ground(std::size_t n_rows, std::size_t n_columns, StopSignal stop = {}) {
  return {scattered_rows(n_rows, n_columns, 6, n_columns), Gaussian(plain_prior(n_columns)), std::move(stop)};
}

Ground<Centroid> centre_ground(std::size_t n_rows, std::size_t n_columns) {
  return {scattered_rows(n_rows, n_columns, 6, n_columns), Centroid(n_columns)};
}

TEST(AssignRule, GoesByTheWordsOfTheOption) {
  EXPECT_EQ(assign_rule("auto"), AssignRule::automatic);
  EXPECT_EQ(assign_rule("naive"), AssignRule::naive);
  EXPECT_EQ(assign_rule("kdtree"), AssignRule::kdtree);
  EXPECT_EQ(assign_rule("bounds"), AssignRule::bounds);
}

void expect_rows(const Assigner& assigner, const std::string& why) {
  EXPECT_TRUE(assigner.units().are_rows());
  EXPECT_FALSE(assigner.units().are_in_tree());
  EXPECT_FALSE(assigner.keeps_to_nodes());
  expect_report(assigner, "naive", why);
}

TEST(MakeAssigner, RowsOneByOneIfAskedFor) {
  Ground<Gaussian> ground = gaussian_ground(enough_rows, 2);
  for (const bool is_soft : {false, true}) {
    expect_rows(*ground.make({.rule = AssignRule::naive, .is_soft = is_soft}),
                "asked for: every row against every cluster");
  }
}

TEST(MakeAssigner, SparseRowsGetNoTree) {
  SparseEntries<double> entries{{0}, {}, {}, 3};
  for (std::uint32_t row = 0; row < enough_rows; ++row) {
    entries.columns.push_back(row % 3);
    entries.values.push_back(1.0);
    entries.starts.push_back(entries.values.size());
  }
  Ground<Gaussian> ground(Dataset::from_sparse_rows(std::move(entries)), Gaussian(plain_prior(3)));
  for (const AssignRule rule : {AssignRule::automatic, AssignRule::kdtree}) {
    expect_rows(*ground.make({.rule = rule}), "the rows are sparse, and a tree takes dense ones");
  }
}

TEST(MakeAssigner, FewRowsGetATreeOnlyIfAskedFor) {
  expect_rows(*gaussian_ground(enough_rows - 1, 2).make(), "4095 rows; a tree pays from 4096 on");
  expect_rows(*gaussian_ground(1, 2).make(), "1 row; a tree pays from 4096 on");
  Ground<Gaussian> ground = gaussian_ground(200, 2);
  EXPECT_TRUE(ground.make({.rule = AssignRule::kdtree})->units().are_in_tree());
}

// Leaves of 45 rows: a column is cut log2(4096 / 45) / 8 times.
TEST(MakeAssigner, ManyColumnsGetATreeOnlyIfAskedFor) {
  Ground<Gaussian> ground = gaussian_ground(enough_rows, 8);
  expect_rows(*ground.make(), "4096 rows in 8 columns: a tree would be cut 0.8 times per column, and pays from 2 on");
  EXPECT_TRUE(ground.make({.rule = AssignRule::kdtree})->units().are_in_tree());
}

TEST(MakeAssigner, ClustersThatWeighMembersGetNoTree) {
  Ground<Student> ground(scattered_rows(enough_rows, 2, 6, 2), Student(plain_prior(2), 4.0));
  for (const AssignRule rule : {AssignRule::automatic, AssignRule::kdtree}) {
    expect_rows(*ground.make({.rule = rule}), "these clusters weigh every row by itself, so that a tree is of no use");
  }
}

std::string counts(std::uint64_t distances, std::uint64_t full) {
  return fmt::format(
      "sweeps took {} comparisons with a cluster, {} for every row against every cluster ({:.3g} times as many)",
      distances, full, static_cast<double>(full) / static_cast<double>(std::max<std::uint64_t>(distances, 1)));
}

TEST(MakeAssigner, ManyRowsInFewColumnsGetATreeThatCounts) {
  for (const AssignRule rule : {AssignRule::automatic, AssignRule::kdtree}) {
    Ground<Gaussian> ground = gaussian_ground(enough_rows, 2);
    const std::unique_ptr<Assigner> assigner = ground.make({.rule = rule});
    const bool is_asked_for = rule == AssignRule::kdtree;
    const std::string begin = is_asked_for ? "asked for: " : "";
    EXPECT_TRUE(assigner->units().are_in_tree());
    EXPECT_EQ(assigner->keeps_to_nodes(), is_asked_for);
    expect_report(*assigner, "kdtree", begin + counts(0, 0));
    const std::unique_ptr<Components> clusters = ground.clusters(labels_by_distance(ground.rows(), 7, 1), 7);
    const std::vector<double> offsets(7, 0.5);
    std::uint64_t distances = 0;
    for (std::uint64_t n_sweeps = 1; n_sweeps < 4; ++n_sweeps) {
      const Assignment result =
          assigner->sweep(ground.execution(), *clusters, offsets, one_label(assigner->units(), -1));
      distances += result.distances;
      EXPECT_LT(result.distances, enough_rows * 7) << "else the tree is of no use here";
      expect_report(*assigner, "kdtree", begin + counts(distances, n_sweeps * enough_rows * 7));
    }
  }
}

// A cluster twice: both tie everywhere, so that all nodes are opened.
std::unique_ptr<Components> twins(Ground<Gaussian>& ground) {
  const StatsArena one = ground.statistics(LabelList(ground.rows().size(), 0), 1);
  StatsArena stats = one;
  stats.append(one[0]);
  return ground.clusters(stats);
}

TEST(MakeAssigner, ATreeInVainIsLeftUnlessAskedFor) {
  for (const AssignRule rule : {AssignRule::automatic, AssignRule::kdtree}) {
    Ground<Gaussian> ground = gaussian_ground(enough_rows, 2);
    const std::unique_ptr<Assigner> assigner = ground.make({.rule = rule});
    const std::unique_ptr<Components> clusters = twins(ground);
    const std::vector<double> offsets(2, 0.5);
    std::uint64_t distances = 0;
    for (std::size_t sweep = 0; sweep < 3; ++sweep) {
      distances += assigner->sweep(ground.execution(), *clusters, offsets, one_label(assigner->units(), -1)).distances;
    }
    const std::string counted = counts(distances, 3 * enough_rows * 2);
    if (rule == AssignRule::kdtree) {
      expect_report(*assigner, "kdtree", "asked for: " + counted);
    } else {
      expect_report(*assigner, "naive",
                    "too many nodes had to be opened, so 2 of 3 sweeps went row by row; " + counted);
    }
  }
}

// The statistics of a sweep, in which empty clusters stay where they were.
void take(const StatsArena& next, StatsArena& stats) {
  for (std::size_t c = 0; c < next.size(); ++c) {
    if (next.weight(c) > 0.0) stats.assign(c, next[c]);
  }
}

// From drawn centres.
std::uint64_t run_lloyd(Ground<Centroid>& ground, Assigner& assigner, std::size_t k, std::size_t n_sweeps) {
  StatsArena stats = ground.statistics(labels_by_distance(ground.rows(), k, 3), k);
  const std::vector<double> offsets(k, 0.0);
  Labels labels = one_label(assigner.units(), -1);
  std::uint64_t distances = 0;
  for (std::size_t sweep = 0; sweep < n_sweeps; ++sweep) {
    Assignment result = assigner.sweep(ground.execution(), *ground.clusters(stats), offsets, labels);
    distances += result.distances;
    labels = std::move(result.labels);
    take(result.stats, stats);
  }
  return distances;
}

std::string of_bounds(std::size_t n_informed, std::size_t n_sweeps, std::uint64_t distances, std::uint64_t full) {
  return fmt::format(
      "{} of {} iterations could rely on distance bounds; all took {} distances, {} for every row and centre",
      n_informed, n_sweeps, distances, full);
}

TEST(MakeAssigner, BoundsFromTheStartIfAskedFor) {
  Ground<Centroid> ground = centre_ground(1000, 4);
  const std::unique_ptr<Assigner> assigner = ground.make({.rule = AssignRule::bounds, .k = 10});
  EXPECT_TRUE(assigner->units().are_rows());
  EXPECT_FALSE(assigner->units().are_in_tree());
  expect_report(*assigner, "bounds", "asked for: " + of_bounds(0, 0, 0, 0));
  const std::uint64_t distances = run_lloyd(ground, *assigner, 10, 5);
  EXPECT_LT(distances, 5U * 1000U * 10U);
  expect_report(*assigner, "bounds", "asked for: " + of_bounds(4, 5, distances, 5U * 1000U * 10U));
}

TEST(MakeAssigner, BoundsLaterWhereRowsHaveManyDistances) {
  const std::string why = "2000 rows; a tree pays from 4096 on";
  Ground<Centroid> ground = centre_ground(2000, 16);
  const std::unique_ptr<Assigner> late = ground.make({.k = 16});
  expect_rows(*late, why);
  (void)run_lloyd(ground, *late, 16, 1);
  expect_rows(*late, why);
  (void)run_lloyd(ground, *late, 16, 99);
  EXPECT_EQ(late->report().used, "bounds");
  EXPECT_THAT(late->report().why.plain(), HasSubstr(" of 100 iterations could rely on distance bounds; all took "));
  EXPECT_THAT(late->report().why.plain(), testing::Not(StartsWith("asked for")));

  for (const AssignChoice& without : {AssignChoice{.k = 15}, AssignChoice{}}) {
    const std::unique_ptr<Assigner> never = ground.make(without);
    (void)run_lloyd(ground, *never, 15, 100);
    expect_rows(*never, why);
  }
}

TEST(MakeAssigner, SharesGoRowByRowUnlessATreeIsAskedFor) {
  Ground<Gaussian> ground = gaussian_ground(enough_rows, 2);
  expect_rows(*ground.make({.is_soft = true}),
              "every cluster has a share in every row; assign kdtree would approximate that");
  const std::unique_ptr<Assigner> tied = ground.make({.rule = AssignRule::kdtree, .is_soft = true});
  const FrontUnits* front = tied->units().front();
  ASSERT_NE(front, nullptr);
  const std::size_t n_leaves = front->of.tree.leaves().size();
  EXPECT_EQ(tied->units().size(), n_leaves);
  expect_report(
      *tied, "kdtree",
      fmt::format("asked for: approximate, the 4096 rows are tied into {} leaves, whose rows share alike", n_leaves));
}

// Stopped at once: the fit that follows will find out by itself.
TEST(MakeAssigner, AStopBeforeTheTreeLeavesTheRows) {
  std::stop_source source;
  source.request_stop();
  Ground<Gaussian> ground = gaussian_ground(enough_rows, 2, StopSignal(source.get_token(), nullptr, std::nullopt));
  for (const AssignChoice& choice : {AssignChoice{}, AssignChoice{.rule = AssignRule::kdtree},
                                     AssignChoice{.rule = AssignRule::kdtree, .is_soft = true}}) {
    expect_rows(*ground.make(choice), "the fit was stopped before a tree was built");
  }
}

// Several sweeps, each from the clusters that the one before left, and from labels of which some are missing.
template <class F>
void expect_labels_of_naive(Ground<F>& ground, Assigner& assigner, std::span<const double> offsets) {
  const std::size_t k = offsets.size();
  LabelList present = random_present(ground.rows().size(), k, 4);
  StatsArena stats = ground.statistics(labels_by_distance(ground.rows(), k, 5), k);
  const Units listed(ground.rows());
  for (std::size_t sweep = 0; sweep < 6; ++sweep) {
    SCOPED_TRACE(sweep);
    const std::unique_ptr<Components> clusters = ground.clusters(stats);
    const Assignment expected = assign_naive(ground.execution(), Subset(listed), *clusters, offsets, present);
    const Assignment found =
        assigner.sweep(ground.execution(), *clusters, offsets, labels_of(assigner.units(), present));
    present = expected.labels.by_row();
    ASSERT_EQ(found.labels.by_row(), present);
    ASSERT_EQ(found.stats.size(), k);
    for (std::size_t c = 0; c < k; ++c) EXPECT_NEAR(found.stats.weight(c), expected.stats.weight(c), 1e-9);
    take(expected.stats, stats);
  }
}

TEST(Assigner, EveryKindGivesTheLabelsOfRowsOneByOne) {
  for (const std::size_t d : {1U, 2U, 3U}) {
    SCOPED_TRACE(d);
    const Dataset data = rounded(scattered_rows(5000, d, 6, d), 0.125).with_weights(some_weights(5000, d));
    Ground<Gaussian> gaussians(data, Gaussian(plain_prior(d)));
    Ground<Centroid> centres(data, Centroid(d));
    std::vector<double> offsets(9);
    RandomStream random{d, Purpose::test, 62};
    for (double& offset : offsets) offset = random.uniform(0.0, 2.0);
    const std::vector<double> none(9, 0.0);
    for (const AssignRule rule : {AssignRule::automatic, AssignRule::naive, AssignRule::kdtree}) {
      SCOPED_TRACE(static_cast<int>(rule));
      expect_labels_of_naive(gaussians, *gaussians.make({.rule = rule}), offsets);
      expect_labels_of_naive(centres, *centres.make({.rule = rule, .k = 9}), none);
    }
    expect_labels_of_naive(centres, *centres.make({.rule = AssignRule::bounds, .k = 9}), none);
    expect_labels_of_naive(centres, *make_assigner(Units(centres.rows())), none);
  }
  Ground<Centroid> many = centre_ground(2000, 16);  // bounds, later
  expect_labels_of_naive(many, *many.make({.k = 40}), std::vector<double>(40, 0.0));
}

// Tied rows have the label of their leaf, which is that of the leaf's statistics.
TEST(Assigner, TiedLeavesAreAssignedAsTheirSummaries) {
  Ground<Gaussian> ground = gaussian_ground(2000, 2);
  const std::unique_ptr<Assigner> tied = ground.make({.rule = AssignRule::kdtree, .is_soft = true});
  const std::unique_ptr<Components> clusters = ground.clusters(labels_by_distance(ground.rows(), 5, 6), 5);
  const std::vector<double> offsets{0.1, 0.7, 0.2, 0.0, 0.3};
  StatsArena summaries(0, ground.family().stats_size());
  for (std::size_t unit = 0; unit < tied->units().size(); ++unit) summaries.append(tied->units().summary(unit));
  const LabelList present = random_present(summaries.size(), 5, 7);
  const Units listed(summaries);
  const Assignment expected = assign_naive(ground.execution(), Subset(listed), *clusters, offsets, present);
  const Assignment found = tied->sweep(ground.execution(), *clusters, offsets, labels_by_unit(tied->units(), present));
  EXPECT_EQ(found.labels.by_unit(), expected.labels.by_unit());
  EXPECT_EQ(found.stats, expected.stats);
  EXPECT_EQ(found.labels.by_row().size(), 2000U);
}

TEST(Assigner, UnitsThatAreThereAreTakenAsTheyAre) {
  TreeExample example(scattered_rows(500, 2, 4, 8));
  EXPECT_TRUE(make_assigner(example.in_tree())->units().are_in_tree());
  EXPECT_FALSE(make_assigner(example.in_tree())->keeps_to_nodes());
  expect_rows(*make_assigner(example.listed()), "");
  EXPECT_EQ(make_assigner(example.tied())->units().size(), example.tree().leaves().size());
}

TEST(Assigner, ForgetsATreesCounts) {
  Ground<Gaussian> ground = gaussian_ground(enough_rows, 2);
  const std::unique_ptr<Assigner> assigner = ground.make();
  const std::unique_ptr<Components> clusters = twins(ground);
  const std::vector<double> offsets(2, 0.5);
  const auto sweep = [&] {
    return assigner->sweep(ground.execution(), *clusters, offsets, one_label(assigner->units(), -1));
  };
  for (int i = 0; i < 3; ++i) (void)sweep();
  ASSERT_EQ(assigner->report().used, "naive");
  assigner->forget();
  expect_report(*assigner, "kdtree", counts(0, 0));
  const Assignment next = sweep();
  EXPECT_GT(next.nodes_visited, 0U) << "that nodes were in vain is forgotten, too";
  expect_report(*assigner, "kdtree", counts(next.distances, enough_rows * 2));
}

TEST(Assigner, ForgetsBounds) {
  Ground<Centroid> ground = centre_ground(1000, 4);
  const std::unique_ptr<Assigner> assigner = ground.make({.rule = AssignRule::bounds, .k = 10});
  const std::uint64_t first = run_lloyd(ground, *assigner, 10, 3);
  assigner->forget();
  expect_report(*assigner, "bounds", "asked for: " + of_bounds(0, 0, 0, 0));
  EXPECT_EQ(run_lloyd(ground, *assigner, 10, 3), first);
  expect_report(*assigner, "bounds", "asked for: " + of_bounds(2, 3, first, 3U * 1000U * 10U));
}

TEST(SampleOf, RowsInContentOrderUnlessStopped) {
  Ground<Gaussian> ground = gaussian_ground(300, 2);
  const Units units(ground.rows());
  std::vector<std::size_t> sample = sample_of(ground.execution(), units);
  std::ranges::sort(sample);
  std::vector<std::size_t> all(300);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(sample, all) << "fewer rows than a sample has";
  std::stop_source source;
  source.request_stop();
  LocalExecution stopped(1, StopSignal(source.get_token(), nullptr, std::nullopt));
  EXPECT_TRUE(sample_of(stopped.get(), units).empty());
}

}  // namespace
}  // namespace coppice::internal
