// SPDX-License-Identifier: BSD-3-Clause
// How rows find their cluster must not change a clustering: one by one, or by the nodes of a kd-tree. All tables here
// have more rows than it takes for `auto` to build a tree, and enough for several blocks and subtrees.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <ostream>
#include <span>
#include <string>
#include <tuple>

#include "at_length.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "unit/assign/tree_examples.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_rows = 6000;

Dataset mixture(std::size_t n_columns, double tau = 1.0, std::uint64_t seed = 0) {
  return generate(GaussianMixture{.n_rows = n_rows, .n_columns = n_columns, .k = 8, .tau = tau, .seed = seed}).data;
}

Dataset chosen_rows(const Dataset& data, const std::vector<std::size_t>& chosen) {
  std::vector<double> values;
  values.reserve(chosen.size() * data.n_columns());
  for (const std::size_t row : chosen) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
  }
  return Dataset::from_rows(std::move(values), chosen.size(), data.n_columns());
}

// The numbers 0 to n - 1 in an order drawn with the seed.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random{seed, Purpose::test, 70};
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

Fit fit_by(const Dataset& data, BayesianKMeans method, const char* assign, std::uint64_t threads = 1) {
  method.assign = assign;
  return fit(data, method, {.threads = threads});
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// Evidence is summed up in another order over a tree.
void expect_same_evidence(const std::map<std::size_t, double>& a, const std::map<std::size_t, double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [k, objective] : a) {
    ASSERT_TRUE(b.contains(k)) << "K = " << k;
    EXPECT_NEAR(b.at(k), objective, 1e-9 * std::abs(objective)) << "K = " << k;
  }
}

void expect_same_result(const Fit& a, const Fit& b) {
  EXPECT_EQ(a.model.k(), b.model.k());
  EXPECT_TRUE(a.labels == b.labels) << "the adjusted Rand index is "
                                    << evaluate::adjusted_rand_index(a.labels, b.labels);
  EXPECT_EQ(bits(a.model.objective()), bits(b.model.objective()))
      << a.model.objective() << " and " << b.model.objective();
  EXPECT_TRUE(a.model == b.model);
  EXPECT_EQ(a.stop_reason, b.stop_reason);
  expect_same_evidence(a.k_evidence, b.k_evidence);
}

struct Case {
  std::string name;
  std::function<Dataset()> data;
  BayesianKMeans method = {};
  std::size_t least_k = 2;  // with fewer clusters there is little to compare
};
void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class SameLabels : public testing::TestWithParam<Case> {};

TEST_P(SameLabels, WhateverTheAssignment) {
  const Dataset data = GetParam().data();
  BayesianKMeans method = GetParam().method;
  Fit naive = fit_by(data, method, "naive");
  if (naive.model.components().weighs_members()) {  // row by row: no tree is of use to clusters with tails
    method.family = "gaussian";
    naive = fit_by(data, method, "naive");
  }
  ASSERT_GE(naive.model.k(), GetParam().least_k);
  ASSERT_EQ(naive.counters.nodes_visited, 0U);
  for (const char* assign : {"kdtree", "auto"}) {
    SCOPED_TRACE(assign);
    const Fit by_tree = fit_by(data, method, assign);
    const bool has_tree = assign == std::string("kdtree") || data.n_columns() < 5;  // auto: not worth it with more
    ASSERT_EQ(by_tree.counters.nodes_visited > 0U, has_tree);
    expect_same_result(naive, by_tree);
  }
}

std::vector<Case> mixtures() {
  std::vector<Case> cases;
  for (const std::size_t d : {1U, 2U, 3U, 8U}) {
    for (const int tau : {3, 1}) {
      for (const char* partition : {"dirichlet", "dp"}) {
        cases.push_back({std::to_string(d) + "Columns_Tau" + std::to_string(tau) + "_" + partition,
                         [=] { return mixture(d, tau, d); },
                         {.partition = partition, .seed = d}});
      }
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Mixtures, SameLabels, testing::ValuesIn(mixtures()),
                         [](const auto& test) { return test.param.name; });

Table first_rows(const Dataset& data, std::size_t n) {
  const std::span<const double> values = data.doubles().first(n * data.n_columns());
  return {n, data.n_columns(), {values.begin(), values.end()}};
}

Table label_table(std::size_t k, std::uint64_t seed) {
  const LabelList labels = random_labels(n_rows, k, seed);
  return {n_rows, 1, {labels.begin(), labels.end()}};
}

std::vector<Case> options() {
  const auto data = [] { return mixture(3); };
  return {
      {"FixedK", data, {.k = 5}, 5},
      {"FixedKBeyondTheData", data, {.k = 20}, 20},
      {"FixedKDirichletProcess", data, {.k = 12, .partition = "dp"}, 12},
      {"PaperSearch", data, {.search = "paper"}},
      {"PaperSearchDirichletProcess", data, {.partition = "dp", .search = "paper"}},
      {"PaperSearchOneColumn", [] { return mixture(1, 1.0, 3); }, {.search = "paper"}},
      {"InitByLabels", data, {.init = label_table(10, 1)}},
      {"InitByCentres", data, {.init = first_rows(mixture(3), 12)}},
      {"InitByCentresFixedK", data, {.k = 12, .init = first_rows(mixture(3), 12)}, 12},
      {"TwoRestarts", data, {.restarts = 2}},
      // Too few clusters for the data look like heavy tails, which no tree takes: the family is given.
      {"MaxK", data, {.max_k = 4, .family = "gaussian"}, 4},
      {"MinSize", data, {.family = "gaussian", .min_size = 900.0}},
      {"PriorByHand", data, {.xi0 = 1.0, .eta0 = 5.0, .b0 = Table{3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}}}},
  };
}
INSTANTIATE_TEST_SUITE_P(Options, SameLabels, testing::ValuesIn(options()),
                         [](const auto& test) { return test.param.name; });

// Values are at 1e5, where float32 has steps of 1/128, against a standard deviation of 1 inside clusters.
Dataset far_from_the_origin() {
  return as_float32(changed(scattered_rows(n_rows, 3, 6, 1), [](double value, std::size_t) { return value + 1e5; }));
}

Dataset half_duplicates() {
  const Dataset data = mixture(3);
  std::vector<std::size_t> twice = shuffled(n_rows, 1);
  for (std::size_t i = n_rows / 2; i < n_rows; ++i) twice[i] = twice[i - n_rows / 2];
  return chosen_rows(data, twice);
}

// All rows have this value in the second column.
Dataset with_constant(const Dataset& data, double constant) {
  return changed(data, [&](double value, std::size_t column) { return column == 1 ? constant : value; });
}

std::vector<Case> tables() {
  return {
      {"WeightsWithZeros", [] { return mixture(3).with_weights(some_weights(n_rows, 1)); }},
      {"WeightsPaperSearch",
       [] { return mixture(2).with_weights(some_weights(n_rows, 2)); },
       {.partition = "dp", .search = "paper"}},
      {"WeightsFixedK", [] { return mixture(2).with_weights(some_weights(n_rows, 3)); }, {.k = 9}, 9},
      {"OneDecimal", [] { return rounded(mixture(3), 0.1); }},
      {"OneDecimalTwoColumns", [] { return rounded(mixture(2, 3.0), 0.1); }, {.partition = "dp"}},
      {"OneDecimalOneColumn", [] { return rounded(mixture(1), 0.1); }},
      {"OneDecimalWeighted",
       [] { return rounded(mixture(2), 0.1).with_weights(some_weights(n_rows, 4)); },
       {.family = "gaussian"}},
      {"HalfDuplicates", half_duplicates},
      {"Float32FarFromTheOrigin", far_from_the_origin},
      {"Float32FarFromTheOriginPaperSearch", far_from_the_origin, {.search = "paper"}},
      {"ConstantColumn", [] { return with_constant(mixture(3, 3.0), 7.0); }},
      {"ConstantColumnFixedK", [] { return with_constant(mixture(3, 3.0), 7.0); }, {.k = 10}, 10},
      // Nearly singular clusters, whose costs are sums of huge numbers.
      {"ConstantColumnAmongFive", [] { return with_constant(mixture(5, 8.0), 7.0); }},
      // The mean of many times 3.7 is not 3.7.
      {"ConstantColumnThatRounds", [] { return with_constant(mixture(3, 3.0), 3.7); }},
      {"ConstantColumnThatRoundsWithWeights",
       [] { return with_constant(mixture(3, 3.0), 3.7).with_weights(some_weights(n_rows, 6)); }},
  };
}
INSTANTIATE_TEST_SUITE_P(Tables, SameLabels, testing::ValuesIn(tables()),
                         [](const auto& test) { return test.param.name; });

// On a lattice, rows lie exactly on the planes that splits start from: the side they go to must not be left to
// rounding.
std::vector<Case> lattices() {
  std::vector<Case> cases;
  for (const auto& [d, seed, step] : {std::tuple{2U, 13U, 0.5}, {2U, 19U, 0.1}, {3U, 2U, 0.5}}) {
    cases.push_back({std::to_string(d) + "Columns_Seed" + std::to_string(seed),
                     [d = d, seed = seed, step = step] { return rounded(mixture(d, 1.0, seed), step); },
                     {.seed = seed}});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Lattices, SameLabels, testing::ValuesIn(lattices()),
                         [](const auto& test) { return test.param.name; });

// Rows without weight cannot move the objective: whether they take part in the last sweep must not depend on whether
// its rounding went up or down.
TEST(SameLabelsByTree, OfRowsWithoutWeight) {
  constexpr std::array<std::uint64_t, 5> seeds{0U, 35U, 44U, 82U, 125U};
  for (const std::uint64_t seed : std::span(seeds).first(n_cases<std::size_t>(2, seeds.size()))) {
    SCOPED_TRACE(seed);
    const Dataset data = mixture(3, 1.0, seed).with_weights(some_weights(n_rows, seed + 1));
    const Fit naive = fit_by(data, {}, "naive");
    const Fit by_tree = fit_by(data, {}, "kdtree");
    for (std::size_t row = 0; row < n_rows; ++row) {
      EXPECT_EQ(by_tree.labels[row], naive.labels[row]) << "row " << row << " of weight " << data.weight(row);
    }
  }
}

// Sums over a tree differ in their last bits from those over rows. They must not decide which clusters are tried
// again, nor which half of a split keeps its number: both name the random numbers drawn from then on, and the search
// would go another way.
class SameSteps : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SameSteps, WhateverTheAssignment) {
  for (const double tau : {3.0, 1.0}) {
    SCOPED_TRACE(tau);
    const std::uint64_t seed = GetParam();
    const GaussianMixture options{.n_rows = 4096, .n_columns = 2, .k = 8, .tau = tau, .seed = seed};
    const Dataset data = generate(options).data;
    const Fit naive = fit_by(data, {.seed = seed}, "naive");
    const Fit by_tree = fit_by(data, {.seed = seed}, "kdtree");
    EXPECT_EQ(by_tree.counters.splits_tried, naive.counters.splits_tried);
    EXPECT_EQ(by_tree.counters.splits_accepted, naive.counters.splits_accepted);
    EXPECT_EQ(by_tree.counters.merges_accepted, naive.counters.merges_accepted);
    ASSERT_EQ(by_tree.trace.size(), naive.trace.size());
    for (std::size_t i = 0; i < naive.trace.size(); ++i) {
      const Progress& expected = naive.trace[i];
      EXPECT_EQ(by_tree.trace[i].phase, expected.phase);
      EXPECT_EQ(by_tree.trace[i].k, expected.k);
      EXPECT_NEAR(by_tree.trace[i].objective, expected.objective, 1e-9 * std::abs(expected.objective));
    }
    expect_same_result(naive, by_tree);
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, SameSteps, testing::Values(0, 1, 42, 56, 68, 71));

TEST(SameLabelsByTree, ForAnyNumberOfThreads) {
  for (const char* search : {"auto", "paper"}) {
    SCOPED_TRACE(search);
    const Dataset data = generate(GaussianMixture{.n_rows = 20000, .n_columns = 3, .k = 8, .tau = 1.0}).data;
    const Fit one = fit_by(data, {.search = search}, "kdtree", 1);
    ASSERT_EQ(one.threads, 1U);
    ASSERT_GT(one.model.k(), 1U);
    for (const std::uint64_t threads : {2U, 3U}) {
      const Fit many = fit_by(data, {.search = search}, "kdtree", threads);
      EXPECT_EQ(many.threads, threads);
      EXPECT_TRUE(many.labels == one.labels);
      EXPECT_EQ(bits(many.model.objective()), bits(one.model.objective()));
      EXPECT_EQ(many.counters, one.counters);
      EXPECT_EQ(many.k_evidence, one.k_evidence);
    }
  }
}

TEST(SameLabelsByTree, ForAnyNumberOfThreadsWithWeights) {
  const Dataset data = mixture(2).with_weights(some_weights(n_rows, 5));
  const Fit one = fit_by(data, {.partition = "dp"}, "kdtree", 1);
  ASSERT_GT(one.model.k(), 1U);
  for (const std::uint64_t threads : {2U, 3U}) {
    const Fit many = fit_by(data, {.partition = "dp"}, "kdtree", threads);
    EXPECT_TRUE(many.labels == one.labels);
    EXPECT_EQ(bits(many.model.objective()), bits(one.model.objective()));
    EXPECT_EQ(many.k_evidence, one.k_evidence);
  }
}

TEST(SameLabelsByTree, ForShuffledRows) {
  const auto n_seeds = n_cases<std::uint64_t>(3, 6);  // one for each number of columns
  for (std::uint64_t seed = 1; seed <= n_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset data = mixture(1 + seed % 3, 1.0, seed);
    const std::vector<std::size_t> order = shuffled(n_rows, seed);
    const LabelList plain = fit_by(data, {.seed = seed}, "kdtree").labels;
    const Fit mixed = fit_by(chosen_rows(data, order), {.seed = seed}, "kdtree");
    LabelList expected;
    for (const std::size_t row : order) expected.push_back(plain[row]);
    EXPECT_GT(mixed.model.k(), 1U);
    EXPECT_EQ(evaluate::adjusted_rand_index(mixed.labels, expected), 1.0);
  }
}

// Rows enough for heavy clusters, which draw from a sample.
TEST(SameLabelsByTree, AWeightOfTwoIsTwoRows) {
  constexpr std::size_t n = 2 * n_rows;
  const auto n_seeds = n_cases<std::uint64_t>(2, 4);
  for (std::uint64_t seed = 1; seed <= n_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const GaussianMixture options{.n_rows = n, .n_columns = 1 + seed % 3, .k = 8, .tau = 1.0, .seed = seed};
    const Dataset data = generate(options).data;
    std::vector<std::size_t> twice(2 * n);
    for (std::size_t i = 0; i < 2 * n; ++i) twice[i] = i % n;
    const LabelList once = fit_by(data.with_weights(std::vector(n, 2.0)), {.seed = seed}, "kdtree").labels;
    const Fit repeated = fit_by(chosen_rows(data, twice), {.seed = seed}, "kdtree");
    LabelList expected = once;
    expected.insert(expected.end(), once.begin(), once.end());
    EXPECT_GT(repeated.model.k(), 1U);
    EXPECT_EQ(evaluate::adjusted_rand_index(repeated.labels, expected), 1.0);
  }
}

}  // namespace
}  // namespace coppice::internal
