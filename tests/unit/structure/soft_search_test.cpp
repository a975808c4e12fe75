// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/soft_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/infer/soft_bound.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/two_clusters.hpp"

namespace coppice::internal {
namespace {

// The gaussian family with its prior fitted, from given labels.
class Example {
 public:
  explicit Example(const Dataset& data, std::size_t n_threads = 1)
      : local_(n_threads),
        rows_(data, std::vector<double>(data.n_columns(), 0.0)),
        assigner_(make_assigner(Units(rows_))),
        partition_(make_dirichlet(2.0)),
        prior_(make_gaussian_prior("gaussian", gaussian_shape(local_.get(), rows_))),
        ground_{*assigner_, *partition_, total_weight(data), {}} {}

  [[nodiscard]] SoftFound search(std::span<const std::int32_t> labels, const AutoSearchOptions& options = {}) {
    return search_softly(local_.get(), ground_, *prior_, found(labels), options);
  }
  [[nodiscard]] double near(std::span<const std::int32_t> labels) {
    return soft_bound_near(local_.get(), ground_, found(labels));
  }
  // After sweeps.
  [[nodiscard]] double objective(std::span<const std::int32_t> labels) {
    const std::unique_ptr<Components> family = prior_->at(prior_->starts().front());
    Journal unread;
    MaximizationExpectation me(local_.get(), {ground_.units(), *family, *partition_, ground_.total_weight}, unread);
    State state = me.from_labels(labels);
    me.converge(state);
    return state.objective;
  }
  [[nodiscard]] double bound_of(const SoftFound& soft) {
    const Problem problem{ground_.units(), *soft.components, *partition_, ground_.total_weight};
    return soften(local_.get(), problem, soft.stats, {.max_iterations = 0}).bound;
  }

 private:
  [[nodiscard]] Found found(std::span<const std::int32_t> labels) {
    Found found;
    found.values = prior_->starts().front();
    found.components = prior_->at(found.values);
    Journal unread;
    MaximizationExpectation me(local_.get(), {ground_.units(), *found.components, *partition_, ground_.total_weight},
                               unread);
    found.state = me.from_labels(labels);
    return found;
  }

  LocalExecution local_;
  Rows rows_;
  std::unique_ptr<Assigner> assigner_;
  std::unique_ptr<PartitionPrior> partition_;
  std::unique_ptr<AdjustablePrior> prior_;
  SearchGround ground_;
};

const std::vector<std::int32_t> one_label(6000, 0);

TEST(SoftSearch, TellsOverlappingClustersApart) {
  Example example(two_clusters(3000, 2.8, 1));
  const SoftFound found = example.search(one_label);
  EXPECT_EQ(found.stats.size(), 2U);
  EXPECT_LT(found.bound, example.near(one_label));
}

// By more than that no family can be behind by labels and still be searched by the bound.
TEST(SoftSearch, SharingARowIsWorthAtMostLogK) {
  for (const double distance : {0.0, 1.0, 2.8, 20.0}) {
    for (const std::size_t k : {2U, 5U, 30U}) {
      Example example(two_clusters(300, distance, 1));
      const std::vector<std::int32_t> labels = random_labels(600, k, 4);
      const double bound = example.near(labels);
      EXPECT_GT(bound, example.objective(labels) - 600.0 * std::log(static_cast<double>(k)));
    }
  }
}

TEST(SoftSearch, MergesPieces) {
  Example example(two_clusters(1000, 0.0, 3));
  EXPECT_EQ(example.search(random_labels(2000, 3, 4)).stats.size(), 1U);
}

TEST(SoftSearch, KeepsToTheLimit) {
  Example example(two_clusters(3000, 2.8, 1));
  AutoSearchOptions options;
  options.limits.max_k = 1;
  EXPECT_EQ(example.search(one_label, options).stats.size(), 1U);
}

// The bound is that of the clusters under the prior that is returned, and below where it began; the prior is fitted.
TEST(SoftSearch, ItsBoundIsThatOfItsClusters) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Example example(scattered_rows(400, 2, 5, seed, 2.5).with_weights(some_weights(400, seed)));
    const std::vector<std::int32_t> labels = random_labels(400, 3, seed);
    const SoftFound found = example.search(labels);
    EXPECT_NEAR(found.bound, example.bound_of(found), 1e-9 * std::abs(found.bound));
    EXPECT_LE(found.bound, example.near(labels) + 1e-9 * std::abs(found.bound));
    AutoSearchOptions as_started;
    as_started.prior_fit = PriorFit::as_started;
    EXPECT_LE(found.bound, example.search(labels, as_started).bound) << "a fit is one more way down";
  }
}

TEST(SoftSearch, DoesNotDependOnThreads) {
  const Dataset data = scattered_rows(5000, 3, 6, 2, 2.0);
  const std::vector<std::int32_t> labels = random_labels(5000, 4, 2);
  const SoftFound one = Example(data, 1).search(labels);
  const SoftFound three = Example(data, 3).search(labels);
  EXPECT_EQ(one.bound, three.bound);
  EXPECT_EQ(one.stats, three.stats);
  EXPECT_EQ(one.values, three.values);
}

}  // namespace
}  // namespace coppice::internal
