// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/family/centroid.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/error.hpp"
#include "property/poisson_family.hpp"
#include "unit/chance_bounds.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/family/discrete_examples.hpp"
#include "unit/model/model_examples.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;

constexpr double one_in = 1e6;  // seeds, the bounds of a whole test together
constexpr std::size_t n = 50000;

Model with_parts(const Model& model, std::unique_ptr<PartitionPrior> partition, double total,
                 std::vector<Column> columns) {
  return Model({.method = "bkm",
                .columns = std::move(columns),
                .origin = {model.origin().begin(), model.origin().end()},
                .components = model.components().clone(),
                .partition = std::move(partition),
                .stats = model.stats(),
                .total_weight = total,
                .objective = model.objective()});
}

// Clusters that overlap, one of them of its own family's prior where a new one may come: what they are drawn by (their
// shares), and how probable they are given the rows, agree on average, row by row of the sample as a whole. A row comes
// from a cluster as often as that cluster is probable for it, in any part of the space, too.
TEST(Sample, RowsBelongToTheirClusterAsProbablyAsTheModelSays) {
  for (std::size_t which = 0; which < 2; ++which) {
    const Model model = example_model(2, which);
    const auto [data, labels] = sample(model, {.n_rows = n, .seed = 3});
    const std::vector<double> p = model.all_probabilities(data);
    const std::vector<double> sizes = model.stats().weights();
    std::vector<double> log_shares = log_shares_of(model.partition(), sizes, model.total_weight());
    log_shares.push_back(model.partition().log_remainder(sizes, model.total_weight()));
    for (std::size_t c = 0; c < 4; ++c) {
      double n_drawn = 0.0;
      double n_on_right = 0.0;
      double expected_on_right = 0.0;
      for (std::size_t row = 0; row < n; ++row) {
        const double is_drawn = labels[row] == static_cast<std::int32_t>(c) ? 1.0 : 0.0;
        const double is_on_right = data.value(row, 0) > model.origin()[0] ? 1.0 : 0.0;
        n_drawn += is_drawn;
        n_on_right += is_drawn * is_on_right;
        expected_on_right += p[row * 4 + c] * is_on_right;
      }
      const double share = std::exp(log_shares[c]);
      EXPECT_NEAR(n_drawn / n, share, share_bound(share, n, 16.0 * one_in)) << which << ", " << c;
      EXPECT_NEAR(n_on_right / n, expected_on_right / n, mean_bound(2.0, n, 16.0 * one_in)) << which << ", " << c;
    }
  }
}

// The line in steps of x = sinh(t), on which heavy tails fall as exp(-|t|).
struct Line {
  Dataset x;
  std::vector<double> density;  // times the step

  explicit Line(const Model& model) {
    constexpr double step = 0.002;
    std::vector<double> values;
    for (double t = -36.0; t <= 36.0; t += step) values.push_back(std::sinh(t));
    const std::size_t count = values.size();
    x = Dataset::from_rows(values, count, 1);
    density = model.log_density(x);
    for (std::size_t i = 0; i < count; ++i)
      density[i] = std::exp(density[i]) * std::sqrt(1.0 + values[i] * values[i]) * step;
  }
};

// Up to every x as many rows as the density says: of few columns nothing is left to tell apart.
TEST(Sample, HasTheDistributionOfTheDensity) {
  for (std::size_t which = 0; which < 2; ++which) {
    const Model model = example_model(1, which);
    const Line line(model);
    const Generated made = sample(model, {.n_rows = n, .seed = 4});
    std::vector<double> rows(made.data.doubles().begin(), made.data.doubles().end());
    std::ranges::sort(rows);
    double below = 0.0;
    double farthest = 0.0;
    for (std::size_t i = 0; i < line.density.size(); ++i) {
      below += line.density[i] / 2.0;
      const auto found = static_cast<double>(std::ranges::upper_bound(rows, line.x.value(i, 0)) - rows.begin());
      farthest = std::max(farthest, std::abs(found / n - below));
      below += line.density[i] / 2.0;
    }
    EXPECT_NEAR(below, 1.0, 1e-9);
    EXPECT_LT(farthest, distribution_bound(n, 2.0 * one_in) + 1e-6);
  }
}

// The mean log density of a sample is minus the entropy, an integral. What is less likely than exp(-30) counts as that
// likely, so that the bound by the variance (Bernstein's) applies.
TEST(Sample, IsAsUnexpectedAsTheEntropySays) {
  constexpr double least = -30.0;
  for (std::size_t which = 0; which < 2; ++which) {
    const Model model = example_model(1, which);
    const Line line(model);
    const std::vector<double> log_density = model.log_density(line.x);
    double mean = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < log_density.size(); ++i) {
      const double value = std::max(least, log_density[i]);
      mean += line.density[i] * value;
      squares += line.density[i] * value * value;
    }
    double found = 0.0;
    for (const double value : model.log_density(sample(model, {.n_rows = n, .seed = 5}).data)) {
      found += std::max(least, value) / n;
    }
    const double width = *std::ranges::max_element(log_density) - least;
    const double log_odds = std::log(4.0 * one_in);
    EXPECT_NEAR(found, mean, std::sqrt(2.0 * (squares - mean * mean) * log_odds / n) + width * log_odds / (3.0 * n));
  }
}

// Several blocks of rows; a longer sample begins with a shorter one.
TEST(Sample, HangsOnTheSeedAlone) {
  const Model model = example_model(3, 1);
  const Generated one = sample(model, {.n_rows = 10000, .seed = 6}, 1);
  const Generated three = sample(model, {.n_rows = 10000, .seed = 6}, 3);
  EXPECT_TRUE(one.data == three.data);
  EXPECT_EQ(one.labels, three.labels);
  const Generated first = sample(model, {.n_rows = 4500, .seed = 6});
  EXPECT_TRUE(one.data.first_rows(4500) == first.data);
  EXPECT_FALSE(sample(model, {.n_rows = 10000, .seed = 7}).data == one.data);
}

TEST(Sample, UndoesTransforms) {
  const Dataset table = scattered_rows(120, 4, 3, 70).with_names({"a", "b", "c", "d"});
  LocalExecution local(1);
  for (const char* steps : {"standardize", "pca:2", "standardize,project:3"}) {
    const FittedTransforms ready = fit_transforms(local.get(), parse_transforms(steps), table, 5);
    const Model plain = model_of_labels(ready.data, random_labels(120, 3, 70), 3, make_dirichlet(2.0));
    const Model model = plain.with_transforms(ready.chain);
    const Dataset inside = sample(plain, {.n_rows = 50}).data;
    const Dataset outside = sample(model, {.n_rows = 50}).data;
    ASSERT_EQ(outside.columns(), model.mean_columns()) << steps;
    const bool has_inverse = ready.chain.inverse_kind() != Inverse::none;
    EXPECT_EQ(has_inverse, outside.n_columns() == 4) << steps;
    for (std::size_t row = 0; row < 50; ++row) {
      std::vector<double> expected;
      for (std::size_t c = 0; c < inside.n_columns(); ++c) expected.push_back(inside.value(row, c));
      if (has_inverse) expected = ready.chain.inverse(expected);
      for (std::size_t c = 0; c < outside.n_columns(); ++c) ASSERT_EQ(outside.value(row, c), expected[c]) << steps;
    }
  }
}

// A logarithm undone is infinite for what heavy tails bring.
TEST(Sample, IsFiniteWhateverTheTails) {
  const Dataset table = Dataset::from_rows(std::vector<double>{1.0, 1e40, 1.0, 1e250, 1e100, 3.0}, 6, 1);
  LocalExecution local(1);
  const FittedTransforms ready = fit_transforms(local.get(), parse_transforms("log1p"), table);
  const Model model =
      model_of_labels(ready.data, {0, 0, 0, 0, 0, 0}, 1, make_dirichlet(2.0)).with_transforms(ready.chain);
  const Dataset made = sample(model, {.n_rows = 2000}).data;  // which refuses what is not finite
  EXPECT_EQ(*std::ranges::max_element(made.doubles()), std::numeric_limits<double>::max());
}

TEST(Sample, WritesNumbersAsTheTableDid) {
  const Model model = example_model(4, 0);
  const std::vector<Column> columns{{"bit", ColumnKind::binary},
                                    {"count", ColumnKind::count},
                                    {"tenths", ColumnKind::real, false, 1},
                                    {"any", ColumnKind::real}};
  const Model of_columns = with_parts(model, model.partition().clone(), model.total_weight(), columns);
  const Dataset made = sample(of_columns, {.n_rows = 500}).data;
  const Dataset raw = sample(of_columns, {.n_rows = 500, .is_rounded = false}).data;
  for (std::size_t row = 0; row < 500; ++row) {
    ASSERT_EQ(made.value(row, 0), raw.value(row, 0) < 0.5 ? 0.0 : 1.0);
    ASSERT_EQ(made.value(row, 1), std::max(0.0, std::nearbyint(raw.value(row, 1))));
    ASSERT_EQ(made.value(row, 2), std::nearbyint(raw.value(row, 2) * 10.0) / 10.0);
    ASSERT_EQ(made.value(row, 3), raw.value(row, 3));
  }
  EXPECT_EQ(made.columns()[2].name, "tenths");
}

// Rows of a background are anywhere in its box.
TEST(Sample, FillsTheBoxOfABackground) {
  const Model plain = example_model(2, 0);
  const Model model =
      with_parts(plain, beside_background(make_dirichlet(2.0), {std::log(600.0), 58.0, {100.0, -10.0}, {120.0, 20.0}}),
                 plain.total_weight() + 58.0, plain.columns());
  const auto [data, labels] = sample(model, {.n_rows = n, .seed = 8});
  const double share = 60.0 / (148.0 + 8.0);
  const auto n_outside = static_cast<double>(std::ranges::count(labels, background_label));
  EXPECT_NEAR(n_outside / n, share, share_bound(share, n, 5.0 * one_in));
  for (std::size_t c = 0; c < 2; ++c) {
    const double low = c == 0 ? 100.0 : -10.0;
    const double width = c == 0 ? 20.0 : 30.0;
    double n_below = 0.0;
    for (std::size_t row = 0; row < n; ++row) {
      if (labels[row] != background_label) continue;
      const double place = (data.value(row, c) - low) / width;
      ASSERT_TRUE(place >= 0.0 && place < 1.0);
      n_below += place < 0.25 ? 1.0 : 0.0;
    }
    EXPECT_NEAR(n_below / n_outside, 0.25, share_bound(0.25, n_outside, 5.0 * one_in));
  }
}

TEST(Sample, IsSparseWhereThatIsWanted) {
  LocalExecution local(1);
  const Rows rows = rows_of(random_counts(60, 30, 2, 1));
  auto components = std::make_unique<FamilyAdapter<Multinomial>>(Multinomial(30, 0.1));
  StatsArena stats = statistics_of_list(local.get(), Subset(Units(rows)), *components, random_labels(60, 2, 1), 2);
  const Model model({.method = "bkm",
                     .columns = rows.data().columns(),
                     .origin = std::vector<double>(30, 0.0),
                     .components = std::move(components),
                     .partition = make_dirichlet(1.0),
                     .stats = std::move(stats),
                     .total_weight = 60.0,
                     .objective = 0.0});
  const Generated dense = sample(model, {.n_rows = 9000});
  const Generated sparse = sample(model, {.n_rows = 9000, .is_sparse = true});
  ASSERT_TRUE(sparse.data.is_sparse());
  EXPECT_EQ(sparse.labels, dense.labels);
  for (std::size_t row = 0; row < 9000; ++row) {
    for (std::size_t c = 0; c < 30; ++c) ASSERT_EQ(sparse.data.value(row, c), dense.data.value(row, c));
  }
}

std::string refusal(const Model& model, const SampleOptions& options = {}) {
  return message_of<OptionError>([&] { (void)sample(model, options); });
}

Model of_components(std::unique_ptr<Components> components) {
  std::vector<double> stats(components->stats_size(), 0.0);
  stats[0] = 1.0;
  StatsArena all(0, stats.size());
  all.append(stats);
  return Model({.method = "kmeans",
                .columns = Dataset::from_rows(std::vector<double>{1.0}, 1, 1).columns(),
                .origin = {0.0},
                .components = std::move(components),
                .partition = make_dirichlet(1.0),
                .stats = std::move(all),
                .total_weight = 1.0,
                .objective = 0.0});
}

TEST(Sample, SaysWhyThereAreNoRows) {
  EXPECT_THAT(refusal(of_components(std::make_unique<FamilyAdapter<Centroid>>(Centroid(1)))),
              HasSubstr("kmeans knows distances, not densities"));
  EXPECT_THAT(refusal(of_components(std::make_unique<FamilyAdapter<outside::Poisson>>(outside::Poisson(1.0, 1.0)))),
              HasSubstr("the family 'poisson' does not know how to make rows"));
  const Model plain = example_model(2, 0);
  const auto beside = [&](double weight) {
    return with_parts(plain, beside_background(make_dirichlet(2.0), {4.0, weight}), plain.total_weight() + weight,
                      plain.columns());
  };
  EXPECT_THAT(refusal(beside(5.0)), HasSubstr("fit it again"));
  EXPECT_EQ(sample(beside(0.0), {.n_rows = 5}).labels.size(), 5U) << "nothing outside, no box needed";
  EXPECT_EQ(refusal(plain, {.n_rows = 0}), "rows is 0; choose at least 1");
}

}  // namespace
}  // namespace coppice::internal
