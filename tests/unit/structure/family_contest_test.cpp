// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/family_contest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "coppice/runtime/error.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;
using Priors = std::vector<std::unique_ptr<AdjustablePrior>>;

constexpr double infinity = std::numeric_limits<double>::infinity();

double rounding(double objective) { return 1e-9 * (1.0 + std::abs(objective)); }

// Everything that a contest needs, kept alive together.
class Example {
 public:
  explicit Example(const Dataset& data, const std::vector<const char*>& families, std::size_t threads = 1,
                   Observer observer = {})
      : local_(threads),
        rows_(data, std::vector<double>(data.n_columns(), 0.0)),
        assigner_(make_assigner(Units(rows_))),
        partition_(make_dirichlet(2.0)),
        shape_(gaussian_shape(local_.get(), rows_)),
        total_(total_weight(data)),
        journal_({.observer = std::move(observer)}) {
    for (const char* family : families) priors_.push_back(make_gaussian_prior(family, shape_));
  }

  // One more family, whose clusters are far too wide for the rows.
  void add_far_behind() {
    const std::size_t d = rows_.n_columns();
    priors_.push_back(make_fixed_prior(std::make_unique<FamilyAdapter<Gaussian>>(Gaussian(plain_prior(d, 1e6)))));
  }

  void add(std::unique_ptr<AdjustablePrior> prior) { priors_.push_back(std::move(prior)); }

  void set_k(std::size_t k) { k_ = k; }

  [[nodiscard]] FamilyContest& contest() {
    if (contest_) return *contest_;
    first_ = priors_.front()->at(priors_.front()->starts().front());
    me_.emplace(local_.get(), Problem{assigner_->units(), *first_, *partition_, total_}, journal_, *assigner_);
    AutoSearchOptions options;
    options.limits.moves_single_rows = true;
    options.limits.k = k_;
    return contest_.emplace(*me_, SearchGround{*assigner_, *partition_, total_, shape_.variance}, priors_, options);
  }
  [[nodiscard]] const Priors& priors() const { return priors_; }
  [[nodiscard]] const Journal& journal() const { return journal_; }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double objective(const Components& components, const LabelList& labels) {
    return labelling_objective(local_.get(), rows_, components, *partition_, labels);
  }

 private:
  LocalExecution local_;
  Rows rows_;
  std::unique_ptr<Assigner> assigner_;
  std::unique_ptr<PartitionPrior> partition_;
  GaussianShape shape_;
  double total_;
  Journal journal_;
  Priors priors_;
  std::optional<std::size_t> k_;
  std::unique_ptr<Components> first_;
  std::optional<MaximizationExpectation> me_;
  std::optional<FamilyContest> contest_;
};

const std::vector<const char*> three_families = {"gaussian", "diagonal", "spherical"};

// The ranking is in order, and every state is worth what its labels are.
void expect_in_order(Example& example) {
  const std::vector<RankedFamily> ranking = example.contest().ranking();
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    const Found& found = ranking[i].found;
    EXPECT_EQ(found.components->family(), ranking[i].prior->family());
    const double objective = example.objective(*ranking[i].prior->at(found.values), found.state.labels.by_row());
    EXPECT_NEAR(found.state.objective, objective, rounding(objective));
    if (i > 0) {
      EXPECT_GE(found.state.objective, ranking[i - 1].found.state.objective);
    }
  }
}

TEST(FamilyContest, TheWinnerIsNoWorseThanAnythingThatWasSeen) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    double lowest = infinity;
    Dataset data = scattered_rows(150, 2, 5, seed, 4.0);
    if (seed == 3) data = data.with_weights(some_weights(150, seed));
    Example example(data, three_families, 1, [&](const State& state) {
      lowest = std::min(lowest, state.objective);
      return Next::carry_on;
    });
    example.contest().run();
    expect_in_order(example);
    const RankedFamily winner = std::move(example.contest().ranking().front());
    EXPECT_LE(winner.found.state.objective, lowest + rounding(lowest)) << seed;
    const std::vector<FamilyResult> results = example.contest().results();
    ASSERT_EQ(results.size(), 3U);
    double least = infinity;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(results[i].family, three_families[i]) << "in the order of the families";
      least = std::min(least, results[i].objective);
    }
    EXPECT_EQ(winner.found.state.objective, least);
  }
}

// Far behind: told of, but not searched further.
TEST(FamilyContest, AFamilyFarBehindIsGivenUp) {
  std::vector<std::string> seen;
  Example example(scattered_rows(200, 2, 5, 1, 6.0), {"spherical"}, 1, [&](const State& state) {
    if (seen.empty() || seen.back() != state.model->family) seen.push_back(state.model->family);
    return Next::carry_on;
  });
  example.add_far_behind();
  example.contest().run();
  const std::vector<FamilyResult> results = example.contest().results();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_GT(results[1].objective, results[0].objective + 0.1 * example.total());
  const std::vector<RankedFamily> ranking = example.contest().ranking();
  ASSERT_EQ(ranking.size(), 2U);
  EXPECT_EQ(ranking.front().prior, example.priors().front().get());
  EXPECT_EQ(seen, (std::vector<std::string>{"spherical", "gaussian", "spherical"})) << "the last is its polish";
}

// Clusters that can be made once, and never again.
class FailingPrior final : public AdjustablePrior {
 public:
  [[nodiscard]] std::string_view family() const override { return "gaussian"; }
  [[nodiscard]] const std::vector<PriorNumber>& numbers() const override { return inner_->numbers(); }
  [[nodiscard]] const std::vector<std::vector<double>>& starts() const override { return inner_->starts(); }
  [[nodiscard]] std::unique_ptr<Components> at(std::span<const double> values) const override {
    if (n_made_++ > 0) throw NumericError("no factors");
    return inner_->at(values);
  }

 private:
  std::unique_ptr<AdjustablePrior> inner_ =
      make_fixed_prior(std::make_unique<FamilyAdapter<Gaussian>>(Gaussian(plain_prior(2, 1.0))));
  mutable std::size_t n_made_ = 0;
};

TEST(FamilyContest, AFamilyThatFailsIsLeftOut) {
  const Dataset data = scattered_rows(60, 2, 2, 1);
  Example both(data, {"spherical"});
  both.add(std::make_unique<FailingPrior>());
  both.contest().run();
  ASSERT_EQ(both.contest().ranking().size(), 1U);
  EXPECT_EQ(both.contest().found("gaussian"), nullptr);
  Example alone(data, {});
  alone.add(std::make_unique<FailingPrior>());
  FamilyContest& of_one = alone.contest();
  EXPECT_THROW(of_one.run(), NumericError);
  Example none(data, {});
  for (int i = 0; i < 2; ++i) none.add(std::make_unique<FailingPrior>());
  FamilyContest& of_two = none.contest();
  EXPECT_THROW(of_two.run(), NumericError) << "neither has found anything";
}

TEST(FamilyContest, AFamilyThatIsCloseIsSearchedFurther) {
  std::vector<std::string> seen;
  Example example(scattered_rows(200, 2, 5, 1, 6.0), {"spherical", "diagonal"}, 1, [&](const State& state) {
    if (seen.empty() || seen.back() != state.model->family) seen.push_back(state.model->family);
    return Next::carry_on;
  });
  example.contest().run();
  EXPECT_EQ(example.contest().ranking().size(), 2U);
  EXPECT_EQ(seen, (std::vector<std::string>{"spherical", "diagonal", "spherical", "diagonal"}));
}

TEST(FamilyContest, FromLabelsEveryFamilyIsNoWorseThanThose) {
  const Dataset data = scattered_rows(120, 2, 4, 2, 3.0);
  const LabelList labels = random_labels(120, 9, 2);
  std::vector<std::size_t> first_k;
  std::string family;
  Example example(data, three_families, 1, [&](const State& state) {
    if (state.model->family != family) first_k.push_back(state.k());
    family = state.model->family;
    return Next::carry_on;
  });
  example.contest().run(labels);
  EXPECT_EQ(first_k, (std::vector<std::size_t>{9, 9, 9})) << "each begins with the labels, and is searched once";
  const std::vector<FamilyResult> results = example.contest().results();
  ASSERT_EQ(results.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const AdjustablePrior& prior = *example.priors()[i];
    EXPECT_LT(results[i].objective, example.objective(*prior.at(prior.starts().front()), labels)) << results[i].family;
  }
  expect_in_order(example);
}

TEST(FamilyContest, AStopAtAnyReportLeavesTheBestOfAllFamilies) {
  const Dataset data = scattered_rows(50, 2, 4, 3, 4.0);
  bool is_stopped = true;
  std::size_t n_families = 0;
  for (std::size_t stop_at = 1; is_stopped; stop_at += 1 + stop_at / 8) {
    std::size_t n_seen = 0;
    double lowest = infinity;
    Example example(data, three_families, 1, [&](const State& state) {
      lowest = std::min(lowest, state.objective);
      return ++n_seen < stop_at ? Next::carry_on : Next::stop;
    });
    is_stopped = false;
    try {
      example.contest().run();
    } catch (const Stopped&) {
      is_stopped = true;
    }
    const std::vector<RankedFamily> ranking = example.contest().ranking();
    ASSERT_FALSE(ranking.empty()) << stop_at;
    EXPECT_LE(ranking.front().found.state.objective, lowest + rounding(lowest)) << stop_at;
    expect_in_order(example);
    n_families = std::max(n_families, ranking.size());
  }
  EXPECT_EQ(n_families, 3U);
}

// As soon as one family has as many clusters as asked for, it is ahead of those that have fewer.
TEST(FamilyContest, AStopKeepsTheNumberOfClusters) {
  const Dataset data = scattered_rows(60, 2, 1, 5);  // which want to be one
  bool is_stopped = true;
  std::size_t n_late = 0;
  for (std::size_t stop_at = 1; is_stopped; stop_at += 1 + stop_at / 4) {
    std::size_t n_seen = 0;
    std::string family;
    Example example(data, {"spherical", "diagonal"}, 1, [&](const State& state) {
      family = state.model->family;
      return ++n_seen < stop_at ? Next::carry_on : Next::stop;
    });
    example.set_k(8);
    is_stopped = false;
    try {
      example.contest().run();
    } catch (const Stopped&) {
      is_stopped = true;
    }
    if (family == "spherical") continue;
    ASSERT_FALSE(example.contest().ranking().empty());
    EXPECT_EQ(example.contest().ranking().front().found.state.k(), 8U) << stop_at;
    ++n_late;
  }
  EXPECT_GT(n_late, 3U);
}

TEST(FamilyContest, DoesNotDependOnThreads) {
  const Dataset data = scattered_rows(300, 3, 5, 4, 3.0);
  Example one(data, three_families);
  Example two(data, three_families, 2);
  one.contest().run();
  two.contest().run();
  const std::vector<RankedFamily> expected = one.contest().ranking();
  const std::vector<RankedFamily> found = two.contest().ranking();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].prior->family(), expected[i].prior->family());
    EXPECT_EQ(found[i].found.state.labels, expected[i].found.state.labels);
    EXPECT_EQ(found[i].found.state.objective, expected[i].found.state.objective);
    EXPECT_EQ(found[i].found.values, expected[i].found.values);
  }
}

}  // namespace
}  // namespace coppice::internal
