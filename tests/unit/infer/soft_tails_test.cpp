// SPDX-License-Identifier: BSD-3-Clause
// The soft bound of clusters that weigh their members.
#include <gtest/gtest.h>

#include <cmath>

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
class SoftTails : public testing::Test {};
using Kinds = testing::Types<Gaussian, DiagonalGaussian, SphericalGaussian>;
TYPED_TEST_SUITE(SoftTails, Kinds);

// One cluster leaves nothing to share.
TYPED_TEST(SoftTails, OfOneClusterHaveTheHardObjective) {
  Example example(student_rows(300, 3, 2, 2.0, 1), StudentOf<TypeParam>(kind_of<TypeParam>(3).prior(), 3.0));
  const State hard = example.state(std::vector<std::int32_t>(300, 0));
  EXPECT_NEAR(example.soften(hard.stats, {.tolerance = 0.0}).bound, hard.objective, 1e-2);
}

// From the members of hard clusters on, with rows that are shared by clusters that lie close together.
TYPED_TEST(SoftTails, NeverRaiseTheBound) {
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

TYPED_TEST(SoftTails, AreNearlyHardWhereClustersAreFarApart) {
  Generated made = student_rows(600, 3, 3, 8.0, 5);
  Example example(made, StudentOf<TypeParam>(kind_of<TypeParam>(3).prior(), 8.0));
  const double hard = example.state(made.labels).objective;
  EXPECT_LE(example.soft().bound, hard + 1e-9 * std::abs(hard));
  EXPECT_NEAR(example.soft().bound, hard, 1.0);
}

TYPED_TEST(SoftTails, WithoutTailsHaveTheBoundOfTheirKind) {
  const Generated made{scattered_rows(300, 2, 3, 4, 1.5), random_labels(300, 3, 4)};
  const auto kind = kind_of<TypeParam>(2);
  Example gaussian(made, kind);
  Example student(made, StudentOf<TypeParam>(kind.prior(), 1e8));
  EXPECT_NEAR(student.soft({.max_iterations = 30, .tolerance = 0.0}).bound,
              gaussian.soft({.max_iterations = 30, .tolerance = 0.0}).bound, 1e-2);
}

}  // namespace
}  // namespace coppice::internal
