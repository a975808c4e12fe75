// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/abc.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <set>

#include "coppice/data/generate.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/prior_fit.hpp"
#include "coppice/structure/weightless_leaves.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/family/discrete_examples.hpp"
#include "unit/methods/without_result.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Generated mixture(std::size_t n_rows = 300, std::uint64_t seed = 1) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = 4, .tau = 8.0, .seed = seed});
}

double ari(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  return evaluate::adjusted_rand_index(a, b);
}

template <class Method>
std::string refusal(const Dataset& data, const Method& method) {
  try {
    (void)fit(data, method);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Abc, FindsTheClustersOfAMixture) {
  const Generated made = mixture();
  for (const char* prior : {"auto", "paper"}) {
    const Fit found = fit(made.data, AgglomerativeBayesian{.prior = prior});
    EXPECT_GT(ari(found.labels, made.labels), 0.9) << prior;
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.model.method(), "abc");
    EXPECT_EQ(found.probabilities.size(), 300U);
    EXPECT_EQ(found.model.predict(made.data).size(), 300U);
  }
}

TEST(Abc, LabelsAreTheCutOfTheTree) {
  const Generated made = mixture();
  const Fit found = fit(made.data, AgglomerativeBayesian{});
  ASSERT_TRUE(found.hierarchy);
  EXPECT_EQ(found.hierarchy->tree.n_leaves, 300U);
  ASSERT_EQ(found.hierarchy->objective.size(), 300U);
  EXPECT_EQ(ari(found.labels, cut(found.hierarchy->tree, found.model.k())), 1.0);
  const double objective = found.hierarchy->objective[300 - found.model.k()];
  EXPECT_NEAR(found.model.objective(), objective, 1e-9 * std::abs(objective));
  EXPECT_EQ(objective, *std::ranges::min_element(found.hierarchy->objective));
  EXPECT_EQ(found.k_evidence.at(found.model.k()), found.model.objective());
  EXPECT_EQ(found.k_evidence.size(), 100U);
  EXPECT_NEAR(found.model.score(made.data, found.labels), objective, 1e-9 * std::abs(objective));
}

TEST(Abc, CutsWhereItIsTold) {
  const Generated made = mixture();
  const AgglomerativeBayesian method{.family = "gaussian", .prior = "paper"};
  for (const std::uint64_t k : {1U, 3U, 17U, 300U}) {
    AgglomerativeBayesian with_k = method;
    with_k.k = k;
    const Fit found = fit(made.data, with_k);
    EXPECT_EQ(found.model.k(), k);
    EXPECT_EQ(std::set(found.labels.begin(), found.labels.end()).size(), k);
  }
  AgglomerativeBayesian early = method;
  early.stop = "first-rise";
  const Fit found = fit(made.data, early);
  const std::vector<double>& objective = found.hierarchy->objective;
  const std::size_t made_merges = 300 - found.model.k();
  EXPECT_GE(objective[made_merges + 1], objective[made_merges]);
  for (std::size_t i = 0; i < made_merges; ++i) EXPECT_LT(objective[i + 1], objective[i]);
}

TEST(Abc, IsTheSameForAnyNumberOfThreadsAndAnyStructure) {
  const Dataset data = mixture(400).data;
  const AgglomerativeBayesian method{};
  const Fit one = fit(data, method, {.threads = 1});
  for (const std::uint64_t threads : {2U, 4U}) {
    const Fit found = fit(data, method, {.threads = threads});
    EXPECT_EQ(found.hierarchy->tree, one.hierarchy->tree);
    EXPECT_EQ(found.hierarchy->objective, one.hierarchy->objective);
    EXPECT_EQ(found.labels, one.labels);
    EXPECT_EQ(found.model, one.model);
  }
  AgglomerativeBayesian paper{.prior = "paper"};
  const Dendrogram expected = fit(data, paper).hierarchy->tree;
  for (const char* pairs : {"naive", "conga"}) {
    paper.pairs = pairs;
    EXPECT_EQ(fit(data, paper).hierarchy->tree, expected) << pairs;
  }
}

TEST(Abc, ThreeFamiliesCompete) {
  const Fit found = fit(mixture().data, AgglomerativeBayesian{});
  ASSERT_EQ(found.families.size(), 3U);
  double least = found.families.front().objective;
  for (const FamilyResult& family : found.families) least = std::min(least, family.objective);
  EXPECT_NEAR(found.model.objective(), least, 1e-9 * std::abs(least));
}

TEST(Abc, TheFittedPriorIsNoWorseThanItsStart) {
  const Dataset data = mixture(250, 3).data;
  const Fit found = fit(data, AgglomerativeBayesian{.family = "spherical"});
  const Fit best = fit(data, AgglomerativeBayesian{});
  EXPECT_LE(best.model.objective(), found.model.objective() + 1e-6);
}

TEST(Abc, FitsThePriorInASampleOfManyRows) {
  const Generated made = mixture(1500, 4);
  const Fit found = fit(made.data, AgglomerativeBayesian{.family = "spherical"});
  EXPECT_EQ(found.hierarchy->tree.n_leaves, 1500U);
  EXPECT_GT(ari(found.labels, made.labels), 0.9);
}

TEST(Abc, BitsAndCountsHaveTheirFamilies) {
  const Fit bits = fit(random_bits(80, 12, 3, 1).with_kinds(std::vector<ColumnKind>(12, ColumnKind::binary)),
                       AgglomerativeBayesian{});
  EXPECT_EQ(bits.model.components().family(), "bernoulli");
  const Fit counts = fit(random_counts(80, 8, 3, 1), AgglomerativeBayesian{.family = "multinomial"});
  EXPECT_EQ(counts.model.components().family(), "multinomial");
  EXPECT_TRUE(counts.hierarchy);
}

// The shares of ones, with half a one and half a zero more.
TEST(Abc, FittedPriorsOfBitsAreCentredOnTheRates) {
  const Dataset data = random_bits(80, 12, 3, 1);
  const npy::Array omega0 =
      fit(data, AgglomerativeBayesian{.family = "bernoulli"}).model.components().prior_arrays().at("omega0");
  ASSERT_EQ(omega0.shape, (std::vector<std::size_t>{2, 12}));
  for (std::size_t d = 0; d < 12; ++d) {
    double ones = 0.0;
    for (std::size_t row = 0; row < 80; ++row) ones += data.value(row, d);
    EXPECT_NEAR(omega0.values[12 + d] / (omega0.values[d] + omega0.values[12 + d]), (ones + 0.5) / 81.0, 1e-12);
    EXPECT_NEAR(omega0.values[d] + omega0.values[12 + d], omega0.values[0] + omega0.values[12], 1e-12);
  }
}

TEST(Abc, PriorsOfBitsByHandAndByThePaperAreSymmetric) {
  const Dataset data = random_bits(40, 6, 3, 1);
  const auto omega0 = [&](const AgglomerativeBayesian& method) {
    return fit(data, method).model.components().prior_arrays().at("omega0").values;
  };
  EXPECT_EQ(omega0({.family = "bernoulli", .omega0 = 0.4}), std::vector<double>{0.4});
  EXPECT_EQ(omega0({.family = "bernoulli", .prior = "paper"}), std::vector<double>{0.1});
}

Dataset few_rows(double unit_of_first) {
  Generated made = generate(GaussianMixture{.n_rows = 60, .n_columns = 10, .k = 3, .tau = 4.0, .seed = 5});
  std::vector<double> values;
  for (std::size_t row = 0; row < 60; ++row) {
    for (std::size_t d = 0; d < 10; ++d) values.push_back(made.data.value(row, d) * (d == 0 ? unit_of_first : 1.0));
  }
  return Dataset::from_rows(std::move(values), 60, 10);
}

TEST(Abc, FewRowsOfColumnsThatVaryAlikeHaveARoundPrior) {
  EXPECT_EQ(fit(few_rows(1.0), AgglomerativeBayesian{}).families.size(), 2U) << "round, or of any shape";
  EXPECT_EQ(fit(few_rows(100.0), AgglomerativeBayesian{}).families.size(), 3U);
  const auto b0 = [](const Dataset& data) {
    return fit(data, AgglomerativeBayesian{.family = "gaussian"}).model.components().prior_arrays().at("b0").values;
  };
  const std::vector<double> round = b0(few_rows(1.0));
  for (std::size_t d = 1; d < 10; ++d) EXPECT_EQ(round[d * 11], round[0]);
  const std::vector<double> by_column = b0(few_rows(100.0));
  EXPECT_GT(by_column[0], 100.0 * by_column[11]);
}

// Nothing is left to be gained at the level where clusters have three rows.
TEST(Abc, ThePriorOfFewRowsIsFittedWhereClustersAreSmall) {
  const Dataset data = few_rows(1.0);
  const Fit found = fit(data, AgglomerativeBayesian{.family = "gaussian"});
  LocalExecution local(1);
  const Rows rows(data, {found.model.origin().begin(), found.model.origin().end()});
  GaussianShape shape = gaussian_shape(local.get(), rows);
  shape.is_round = true;
  const auto prior = make_gaussian_prior("gaussian", shape);
  const NamedArrays arrays = found.model.components().prior_arrays();
  const double eta0 = arrays.at("eta0").values.front();
  const double mean = std::accumulate(shape.variance.begin(), shape.variance.end(), 0.0) / 10.0;
  const std::vector<double> values{arrays.at("b0").values.front() / eta0 / mean, eta0 - 9.0,
                                   arrays.at("xi0").values.front()};
  const auto gain = [&](const std::vector<double>& from, std::size_t k) {
    const StatsArena clusters =
        labelling_statistics(local.get(), rows, *prior->at(from), cut(found.hierarchy->tree, k));
    return fit_prior(local.get(), *prior, from, clusters).gain;
  };
  EXPECT_LT(gain(values, 20), 1.0);
  EXPECT_GT(gain(values, 2), 10.0) << "it would be another prior at another level";
}

TEST(Abc, WeightlessRowsJoinFirst) {
  Generated made = mixture(60, 2);
  std::vector<double> weights(60, 1.0);
  for (const std::size_t row : {0U, 7U, 31U}) weights[row] = 0.0;
  const Fit found = fit(made.data.with_weights(weights), AgglomerativeBayesian{.family = "spherical"});
  ASSERT_TRUE(found.hierarchy);
  const Hierarchy& all = *found.hierarchy;
  EXPECT_EQ(all.tree.n_leaves, 60U);
  ASSERT_EQ(all.tree.merges.size(), 59U);
  EXPECT_EQ(all.objective.size(), 60U);
  EXPECT_EQ(all.tree.merges.back().size, 60.0);
  EXPECT_EQ(all.objective[0], all.objective[3]);
  EXPECT_EQ(ari(found.labels, cut(all.tree, found.model.k())), 1.0);
  for (std::size_t i = 0; i < 59; ++i) {
    EXPECT_LT(all.tree.merges[i].a, all.tree.merges[i].b);
    EXPECT_LT(all.tree.merges[i].b, 60 + i);
  }
}

TEST(Abc, AWeightOfTwoIsALeafOfTwo) {
  const Dataset data = mixture(50, 2).data;
  std::vector<double> weights(50, 2.0);
  const AgglomerativeBayesian method{.k = 4, .family = "gaussian", .xi0 = 0.1, .eta0 = 3.0};
  const Fit weighed = fit(data.with_weights(weights), method);
  EXPECT_EQ(weighed.hierarchy->tree.n_leaves, 50U);
  EXPECT_EQ(weighed.model.total_weight(), 100.0);
  std::vector<double> twice(data.doubles().begin(), data.doubles().end());
  twice.insert(twice.end(), data.doubles().begin(), data.doubles().end());
  std::vector<std::int32_t> labels = weighed.labels;
  labels.insert(labels.end(), weighed.labels.begin(), weighed.labels.end());
  const double objective = weighed.model.score(Dataset::from_rows(std::move(twice), 100, 2), labels);
  EXPECT_NEAR(weighed.model.objective(), objective, 1e-9 * std::abs(objective));
}

TEST(Abc, ConstantColumnsAreLeftOut) {
  const Dataset data = mixture(80, 2).data;
  std::vector<double> values;
  for (std::size_t row = 0; row < 80; ++row) values.insert(values.end(), {data.value(row, 0), 5.0, data.value(row, 1)});
  const Dataset wider = Dataset::from_rows(std::move(values), 80, 3);
  const Fit found = fit(wider, AgglomerativeBayesian{});
  EXPECT_EQ(found.labels, fit(data, AgglomerativeBayesian{}).labels);
  EXPECT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.model.predict(wider).size(), 80U);
}

TEST(Abc, StartsFromAModel) {
  const Generated made = mixture(500, 5);
  const Fit fine = fit(made.data, BayesianKMeans{.k = 12, .family = "gaussian", .seed = 1});
  const Fit found = fit(made.data, AgglomerativeBayesian{.start_from = fine.model});
  ASSERT_TRUE(found.hierarchy);
  EXPECT_EQ(found.hierarchy->tree.n_leaves, 12U);
  EXPECT_NEAR(found.hierarchy->objective.front(), fine.model.objective(), 1e-9 * std::abs(fine.model.objective()));
  EXPECT_GT(ari(found.labels, made.labels), 0.9);
  EXPECT_LE(found.model.objective(), fine.model.objective());
  EXPECT_NEAR(found.model.score(made.data, found.labels), found.model.objective(),
              1e-9 * std::abs(found.model.objective()));
  // Rows of one of the model's clusters stay together, and clusters are numbered by size.
  std::vector<std::int32_t> of_cluster(12, -1);
  for (std::size_t row = 0; row < 500; ++row) {
    std::int32_t& label = of_cluster[static_cast<std::size_t>(fine.labels[row])];
    if (label < 0) label = found.labels[row];
    EXPECT_EQ(label, found.labels[row]);
  }
  for (std::size_t c = 1; c < found.model.k(); ++c)
    EXPECT_GE(found.model.stats().weight(c - 1), found.model.stats().weight(c));
  EXPECT_EQ(fit(made.data, AgglomerativeBayesian{.k = 2, .start_from = fine.model}).model.k(), 2U);
}

TEST(Abc, RefusesWhatCannotBe) {
  const Dataset data = mixture(30, 1).data;
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.k = 31}), HasSubstr("k is 31"));
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.family = "uninformative"}), HasSubstr("single rows"));
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.family = "bernoulli"}), testing::Not(""));
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.family = "spherical", .prior = "paper"}), HasSubstr("prior paper"));
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.stop = "never"}), HasSubstr("stop is 'never'"));
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.psi0 = 0.1}), HasSubstr("psi0 is for"));
  const Model centres = fit(data, KMeans{.k = 3}).model;
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.start_from = centres}), HasSubstr("kmeans"));
  const Model fine = fit(data, BayesianKMeans{.k = 3}).model;
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.k = 4, .start_from = fine}), HasSubstr("3 clusters"));
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.phi0 = 1.0, .start_from = fine}),
              HasSubstr("leave out family, partition, phi0"));
  const Model heavy_tailed = fit(data, BayesianKMeans{.k = 2, .family = "student"}).model;
  EXPECT_THAT(refusal(data, AgglomerativeBayesian{.start_from = heavy_tailed}), HasSubstr("student"));
}

TEST(Abc, RefusesTooManyRows) {
  std::vector<float> values(200001, 1.0F);
  const Dataset many = Dataset::from_rows(std::move(values), 200001, 1);
  EXPECT_THROW((void)fit(many, AgglomerativeBayesian{}), LimitError);
  EXPECT_THAT(refusal(many, AgglomerativeBayesian{}), HasSubstr("start_from"));
  const Dataset some = mixture(2001, 1).data;
  EXPECT_THROW((void)fit(some, AgglomerativeBayesian{.look_ahead = 2}), LimitError);
}

// A matrix of columns x columns for every row: 2 GB of them are not taken unasked, and hundreds not at all.
TEST(Abc, LeavesOutFamiliesThatFillTheMemory) {
  constexpr std::size_t n_columns = 5200;
  const auto table = [](std::size_t n_rows) {
    RandomStream random{1, Purpose::test};
    std::vector<double> values(n_rows * n_columns);
    for (std::size_t at = 0; at < values.size(); ++at) {
      values[at] = random.normal() + (at / n_columns % 2 == 0 ? 3.0 : -3.0);
    }
    return Dataset::from_rows(std::move(values), n_rows, n_columns);
  };
  const Fit found = fit(table(20), AgglomerativeBayesian{});
  EXPECT_EQ(found.model.k(), 2U);
  EXPECT_EQ(found.model.components().family(), "spherical");
  EXPECT_THAT(found.families, IsEmpty()) << "columns that vary alike leave one family alone";
  EXPECT_THROW((void)fit(table(600), AgglomerativeBayesian{.family = "gaussian"}), LimitError);
}

TEST(Abc, AStopLeavesSomeClustering) {
  const Dataset data = mixture(300, 1).data;
  EXPECT_EQ(without_result(data, AgglomerativeBayesian{}, {.time_limit = 1e-9}), StopReason::time_limit);
  RunOptions late;
  late.observer = [](const State& state) {
    EXPECT_EQ(state.k(), state.progress.k);
    return state.k() < 20 ? Next::stop : Next::carry_on;
  };
  const Fit half = fit(data, AgglomerativeBayesian{.family = "gaussian", .prior = "paper"}, late);
  EXPECT_FALSE(half.converged);
  EXPECT_FALSE(half.hierarchy);
  EXPECT_LT(half.model.k(), 21U);
}

TEST(Abc, AStopBetweenTreesLeavesAWholeOne) {
  const Generated made = mixture(300, 1);
  RunOptions late;
  std::size_t n_trees = 0;
  late.observer = [&](const State& state) {
    if (state.k() == 300) ++n_trees;
    return n_trees == 4 && state.k() < 200 ? Next::stop : Next::carry_on;
  };
  const Fit found = fit(made.data, AgglomerativeBayesian{}, late);
  EXPECT_EQ(found.stop_reason, StopReason::cancelled);
  ASSERT_TRUE(found.hierarchy);
  EXPECT_EQ(found.hierarchy->tree.merges.size(), 299U);
  EXPECT_GT(ari(found.labels, made.labels), 0.7);
}

TEST(Abc, ScoresALabelling) {
  const Generated made = mixture(100, 1);
  const AgglomerativeBayesian paper{.prior = "paper"};
  const Fit found = fit(made.data, paper);
  EXPECT_NEAR(score(made.data, found.labels, paper), found.model.objective(), 1e-9 * std::abs(found.model.objective()));
  const Fit fitted = fit(made.data, AgglomerativeBayesian{});
  EXPECT_LE(score(made.data, fitted.labels, AgglomerativeBayesian{}), fitted.model.objective() + 0.1);
  const AgglomerativeBayesian over{.start_from = found.model};
  EXPECT_NEAR(score(made.data, found.labels, over), found.model.objective(), 1e-9 * std::abs(found.model.objective()));
}

TEST(WeightlessLeaves, AreUnderTheFirstRowOfTheirLabel) {
  // Rows 1 and 3 of five weigh something.
  Hierarchy heavy;
  heavy.tree.n_leaves = 2;
  heavy.tree.merges.push_back({0, 1, 2.5, 2.0});
  heavy.objective = {7.0, 9.0};
  const std::vector<std::size_t> rows{1, 3};
  const std::vector<std::int32_t> labels{1, 0, 0, 1, 1};
  const Hierarchy all = with_weightless_leaves(heavy, rows, labels);
  const std::vector<Merge> expected{{0, 3, 0.0, 2.0}, {1, 2, 0.0, 2.0}, {4, 5, 0.0, 3.0}, {6, 7, 2.5, 5.0}};
  EXPECT_EQ(all.tree.merges, expected);
  EXPECT_EQ(all.objective, (std::vector<double>{7.0, 7.0, 7.0, 7.0, 9.0}));
}

}  // namespace
}  // namespace coppice::internal
