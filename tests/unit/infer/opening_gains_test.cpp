// SPDX-License-Identifier: BSD-3-Clause
// Mixtures over fronts of a tree: what opening nodes changes, and where it ends.
#include "coppice/infer/opening_gains.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "coppice/infer/shared_rows.hpp"
#include "coppice/tree/node_statistics.hpp"
#include "unit/infer/mixture_examples.hpp"

namespace coppice::internal {
namespace {

template <class F>
class Fronts : public testing::Test, public MixtureExample<F> {
 public:
  Fronts()
      : MixtureExample<F>(700),
        tree_(this->execution(), this->rows(), 16),
        stats_(node_statistics(this->execution(), tree_, this->components())),
        tree_units_{tree_, stats_} {}

  // The step from the same statistics over a front.
  [[nodiscard]] VariationalStep step_over(const Front& front, const StatsArena& mixture) {
    const FrontUnits of{tree_units_, std::make_shared<const Front>(front)};
    const Units units(of);
    const auto clusters = this->components().clone();
    return variational_step(this->execution(), this->problem(units), *clusters, mixture);
  }
  [[nodiscard]] std::vector<double> gains(const Front& front, const StatsArena& mixture) {
    const FrontUnits of{tree_units_, std::make_shared<const Front>(front)};
    const Units units(of);
    return opening_gains(this->execution(), this->problem(units), mixture);
  }
  // A few updates from arbitrary shares, so that components differ.
  [[nodiscard]] StatsArena settled_mixture() {
    StatsArena mixture = this->start(4, 0.1);
    for (std::size_t i = 0; i < 6; ++i) mixture = this->step(mixture).next;
    return mixture;
  }

 protected:
  KdTree tree_;
  StatsArena stats_;
  TreeUnits tree_units_;
};
TYPED_TEST_SUITE(Fronts, MixtureFamilies);

// Whatever is opened, and by exactly what was foretold.
TYPED_TEST(Fronts, ADeeperFrontNeverRaisesTheFreeEnergy) {
  const StatsArena mixture = this->settled_mixture();
  for (const Front& front :
       {Front::at_depth(this->tree_, 2), Front::at_depth(this->tree_, 4), Front::of_leaves(this->tree_)}) {
    const double before = this->step_over(front, mixture).bound;
    const std::vector<double> gains = this->gains(front, mixture);
    ASSERT_EQ(gains.size(), front.nodes().size());
    for (std::size_t unit = 0; unit < gains.size(); ++unit) {
      const double rounding = 1e-12 * std::abs(before);
      EXPECT_GE(gains[unit], -rounding);
      const std::vector<std::size_t> opened = {unit};
      EXPECT_NEAR(before - this->step_over(front.opened(opened), mixture).bound, gains[unit], rounding) << unit;
    }
  }
}

// From the sums of a front to those of its rows.
TYPED_TEST(Fronts, SumsByRowAreThoseOfTheRows) {
  const StatsArena mixture = this->settled_mixture();
  const FrontUnits of{this->tree_units_, std::make_shared<const Front>(Front::at_depth(this->tree_, 3))};
  const Units units(of);
  const Problem problem = this->problem(units);
  const NodeLogSums sums(this->execution(), problem, mixture);
  const auto nodes = of.front->nodes();
  double gap = 0.0;
  for (const double of_node : sums.by_row(nodes)) gap += of_node;
  for (const double of_node : sums.tied(nodes)) gap -= of_node;
  const double expected = this->step_over(*of.front, mixture).bound - this->step(mixture).bound;
  EXPECT_NEAR(gap, expected, 1e-9 * (1.0 + std::abs(this->step(mixture).bound)));
}

// A sample knows all of two rows, or of equal ones, and about as much of others.
TYPED_TEST(Fronts, SampledGainsAreThoseOfTheRows) {
  const StatsArena mixture = this->settled_mixture();
  const KdTree fine(this->execution(), this->rows(), 2);
  const StatsArena stats = node_statistics(this->execution(), fine, this->components());
  const TreeUnits tree{fine, stats};
  const auto check = [&](Front front, const auto& compare) {
    const FrontUnits of{tree, std::make_shared<const Front>(std::move(front))};
    const Units units(of);
    const Problem problem = this->problem(units);
    const NodeLogSums sums(this->execution(), problem, mixture);
    const std::vector<double> sampled = sums.sampled_gains(of.front->nodes());
    std::vector<double> exact = sums.by_row(of.front->nodes());
    const std::vector<double> tied = sums.tied(of.front->nodes());
    for (std::size_t i = 0; i < exact.size(); ++i) exact[i] -= tied[i];
    compare(sampled, exact);
  };
  check(Front::of_leaves(fine), [](std::span<const double> sampled, std::span<const double> exact) {
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(sampled[i], exact[i], 1e-9) << i;
  });
  check(Front::at_depth(fine, 3), [](std::span<const double> sampled, std::span<const double> exact) {
    const double of_sample = std::accumulate(sampled.begin(), sampled.end(), 0.0);
    const double of_all = std::accumulate(exact.begin(), exact.end(), 0.0);
    EXPECT_NEAR(of_sample, of_all, 0.5 * of_all + 1e-9);  // nothing, where all rows of a node are equal
  });
}

TYPED_TEST(Fronts, TheDeepestFrontGivesTheStepOfTheRows) {
  const StatsArena mixture = this->settled_mixture();
  const VariationalStep rows = this->step(mixture);
  const VariationalStep front = this->step_over(Front::of_rows(this->tree_), mixture);
  EXPECT_NEAR(front.bound, rows.bound, 1e-11 * std::abs(rows.bound));
  ASSERT_EQ(front.next.size(), rows.next.size());
  for (std::size_t i = 0; i < rows.next.values().size(); ++i) {
    EXPECT_NEAR(front.next.values()[i], rows.next.values()[i], 1e-9 * (1.0 + std::abs(rows.next.values()[i])));
  }
  EXPECT_LT(rows.bound, this->step_over(Front::at_depth(this->tree_, 0), mixture).bound - 1.0)
      << "else there is nothing to show";
}

// What components have of the units of a front, nodes and rows, is what the step gives them.
TYPED_TEST(Fronts, SharesOfUnitsAddUpToTheStep) {
  const StatsArena mixture = this->settled_mixture();
  Front front = Front::of_leaves(this->tree_);
  front = front.opened(std::vector<std::size_t>{0, 3, 5});
  const FrontUnits of{this->tree_units_, std::make_shared<const Front>(front)};
  const Units units(of);
  const std::vector<SharedRows> shared = shared_rows(this->execution(), this->problem(units), mixture, 0.0);
  const VariationalStep step = this->step_over(front, mixture);
  const Plane everywhere{std::vector<double>(this->d, 0.0), -1.0};
  for (std::size_t c = 0; c < mixture.size(); ++c) {
    const StatsArena sides = divide(this->execution(), units, shared[c].portion(), this->components(), everywhere);
    EXPECT_EQ(sides.weight(1), 0.0);
    for (std::size_t i = 0; i < mixture.stats_size(); ++i) {
      EXPECT_NEAR(sides[0][i], step.next[c][i], 1e-9 * (1.0 + std::abs(step.next[c][i])));
    }
  }
}

}  // namespace
}  // namespace coppice::internal
