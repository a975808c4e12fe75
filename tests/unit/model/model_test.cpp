// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/model/model_examples.hpp"

namespace coppice::internal {
namespace {

// The log joint density of one row and each cluster (a new one last, if the prior allows it), from evidences alone:
// p(x | X_c) = p(X_c, x) / p(X_c).
std::vector<double> log_joints(const Model& model, const Dataset& data, std::size_t row) {
  const Components& components = model.components();
  std::vector<double> alone(components.stats_size(), 0.0);
  alone[0] = 1.0;
  for (std::size_t c = 0; c < model.n_columns(); ++c) alone[1 + c] = data.value(row, c) - model.origin()[c];
  const std::vector<double> sizes = model.stats().weights();
  std::vector<double> result = log_shares_of(model.partition(), sizes, model.total_weight());
  for (std::size_t c = 0; c < model.k(); ++c) {
    std::vector<double> with(model.stats()[c].begin(), model.stats()[c].end());
    components.merge(with, alone);
    result[c] += components.log_evidence(with) - components.log_evidence(model.stats()[c]);
  }
  const double log_new = model.partition().log_remainder(sizes, model.total_weight());
  if (std::isfinite(log_new)) result.push_back(log_new + components.log_evidence(alone));
  return result;
}

// Evidences are sums of about 1e3; their difference keeps 1e-12 of that.
constexpr double evidence_rounding = 1e-9;

TEST(Model, DensitiesAndProbabilitiesAreThoseOfTheEvidences) {
  for (std::size_t which = 0; which < 4; ++which) {
    const std::size_t d = 1 + which / 2;
    const Model model = example_model(d, which, which);
    const Dataset rows = scattered_rows(300, d, 5, 50 + which, 6.0);
    const std::vector<double> log_density = model.log_density(rows);
    const Predictions predictions = model.predict_with_probabilities(rows);
    ASSERT_EQ(log_density.size(), 300U);
    ASSERT_EQ(predictions.probabilities.size(), 300U);
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      const std::vector<double> expected = log_joints(model, rows, row);
      ASSERT_EQ(expected.size(), which % 2 == 0 ? 3U : 4U);
      const double total = kernels::log_sum_exp(expected);
      ASSERT_NEAR(log_density[row], total, evidence_rounding);
      const double probability = std::exp(expected[static_cast<std::size_t>(predictions.labels[row])] - total);
      ASSERT_NEAR(predictions.probabilities[row], probability, evidence_rounding * (1.0 + probability));
      ASSERT_GT(predictions.probabilities[row], 0.0);
      ASSERT_LE(predictions.probabilities[row], 1.0);
    }
  }
}

// With x = sinh(t) even a Cauchy tail (a new cluster of one column) falls as exp(-|t|): 40 cuts off 1e-17. The
// trapezoidal rule is exact to rounding once its steps are smaller than half the least standard deviation; here they
// are a hundredth.
TEST(Model, TheDensityIntegratesToOne) {
  constexpr std::size_t n_steps = 80000;
  const double step = 80.0 / n_steps;
  for (std::size_t which = 0; which < 2; ++which) {
    const Model model = example_model(1, which);
    std::vector<double> x;
    std::vector<double> slope;
    for (std::size_t i = 0; i <= n_steps; ++i) {
      const double t = -40.0 + step * static_cast<double>(i);
      x.push_back(std::sinh(t));
      slope.push_back(std::cosh(t));
    }
    const std::vector<double> log_density = model.log_density(Dataset::from_rows(x, x.size(), 1));
    double integral = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) integral += std::exp(log_density[i]) * slope[i] * step;
    EXPECT_NEAR(integral, 1.0, 1e-9) << which;
  }
}

// Three clusters side by side along the first column.
Model side_by_side() {
  const Dataset data = scattered_rows(300, 2, 4, 60);
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < 300; ++row) {
    const double x = data.value(row, 0);
    labels.push_back((x > -1.5 ? 1 : 0) + (x > 1.5 ? 1 : 0));
  }
  return model_of_labels(data, labels, 3, make_dirichlet(2.0));
}

// Cost and offset of every cluster by the definition; the least wins.
TEST(Model, PredictsTheLeastCost) {
  const Model model = side_by_side();
  const Dataset rows = scattered_rows(200, 2, 4, 60);
  const std::vector<std::int32_t> labels = model.predict(rows);
  const Rows view(rows, {model.origin().begin(), model.origin().end()});
  BlockBuffer buffer(2);
  RowBlock block(view, std::size_t{0}, 200, buffer);
  std::vector<double> costs(3 * kernels::panel_stride);
  model.components().costs({}, block, costs.data());
  const std::vector<double> offsets = offsets_of(model.partition(), model.stats().weights(), model.total_weight());
  std::vector<std::size_t> n_rows(3, 0);
  for (std::size_t row = 0; row < 200; ++row) {
    std::vector<double> cost(3);
    for (std::size_t c = 0; c < 3; ++c) {
      cost[c] = costs[c * kernels::panel_stride + row] + offsets[c];
    }
    const auto least = static_cast<std::size_t>(std::ranges::min_element(cost) - cost.begin());
    EXPECT_EQ(static_cast<std::size_t>(labels[row]), least) << row;
    ++n_rows[least];
  }
  for (const std::size_t n : n_rows) EXPECT_GT(n, 0U);
}

TEST(Model, ThreadsDoNotMatter) {
  const Model model = example_model(2, 1);
  const Dataset rows = scattered_rows(9000, 2, 4, 61);
  const Predictions one = model.predict_with_probabilities(rows, 1);
  const Predictions three = model.predict_with_probabilities(rows, 3);
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.probabilities, three.probabilities);
  EXPECT_EQ(model.log_density(rows, 1), model.log_density(rows, 3));
  EXPECT_EQ(model.score(rows, one.labels, 1), model.score(rows, one.labels, 3));
}

TEST(Model, MomentsAreInTheCoordinatesOfTheData) {
  const Dataset data = Dataset::from_rows(std::vector<double>{10, 1, 14, 1, 3, 2}, 3, 2);
  const Model model = model_of_labels(data, {0, 0, 1}, 2, make_dirichlet(2.0));
  EXPECT_EQ(model.k(), 2U);
  EXPECT_EQ(model.n_columns(), 2U);
  EXPECT_EQ(model.mean(0), (std::vector<double>{12, 1}));
  EXPECT_EQ(model.variance(0), (std::vector<double>{4, 0}));
  EXPECT_EQ(model.mean(1), (std::vector<double>{3, 2}));
  EXPECT_EQ(model.total_weight(), 3.0);
}

TEST(Model, CopiesAreEqualAndStandAlone) {
  const Model model = example_model(2, 1);
  const Model same = example_model(2, 1);
  EXPECT_TRUE(model == same);
  Model other = example_model(2, 0);
  EXPECT_FALSE(model == other) << "another partition prior";
  EXPECT_FALSE(model == example_model(2, 1, 2)) << "other rows";
  const Dataset rows = scattered_rows(50, 2, 3, 62);
  {
    const Model copy = model;  // NOLINT(performance-unnecessary-copy-initialization)
    EXPECT_TRUE(copy == model);
    other = copy;
  }
  EXPECT_TRUE(other == model);
  EXPECT_EQ(other.log_density(rows), model.log_density(rows));
  const Model& itself = other;
  other = itself;
  EXPECT_TRUE(other == model);
  const Model moved = std::move(other);
  EXPECT_EQ(moved.predict(rows), model.predict(rows));
}

TEST(Model, ScoresAFitByItsObjective) {
  for (const char* partition : {"dirichlet", "dp"}) {
    Dataset data = scattered_rows(600, 2, 4, 63);
    data = data.with_weights(some_weights(600, 63));
    const Fit found = fit(data, BayesianKMeans{.partition = partition});
    ASSERT_GT(found.model.k(), 1U);
    const double objective = found.model.objective();
    EXPECT_NEAR(found.model.score(data, found.labels), objective, 1e-9 * std::abs(objective));
    const std::vector<std::int32_t> one(600, 7);
    EXPECT_GT(found.model.score(data, one), objective) << "labels may be any integers, and one cluster is worse";
  }
}

struct TransformedModel {
  Dataset data;
  FittedTransforms ready;
  Model plain;  // of the transformed rows
  Model model;  // of the rows as they were
};

TransformedModel transformed_model(std::string_view steps) {
  const Dataset data = scattered_rows(120, 4, 3, 70).with_names({"a", "b", "c", "d"});
  LocalExecution local(1);
  FittedTransforms ready = fit_transforms(local.get(), parse_transforms(steps), data, 5);
  const Model plain = model_of_labels(ready.data, random_labels(120, 3, 70), 3, make_dirichlet(2.0));
  Model model = plain.with_transforms(ready.chain);
  return {data, std::move(ready), plain, std::move(model)};
}

TEST(Model, TransformsRowsFirst) {
  for (const char* steps : {"standardize", "normalize", "pca:2", "standardize,project:3"}) {
    const auto [data, ready, plain, model] = transformed_model(steps);
    EXPECT_EQ(model.predict(data), plain.predict(ready.data)) << steps;
    EXPECT_EQ(model.log_density(data), plain.log_density(ready.data)) << steps;
    const Predictions predictions = model.predict_with_probabilities(data);
    EXPECT_EQ(predictions.probabilities, plain.predict_with_probabilities(ready.data).probabilities) << steps;
    LocalExecution local(1);
    EXPECT_EQ(model.probabilities_of(local.get(), data, predictions.labels), predictions.probabilities) << steps;
    EXPECT_EQ(model.score(data, predictions.labels), plain.score(ready.data, predictions.labels)) << steps;
    EXPECT_EQ(model.input_columns(), data.columns()) << steps;
    EXPECT_EQ(model.columns(), ready.data.columns()) << steps;
    EXPECT_FALSE(model == plain) << steps;
    const Model copy = model;  // NOLINT(performance-unnecessary-copy-initialization)
    EXPECT_TRUE(copy == model) << steps;
    EXPECT_THROW((void)model.predict(scattered_rows(5, 3, 1, 1)), DataError) << steps;
  }
}

TEST(Model, MeansAreTakenBackWhereThatIsPossible) {
  for (const char* steps : {"standardize", "pca:2"}) {
    const auto [data, ready, plain, model] = transformed_model(steps);
    EXPECT_EQ(model.mean(1), ready.chain.inverse(plain.mean(1))) << steps;
    EXPECT_EQ(model.mean_columns(), data.columns()) << steps;
    EXPECT_EQ(model.variance(1), plain.variance(1)) << steps;
  }
  const auto [data, ready, plain, model] = transformed_model("project:2");
  EXPECT_EQ(model.mean(1), plain.mean(1));
  EXPECT_EQ(model.mean_columns()[1].name, "p2");
}

TEST(Model, RefusesTransformsOfOtherColumns) {
  const TransformedModel example = transformed_model("pca:2");
  EXPECT_EQ(message_of<DataError>([&] { (void)example_model(3, 0).with_transforms(example.model.transforms()); }),
            "the transforms pca:2 give 2 columns, but the model has 3");
  EXPECT_TRUE(example.plain.with_transforms({}) == example.plain);
}

TEST(Model, RefusesSparseRowsAndGaps) {
  const Model model = example_model(2, 0);
  const Dataset sparse = Dataset::from_sparse_rows(SparseEntries<double>{{0, 1}, {1}, {2.0}, 2});
  const Dataset gaps = Dataset::from_rows_with_gaps({1.0, std::nan("")}, 1, 2);
  for (const Dataset& rows : {sparse, gaps}) {
    EXPECT_THROW((void)model.predict(rows), DataError);
    EXPECT_THROW((void)model.log_density(rows), DataError);
  }
}

TEST(Model, RefusesRowsOfOtherShape) {
  const Model model = example_model(2, 0);
  const Dataset rows = scattered_rows(5, 3, 1, 64);
  const std::vector<std::int32_t> labels(5, 0);
  const std::string message = message_of<DataError>([&] { (void)model.predict(rows); });
  EXPECT_EQ(message, "the data has 3 columns, but the model was fitted to 2; choose them with columns");
  EXPECT_THROW((void)model.predict_with_probabilities(rows), DataError);
  EXPECT_THROW((void)model.log_density(rows), DataError);
  EXPECT_THROW((void)model.score(rows, labels), DataError);
  const Dataset fitting = scattered_rows(6, 2, 1, 65);
  EXPECT_EQ(message_of<DataError>([&] { (void)model.score(fitting, labels); }),
            "5 labels given, but the data has 6 rows");
}

}  // namespace
}  // namespace coppice::internal
