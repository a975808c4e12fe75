// SPDX-License-Identifier: BSD-3-Clause
// Inference with clusters that weigh their members.
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/assign/naive.hpp"
#include "coppice/family/student.hpp"
#include "coppice/infer/soft_bound.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/student_rows.hpp"

namespace coppice::internal {
namespace {

template <class Kind>
Kind kind_of(std::size_t d) {
  if constexpr (std::same_as<Kind, Gaussian>) {
    return Kind(plain_prior(d));
  } else {
    const std::size_t n_scales = std::same_as<Kind, DiagonalGaussian> ? d : 1;
    return Kind({std::vector<double>(d, 0.0), 0.1, 2.0, std::vector<double>(n_scales, 2.0), {}});
  }
}

// Soft clusters of rows under one family.
template <class F>
class Example {
 public:
  Example(const Generated& made, F family)
      : rows_(made.data, std::vector<double>(made.data.n_columns(), 0.0)),
        units_(rows_),
        components_(std::move(family)),
        partition_(make_dirichlet(2.0)),
        labels_(made.labels) {}

  [[nodiscard]] State state(const std::vector<std::int32_t>& labels) {
    Journal journal;
    return MaximizationExpectation(local_.get(), problem(), journal).from_labels(labels);
  }
  [[nodiscard]] StatsArena statistics(const std::vector<std::int32_t>& labels, const StatsArena& known) {
    return statistics_of_list(local_.get(), Subset(units_), components_, labels, known);
  }
  [[nodiscard]] double objective(const StatsArena& stats) const { return problem().objective(stats); }
  [[nodiscard]] State converged(State state) {
    Journal journal;
    MaximizationExpectation(local_.get(), problem(), journal).converge(state);
    return state;
  }
  // One cluster of all rows, which are not weighed yet.
  [[nodiscard]] StatsArena unweighed() {
    StatsArena stats(1, components_.stats_size());
    BlockBuffer buffer(rows_.n_columns());
    for (std::size_t at = 0; at < rows_.size(); at += kernels::panel_rows) {
      RowBlock block(rows_, at, std::min(kernels::panel_rows, rows_.size() - at), buffer);
      components_.add(stats[0], block, {});
    }
    return stats;
  }
  [[nodiscard]] SoftClusters soft(const SoftLimits& limits = {}) { return soften(state(labels_).stats, limits); }
  [[nodiscard]] SoftClusters soften(StatsArena stats, const SoftLimits& limits = {}) {
    return internal::soften(local_.get(), problem(), std::move(stats), limits);
  }

 private:
  [[nodiscard]] Problem problem() const {
    return {units_, components_, *partition_, static_cast<double>(rows_.size())};
  }

  LocalExecution local_{1};
  Rows rows_;
  Units units_;
  FamilyAdapter<F> components_;
  std::unique_ptr<PartitionPrior> partition_;
  std::vector<std::int32_t> labels_;
};

template <class Kind>
class Tails : public testing::Test {};
using Kinds = testing::Types<Gaussian, DiagonalGaussian, SphericalGaussian>;
TYPED_TEST_SUITE(Tails, Kinds);

// One cluster leaves nothing to share.
TYPED_TEST(Tails, OfOneClusterHaveTheHardObjective) {
  Example example(student_rows(300, 3, 2, 2.0, 1), StudentOf<TypeParam>(kind_of<TypeParam>(3).prior(), 3.0));
  const State hard = example.state(std::vector<std::int32_t>(300, 0));
  EXPECT_NEAR(example.soften(hard.stats, {.tolerance = 0.0}).bound, hard.objective, 1e-2);
  EXPECT_GT(example.soften(example.unweighed(), {.max_iterations = 0}).bound, hard.objective + 10.0);
  EXPECT_NEAR(example.soften(example.unweighed(), {.tolerance = 0.0}).bound, hard.objective, 1e-2);
}

// Many columns and tails without a mean: setting members and clusters in turn, alone, needs hundreds of steps.
TYPED_TEST(Tails, AreSettledByTheLabelsAlone) {
  Example example(student_rows(300, 48, 1, 1.0, 1), StudentOf<TypeParam>(kind_of<TypeParam>(48).prior(), 1.0));
  const State start = example.state(std::vector<std::int32_t>(300, 0));
  EXPECT_NEAR(example.converged(start).objective, start.objective, 0.05);
}

// From the members of hard clusters on, with rows that are shared by clusters that lie close together.
TYPED_TEST(Tails, NeverRaiseTheBound) {
  Generated made = student_rows(400, 3, 4, 2.0, 2);
  made.labels = random_labels(400, 4, 2);
  Example example(made, StudentOf<TypeParam>(kind_of<TypeParam>(3).prior(), 3.0));
  const double hard = example.state(made.labels).objective;
  double last = hard;
  for (std::size_t n = 0; n < 12; ++n) {
    const double bound = example.soft({.max_iterations = n, .tolerance = 0.0}).bound;
    EXPECT_LE(bound, last + 1e-9 * std::abs(last)) << n;
    last = bound;
  }
  EXPECT_LT(last, hard - 1.0) << "these labels are wrong";
}

TYPED_TEST(Tails, AreNearlyHardWhereClustersAreFarApart) {
  Generated made = student_rows(600, 3, 3, 8.0, 5);
  Example example(made, StudentOf<TypeParam>(kind_of<TypeParam>(3).prior(), 8.0));
  const double hard = example.state(made.labels).objective;
  EXPECT_LE(example.soft().bound, hard + 1e-9 * std::abs(hard));
  EXPECT_NEAR(example.soft().bound, hard, 1.0);
}

TYPED_TEST(Tails, WithoutTailsHaveTheBoundOfTheirKind) {
  const Generated made{scattered_rows(300, 2, 3, 4, 1.5), random_labels(300, 3, 4)};
  const auto kind = kind_of<TypeParam>(2);
  Example gaussian(made, kind);
  Example student(made, StudentOf<TypeParam>(kind.prior(), 1e8));
  EXPECT_NEAR(student.soft({.max_iterations = 30, .tolerance = 0.0}).bound,
              gaussian.soft({.max_iterations = 30, .tolerance = 0.0}).bound, 1e-2);
}

// Rows about two centres may agree with their cluster in more than one way: about one centre or the other. (Clusters of
// any shape stretch over both.)
TYPED_TEST(Tails, KnownClustersAreTakenWhereTheyAreBetter) {
  std::size_t n_better = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Generated made = student_rows(30, 3, 2, 1.0, seed);
    Example example(made, StudentOf<TypeParam>(kind_of<TypeParam>(3).prior(), 1.0));
    const std::vector<std::int32_t> one(30, 0);
    const double alone = example.state(one).objective;
    const State halves = example.state(made.labels);
    for (std::size_t half = 0; half < halves.k(); ++half) {
      StatsArena known(0, halves.stats.stats_size());
      known.append(halves.stats[half]);
      const StatsArena whole = example.statistics(one, known);
      const double with = example.objective(whole);
      EXPECT_LE(with, alone);
      EXPECT_LE(example.objective(example.statistics(one, whole)), with + 1e-9 * std::abs(with)) << "known itself";
      if (with < alone - 1.0) ++n_better;
    }
  }
  if (!std::same_as<TypeParam, Gaussian>) {
    EXPECT_GT(n_better, 0U);
  }
}

}  // namespace
}  // namespace coppice::internal
