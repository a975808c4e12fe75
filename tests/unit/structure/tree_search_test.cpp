// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/tree_search.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/model/labelling.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/structure/all_partitions.hpp"
#include "unit/structure/given_prior.hpp"

namespace coppice::internal {
namespace {

using LabelList = std::vector<std::int32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Objectives are right to about 1e-12 of their size.
double rounding(double objective) { return 1e-10 * (1.0 + std::abs(objective)); }

MixtureSpec in_trees(MixtureSpec spec) {
  spec.prior.use = PriorUse::agglomeration;
  return spec;
}

MixtureSpec of_family(const char* family) {
  MixtureSpec spec;
  spec.family = family;
  return spec;
}

// Gaussian clusters whose prior has nothing left to be fitted, and does not mind where they are.
MixtureSpec given_prior(std::size_t n_columns) { return with_given_prior({}, plain_prior(n_columns, 1.0, 0.001)); }

// Everything that a search needs, kept alive together.
class Example {
 public:
  explicit Example(const Dataset& data, const MixtureSpec& spec = {}, const CutRule& cut = {}, std::size_t threads = 1,
                   Observer observer = {})
      : local_(threads),
        plan_(make_plan(local_.get(), in_trees(spec), ready_rows(local_.get(), in_trees(spec), data).rows)),
        journal_({.observer = std::move(observer)}),
        search_(plan_, cut, {}, local_, journal_) {}

  [[nodiscard]] TreeSearch& search() { return search_; }
  [[nodiscard]] const MixturePlan& plan() const { return plan_; }
  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] const Journal& journal() const { return journal_; }
  // The objective of any labels under the prior that was found.
  [[nodiscard]] double objective_of(const LabelList& labels) {
    return labelling_objective(local_.get(), plan_.rows, search_.components(), search_.partition(), labels);
  }
  [[nodiscard]] double objective() { return objective_of(search_.labels()); }

 private:
  LocalExecution local_;
  MixturePlan plan_;
  Journal journal_;
  TreeSearch search_;
};

Agglomeration tree_of(std::size_t n_leaves, std::vector<double> objective) {
  Agglomeration grown;
  grown.tree.n_leaves = n_leaves;
  grown.tree.merges.resize(objective.size() - 1);
  grown.objective = std::move(objective);
  return grown;
}

TEST(ChosenK, IsTheBestLevelThatTheRuleAllows) {
  const Agglomeration whole = tree_of(6, {9.0, 7.0, 8.0, 4.0, 5.0, 6.0});
  EXPECT_EQ(chosen_k({}, whole, 6), 3U);
  EXPECT_EQ(chosen_k({.is_at_least = false}, whole, 6), 5U);
  EXPECT_EQ(chosen_k({}, whole, 2), 2U) << "3 clusters would be better, but are too many";
  EXPECT_EQ(chosen_k({.is_at_least = false}, whole, 4), 3U);
  for (std::size_t k = 1; k <= 6; ++k) EXPECT_EQ(chosen_k({.k = k}, whole, 1), k);
  EXPECT_EQ(chosen_k({.k = 0}, whole, 6), 1U);
  EXPECT_EQ(chosen_k({.k = 9}, whole, 6), 6U);
}

TEST(ChosenK, OfAPartOfATreeIsALevelThatIsThere) {
  const Agglomeration part = tree_of(6, {9.0, 7.0, 8.0});  // 6, 5 and 4 clusters
  EXPECT_EQ(chosen_k({}, part, 6), 5U);
  EXPECT_EQ(chosen_k({}, part, 4), 4U);
  EXPECT_EQ(chosen_k({}, part, 3), std::nullopt);
  EXPECT_EQ(chosen_k({.k = 2}, part, 3), 4U) << "as near as it came";
}

TEST(LevelStatistics, AreThoseOfTheLabelling) {
  const Dataset data = scattered_rows(50, 2, 3, 1).with_weights(std::vector<double>(50, 1.5));
  ClusteringProblem test(data, make_dirichlet(2.0));
  const StatsArena leaves = row_statistics(test.execution(), test.components(), test.rows());
  const LabelList labels = random_labels(50, 4, 1);
  const StatsArena level = level_statistics(test.components(), leaves, labels, 4);
  const StatsArena expected = labelling_statistics(test.execution(), test.rows(), test.components(), labels);
  ASSERT_EQ(level.size(), 4U);
  for (std::size_t i = 0; i < level.values().size(); ++i) {
    EXPECT_NEAR(level.values()[i], expected.values()[i], rounding(expected.values()[i]));
  }
}

// Three groups of a few rows each, far apart for their width.
Dataset three_groups(std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 3};
  std::vector<double> values;
  for (const double centre : {-30.0, -30.0, -30.0, 0.0, 0.0, 25.0, 25.0}) {
    values.push_back(centre + 0.4 * random.normal());
    values.push_back(0.5 * centre + 0.4 * random.normal());
  }
  return Dataset::from_rows(std::move(values), 7, 2);
}

TEST(TreeSearch, FindsTheBestOfAllPartitions) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const bool has_groups = seed < 5;
    MixtureSpec spec = given_prior(2);
    if (seed % 2 == 1) spec.partition = {.name = "dp", .alpha = 0.7};
    Example example(has_groups ? three_groups(seed) : scattered_rows(7, 2, 3, seed), spec);
    example.search().run();
    double least = infinity;
    for_each_partition(7, [&](const LabelList& labels) { least = std::min(least, example.objective_of(labels)); });
    EXPECT_GE(example.objective(), least - rounding(least)) << seed;
    if (has_groups) {
      EXPECT_NEAR(example.objective(), least, rounding(least)) << seed;
      EXPECT_EQ(example.search().labels(), (LabelList{0, 0, 0, 1, 1, 2, 2})) << seed;
    }
  }
}

// Of three families, with priors that are fitted.
TEST(TreeSearch, KeepsTheBooks) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    constexpr std::size_t n = 120;
    Example example(scattered_rows(n, 2, 4, seed, 5.0), {});
    TreeSearch& search = example.search();
    search.run();
    EXPECT_EQ(search.reason(), StopReason::converged);
    ASSERT_TRUE(search.hierarchy());
    const auto& [tree, objective] = *search.hierarchy();
    ASSERT_EQ(objective.size(), n);
    for (std::size_t k = 1; k <= n; ++k) {
      const double expected = example.objective_of(cut(tree, k));
      EXPECT_NEAR(objective[n - k], expected, rounding(expected)) << k;
    }
    EXPECT_EQ(objective[n - search.k()], *std::ranges::min_element(objective));
    EXPECT_EQ(search.labels(), cut(tree, search.k()));

    ASSERT_EQ(search.families().size(), 3U);
    const auto winner = std::ranges::min_element(search.families(), {}, &FamilyResult::objective);
    EXPECT_EQ(winner->family, search.components().family());
    EXPECT_EQ(winner->k, search.k());
    EXPECT_EQ(winner->objective, objective[n - search.k()]);

    const std::map<std::size_t, double>& evidence = example.journal().k_evidence();
    EXPECT_EQ(evidence.size(), 100U);
    for (const auto& [k, value] : evidence) EXPECT_EQ(value, objective[n - k]) << k;
  }
}

TEST(TreeSearch, TheEvidenceOfTheChosenNumberIsListedHoweverLargeItIs) {
  Example example(scattered_rows(130, 2, 4, 1), given_prior(2), {.k = 125});
  example.search().run();
  EXPECT_EQ(example.search().k(), 125U);
  EXPECT_EQ(example.journal().k_evidence().size(), 101U);
  EXPECT_EQ(example.journal().k_evidence().at(125), example.search().hierarchy()->objective[5]);
}

// The least objective of the trees that the family grows from its starts.
double best_start(Example& example, const AdjustablePrior& prior) {
  double least = infinity;
  for (const std::vector<double>& values : prior.starts()) {
    const std::unique_ptr<Components> components = prior.at(values);
    const Agglomeration grown = agglomerate(example.execution(), *components, *example.plan().partition,
                                            row_statistics(example.execution(), *components, example.plan().rows), {});
    least = std::min(least, *std::ranges::min_element(grown.objective));
  }
  return least;
}

TEST(TreeSearch, AFittedPriorBeatsWhereItsFitBegan) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Example example(scattered_rows(80, 2, 4, seed, 4.0), {});
    example.search().run();
    double least = infinity;
    for (const auto& prior : example.plan().priors) {
      const double start = best_start(example, *prior);
      least = std::min(least, start);
      const auto result = std::ranges::find(example.search().families(), prior->family(), &FamilyResult::family);
      EXPECT_LE(result->objective, start + rounding(start)) << prior->family() << ", seed " << seed;
    }
    EXPECT_LT(example.objective(), least - 1.0) << seed;
  }
}

// They are told with what a fit of their prior would have come to.
TEST(TreeSearch, FamiliesFarBehindAreToldAndDoNotWin) {
  // Columns that go together, which only clusters of any shape can say.
  RandomStream random{1, Purpose::test, 3};
  std::vector<double> values;
  for (std::size_t row = 0; row < 90; ++row) {
    const double along = 10.0 * random.normal();
    values.insert(values.end(), {along, along + 0.1 * random.normal()});
  }
  Example example(Dataset::from_rows(std::move(values), 90, 2), {});
  example.search().run();
  EXPECT_EQ(example.search().components().family(), "gaussian");
  for (const char* family : {"diagonal", "spherical"}) {
    const auto prior = std::ranges::find(example.plan().priors, family, [](const auto& one) { return one->family(); });
    const auto result = std::ranges::find(example.search().families(), family, &FamilyResult::family);
    EXPECT_GT(result->objective, example.objective() + 0.1 * 90.0) << family;
    EXPECT_LE(result->objective, best_start(example, **prior)) << family;
  }
}

// A row that is there twice is no tight cluster of two: the prior is that of the different rows.
TEST(TreeSearch, CopiesHaveNoSayInThePrior) {
  const Dataset once = scattered_rows(70, 2, 4, 2, 4.0);
  std::vector<double> values(once.doubles().begin(), once.doubles().end());
  values.insert(values.end(), once.doubles().begin(), once.doubles().end());
  const Dataset twice = Dataset::from_rows(std::move(values), 140, 2);
  for (const Dataset& copies : {twice, once.with_weights(std::vector<double>(70, 2.0))}) {
    Example expected(once, of_family("spherical"));
    Example example(copies, of_family("spherical"));
    expected.search().run();
    example.search().run();
    EXPECT_EQ(example.search().labels().size(), copies.n_rows());
    const NamedArrays prior = example.search().components().prior_arrays();
    for (const auto& [name, array] : expected.search().components().prior_arrays()) {
      ASSERT_EQ(prior.at(name).values.size(), array.values.size());
      for (std::size_t i = 0; i < array.values.size(); ++i) {
        EXPECT_NEAR(prior.at(name).values[i], array.values[i], 1e-9 * (1.0 + std::abs(array.values[i]))) << name;
      }
    }
  }
}

TEST(TreeSearch, NeitherThreadsNorTheOrderOfRowsMatter) {
  const Dataset data = scattered_rows(300, 2, 5, 3, 4.0);
  Example one(data);
  Example two(data, {}, {}, 2);
  one.search().run();
  two.search().run();
  EXPECT_EQ(one.search().hierarchy()->tree, two.search().hierarchy()->tree);
  EXPECT_EQ(one.search().hierarchy()->objective, two.search().hierarchy()->objective);
  EXPECT_EQ(one.search().labels(), two.search().labels());

  std::vector<double> reversed;
  for (std::size_t row = 300; row-- > 0;) reversed.insert(reversed.end(), {data.value(row, 0), data.value(row, 1)});
  Example back(Dataset::from_rows(std::move(reversed), 300, 2));
  back.search().run();
  LabelList labels = back.search().labels();
  std::ranges::reverse(labels);
  EXPECT_EQ(evaluate::adjusted_rand_index(labels, one.search().labels()), 1.0);
  EXPECT_NEAR(back.objective(), one.objective(), 1e-6);
}

// The tree is the same up to the stop: its best level so far, or one cluster if that is better still.
TEST(TreeSearch, AStopOnTheWayLeavesTheBestLevelSoFar) {
  const Dataset data = scattered_rows(60, 2, 3, 4, 15.0);
  Example whole(data, given_prior(2));
  whole.search().run();
  const std::vector<double> objective = whole.search().hierarchy()->objective;
  std::size_t n_of_levels = 0;
  for (std::size_t k_at_stop = 60; k_at_stop >= 2; --k_at_stop) {
    Example example(data, given_prior(2), {}, 1, [&](const State& state) {
      EXPECT_EQ(state.k(), state.progress.k);
      return state.k() > k_at_stop ? Next::carry_on : Next::stop;
    });
    example.search().run();
    EXPECT_EQ(example.search().reason(), StopReason::cancelled);
    EXPECT_FALSE(example.search().hierarchy());
    const double so_far =
        *std::min_element(objective.begin(), objective.end() - static_cast<std::ptrdiff_t>(k_at_stop - 1));
    const double expected = std::min(so_far, objective.back());
    EXPECT_NEAR(example.objective(), expected, rounding(expected)) << "stopped at " << k_at_stop << " clusters";
    EXPECT_EQ(example.search().k() == 1, objective.back() <= so_far);
    if (so_far < objective.back()) ++n_of_levels;
  }
  EXPECT_GT(n_of_levels, 5U);
  EXPECT_LT(n_of_levels, 55U) << "stops at which one cluster is better are a case, too";
}

// Of the trees that were whole before the stop it is the best; objectives of whole trees are known but for their roots.
TEST(TreeSearch, AStopAmongTreesLeavesTheBestWholeOne) {
  const Dataset data = scattered_rows(60, 2, 4, 5, 5.0);
  bool is_stopped = true;
  std::size_t n_trees_at_most = 0;
  for (std::size_t stop_at = 10; is_stopped; stop_at += 3) {
    std::size_t n_seen = 0;
    std::size_t n_trees = 0;  // begun
    double least_of_tree = infinity;
    double least_of_whole = infinity;
    Example example(data, {}, {}, 1, [&](const State& state) {
      if (state.k() == 60) {
        if (n_trees++ > 0) least_of_whole = std::min(least_of_whole, least_of_tree);
        least_of_tree = infinity;
      }
      least_of_tree = std::min(least_of_tree, state.objective);
      return ++n_seen < stop_at ? Next::carry_on : Next::stop;
    });
    example.search().run();
    is_stopped = example.search().reason() == StopReason::cancelled;
    if (is_stopped && n_trees > 1) {
      EXPECT_TRUE(example.search().hierarchy()) << stop_at;
      EXPECT_LE(example.objective(), least_of_whole + rounding(least_of_whole)) << stop_at;
    }
    n_trees_at_most = std::max(n_trees_at_most, n_trees);
  }
  EXPECT_GT(n_trees_at_most, 6U) << "two starts of three families, and fits";
}

// Clusters of a tree that has hardly begun are none.
TEST(TreeSearch, AStopBeforeThereAreFewClustersLeavesNothing) {
  Example example(scattered_rows(1100, 1, 3, 6), given_prior(1), {}, 1, [](const State&) { return Next::stop; });
  EXPECT_THROW(example.search().run(), Stopped);
}

}  // namespace
}  // namespace coppice::internal
