// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/shared_rows.hpp"

#include <gtest/gtest.h>

#include "coppice/infer/soft_bound.hpp"
#include "infer/expectation.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// More rows than one block holds, some without weight.
class SharedRowsOfClusters : public ::testing::Test {
 protected:
  std::size_t n_ = 5000;
  ClusteringProblem example_{scattered_rows(n_, 2, 4, 1, 2.0).with_weights(some_weights(n_, 1)), make_dirichlet(2.0)};
  StatsArena clusters_ = example_.me().from_labels(random_labels(n_, 4, 3)).stats;

  [[nodiscard]] std::vector<SharedRows> shared(double least_share) {
    return shared_rows(example_.execution(), example_.problem(), clusters_, least_share);
  }
};

TEST_F(SharedRowsOfClusters, SharesOfARowAddUpToItsWeight) {
  std::vector<double> total(n_, 0.0);
  for (const SharedRows& of_cluster : shared(0.0)) {
    ASSERT_EQ(of_cluster.rows.size(), of_cluster.shares.size());
    EXPECT_TRUE(std::ranges::is_sorted(of_cluster.rows));
    for (std::size_t i = 0; i < of_cluster.rows.size(); ++i) total[of_cluster.rows[i]] += of_cluster.shares[i];
  }
  for (std::size_t row = 0; row < n_; ++row) EXPECT_NEAR(total[row], example_.rows().weight(row), 1e-12);
}

TEST_F(SharedRowsOfClusters, AreThoseThatTheBoundGoesBy) {
  const std::unique_ptr<Components> clusters = example_.components().clone();
  clusters->update(clusters_);
  std::vector<double> log_weights = example_.problem().offsets(clusters_);
  for (double& value : log_weights) value = -value;
  const Expectation pass = expectation(example_.execution(), example_.problem().units, *clusters, log_weights,
                                       {.densities = Densities::expected});
  const std::vector<SharedRows> found = shared(0.0);
  for (std::size_t c = 0; c < found.size(); ++c) {
    double sum = 0.0;
    for (const double share : found[c].shares) sum += share;
    EXPECT_NEAR(sum, pass.stats.weight(c), 1e-9 * pass.stats.weight(c));
  }
}

TEST_F(SharedRowsOfClusters, LeaveOutWhatIsNotWorthMentioning) {
  const double least = 0.2;
  std::size_t n_left_out = 0;
  const std::vector<SharedRows> all = shared(0.0);
  const std::vector<SharedRows> some = shared(least);
  for (std::size_t c = 0; c < all.size(); ++c) {
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < all[c].rows.size(); ++i) {
      if (all[c].shares[i] >= least * example_.rows().weight(all[c].rows[i])) expected.push_back(all[c].rows[i]);
    }
    n_left_out += all[c].rows.size() - expected.size();
    EXPECT_EQ(some[c].rows, expected);
  }
  EXPECT_GT(n_left_out, 0U) << "else there is nothing to show";
}

}  // namespace
}  // namespace coppice::internal
