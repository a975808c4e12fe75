// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/heavy_tails.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/student_rows.hpp"

namespace coppice::internal {
namespace {

struct Kind {
  const char* gaussian = "gaussian";
  const char* student = "student";
};
constexpr Kind all_kinds[] = {
    {"gaussian", "student"}, {"diagonal", "student-diagonal"}, {"spherical", "student-spherical"}};

// Gaussian clusters of the rows, and the Student-t clusters that come of them.
class Example {
 public:
  explicit Example(const Dataset& data, AutoSearchOptions options = {}, Kind kind = {}, StopSignal stop = {})
      : local_(2, std::move(stop)),
        rows_(data, std::vector<double>(data.n_columns(), 0.0)),
        assigner_(make_assigner(Units(rows_))),
        shape_(gaussian_shape(local_.get(), rows_)),
        partition_(make_dirichlet(2.0)),
        gaussian_prior_(make_gaussian_prior(kind.gaussian, shape_)),
        student_prior_(make_gaussian_prior(kind.student, shape_)),
        first_(gaussian_prior_->at(gaussian_prior_->starts().front())),
        ground_{*assigner_, *partition_, static_cast<double>(data.n_rows()), shape_.variance},
        options_(options) {
    options_.limits.moves_single_rows = true;
    me_.emplace(local_.get(), Problem{ground_.units(), *first_, *partition_, ground_.total_weight}, journal_,
                *assigner_);
    Leader leader;
    AutoSearch search(*me_, ground_, *gaussian_prior_, options_, leader);
    search.run();
    gaussian_ = search.best()->copy();
  }

  [[nodiscard]] const Found& gaussian() const { return gaussian_; }
  [[nodiscard]] std::optional<Found> unless_gaussian() { return behind(gaussian_.state.objective); }
  [[nodiscard]] std::optional<Found> behind(double leader) {
    return find_heavy_tails(*me_, ground_, *student_prior_, gaussian_, options_, leader);
  }
  [[nodiscard]] Found student() {
    return std::move(*find_heavy_tails(*me_, ground_, *student_prior_, gaussian_, options_, std::nullopt));
  }
  [[nodiscard]] double objective(const Found& found) {
    return labelling_objective(local_.get(), rows_, *found.components, *partition_, found.state.labels.by_row());
  }

 private:
  LocalExecution local_;
  Rows rows_;
  std::unique_ptr<Assigner> assigner_;
  GaussianShape shape_;
  std::unique_ptr<PartitionPrior> partition_;
  std::unique_ptr<AdjustablePrior> gaussian_prior_;
  std::unique_ptr<AdjustablePrior> student_prior_;
  std::unique_ptr<Components> first_;
  SearchGround ground_;
  AutoSearchOptions options_;
  Journal journal_;
  std::optional<MaximizationExpectation> me_;
  Found gaussian_;
};

TEST(HeavyTails, PiecesOfStudentClustersAreJoined) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Generated made = student_rows(1500, 4, 3, 3.0, seed);
    Example example(made.data);
    const Found found = example.student();
    EXPECT_GT(example.gaussian().state.k(), 3U) << "there is nothing to join";
    EXPECT_TRUE(example.unless_gaussian());
    EXPECT_EQ(found.state.k(), 3U);
    EXPECT_GT(evaluate::adjusted_rand_index(found.state.labels.by_row(), made.labels), 0.97);
    EXPECT_LT(found.state.objective, example.gaussian().state.objective - 50.0);
    EXPECT_LT(found.values.back(), 8.0) << "degrees of freedom";
    EXPECT_NEAR(found.state.objective, example.objective(found), 0.05);
    EXPECT_EQ(found.reason, StopReason::converged);
  }
}

// More columns than one row's factor needs, few rows for a shape, and tails without a variance. A hundred steps of
// weighing alone end far from where the search has ended.
TEST(HeavyTails, OfEveryKindAreFoundInManyColumns) {
  const Generated made = student_rows(600, 24, 6, 2.0, 2);
  for (const Kind& kind : all_kinds) {
    SCOPED_TRACE(kind.student);
    Example example(made.data, {}, kind);
    const std::optional<Found> found = example.unless_gaussian();
    ASSERT_TRUE(found);
    EXPECT_GT(example.gaussian().state.k(), 6U);
    EXPECT_EQ(found->state.k(), 6U);
    EXPECT_GT(evaluate::adjusted_rand_index(found->state.labels.by_row(), made.labels), 0.98);
    EXPECT_NEAR(found->state.objective, example.objective(*found), 1.0);
  }
}

TEST(HeavyTails, GaussianClustersStayAsTheyAre) {
  const Generated made = generate(GaussianMixture{.n_rows = 1000, .n_columns = 3, .k = 4, .tau = 4.0, .seed = 5});
  Example example(made.data);
  if (const std::optional<Found> tails = example.unless_gaussian()) {
    EXPECT_GT(tails->state.objective, example.gaussian().state.objective) << "no tails at all";
  }
  const Found found = example.student();
  EXPECT_EQ(found.state.k(), example.gaussian().state.k());
  EXPECT_GT(found.state.objective, example.gaussian().state.objective - 1.0);
}

// A fit at a time, the freedom gets to 70 in twelve rounds.
TEST(HeavyTails, WhereThereAreNoneTheFreedomGoesFar) {
  const Generated made = generate(GaussianMixture{.n_rows = 2000, .n_columns = 8, .k = 4, .tau = 2.0, .seed = 5});
  EXPECT_GT(Example(made.data).student().values.back(), 300.0);
}

// In many columns the first freedom is far behind Gaussian clusters.
TEST(HeavyTails, LightOnesAreNotGivenUpForTheFirstFreedom) {
  const Generated made = generate(GaussianMixture{.n_rows = 1500, .n_columns = 32, .k = 3, .tau = 2.0, .seed = 5});
  const std::optional<Found> found = Example(made.data).unless_gaussian();
  ASSERT_TRUE(found);
  EXPECT_GT(found->values.back(), 300.0);
}

// Where another family is far ahead of what tails can gain, pieces are not even merged.
TEST(HeavyTails, ALeaderOutOfReachEndsTheSearch) {
  const Generated made = student_rows(1500, 4, 3, 3.0, 1);
  Example example(made.data);
  const double without = example.gaussian().state.objective;
  const double with = example.student().state.objective;
  const std::optional<Found> in_reach = example.behind((without + with) / 2.0);
  ASSERT_TRUE(in_reach);
  EXPECT_EQ(in_reach->state.k(), 3U);
  const std::optional<Found> out_of_reach = example.behind(without - 10.0 * static_cast<double>(made.data.n_rows()));
  ASSERT_TRUE(out_of_reach);
  EXPECT_EQ(out_of_reach->state.k(), example.gaussian().state.k());
}

TEST(HeavyTails, AFixedNumberOfClustersIsKept) {
  const Generated made = student_rows(800, 2, 3, 3.0, 4);
  AutoSearchOptions options;
  options.limits.k = 6;
  Example example(made.data, options);
  ASSERT_EQ(example.gaussian().state.k(), 6U);
  EXPECT_EQ(example.student().state.k(), 6U);
}

TEST(HeavyTails, WithAPriorAsStartedOnlyTheStartsCount) {
  const Generated made = student_rows(800, 2, 3, 3.0, 4);
  AutoSearchOptions options;
  options.prior_fit = PriorFit::as_started;
  Example example(made.data, options);
  const Found found = example.student();
  for (std::size_t i = 0; i + 1 < found.values.size(); ++i) EXPECT_EQ(found.values[i], example.gaussian().values[i]);
}

}  // namespace
}  // namespace coppice::internal
