// SPDX-License-Identifier: BSD-3-Clause
// What a table's units and copies may not do to its clusters: columns times powers of two have the same clusters, with
// an objective shifted by the change of volume; a table several times over has the clusters of the table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "at_length.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/plain_texts.hpp"

namespace coppice::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::size_t n_columns = 3;

// Four clusters with tails: normals of which every ninth is divided by a uniform number.
Dataset with_tails(std::size_t n_rows, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 70};
  std::vector<double> centres(4 * n_columns);
  for (double& centre : centres) centre = 10.0 * random.normal();
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double divisor = row % 9 == 0 ? random.uniform(0.02, 1.0) : 1.0;
    for (std::size_t c = 0; c < n_columns; ++c) {
      values.push_back(centres[row % 4 * n_columns + c] + random.normal() / divisor);
    }
  }
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

constexpr int exponents[n_columns] = {40, -7, 0};

Dataset in_other_units(const Dataset& data) {
  std::vector<double> values(data.doubles().begin(), data.doubles().end());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::ldexp(values[i], exponents[i % n_columns]);
  return Dataset::from_rows(std::move(values), data.n_rows(), n_columns);
}

void expect_same_in_other_units(const Dataset& data, const BayesianKMeans& method) {
  const Fit plain = fit(data, method);
  const Fit scaled = fit(in_other_units(data), method);
  EXPECT_GT(plain.model.k(), 1U);
  EXPECT_EQ(scaled.labels, plain.labels);
  EXPECT_EQ(scaled.model.components().family(), plain.model.components().family());
  const double shift = static_cast<double>(data.n_rows()) * (40.0 - 7.0) * std::log(2.0);
  const double expected = plain.model.objective() + shift;
  EXPECT_NEAR(scaled.model.objective(), expected, 1e-9 * std::abs(expected));
}

TEST(Units, DoNotMatterToFamiliesThatScaleColumns) {
  const auto n_seeds = n_cases<std::uint64_t>(1, 4);
  for (const char* family : {"gaussian", "diagonal", "student", "student-diagonal"}) {
    for (const char* prior : {"auto", "grid"}) {
      for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
        SCOPED_TRACE(std::string(family) + ' ' + prior);
        expect_same_in_other_units(with_tails(600, seed), {.family = family, .prior = prior});
      }
    }
  }
}

// Spherical clusters do mind units: here they do not win.
TEST(Units, DoNotMatterWhereSphericalClustersDoNotWin) {
  const Generated made =
      generate(GaussianMixture{.n_rows = 500, .n_columns = n_columns, .k = 5, .tau = 2.0, .seed = 6});
  expect_same_in_other_units(made.data, {});
}

// Four clusters of Student-t rows with two degrees of freedom, their columns of unlike spread; two of them correlated
// if they are slanted.
Dataset of_student_rows(bool are_slanted, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 75};
  std::vector<double> centres(4 * n_columns);
  for (double& centre : centres) centre = 15.0 * random.normal();
  std::vector<double> values;
  for (std::size_t row = 0; row < 600; ++row) {
    const double divisor = std::sqrt(-std::log(random.uniform(0.0, 1.0)));
    const double first = random.normal();
    const double second = 3.0 * random.normal() + (are_slanted ? 2.0 * first : 0.0);
    const double offsets[n_columns] = {first, second, 0.3 * random.normal()};
    for (std::size_t c = 0; c < n_columns; ++c) {
      values.push_back(centres[row % 4 * n_columns + c] + offsets[c] / divisor);
    }
  }
  return Dataset::from_rows(std::move(values), 600, n_columns);
}

TEST(Units, DoNotMatterToAllFamiliesWhereRoundTailsDoNotWin) {
  for (std::uint64_t seed = 0; seed < n_cases<std::uint64_t>(1, 6); ++seed) {
    for (const bool are_slanted : {false, true}) {
      SCOPED_TRACE(are_slanted ? "slanted" : "straight");
      const Dataset data = of_student_rows(are_slanted, seed);
      ASSERT_TRUE(fit(data, BayesianKMeans{}).model.components().family().starts_with("student"));
      expect_same_in_other_units(data, {});
    }
  }
}

// With a tree, whose nodes are cut across the widest column, and a sample of the rows.
TEST(Units, DoNotMatterToLargeTables) {
  const Generated made =
      generate(GaussianMixture{.n_rows = 12000, .n_columns = n_columns, .k = 5, .tau = 4.0, .seed = 7});
  expect_same_in_other_units(made.data, {.family = "gaussian"});
}

// Three clusters of standard deviation 1, in tenths: some rows agree in a column, hardly any in all three.
Dataset rounded_clusters() {
  RandomStream random{8, Purpose::test, 73};
  std::vector<double> values;
  for (std::size_t i = 0; i < 300 * n_columns; ++i) {
    const double centre = 6.0 * static_cast<double>((i / n_columns + i) % 3);
    values.push_back(std::nearbyint(10.0 * (centre + random.normal())) / 10.0);
  }
  return Dataset::from_rows(std::move(values), 300, n_columns);
}

Dataset repeated(const Dataset& data, const std::vector<std::size_t>& times) {
  std::vector<double> values;
  std::size_t n_rows = 0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    n_rows += times[row];
    for (std::size_t i = 0; i < times[row] * n_columns; ++i) values.push_back(data.value(row, i % n_columns));
  }
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

// The label of every row's first copy.
std::vector<std::int32_t> of_first_copies(const std::vector<std::int32_t>& labels,
                                          const std::vector<std::size_t>& times) {
  std::vector<std::int32_t> first;
  for (std::size_t row = 0, at = 0; row < times.size(); at += times[row++]) first.push_back(labels[at]);
  return first;
}

TEST(Copies, OfATableAreNoClusters) {
  const Dataset once = rounded_clusters();
  const Fit once_only = fit(once, BayesianKMeans{});
  ASSERT_EQ(once_only.model.k(), 3U);
  RandomStream random{1, Purpose::test, 71};
  for (const std::size_t most : {2U, 5U}) {
    std::vector<std::size_t> times(once.n_rows(), most);
    for (std::size_t& n : times) n = most == 5 ? 1 + random.below(5) : n;
    const std::vector<double> weights(times.begin(), times.end());
    const Fit copied = fit(repeated(once, times), BayesianKMeans{});
    const Fit weighted = fit(once.with_weights(weights), BayesianKMeans{});
    EXPECT_EQ(copied.model.k(), 3U);
    EXPECT_GT(evaluate::adjusted_rand_index(weighted.labels, once_only.labels), 0.95);
    EXPECT_EQ(of_first_copies(copied.labels, times), weighted.labels);
    EXPECT_NEAR(copied.model.objective(), weighted.model.objective(), 1e-9 * copied.model.objective());
    for (const Fit* found : {&copied, &weighted}) {
      EXPECT_THAT(coppice::plain(found->warnings), Contains(HasSubstr("several times")));
    }
  }
}

// Values so coarse that rows agree by chance: single copies do not show, but that all rows have them does.
TEST(Copies, OfATableOfCoarseCountsAreNoClusters) {
  for (std::uint64_t seed = 0; seed < n_cases<std::uint64_t>(2, 6); ++seed) {
    RandomStream random{seed, Purpose::test, 74};
    std::vector<double> values;
    for (std::size_t i = 0; i < 300 * n_columns; ++i) {
      const double rate = (i / n_columns + i) % 3 == 0 ? 9.0 : 2.0;
      values.push_back(std::floor(std::max(0.0, rate + std::sqrt(rate) * random.normal())));
    }
    const Dataset once = Dataset::from_rows(std::move(values), 300, n_columns);
    const Fit once_only = fit(once, BayesianKMeans{});
    for (const std::size_t times : {2U, 3U}) {
      const std::vector<std::size_t> all(300, times);
      const Fit copied = fit(repeated(once, all), BayesianKMeans{});
      EXPECT_EQ(copied.model.k(), once_only.model.k()) << seed;
      EXPECT_GT(evaluate::adjusted_rand_index(of_first_copies(copied.labels, all), once_only.labels), 0.9) << seed;
      EXPECT_THAT(coppice::plain(copied.warnings), Contains(HasSubstr("several times over"))) << seed;
    }
  }
}

TEST(Copies, BesideABackgroundAreNoClustersEither) {
  const Dataset once = rounded_clusters();
  const Fit once_only = fit(once, BayesianKMeans{.outliers = true});
  const Fit copied = fit(once.with_weights(std::vector<double>(once.n_rows(), 3.0)), BayesianKMeans{.outliers = true});
  EXPECT_EQ(copied.model.k(), once_only.model.k());
  EXPECT_GT(evaluate::adjusted_rand_index(copied.labels, once_only.labels), 0.95);
}

TEST(Copies, WeightsWithFractionsAreMasses) {
  const Dataset once = rounded_clusters();
  const Fit once_only = fit(once, BayesianKMeans{});
  RandomStream random{2, Purpose::test, 72};
  for (const double size : {0.5, 30.5}) {
    std::vector<double> weights(once.n_rows());
    for (double& weight : weights) weight = size * random.uniform(0.5, 1.5);
    const Fit found = fit(once.with_weights(weights), BayesianKMeans{});
    EXPECT_EQ(found.model.k(), once_only.model.k()) << size;
    EXPECT_GT(evaluate::adjusted_rand_index(found.labels, once_only.labels), 0.95) << size;
    EXPECT_THAT(coppice::plain(found.warnings), Contains(HasSubstr("do not count rows"))) << size;
  }
}

}  // namespace
}  // namespace coppice::internal
