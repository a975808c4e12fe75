// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/soft_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

StatsArena clusters_of(ClusteringProblem& example, const std::vector<std::int32_t>& labels) {
  return example.me().from_labels(labels).stats;
}

// A worked example of a variational mixture: eight rows, three clusters, the shares they start from, and the bound
// after posteriors and shares have been updated once.
TEST(SoftBound, OfAWorkedExample) {
  const std::vector<double> rows = {-2.738, 0.284, 2.772, 4.404, -1.784, -0.69, 4.536, 2.851,
                                    -2.607, -0.98, 2.972, 4.416, -3.392, 0.186, 2.371, 4.716};
  const std::vector<double> shares = {
      0.3000997008973081,  0.2861415752741775,   0.4137587238285145,  0.24127617148554334, 0.6610169491525423,
      0.09770687936191425, 0.05079681274900399,  0.16733067729083667, 0.7818725099601594,  0.353938185443669,
      0.6151545363908276,  0.030907278165503493, 0.01296111665004985, 0.25224327018943166, 0.7347956131605183,
      0.6001994017946161,  0.040877367896311065, 0.35892323030907275, 0.3858424725822533,  0.3220338983050848,
      0.29212362911266204, 0.06779661016949154,  0.36291126620139585, 0.5692921236291126};
  const NormalWishart prior{{0.49, -0.566}, 0.1, 2.5, {1.7394, -0.1792, -0.1792, 1.188}};
  ClusteringProblem example(Dataset::from_rows(rows, 8, 2), prior, make_dirichlet(0.9));
  StatsArena stats(3, example.components().stats_size());
  BlockBuffer buffer(2);
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> of_cluster;
    for (std::size_t row = 0; row < 8; ++row) of_cluster.push_back(shares[3 * row + c]);
    RowBlock block(example.rows(), 0, 8, buffer);
    example.components().add(stats[c], block, of_cluster);
  }
  const SoftClusters soft = soften(example.execution(), example.problem(), stats, {.max_iterations = 0});
  EXPECT_NEAR(soft.bound, 55.62965036539832, 1e-8);
}

// One cluster leaves nothing to share: the bound is the objective itself, whatever the partition prior.
TEST(SoftBound, OfOneClusterIsTheHardObjective) {
  for (std::size_t which : {0U, 1U}) {
    ClusteringProblem example(scattered_rows(200, 3, 4, 1).with_weights(some_weights(200, 1)), partition_number(which));
    const std::vector<std::int32_t> labels(200, 0);
    const SoftClusters soft = soften(example.execution(), example.problem(), clusters_of(example, labels));
    const double hard = example.objective(labels);
    EXPECT_NEAR(soft.bound, hard, 1e-9 * std::abs(hard));
  }
}

// A cluster that would become too light keeps what it has where K is fixed, at a bound that has only fallen.
TEST(SoftBound, StaysAtTheLimitOfSizes) {
  ClusteringProblem example(scattered_rows(200, 2, 2, 3, 6.0), make_dirichlet(1.0));
  const StatsArena start = clusters_of(example, random_labels(200, 5, 3));
  const auto soft = [&](const SizeLimit& sizes, std::size_t n) {
    return soften(example.execution(), example.problem(), start, {.max_iterations = n, .sizes = sizes});
  };
  const SoftClusters free = soft({}, 200);
  double lightest = 200.0;
  for (const double weight : free.stats.weights()) lightest = std::min(lightest, weight);
  ASSERT_TRUE(free.stats.size() < 5 || lightest < 20.0) << "no limit would be met";
  const SoftClusters held = soft({.least = 20.0, .is_k_free = false}, 200);
  EXPECT_TRUE(held.is_held);
  EXPECT_EQ(held.stats.size(), 5U);
  EXPECT_FALSE(has_lighter(held.stats, 20.0));
  EXPECT_LT(held.bound, soft({}, 0).bound);
}

// Clusters that rows are shared between anew need not be as heavy as the rows: the bound holds all the same.
TEST(SoftBound, HoldsForClustersThatWeighMoreThanTheRows) {
  ClusteringProblem example(scattered_rows(200, 3, 4, 1), make_dirichlet(2.0));
  const std::vector<std::int32_t> labels(200, 0);
  StatsArena twice = clusters_of(example, labels);
  example.components().merge(twice[0], StatsArena(twice)[0]);
  const double hard = example.objective(labels);
  EXPECT_GT(soften(example.execution(), example.problem(), twice, {.max_iterations = 0}).bound, hard);
  EXPECT_NEAR(soften(example.execution(), example.problem(), twice).bound, hard, 1e-9 * std::abs(hard));
}

// Where every row is sure of its cluster, labels have no entropy.
TEST(SoftBound, OfSeparatedClustersIsTheHardObjective) {
  const Generated made =
      generate(SeparatedGaussians{.n_rows = 300, .n_columns = 2, .k = 3, .separation = 20.0, .seed = 5});
  ClusteringProblem example(made.data, make_dirichlet(2.0));
  const SoftClusters soft = soften(example.execution(), example.problem(), clusters_of(example, made.labels));
  const double hard = example.objective(made.labels);
  EXPECT_LE(soft.bound, hard + 1e-9 * std::abs(hard));
  EXPECT_NEAR(soft.bound, hard, 0.5) << "the bound on the shares is not quite tight";
}

TEST(SoftBound, NeverRisesAndLiesBelowTheHardObjective) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    ClusteringProblem example(scattered_rows(250, 2, 4, seed, 1.5), make_dirichlet(2.0));
    MaximizationExpectation me = example.me();
    State state = me.from_labels(random_labels(250, 4, seed));
    me.converge(state);
    double last = state.objective;
    for (std::size_t n = 0; n < 12; ++n) {
      const SoftClusters soft =
          soften(example.execution(), example.problem(), state.stats, {.max_iterations = n, .tolerance = 0.0});
      EXPECT_LE(soft.bound, last + 1e-9 * std::abs(last)) << n;
      last = soft.bound;
    }
    EXPECT_LT(last, state.objective - 1.0) << "these clusters overlap";
  }
}

TEST(SoftBound, StatisticsCountAllRows) {
  ClusteringProblem example(scattered_rows(250, 2, 4, 3, 1.5).with_weights(some_weights(250, 3)), make_dirichlet(2.0));
  const SoftClusters soft =
      soften(example.execution(), example.problem(), clusters_of(example, random_labels(250, 3, 3)));
  double total = 0.0;
  for (std::size_t c = 0; c < soft.stats.size(); ++c) total += soft.stats.weight(c);
  EXPECT_NEAR(total, example.problem().total_weight, 1e-9 * total);
}

// Where clusters far away have no share, what changes among some rows changes the bound of the whole by as much.
TEST(SoftBound, OfSomeRowsBesideOthersChangesAsThatOfAll) {
  const std::size_t n_near = 300;
  const std::size_t n_far = 200;
  const Dataset near = scattered_rows(n_near, 2, 3, 4, 2.0);
  std::vector<double> values(near.doubles().begin(), near.doubles().end());
  RandomStream random{4, Purpose::test};
  for (std::size_t i = 0; i < 2 * n_far; ++i) values.push_back(500.0 + random.normal());
  ClusteringProblem all(Dataset::from_rows(std::move(values), n_near + n_far, 2), make_dirichlet(2.0));
  ClusteringProblem some(near, make_dirichlet(2.0));
  const Units units(some.rows());
  const Problem beside{units, some.components(), some.partition(), static_cast<double>(n_near + n_far)};
  const std::vector<double> others = {static_cast<double>(n_far)};
  const auto bounds = [&](std::size_t k) {
    std::vector<std::int32_t> labels = random_labels(n_near, k, 9);
    const StatsArena inside = clusters_of(some, labels);
    labels.resize(n_near + n_far, static_cast<std::int32_t>(k));
    return std::pair(soften(all.execution(), all.problem(), clusters_of(all, labels)).bound,
                     soften(some.execution(), beside, inside, {}, others).bound);
  };
  const auto [all_of_one, some_of_one] = bounds(1);
  const auto [all_of_three, some_of_three] = bounds(3);
  EXPECT_GT(std::abs(all_of_three - all_of_one), 1.0) << "else there is nothing to show";
  EXPECT_NEAR(all_of_three - all_of_one, some_of_three - some_of_one, 0.02);
}

}  // namespace
}  // namespace coppice::internal
