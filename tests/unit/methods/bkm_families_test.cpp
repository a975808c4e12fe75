// SPDX-License-Identifier: BSD-3-Clause
// Bayesian k-means with every family: what is found, what becomes of the model, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/data/transform.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Round clusters of standard deviation 1, 20 apart; with `step`, rounded to its multiples.
Generated round_clusters(std::size_t k, std::uint64_t seed, double step = 0.0, std::size_t d = 2) {
  RandomStream random{seed, Purpose::test, 41};
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < 50 * k; ++row) {
    for (std::size_t column = 0; column < d; ++column) {
      const double centre = 20.0 * static_cast<double>(column % 2 == 0 ? row % k : (row % k) * (row % k) % k);
      const double value = centre + random.normal();
      values.push_back(step > 0.0 ? step * std::round(value / step) : value);
    }
    labels.push_back(static_cast<std::int32_t>(row % k));
  }
  return {Dataset::from_rows(std::move(values), 50 * k, d), std::move(labels)};
}

// The clusters are those that were made, and the model is one to save, load and predict with.
void expect_found(const Generated& made, const BayesianKMeans& method, const char* family) {
  const Fit found = fit(made.data, method);
  EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0) << "K = " << found.model.k();
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.model.components().family(), family);
  const double objective = found.model.objective();
  EXPECT_NEAR(found.model.score(made.data, found.labels), objective, 1e-9 * std::abs(objective));
  EXPECT_EQ(found.model.predict(made.data), found.labels);
  const TemporaryFile file("", ".coppice");
  save_model(found.model, file.path());
  const Model back = load_model(file.path());
  EXPECT_TRUE(back == found.model);
  EXPECT_EQ(back.predict(made.data), found.labels);
  const std::vector<double> densities = back.log_density(made.data);
  EXPECT_EQ(densities, found.model.log_density(made.data));
  EXPECT_TRUE(std::ranges::all_of(densities, [](double density) { return std::isfinite(density); }));
}

TEST(BkmFamilies, GaussianFamiliesFindRoundClusters) {
  for (const char* prior : {"auto", "grid"}) {
    for (const char* family : {"gaussian", "diagonal", "spherical"}) {
      SCOPED_TRACE(testing::Message() << family << ", " << prior);
      expect_found(round_clusters(4, 1), {.family = family, .prior = prior}, family);
    }
  }
}

TEST(BkmFamilies, AutoChoosesRoundClustersWhereTheyAreRound) {
  expect_found(round_clusters(4, 2, 0.0, 4), {}, "spherical");
}

TEST(BkmFamilies, AutoChoosesAnyShapeWhereColumnsAreCorrelated) {
  Generated made = round_clusters(3, 3);
  std::vector<double> values(made.data.doubles().begin(), made.data.doubles().end());
  for (std::size_t row = 0; row < made.labels.size(); ++row) {
    const double within = values[2 * row] - 20.0 * static_cast<double>(made.labels[row]);
    values[2 * row + 1] += 3.0 * within;
  }
  made.data = Dataset::from_rows(values, made.labels.size(), 2);
  expect_found(made, {}, "gaussian");
}

TEST(BkmFamilies, EveryFamilyThatCompetedIsTold) {
  const Fit found = fit(round_clusters(3, 4).data, BayesianKMeans{});
  ASSERT_GE(found.families.size(), 3U) << "and those with tails, if they come near";
  const auto lowest = std::ranges::min_element(found.families, {}, &FamilyResult::objective);
  EXPECT_EQ(lowest->family, found.model.components().family());
  ASSERT_TRUE(found.soft_bound);
  EXPECT_EQ(*found.soft_bound, lowest->objective);
  const Fit only = fit(round_clusters(3, 4).data, BayesianKMeans{.family = "diagonal"});
  ASSERT_EQ(only.families.size(), 1U);
  EXPECT_EQ(only.families[0].family, "diagonal");
  EXPECT_EQ(only.families[0].k, only.model.k());
}

TEST(BkmFamilies, RoundedTablesToo) {
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    SCOPED_TRACE(family);
    const Generated made = round_clusters(4, 5, 1.0);
    expect_found(made, {.family = family}, family);
    const Model model = fit(made.data, BayesianKMeans{.family = family}).model;
    EXPECT_THAT(model.components().prior_arrays().at("rounding").values,
                testing::Each(testing::DoubleNear(1.0 / 12.0, 1e-12)));
  }
}

// Every cluster has one value only: without rounding the density of such clusters had no limit.
TEST(BkmFamilies, AColumnOfAFewWholeNumbersIsClusteredByThem) {
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::int32_t i = 0; i < 90; ++i) {
    values.push_back(10.0 * (i % 3));
    labels.push_back(i % 3);
  }
  const Dataset data = Dataset::from_rows(values, 90, 1);
  const Fit found = fit(data, BayesianKMeans{});
  EXPECT_TRUE(std::isfinite(found.model.objective()));
  EXPECT_TRUE(found.model.components().prior_arrays().contains("rounding"));
  EXPECT_EQ(found.model.predict(data), found.labels);
}

TEST(BkmFamilies, UninformativeFindsClustersOfAnyShape) {
  expect_found(round_clusters(3, 6), {.family = "uninformative"}, "uninformative");
  expect_found(round_clusters(3, 6), {.family = "uninformative", .search = "paper"}, "uninformative");
}

TEST(BkmFamilies, CountsAndBitsDenseAndSparse) {
  for (const char* prior : {"auto", "grid"}) {
    for (const bool is_sparse : {false, true}) {
      const Generated counts = generate(CountClusters{
          .n_rows = 200, .n_columns = 12, .k = 3, .concentration = 3.0, .is_sparse = is_sparse, .seed = 1});
      expect_found(counts, {.family = "multinomial", .prior = prior}, "multinomial");
      if (is_sparse) expect_found(counts, {.prior = prior}, "multinomial");
    }
    const Generated bits =
        generate(BinaryClusters{.n_rows = 200, .n_columns = 40, .k = 3, .concentration = 0.3, .seed = 2});
    expect_found(bits, {.family = "bernoulli", .prior = prior}, "bernoulli");
    expect_found(bits, {.prior = prior}, "bernoulli");
  }
}

TEST(BkmFamilies, ExactlyKClustersInEveryFamily) {
  for (const char* family : {"auto", "diagonal", "spherical", "uninformative"}) {
    for (const std::uint64_t k : {1U, 2U, 6U}) {
      EXPECT_EQ(fit(round_clusters(4, 7).data, BayesianKMeans{.k = k, .family = family}).model.k(), k) << family;
    }
  }
}

TEST(BkmFamilies, TheTreeGivesTheSameLabels) {
  for (const char* family : {"auto", "diagonal", "spherical"}) {
    const Dataset data = scattered_rows(400, 2, 5, 8);
    const Fit by_row = fit(data, BayesianKMeans{.family = family, .assign = "naive"});
    const Fit by_node = fit(data, BayesianKMeans{.family = family, .assign = "kdtree"});
    EXPECT_EQ(by_row.labels, by_node.labels) << family;
    EXPECT_EQ(by_row.model.objective(), by_node.model.objective()) << family;
  }
}

// A stop before, during and after the contest of families.
TEST(BkmFamilies, AStopAtAnyTimeGivesAWholeFit) {
  const Dataset data = round_clusters(4, 9).data;
  for (const std::size_t n : {1U, 2U, 5U, 20U, 60U}) {
    std::size_t n_seen = 0;
    const Fit found = fit(data, BayesianKMeans{},
                          {.observer = [&](const State&) { return ++n_seen < n ? Next::carry_on : Next::stop; }});
    EXPECT_EQ(found.labels.size(), data.n_rows());
    EXPECT_NEAR(found.model.score(data, found.labels), found.model.objective(),
                1e-9 * std::abs(found.model.objective()));
  }
}

// A column that does not vary is left out of the model, and comes back in its means.
TEST(BkmFamilies, ConstantColumnsAreLeftOutWhereThePriorIsFitted) {
  const Generated made = round_clusters(3, 10);
  std::vector<double> values;
  for (std::size_t row = 0; row < 150; ++row) {
    values.insert(values.end(), {made.data.value(row, 0), 42.0, made.data.value(row, 1)});
  }
  const Dataset data = Dataset::from_rows(values, 150, 3).with_names({"a", "same", "b"});
  for (const char* family : {"auto", "gaussian", "diagonal", "spherical"}) {
    const BayesianKMeans method{.family = family};
    const Fit with = fit(data, method);
    const Fit without = fit(made.data, method);
    EXPECT_EQ(with.labels, without.labels);
    EXPECT_NEAR(with.model.objective(), without.model.objective(), 1e-9 * std::abs(without.model.objective()));
    EXPECT_EQ(with.model.n_columns(), 2U);
    EXPECT_EQ(with.model.input_columns().size(), 3U);
    EXPECT_EQ(with.model.mean(0).size(), 3U);
    EXPECT_EQ(with.model.mean(0)[1], 42.0);
    EXPECT_NEAR(score(data, with.labels, method), score(made.data, with.labels, method), 1e-9);
    const TemporaryFile file("", ".coppice");
    save_model(with.model, file.path());
    const Model back = load_model(file.path());
    EXPECT_TRUE(back == with.model);
    EXPECT_EQ(back.predict(data), with.labels);
  }
}

// With a user's transform in front, both steps are kept, and the way back leads through both.
TEST(BkmFamilies, ConstantColumnsAreLeftOutBehindATransform) {
  const Generated made = round_clusters(3, 10);
  std::vector<double> values;
  for (std::size_t row = 0; row < 150; ++row) {
    values.insert(values.end(), {made.data.value(row, 0), 42.0, made.data.value(row, 1)});
  }
  const Dataset data = Dataset::from_rows(values, 150, 3).with_names({"a", "same", "b"});
  LocalExecution local(1);
  const FittedTransforms ready = fit_transforms(local.get(), parse_transforms("standardize"), data);
  const Fit found = fit(ready.data, BayesianKMeans{});
  const Model model = found.model.with_transforms(ready.chain);
  EXPECT_EQ(model.transforms().to_string(), "standardize,drop-constant");
  EXPECT_EQ(model.n_columns(), 2U);
  EXPECT_NEAR(model.mean(0)[1], 42.0, 1e-12);
  EXPECT_EQ(evaluate::adjusted_rand_index(found.labels, made.labels), 1.0);
  EXPECT_EQ(model.predict(data), found.labels);
  const TemporaryFile file("", ".coppice");
  save_model(model, file.path());
  const Model back = load_model(file.path());
  EXPECT_TRUE(back == model);
  EXPECT_EQ(back.predict(data), found.labels);
}

// Rows without weight might as well be absent: they make no column vary.
TEST(BkmFamilies, RowsWithoutWeightDoNotMakeAColumnVary) {
  const Generated made = round_clusters(3, 11);
  std::vector<double> values;
  std::vector<double> weights(150, 1.0);
  for (std::size_t row = 0; row < 150; ++row) values.insert(values.end(), {made.data.value(row, 0), 42.0});
  values[3] = 7.0;
  weights[1] = 0.0;
  const Fit found = fit(Dataset::from_rows(values, 150, 2).with_weights(weights), BayesianKMeans{});
  EXPECT_EQ(found.model.n_columns(), 1U);
  std::vector<double> all_same;
  for (std::size_t row = 0; row < 150; ++row) all_same.insert(all_same.end(), {1.0, row == 1 ? 7.0 : 42.0});
  EXPECT_EQ(fit(Dataset::from_rows(all_same, 150, 2).with_weights(weights), BayesianKMeans{}).model.k(), 1U);
}

template <class Expected>
std::string refusal(const Dataset& data, const BayesianKMeans& method) {
  return message_of<Expected>([&] { (void)fit(data, method); });
}

TEST(BkmFamilies, NumbersThatAFamilyCannotTakeAreNamed) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0, 1, 1, 1, 0.5, 2, 3, -1}, 4, 2).with_names({"a", "b"});
  EXPECT_THAT(refusal<DataError>(data, {.family = "multinomial"}),
              AllOf(HasSubstr("row 3"), HasSubstr("column 'a'"), HasSubstr("0.5")));
  EXPECT_THAT(refusal<DataError>(data, {.family = "bernoulli"}),
              AllOf(HasSubstr("row 3"), HasSubstr("column 'a'"), HasSubstr("0.5")));
}

TEST(BkmFamilies, SparseRowsAreForCountsAndBits) {
  const Dataset sparse = generate(CountClusters{.n_rows = 50, .n_columns = 8, .k = 2, .is_sparse = true}).data;
  for (const char* family : {"gaussian", "diagonal", "spherical", "uninformative"}) {
    EXPECT_THAT(refusal<OptionError>(sparse, {.family = family}),
                AllOf(HasSubstr("the rows are sparse"), HasSubstr("family multinomial")));
  }
}

TEST(BkmFamilies, OptionsOfOtherFamiliesAreRefused) {
  const Dataset data = scattered_rows(30, 2, 2, 1);
  const Dataset bits = generate(BinaryClusters{.n_rows = 30, .n_columns = 4, .k = 2}).data;
  const Table b0{2, 2, {1.0, 0.0, 0.0, 1.0}};
  EXPECT_THAT(refusal<OptionError>(data, {.family = "diagonal", .b0 = b0}),
              HasSubstr("b0 is a matrix for family gaussian"));
  EXPECT_THAT(refusal<OptionError>(data, {.family = "spherical", .b0 = b0}),
              HasSubstr("b0 is a matrix for family gaussian"));
  EXPECT_THAT(refusal<OptionError>(data, {.family = "uninformative", .b0 = b0}),
              HasSubstr("b0 is a matrix for family gaussian"));
  EXPECT_THAT(refusal<OptionError>(data, {.family = "uninformative", .xi0 = 0.1}),
              HasSubstr("leave out xi0, eta0 and m0"));
  EXPECT_THAT(refusal<OptionError>(data, {.family = "diagonal", .prior = "paper"}), HasSubstr("prior paper"));
  EXPECT_THAT(refusal<OptionError>(data, {.psi0 = 0.1}), HasSubstr("psi0 is for"));
  EXPECT_THAT(refusal<OptionError>(data, {.omega0 = 0.1}), HasSubstr("omega0 is for"));
  EXPECT_THAT(refusal<OptionError>(bits, {.family = "bernoulli", .eta0 = 3.0}), HasSubstr("eta0, m0 and b0 are for"));
  EXPECT_THAT(refusal<OptionError>(data, {.family = "diagonal", .m0 = Table{1, 3, {0.0, 0.0, 0.0}}}),
              HasSubstr("m0 has 3 values"));
  EXPECT_THAT(refusal<OptionError>(data, {.family = "gaussian", .eta0 = 0.5}), HasSubstr("eta0 is 0.5"));
}

TEST(BkmFamilies, PriorsGivenByHandAreKept) {
  const Dataset data = scattered_rows(60, 2, 2, 1);
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    const BayesianKMeans method{.family = family, .xi0 = 0.6, .eta0 = 7.0, .m0 = Table{1, 2, {1.0, -2.0}}};
    const Model model = fit(data, method).model;
    const NamedArrays arrays = model.components().prior_arrays();
    EXPECT_EQ(arrays.at("xi0").values, std::vector<double>{0.6});
    EXPECT_NEAR(arrays.at("eta0").values[0], 7.0, 1e-12);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(arrays.at("m0").values[c] + model.origin()[c], c == 0 ? 1.0 : -2.0, 1e-12);
    }
  }
}

TEST(BkmFamilies, UninformativeNeedsColumnsThatVary) {
  std::vector<double> values;
  for (std::size_t row = 0; row < 30; ++row) values.insert(values.end(), {static_cast<double>(row % 7), 42.0});
  const Dataset data = Dataset::from_rows(values, 30, 2).with_names({"a", "same"});
  EXPECT_THAT(refusal<DataError>(data, {.family = "uninformative"}), HasSubstr("column 'same' is constant"));
}

}  // namespace
}  // namespace coppice::internal
