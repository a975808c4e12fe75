// SPDX-License-Identifier: BSD-3-Clause
// vdp over a front of a tree that grows where the free energy falls.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/variational_dp.hpp"
#include "coppice/structure/growing_front.hpp"
#include "coppice/tree/node_statistics.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/methods/bound_of_rows.hpp"

namespace coppice::internal {
namespace {

Generated separated(std::size_t n_rows, std::size_t k, std::uint64_t seed) {
  return generate(SeparatedGaussians{.n_rows = n_rows, .n_columns = 4, .k = k, .separation = 4.0, .seed = seed});
}

TEST(FastVdp, ComesNearTheFreeEnergyOfAllRows) {
  const Generated made = separated(20000, 6, 3);
  for (const char* family : {"gaussian", "diagonal"}) {
    VariationalDp method{.family = family, .prior = "grid"};
    const Fit slow = fit(made.data, method);
    method.assign = "kdtree";
    const Fit fast = fit(made.data, method);
    if (family == std::string("gaussian")) {  // what the clusters are; others take them for several
      EXPECT_EQ(fast.model.k(), slow.model.k());
      EXPECT_GT(evaluate::adjusted_rand_index(fast.labels, slow.labels), 0.99);
    }
    const double difference = (fast.model.objective() - slow.model.objective()) / 20000.0;
    EXPECT_LT(difference, 0.05);
    ASSERT_TRUE(fast.assign.front.has_value());
    EXPECT_FALSE(slow.assign.front.has_value());
    EXPECT_GE(fast.assign.front->gap, 0.0);
    const double left = fast.model.objective() - bound_of_rows(fast, made.data);
    EXPECT_NEAR(fast.assign.front->gap, left / 20000.0, 1e-9) << "what opening all of it would gain";
    EXPECT_LE(fast.assign.front->gap, method.budget_nats);
    EXPECT_LT(fast.assign.front->nodes + fast.assign.front->rows, 4000U) << "or it would not be fast";
    EXPECT_LT(fast.counters.distances, slow.counters.distances / 2);
  }
}

TEST(FastVdp, WithoutABudgetEveryRowHasSharesOfItsOwn) {
  const Generated made = generate(GaussianMixture{.n_rows = 1500, .n_columns = 2, .k = 4, .tau = 2.0, .seed = 2});
  VariationalDp method{.family = "gaussian", .prior = "paper"};
  const Fit slow = fit(made.data, method);
  method.assign = "kdtree";
  method.budget_nats = 0.0;
  const Fit fast = fit(made.data, method);
  EXPECT_LT(fast.assign.front->gap, 1e-9);
  EXPECT_EQ(fast.model.k(), slow.model.k());
  EXPECT_NEAR(fast.model.objective(), slow.model.objective(), 2.0);
}

// Nodes of the rows of two clusters hide that they are two: before a component is given up it is looked at row by row.
TEST(FastVdp, SmallTablesAreCutAsFinelyAsRowByRow) {
  for (const SeparatedGaussians& made : {SeparatedGaussians{.n_rows = 1000}, SeparatedGaussians{.n_rows = 2000},
                                         SeparatedGaussians{.n_rows = 2000, .seed = 1},
                                         SeparatedGaussians{.n_rows = 3000, .n_columns = 50, .k = 3, .seed = 1}}) {
    const Dataset data = generate(made).data;
    VariationalDp method{.family = "gaussian", .prior = "paper"};
    const double near = fit(data, method).model.objective() + 0.01 * static_cast<double>(made.n_rows);
    method.assign = "kdtree";
    EXPECT_LT(fit(data, method).model.objective(), near);
    method.max_k = 20;
    method.epsilon = 0.0;
    EXPECT_LT(fit(data, method).model.objective(), near) << "goes on from the best";
  }
}

// Releases that raise F stay; the mixture before them had nodes of its own to be opened.
TEST(FastVdp, WhatIsReturnedIsOpenedToTheBudget) {
  const Dataset data = generate(GaussianMixture{.n_rows = 8000, .n_columns = 2, .k = 5, .tau = 1.5, .seed = 4}).data;
  const VariationalDp method{
      .max_k = 12, .family = "gaussian", .epsilon = 0.0, .prior = "paper", .assign = "kdtree", .budget_nats = 0.001};
  const Fit found = fit(data, method);
  ASSERT_GT(found.k_evidence.rbegin()->first, found.model.k()) << "it went past the best";
  EXPECT_LE(found.assign.front->gap, 0.001);
}

TEST(FastVdp, BudgetsAreKept) {
  const Generated made = generate(GaussianMixture{.n_rows = 8000, .n_columns = 2, .k = 5, .tau = 1.5, .seed = 4});
  VariationalDp method{.family = "gaussian", .prior = "paper", .assign = "kdtree"};
  const Fit coarse = fit(made.data, method);
  method.budget_nats = 0.001;
  const Fit fine = fit(made.data, method);
  EXPECT_LE(coarse.assign.front->gap, 0.01);
  EXPECT_LE(fine.assign.front->gap, 0.001);
  EXPECT_GT(fine.assign.front->nodes + fine.assign.front->rows, coarse.assign.front->nodes + coarse.assign.front->rows);
  method.budget_nodes = 100;
  const Fit small = fit(made.data, method);
  EXPECT_LE(small.assign.front->nodes + small.assign.front->rows, 100U);
  EXPECT_GT(small.model.objective(), fine.model.objective());
}

TEST(FastVdp, ThreadsChangeNothing) {
  const Dataset data = separated(12000, 4, 6).data;
  const VariationalDp method{.family = "gaussian", .assign = "kdtree"};
  const Fit one = fit(data, method, {.threads = 1});
  const Fit three = fit(data, method, {.threads = 3});
  EXPECT_EQ(three.model, one.model);
  EXPECT_EQ(three.labels, one.labels);
}

// Two clusters that overlap and one far away: the front is fine where rows are shared, and coarse where they are not.
TEST(FastVdp, TheFrontIsFineWhereTheFreeEnergyFalls) {
  RandomStream random{5, Purpose::test};
  std::vector<double> values;
  for (std::size_t row = 0; row < 6000; ++row) {
    values.push_back(random.normal() + (row % 3 == 0 ? 100.0 : row % 3 == 1 ? 0.0 : 3.0));
    values.push_back(random.normal());
  }
  LocalExecution local(1);
  const Rows rows(Dataset::from_rows(std::move(values), 6000, 2), {0.0, 0.0});
  const FamilyAdapter<Gaussian> family = plain_gaussian(2);
  const KdTree tree(local.get(), rows, 8);
  const StatsArena stats = node_statistics(local.get(), tree, family);
  GrowingFront front({tree, stats}, {.nats = 1e-4});
  const auto partition = make_sticks(1.0, 1.0);
  const Problem problem{front.units(), family, *partition, 6000.0};
  std::vector<std::int32_t> labels(6000);
  for (std::size_t row = 0; row < 6000; ++row) labels[row] = static_cast<std::int32_t>(row % 3);
  const StatsArena mixture = labelling_statistics(local.get(), rows, family, labels);
  while (front.open_for_gain(local.get(), problem, mixture)) {
  }
  // Units and their rows far away, and between the two that overlap.
  std::size_t units_far = 0;
  std::size_t units_between = 0;
  std::vector<double> row(2);
  const auto count = [&](double x) { ++(x > 50.0 ? units_far : x > 0.5 && x < 2.5 ? units_between : units_far); };
  for (const std::uint32_t node : front.front().nodes()) {
    const double x = family.column_moments(stats[node]).mean[0];
    if (x > 50.0 || (x > 0.5 && x < 2.5)) count(x);
  }
  for (const std::size_t place : front.front().rows()) {
    tree.rows().copy_row(place, row);
    if (row[0] > 50.0 || (row[0] > 0.5 && row[0] < 2.5)) count(row[0]);
  }
  EXPECT_LT(units_far, 20U) << "2000 rows, all sure of their cluster";
  EXPECT_GT(units_between, 4 * units_far) << "fewer rows, none of them sure";
}

// All of their nodes are leaves, by which a component of some hundred rows cannot be cut. (Searches differ, and may end
// in other optima.)
TEST(FastVdp, SmallTablesAreSearchedAsRowByRow) {
  for (const std::size_t n_rows : {300U, 600U, 1000U}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << n_rows << " rows, seed " << seed);
      const Dataset data =
          generate(GaussianMixture{
                       .n_rows = n_rows, .n_columns = 5, .k = 8, .tau = 0.5, .spread = Spread::tight, .seed = seed})
              .data;
      const Fit by_rows = fit(data, VariationalDp{.family = "gaussian"});
      const Fit by_nodes = fit(data, VariationalDp{.family = "gaussian", .assign = "kdtree"});
      EXPECT_GT(*by_nodes.k_in_use, 4U);
      EXPECT_LT(by_nodes.model.objective(), by_rows.model.objective() + 0.1 * static_cast<double>(n_rows));
    }
  }
}

}  // namespace
}  // namespace coppice::internal
