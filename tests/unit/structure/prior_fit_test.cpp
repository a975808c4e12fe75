// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/prior_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/structure/discrete_priors.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

constexpr const char* families[] = {"gaussian", "diagonal", "spherical"};
enum Number : std::size_t { gamma, nu, xi0 };

double data_part(const Components& components, const StatsArena& clusters) {
  double sum = 0.0;
  for (std::size_t c = 0; c < clusters.size(); ++c) sum -= components.log_evidence(clusters[c]);
  return sum;
}

// The clusters that random rows have by some labels.
struct Example {
  explicit Example(std::uint64_t seed, std::size_t d = 3)
      : rows(scattered_rows(300, d, 5, seed), std::vector<double>(d, 0.0)), labels(random_labels(300, 5, seed)) {}

  [[nodiscard]] StatsArena clusters(const AdjustablePrior& prior) {
    return labelling_statistics(local.get(), rows, *prior.at(prior.starts().front()), labels);
  }

  LocalExecution local{1};
  Rows rows;
  std::vector<std::int32_t> labels;
};

TEST(PriorFit, TheObjectiveFallsByTheGainAndNeverRises) {
  for (const char* family : families) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Example example(seed);
      const auto prior = make_gaussian_prior(family, gaussian_shape(example.local.get(), example.rows));
      const StatsArena clusters = example.clusters(*prior);
      for (const std::vector<double>& start : prior->starts()) {
        const FittedPrior fitted = fit_prior(example.local.get(), *prior, start, clusters);
        EXPECT_GE(fitted.gain, 0.0);
        const double before = data_part(*prior->at(start), clusters);
        EXPECT_NEAR(before - data_part(*prior->at(fitted.values), clusters), fitted.gain, 1e-9 * std::abs(before));
        const FittedPrior again = fit_prior(example.local.get(), *prior, fitted.values, clusters);
        EXPECT_GE(again.gain, 0.0);
        EXPECT_LT(again.gain, std::max(1.0, fitted.gain)) << "most is gained at once";
      }
    }
  }
}

// What is left to the prior itself costs what its rows cost there.
TEST(PriorFit, WhatIsAtThePriorHasItsSay) {
  for (const char* family : families) {
    Example example(3);
    const auto prior = make_gaussian_prior(family, gaussian_shape(example.local.get(), example.rows));
    const StatsArena clusters = example.clusters(*prior);
    const std::vector<double> start = prior->starts().front();
    const auto objective = [&](std::span<const double> values) {
      const auto components = prior->at(values);
      const double evidence = data_part(*components, clusters);
      components->update(StatsArena(1, components->stats_size()));
      return evidence + components->node_cost(0, clusters[2]);
    };
    const FittedPrior fitted = fit_prior(example.local.get(), *prior, start, clusters, clusters[2]);
    EXPECT_NEAR(objective(start) - objective(fitted.values), fitted.gain, 1e-9 * std::abs(objective(start)));
    const FittedPrior without = fit_prior(example.local.get(), *prior, start, clusters);
    EXPECT_LT(objective(fitted.values), objective(without.values)) << family;
  }
}

TEST(PriorFit, IsWorthHalfANatAndMoreWithManyValues) {
  EXPECT_FALSE(is_worth_it({{}, 0.5}, 100.0, 2));
  EXPECT_TRUE(is_worth_it({{}, 0.51}, 100.0, 2));
  EXPECT_FALSE(is_worth_it({{}, 20.0}, 1e6, 2));
  EXPECT_TRUE(is_worth_it({{}, 20.1}, 1e6, 2));
}

// What a fit goes by is the sum of the families' own log evidences.
TEST(PriorFit, TheEvidenceOfAPriorIsItsFamilys) {
  Example example(7);
  for (const char* family : {"gaussian", "diagonal", "spherical", "student", "student-diagonal", "student-spherical"}) {
    for (const bool varies : {false, true}) {
      GaussianShape shape = gaussian_shape(example.local.get(), example.rows);
      shape.varies_in_scale = varies;
      shape.rounding = {0.01, 0.0, 0.02};
      const auto prior = make_gaussian_prior(family, shape);
      const StatsArena clusters = example.clusters(*prior);
      const std::unique_ptr<EvidenceOfPrior> evidence = prior->evidence_of(example.local.get(), clusters);
      for (std::vector<double> values : prior->starts()) {
        for (const double factor : {1.0, 0.2, 2.0}) {
          for (double& value : values) value *= factor;
          const double expected = -data_part(*prior->at(values), clusters);
          EXPECT_NEAR(evidence->at(example.local.get(), values), expected, 1e-10 * std::abs(expected)) << family;
        }
      }
    }
  }
}

TEST(PriorFit, ValuesStayInTheirBounds) {
  for (const char* family : families) {
    LocalExecution local(1);
    const Rows same(Dataset::from_rows(std::vector<double>(200, 2.5), 100, 2), {0.0, 0.0});  // wants gamma = 0
    GaussianShape shape{{0.0, 0.0}, {1.0, 1.0}, {}};
    const auto prior = make_gaussian_prior(family, shape);
    const StatsArena clusters =
        labelling_statistics(local.get(), same, *prior->at(prior->starts().front()), std::vector<std::int32_t>(100, 0));
    std::vector<double> values = prior->starts().front();
    for (int i = 0; i < 5; ++i) values = fit_prior(local.get(), *prior, values, clusters).values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_GE(values[i], prior->numbers()[i].low * (1.0 - 1e-12)) << prior->numbers()[i].name;
      EXPECT_LE(values[i], prior->numbers()[i].high * (1.0 + 1e-12)) << prior->numbers()[i].name;
    }
    EXPECT_LT(values[gamma], 1e-4);
  }
}

TEST(PriorFit, NumbersGivenByHandStay) {
  for (const char* family : families) {
    Example example(3);
    GaussianShape shape = gaussian_shape(example.local.get(), example.rows);
    shape.xi0 = 0.7;
    shape.eta0 = 6.5;
    const auto prior = make_gaussian_prior(family, shape);
    const std::vector<double> start = prior->starts().front();
    const FittedPrior fitted = fit_prior(example.local.get(), *prior, start, example.clusters(*prior));
    EXPECT_EQ(fitted.values[nu], start[nu]);
    EXPECT_EQ(fitted.values[xi0], 0.7);
    EXPECT_NE(fitted.values[gamma], start[gamma]);
  }
}

TEST(PriorFit, APriorWithoutNumbersIsAsItIs) {
  Example example(4);
  const auto prior = make_fixed_prior(plain_gaussian(3).clone());
  const FittedPrior fitted = fit_prior(example.local.get(), *prior, {}, example.clusters(*prior));
  EXPECT_TRUE(fitted.values.empty());
  EXPECT_EQ(fitted.gain, 0.0);
}

// Round clusters in unit variance whose precisions and means are drawn from the prior.
TEST(PriorFit, FindsThePriorThatManyClustersWereDrawnFrom) {
  constexpr std::size_t d = 3;
  constexpr std::size_t n_clusters = 400;
  constexpr std::size_t rows_each = 20;
  constexpr double true_gamma = 0.02;
  constexpr std::size_t true_nu = 8;
  constexpr double true_xi0 = 0.05;
  RandomStream random{1, Purpose::test, 31};
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t c = 0; c < n_clusters; ++c) {
    double chi_squared = 0.0;
    for (std::size_t i = 0; i < true_nu; ++i) chi_squared += std::pow(random.normal(), 2);
    const double deviation = std::sqrt(static_cast<double>(true_nu) * true_gamma / chi_squared);
    double centre[d];
    for (double& value : centre) value = deviation / std::sqrt(true_xi0) * random.normal();
    for (std::size_t row = 0; row < rows_each; ++row) {
      for (const double value : centre) values.push_back(value + deviation * random.normal());
      labels.push_back(static_cast<std::int32_t>(c));
    }
  }
  LocalExecution local(1);
  const Rows rows(Dataset::from_rows(values, n_clusters * rows_each, d), std::vector<double>(d, 0.0));
  const auto prior = make_gaussian_prior("spherical", {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {}});
  const StatsArena clusters = labelling_statistics(local.get(), rows, *prior->at(prior->starts().front()), labels);
  const FittedPrior fitted = fit_prior(local.get(), *prior, prior->starts().front(), clusters);
  // The scale of 400 clusters is known to 3 % or so, the number of degrees of freedom to 10 %.
  EXPECT_NEAR(fitted.values[gamma], true_gamma, 0.15 * true_gamma);
  EXPECT_NEAR(fitted.values[nu], static_cast<double>(true_nu), 0.4 * static_cast<double>(true_nu));
  EXPECT_NEAR(fitted.values[xi0], true_xi0, 0.15 * true_xi0);
}

TEST(PriorFit, PseudoCountsOfBitsAreFitted) {
  LocalExecution local(1);
  std::vector<double> values;
  RandomStream random{2, Purpose::test, 32};
  for (std::size_t i = 0; i < 400; ++i) values.push_back(random.uniform() < 0.5 ? 0.0 : 1.0);  // no answer is rare
  const Rows rows(Dataset::from_rows(values, 100, 4), std::vector<double>(4, 0.0));
  const std::vector<std::int32_t> labels = random_labels(100, 4, 1);
  StatsArena clusters;
  for (const bool is_centred : {false, true}) {
    const auto free =
        is_centred ? make_centred_bernoulli_prior(bit_rates(local.get(), rows)) : make_bernoulli_prior(4, {});
    clusters = labelling_statistics(local.get(), rows, *free->at(free->starts().front()), labels);
    const FittedPrior fitted = fit_prior(local.get(), *free, free->starts().front(), clusters);
    EXPECT_GT(fitted.values[0], free->starts().front().front());
    EXPECT_GT(fitted.values[0], 1.0);
    EXPECT_GT(fitted.gain, 1.0);
  }
  const auto given = make_bernoulli_prior(4, 0.5);
  EXPECT_EQ(fit_prior(local.get(), *given, given->starts().front(), clusters).values, std::vector<double>{0.5});
}

}  // namespace
}  // namespace coppice::internal
