// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "coppice/runtime/error.hpp"
#include "data/generate/mixture.hpp"
#include "data/generate/separated.hpp"
#include "unit/data/gaussian_clusters_checks.hpp"

namespace coppice::internal {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Options>
void expect_repeatable(Options options) {
  const Generated first = generate(options);
  const Generated second = generate(options);
  EXPECT_EQ(first.data, second.data);
  EXPECT_EQ(first.labels, second.labels);
  options.seed += 1;
  const Generated other = generate(options);
  EXPECT_NE(first.data, other.data);
  EXPECT_NE(first.labels, other.labels);
  EXPECT_FALSE(std::ranges::is_sorted(first.labels));
}

template <class Options>
void expect_refused(const Options& options, const std::string& part) {
  try {
    (void)generate(options);
    FAIL() << "accepted what should say: " << part;
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Generate, SameOptionsGiveTheSameTableAndAnotherSeedAnother) {
  expect_repeatable(BirchGrid{});
  expect_repeatable(SeparatedGaussians{.n_rows = 100, .n_columns = 3, .k = 4});
  for (const Spread spread : {Spread::tight, Spread::spread, Spread::wide}) {
    expect_repeatable(GaussianMixture{.n_rows = 100, .n_columns = 3, .k = 4, .spread = spread});
  }
}

// Clusters and noise do not depend on how many rows are asked for, so a cluster's rows are continued.
TEST(Generate, MoreRowsContinueFewerRows) {
  const Generated few = generate(GaussianMixture{.n_rows = 5000, .n_columns = 2, .k = 1, .seed = 3});
  const Generated many = generate(GaussianMixture{.n_rows = 9000, .n_columns = 2, .k = 1, .seed = 3});
  EXPECT_TRUE(std::ranges::equal(few.data.doubles(), many.data.doubles().first(10000)));
}

TEST(Generate, ClustersAreEquallyLargeUpToOneRow) {
  const Generated mixture = generate(GaussianMixture{.n_rows = 11, .k = 4});
  EXPECT_EQ(sizes_of(mixture, 4), (std::vector<std::size_t>{3, 3, 3, 2}));
  const Generated separated = generate(SeparatedGaussians{.n_rows = 7, .n_columns = 2, .k = 7});
  EXPECT_EQ(sizes_of(separated, 7), std::vector<std::size_t>(7, 1));
  const Generated birch = generate(BirchGrid{.side = 3, .rows_per_cluster = 20});
  EXPECT_EQ(birch.data.n_rows(), 180U);
  EXPECT_EQ(birch.data.n_columns(), 2U);
  EXPECT_EQ(sizes_of(birch, 9), std::vector<std::size_t>(9, 20));
}

// Cluster line * side + place stands at (place, line) times 4 sqrt(2), with unit variance.
TEST(GenerateBirch, RowsScatterAroundTheGrid) {
  const double spacing = 4.0 * std::sqrt(2.0);
  GaussianClusters grid{.n_columns = 2, .centers = {}, .factors = {}, .scales = {}};
  for (const double line : {0.0, 1.0, 2.0}) {
    for (const double place : {0.0, 1.0, 2.0}) {
      grid.centers.insert(grid.centers.end(), {place * spacing, line * spacing});
      grid.factors.insert(grid.factors.end(), {1.0, 0.0, 0.0, 1.0});
    }
  }
  expect_moments(generate(BirchGrid{.side = 3, .rows_per_cluster = 10000, .seed = 4}), grid);
}

TEST(GenerateMixture, EverySpreadKeepsTheGap) {
  for (const Spread spread : {Spread::tight, Spread::spread, Spread::wide}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const std::size_t n_columns = 1 + seed % 4;
      const double tau = 0.1 + static_cast<double>(seed % 7);
      const GaussianMixture options{
          .n_rows = 100, .n_columns = n_columns, .k = 2 + seed % 30, .tau = tau, .spread = spread, .seed = seed};
      EXPECT_GE(closest_pair(options), 1.0 - 1e-12) << "seed " << seed;
    }
  }
}

TEST(GenerateMixture, TightIsTheSmallestStretch) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const GaussianMixture options{
        .n_rows = 50, .n_columns = 1 + seed % 5, .k = 10, .tau = 2.0, .spread = Spread::tight, .seed = seed};
    EXPECT_NEAR(closest_pair(options), 1.0, 1e-12) << "seed " << seed;  // one pair keeps the gap and no more
  }
}

TEST(GenerateMixture, SpreadStretchesAtLeastByOne) {
  GaussianMixture options{.n_rows = 50, .n_columns = 8, .k = 5, .tau = 0.01, .seed = 2};
  const std::vector<double> unstretched = normal_directions(5, 8, 2);
  EXPECT_EQ(draw_clusters(options).centers, unstretched);
  options.tau = 100.0;  // now the gap decides
  const std::vector<double> stretched = draw_clusters(options).centers;
  EXPECT_NE(stretched, unstretched);
  options.spread = Spread::tight;
  EXPECT_EQ(draw_clusters(options).centers, stretched);
}

TEST(GenerateMixture, WideStaysInItsBox) {
  const GaussianMixture options{.n_rows = 500, .n_columns = 3, .k = 500, .tau = 3.0, .spread = Spread::wide, .seed = 5};
  const double half_width = 2.0 * 3.0 * std::pow(500.0, 1.0 / 3.0) * std::pow(3.0, 0.25);
  const std::vector<double> means = draw_clusters(options).centers;
  const auto [low, high] = std::ranges::minmax(means);
  EXPECT_GE(low, -half_width);
  EXPECT_LE(high, half_width);
  // With 1500 coordinates the outermost 2% on a side stay empty with probability 0.98^1500 < 1e-13, were they free.
  EXPECT_LT(low, -0.96 * half_width);
  EXPECT_GT(high, 0.96 * half_width);
}

TEST(GenerateMixture, ABoxWithoutRoomGrows) {
  const std::vector<double> scales(30, 1.0);
  const std::vector<double> centers =
      centers_in_box(scales, CenterBox{.n_columns = 2, .half_width = 0.1, .tau = 1.0}, 3);
  const GaussianClusters clusters{.n_columns = 2, .centers = centers, .factors = {}, .scales = {}};
  EXPECT_GE(closest_pair(clusters, [](std::size_t, std::size_t) { return 1.0; }), 1.0);
}

// s ~ U(0.05, 1): mean 0.525, standard deviation 0.95 / sqrt(12). The entries of F sqrt(D) / s are standard normal:
// the mean of their squares is 1 with standard error sqrt(2 / n). Five standard errors each.
TEST(GenerateMixture, ScalesAndShapesFollowTheirFormulas) {
  constexpr std::size_t k = 400;
  constexpr std::size_t n_columns = 5;
  const GaussianClusters clusters = draw_clusters(GaussianMixture{.n_rows = k, .n_columns = n_columns, .k = k});
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    const double scale = clusters.scales[cluster];
    EXPECT_GE(scale, 0.05);
    EXPECT_LT(scale, 1.0);
    sum += scale;
    for (std::size_t axis = 0; axis < n_columns; ++axis) {
      const auto column = factor_column(clusters, cluster, axis);
      squares += dot(column, column) * n_columns / (scale * scale);
    }
  }
  const double n_entries = k * n_columns * n_columns;
  EXPECT_NEAR(sum / k, 0.525, 5.0 * 0.95 / std::sqrt(12.0 * k));
  EXPECT_NEAR(squares / n_entries, 1.0, 5.0 * std::sqrt(2.0 / n_entries));
}

TEST(GenerateMixture, RowsHaveTheirClustersMoments) {
  const GaussianMixture options{.n_rows = 60000, .n_columns = 4, .k = 3, .seed = 6};
  expect_moments(generate(options), draw_clusters(options));
}

TEST(GenerateSeparated, EveryPairIsSeparatedAndHardlyMoreThanNeeded) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const SeparatedGaussians options{.n_rows = 100,
                                     .n_columns = 1 + seed % 17,
                                     .k = 2 + seed % 11,
                                     .separation = 0.5 * static_cast<double>(1 + seed % 8),
                                     .seed = seed};
    const GaussianClusters clusters = draw_clusters(options);
    std::vector<double> largest(options.k, 0.0);  // eigenvalues
    for (std::size_t cluster = 0; cluster < options.k; ++cluster) {
      for (std::size_t i = 0; i < options.n_columns; ++i) {
        const auto axis = factor_column(clusters, cluster, i);
        largest[cluster] = std::max(largest[cluster], dot(axis, axis));
      }
    }
    const double unit = options.separation * std::sqrt(static_cast<double>(options.n_columns));
    const double closest = closest_pair(
        clusters, [&](std::size_t i, std::size_t j) { return unit * std::sqrt(std::max(largest[i], largest[j])); });
    EXPECT_GE(closest, 1.0 - 1e-12) << "seed " << seed;
    // The means start at c sqrt(D) u; a step of 1% is taken only while some pair is too close.
    const double start = unit * normal_directions(options.k, options.n_columns, seed)[0];
    const bool grown = std::abs(clusters.centers[0]) > std::abs(start) * (1.0 + 1e-12);
    EXPECT_TRUE(!grown || closest < 1.01 + 1e-12) << "seed " << seed << ", closest " << closest;
  }
}

// F = Q diag(sqrt(lambda)): its columns are orthogonal, their squared lengths are the eigenvalues.
TEST(GenerateSeparated, CovariancesHaveOrthogonalAxesAndEigenvaluesInRange) {
  constexpr std::size_t n_columns = 6;
  const GaussianClusters clusters =
      draw_clusters(SeparatedGaussians{.n_rows = 100, .n_columns = n_columns, .k = 20, .seed = 8});
  for (std::size_t cluster = 0; cluster < clusters.k(); ++cluster) {
    for (std::size_t i = 0; i < n_columns; ++i) {
      const auto axis = factor_column(clusters, cluster, i);
      EXPECT_GE(dot(axis, axis), 0.3 - 1e-14);
      EXPECT_LE(dot(axis, axis), 1.0 + 1e-14);
      for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(dot(axis, factor_column(clusters, cluster, j)), 0.0, 1e-14);
    }
  }
}

// Without fixed signs Householder's Q has entries whose mean is not 0. An entry of a uniform Q of size D has mean 0 and
// variance 1/D; five standard errors.
TEST(GenerateSeparated, RotationsHaveNoPreferredSign) {
  constexpr std::size_t k = 2000;
  constexpr std::size_t n_columns = 3;
  const GaussianClusters clusters = draw_clusters(SeparatedGaussians{.n_rows = k, .n_columns = n_columns, .k = k});
  for (std::size_t entry = 0; entry < n_columns * n_columns; ++entry) {
    double sum = 0.0;
    for (std::size_t cluster = 0; cluster < k; ++cluster) {
      const auto axis = factor_column(clusters, cluster, entry / n_columns);
      sum += axis[entry % n_columns] / std::sqrt(dot(axis, axis));
    }
    EXPECT_NEAR(sum / k, 0.0, 5.0 * std::sqrt(1.0 / (n_columns * static_cast<double>(k)))) << "entry " << entry;
  }
}

TEST(GenerateSeparated, RowsHaveTheirClustersMoments) {
  const SeparatedGaussians options{.n_rows = 60000, .n_columns = 4, .k = 3, .seed = 9};
  expect_moments(generate(options), draw_clusters(options));
}

TEST(GenerateSeparated, TheSmallestSeparationEnds) {
  const SeparatedGaussians options{.n_rows = 100, .n_columns = 1, .k = 50, .separation = 5e-324};
  EXPECT_EQ(generate(options).data.n_rows(), 100U);
}

TEST(Generate, RefusesOptionsThatMakeNoSense) {
  expect_refused(BirchGrid{.side = 0}, "side is 0");
  expect_refused(BirchGrid{.rows_per_cluster = 0}, "rows_per_cluster is 0");
  expect_refused(BirchGrid{.spacing = -1.0}, "spacing is -1");
  expect_refused(GaussianMixture{.n_rows = 5, .k = 6}, "k is 6, but 5 rows");
  expect_refused(GaussianMixture{.k = 0}, "k is 0");
  expect_refused(GaussianMixture{.n_columns = 0}, "dimensions is 0");
  expect_refused(GaussianMixture{.tau = -0.5}, "tau is -0.5");
  expect_refused(GaussianMixture{.tau = infinity}, "tau is inf");
  expect_refused(GaussianMixture{.tau = not_a_number}, "tau is nan");
  expect_refused(SeparatedGaussians{.n_rows = 0, .k = 1}, "rows is 0");
  expect_refused(SeparatedGaussians{.n_columns = 0}, "dimensions is 0");
  expect_refused(SeparatedGaussians{.separation = -2.0}, "separation is -2");
}

TEST(Generate, RefusesTablesBeyondMemory) {
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_THROW((void)generate(BirchGrid{.rows_per_cluster = huge}), LimitError);
  EXPECT_THROW((void)generate(GaussianMixture{.n_rows = huge, .n_columns = 8}), LimitError);
  EXPECT_THROW((void)generate(SeparatedGaussians{.n_columns = huge}), LimitError);
}

}  // namespace
}  // namespace coppice::internal
