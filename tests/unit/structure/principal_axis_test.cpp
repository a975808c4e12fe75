// SPDX-License-Identifier: BSD-3-Clause
#include "structure/principal_axis.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/split.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

std::vector<std::size_t> everyone(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

MemberAxis axis_of(const Rows& rows, const Components& components) {
  return principal_axis(Units(rows), components, everyone(rows.size()));
}

// The largest eigenvector of the weighted covariance of rows, or of their shares.
SplitAxis by_eigenvectors(const Rows& rows, bool takes_shares) {
  const auto d = static_cast<Eigen::Index>(rows.n_columns());
  Eigen::MatrixXd x(static_cast<Eigen::Index>(rows.size()), d);
  Eigen::VectorXd w(static_cast<Eigen::Index>(rows.size()));
  std::vector<double> row(rows.n_columns());
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    rows.copy_row(static_cast<std::size_t>(i), row);
    x.row(i) = Eigen::Map<Eigen::RowVectorXd>(row.data(), d);
    w(i) = x.row(i).sum() > 0.0 || !takes_shares ? rows.weight(static_cast<std::size_t>(i)) : 0.0;
    if (takes_shares && x.row(i).sum() > 0.0) x.row(i) /= x.row(i).sum();
  }
  const Eigen::RowVectorXd mean = w.transpose() * x / w.sum();
  x.rowwise() -= mean;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(x.transpose() * w.asDiagonal() * x / w.sum());
  const Eigen::VectorXd v = solver.eigenvectors().col(d - 1);
  return {{v.data(), v.data() + d}, solver.eigenvalues()(d - 1)};
}

double overlap(const std::vector<double>& a, const std::vector<double>& b) {
  return std::abs(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
}

// Two clear clusters of rows: the axis lies between them.
Dataset two_clusters(bool are_bits, std::size_t n_rows, std::size_t d, std::uint64_t seed) {
  return are_bits ? random_bits(n_rows, d, 2, seed) : random_counts(n_rows, d, 2, seed, 40);
}

TEST(PrincipalAxis, IsTheLargestEigenvector) {
  for (const std::size_t d : {2U, 8U, 30U}) {
    for (const bool are_bits : {false, true}) {
      const Dataset data = two_clusters(are_bits, 500, d, d);
      std::vector<double> weights(500);
      for (std::size_t i = 0; i < 500; ++i) weights[i] = static_cast<double>(i % 3);
      const FamilyAdapter<Multinomial> counts(Multinomial(d, 0.1));
      const FamilyAdapter<Bernoulli> bits(Bernoulli(d, 0.1));
      const Components& components = are_bits ? static_cast<const Components&>(bits) : counts;
      const Rows rows = rows_of(data.with_weights(weights));
      const SplitAxis want = by_eigenvectors(rows, !are_bits);
      const MemberAxis got = axis_of(rows, components);
      EXPECT_GT(overlap(got.axis.direction, want.direction), 0.999) << d << " columns";
      EXPECT_NEAR(got.axis.variance, want.variance, 0.01 * want.variance);
      EXPECT_NEAR(overlap(got.axis.direction, got.axis.direction), 1.0, 1e-12);
      EXPECT_GT(*std::ranges::max_element(got.axis.direction),
                -*std::ranges::min_element(got.axis.direction) * (1.0 - 1e-8));
      const MemberAxis sparse = axis_of(rows_of(sparse_copy(rows.data())), components);
      for (std::size_t c = 0; c < d; ++c) {
        EXPECT_NEAR(sparse.axis.direction[c], got.axis.direction[c], 1e-3);  // other marks, so another way there
      }
    }
  }
}

TEST(PrincipalAxis, KnowsNeitherOrderNorCopies) {
  const Dataset data = random_bits(900, 12, 3, 1);
  const FamilyAdapter<Bernoulli> bits(Bernoulli(12, 0.1));
  const MemberAxis plain = axis_of(rows_of(data), bits);
  std::vector<std::size_t> backwards = everyone(900);
  std::ranges::reverse(backwards);
  const Rows rows = rows_of(data);
  EXPECT_EQ(principal_axis(Units(rows), bits, backwards).axis.direction, plain.axis.direction);
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  values.insert(values.end(), data.doubles().begin(), data.doubles().end());
  const MemberAxis twice = axis_of(rows_from(std::move(values), 12), bits);
  for (std::size_t c = 0; c < 12; ++c) EXPECT_NEAR(twice.axis.direction[c], plain.axis.direction[c], 1e-12);
}

// More members than are looked at: those of lowest hash, so that the order does not matter here either.
TEST(PrincipalAxis, TakesASampleOfManyMembers) {
  const Dataset data = random_bits(6000, 30, 2, 2);
  const FamilyAdapter<Bernoulli> bits(Bernoulli(30, 0.1));
  const Rows rows = rows_of(data);
  std::vector<std::size_t> backwards = everyone(6000);
  std::ranges::reverse(backwards);
  const MemberAxis found = axis_of(rows, bits);
  EXPECT_EQ(principal_axis(Units(rows), bits, backwards).axis.direction, found.axis.direction);
  EXPECT_GT(overlap(found.axis.direction, by_eigenvectors(rows, false).direction), 0.98);
}

TEST(PrincipalAxis, OfMembersThatAreAllAlikeIsNothing) {
  const FamilyAdapter<Bernoulli> bits(Bernoulli(3, 0.1));
  const Rows same = rows_from({1, 0, 1, 1, 0, 1, 1, 0, 1}, 3);
  EXPECT_EQ(axis_of(same, bits).axis.direction, std::vector<double>(3, 0.0));
  const FamilyAdapter<Multinomial> counts(Multinomial(2, 0.1));
  const Rows empty = rows_from({0, 0, 0, 0}, 2);
  EXPECT_EQ(axis_of(empty, counts).axis.direction, std::vector<double>(2, 0.0));
}

// Rows of one profile lie on one side, however many words they have.
TEST(PrincipalPlane, OfCountsGoesByShares) {
  const Rows rows = rows_from({9, 1, 90, 10, 1, 9, 10, 90, 2, 0, 0, 500}, 2);
  const FamilyAdapter<Multinomial> counts(Multinomial(2, 0.1));
  const std::unique_ptr<PartitionPrior> partition = make_dirichlet(1.0);
  LocalExecution local(1);
  for (const Rows& form : {rows, rows_of(sparse_copy(rows.data()))}) {
    const Units units(form);
    const StatsArena stats = statistics_of(local.get(), units, counts, one_label(units), 1);
    const Problem problem{units, counts, *partition, 6.0};
    const Plane plane = principal_plane(problem, stats[0], Subset(units));
    EXPECT_EQ(divide(local.get(), Subset(units), counts, plane).labels.by_row(),
              (std::vector<std::int32_t>{0, 0, 1, 1, 0, 1}));
  }
}

}  // namespace
}  // namespace coppice::internal
