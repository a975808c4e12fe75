// SPDX-License-Identifier: BSD-3-Clause
// Priors for which all sizes matter, or their number alone: asked by themselves, beside a background, and by sweeps.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "coppice/partition/background.hpp"
#include "coppice/partition/size_terms.hpp"
#include "coppice/structure/merge.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/partition/other_priors.hpp"

namespace coppice::internal {
namespace {

using Sizes = std::vector<double>;
const Sizes sizes = {3.0, 1.5, 8.0, 5.0};
constexpr double total = 17.5;

// By the conjugate identity (iii), as for all priors.
TEST(Sticks, OffsetsAreSlopesOfTheObjective) {
  const auto sticks = make_sticks(1.0, 2.5);
  const PartitionPrior& prior = *sticks;
  const std::vector<double> offsets = offsets_of(prior, sizes, total);
  const double h = 1e-5;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    Sizes more = sizes;
    Sizes less = sizes;
    more[c] += h;
    less[c] -= h;
    const double slope = (prior.objective(more, total + h) - prior.objective(less, total - h)) / (2.0 * h);
    EXPECT_NEAR(offsets[c], slope, 1e-8) << c;
  }
}

TEST(Sticks, SharesAndTheRemainderAreOne) {
  const auto sticks = make_sticks(1.0, 2.5);
  const PartitionPrior& prior = *sticks;
  double sum = std::exp(prior.log_remainder(sizes, total));
  for (const double share : log_shares_of(prior, sizes, total)) sum += std::exp(share);
  EXPECT_NEAR(sum, 1.0, 1e-14);
}

TEST(Sticks, WhatIsAskedForFirstIsTold) {
  const auto sticks = make_sticks(1.0, 2.5);
  const PartitionPrior& prior = *sticks;
  std::vector<double> some(2);
  prior.offsets(sizes, total, some);
  const std::vector<double> all = offsets_of(prior, sizes, total);
  EXPECT_EQ(some, std::vector<double>(all.begin(), all.begin() + 2));
}

// The table that every prior gets knows what a change of one size does to the order.
TEST(Sticks, ATableOfSharesLooksAtAllSizes) {
  const auto sticks = make_sticks(1.0, 2.5);
  const PartitionPrior& prior = *sticks;
  const auto table = prior.share_table(sizes, total);
  const std::vector<double> now = log_shares_of(prior, sizes, total);
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    EXPECT_EQ(table->log_share(c), now[c]);
    for (const double size : {0.5, 4.0, 20.0}) {
      Sizes changed = sizes;
      changed[c] = size;
      EXPECT_NEAR(table->log_share_if(c, size), log_shares_of(prior, changed, total)[c], 1e-14) << c << ' ' << size;
    }
  }
}

TEST(Sticks, ABackgroundIsOneStickMore) {
  const double outside = 4.0;
  const auto beside = beside_background(make_sticks(1.0, 2.5), {.log_volume = 3.0, .weight = outside});
  const auto sticks = make_sticks(1.0, 2.5);
  const PartitionPrior& prior = *sticks;
  const Sizes groups = {3.0, 1.5, 8.0, 5.0, outside};
  const std::vector<double> expected = offsets_of(prior, groups, total + outside);
  const std::vector<double> offsets = offsets_of(*beside, sizes, total);
  for (std::size_t c = 0; c < sizes.size(); ++c) EXPECT_EQ(offsets[c], expected[c]);
  EXPECT_NEAR(background_cost(*beside, sizes, total), 3.0 + expected[4], 1e-14);
  EXPECT_NEAR(background_log_joint(*beside, sizes, total), log_shares_of(prior, groups, total + outside)[4] - 3.0,
              1e-14);
  EXPECT_EQ(beside->share_table(sizes, total)->log_share(1), log_shares_of(prior, groups, total + outside)[1]);
  EXPECT_EQ(beside->parameters(), (std::vector<NamedParameter>{{"alpha1", 1.0}, {"alpha2", 2.5}}));
}

TEST(Sticks, SayThatMergesHaveNoClosedForm) {
  const auto sticks = make_sticks(1.0, 2.5);
  const PartitionPrior& prior = *sticks;
  EXPECT_EQ(prior.closed_merges(), nullptr);
  EXPECT_THROW((void)prior.merges(), std::logic_error);
  EXPECT_THROW((void)SizeTerms(prior, sizes), std::logic_error);
  const auto beside = beside_background(prior.clone(), {.log_volume = 3.0, .weight = 4.0});
  EXPECT_EQ(beside->closed_merges(), nullptr);
  EXPECT_THROW((void)beside->merges(), std::logic_error);
}

// With assertions on, a sweep that raises the objective throws.
TEST(Sticks, SweepsLowerTheObjective) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    ClusteringProblem test(scattered_rows(120, 2, 4, seed), make_sticks(1.0, 0.5));
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(120, 6, seed));
    const double start = state.objective;
    me.converge(state);
    EXPECT_LT(state.objective, start - 10.0);
    EXPECT_NEAR(state.objective, test.objective(state.labels), 1e-8);
  }
}

// Sweeps put no row where another cluster is cheaper by costs and offsets of all sizes.
TEST(Sticks, DecideWhereRowsBelong) {
  const Dataset data = scattered_rows(80, 1, 3, 3, 0.7);
  ClusteringProblem sticks(data, make_sticks(1.0, 0.01));
  ClusteringProblem none(data, make_no_partition_prior());
  MaximizationExpectation with = sticks.me();
  MaximizationExpectation without = none.me();
  State a = with.from_labels(random_labels(80, 3, 1));
  State b = without.from_labels(random_labels(80, 3, 1));
  with.converge(a);
  without.converge(b);
  EXPECT_NE(a.labels.by_row(), b.labels.by_row());
}

TEST(Penalty, ClustersMergeUntilThePenaltyIsNotWorthIt) {
  for (const double lambda2 : {1.0, 1e6}) {
    ClusteringProblem test(scattered_rows(200, 2, 3, 5, 20.0), std::make_unique<Penalty>(lambda2));
    MaximizationExpectation me = test.me();
    State state = me.from_labels(random_labels(200, 3, 5));
    me.converge(state);
    (void)merge_while_better(me, state);
    EXPECT_NEAR(state.objective, test.objective(state.labels), 1e-6 * (1.0 + std::abs(state.objective)));
    EXPECT_EQ(state.k() == 1, lambda2 > 1e3) << lambda2;
  }
}

}  // namespace
}  // namespace coppice::internal
