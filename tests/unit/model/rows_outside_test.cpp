// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/rows_outside.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/runtime/error.hpp"
#include "unit/model/model_examples.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;

// Two tight groups near (0, 0) and (10, 10), and rows far from both.
struct Example {
  std::vector<double> values;
  std::vector<std::int32_t> labels;

  Example() {
    RandomStream random{3, Purpose::test, 8};
    for (std::size_t i = 0; i < 80; ++i) {
      const double centre = i < 40 ? 0.0 : 10.0;
      values.push_back(centre + random.normal());
      values.push_back(centre + random.normal());
      labels.push_back(i < 40 ? 0 : 1);
    }
    for (const double corner : {-40.0, 45.0, 50.0, 60.0}) {
      values.push_back(corner);
      values.push_back(-corner / 2.0);
      labels.push_back(background_label);
    }
  }
  [[nodiscard]] Dataset data() const { return Dataset::from_rows(values, labels.size(), 2); }
  [[nodiscard]] Dataset inside() const {
    return Dataset::from_rows(std::vector<double>(values.begin(), values.begin() + 160), 80, 2);
  }
  [[nodiscard]] std::vector<std::int32_t> labels_inside() const { return {labels.begin(), labels.begin() + 80}; }
};

constexpr double log_volume = 8.5;

Model example_model_beside(const PartitionPrior& clusters) {
  const Example example;
  const Model inside = model_of_labels(example.inside(), example.labels_inside(), 2,
                                       beside_background(clusters.clone(), {log_volume, 4.0}));
  return Model({.method = "bkm",
                .columns = inside.columns(),
                .origin = {inside.origin().begin(), inside.origin().end()},
                .components = inside.components().clone(),
                .partition = inside.partition().clone(),
                .stats = inside.stats(),
                .total_weight = 84.0,
                .objective = inside.objective()});
}

TEST(Background, SpansTheBoxOfRowsWithWeight) {
  const Dataset data = Dataset::from_rows(std::vector<double>{0, 1, 4, 2, 2, 100}, 3, 2);
  EXPECT_DOUBLE_EQ(log_spanned_volume(Rows(data, {0.0, 0.0})), std::log(4.0 * 99.0));
  EXPECT_DOUBLE_EQ(log_spanned_volume(Rows(data.with_weights({1, 1, 0}), {0.0, 0.0})), std::log(4.0));
  const Dataset constant = Dataset::from_rows(std::vector<double>{0, 1, 9, 4, 1, 3}, 2, 3);
  const Rows rows(constant, {0.0, 0.0, 0.0});
  EXPECT_EQ(spanned_widths(rows), (std::vector<double>{4.0, 0.0, 6.0}));
  EXPECT_DOUBLE_EQ(log_spanned_volume(rows), 1.5 * std::log(4.0 * 6.0)) << "as wide as the others on average";
  EXPECT_EQ(log_spanned_volume(Rows(constant.with_weights({1, 0}), {0.0, 0.0, 0.0})), 0.0);
}

TEST(Background, ObjectiveOfALabellingIsComplete) {
  const Example example;
  LocalExecution local(1);
  for (std::size_t which = 0; which < 2; ++which) {
    const auto clusters = partition_number(which);
    const auto components = plain_gaussian(2);
    const std::vector<double> origin(2, 0.5);
    const StatsArena stats =
        labelling_statistics(local.get(), Rows(example.inside(), origin), components, example.labels_inside());
    const double by_hand = -components.log_evidence(stats[0]) - components.log_evidence(stats[1]) + 4.0 * log_volume +
                           clusters->objective(std::vector<double>{40.0, 40.0, 4.0}, 84.0);
    const Rows rows(example.data(), origin);
    EXPECT_NEAR(labelling_objective(local.get(), rows, components, *clusters, log_volume, example.labels), by_hand,
                1e-9);
    EXPECT_NEAR(example_model_beside(*clusters).score(example.data(), example.labels), by_hand, 1e-9);
    EXPECT_NEAR(example_model_beside(*clusters).objective(), by_hand, 1e-9);
  }
}

TEST(Background, RowsFarFromAllClustersAreLabelledMinusOne) {
  const Example example;
  for (std::size_t which = 0; which < 2; ++which) {
    const Model model = example_model_beside(*partition_number(which));
    EXPECT_EQ(model.predict(example.data()), example.labels);
    const Dataset far =
        Dataset::from_rows(std::vector<double>{1e6, -1e6, 0.1, 0.2}, 2, 2);  // outside the box, inside 0
    const Predictions predictions = model.predict_with_probabilities(far);
    EXPECT_EQ(predictions.labels, (std::vector<std::int32_t>{background_label, 0}));
    for (const double probability : predictions.probabilities) EXPECT_GT(probability, 0.9);
  }
}

TEST(Background, DensitiesIncludeIt) {
  const Model model = example_model_beside(*make_dirichlet(2.0));
  const Dataset far = Dataset::from_rows(std::vector<double>{1e9, -1e9}, 1, 2);
  EXPECT_NEAR(model.log_density(far)[0], std::log((2.0 + 4.0) / (84.0 + 3.0 * 2.0)) - log_volume, 1e-9);
}

TEST(Background, WithoutRowsTheModelIsAsWithoutOne) {
  const Example example;
  const auto with = model_of_labels(example.inside(), example.labels_inside(), 2,
                                    beside_background(make_dirichlet(2.0), {log_volume, 0.0}));
  const auto plain = model_of_labels(example.inside(), example.labels_inside(), 2, make_dirichlet(2.0));
  EXPECT_EQ(with.predict(example.data()), plain.predict(example.data()));
  EXPECT_EQ(with.log_density(example.data()), plain.log_density(example.data()));
  EXPECT_FALSE(with == plain);
  EXPECT_TRUE(with == Model(with));
}

}  // namespace
}  // namespace coppice::internal
