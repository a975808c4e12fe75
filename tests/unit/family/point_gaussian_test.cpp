// SPDX-License-Identifier: BSD-3-Clause
// Gaussian families at their maximum-likelihood parameters: what holds for all shapes, and what each of them is.
#include "coppice/family/point_gaussian.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "coppice/family/adapter.hpp"
#include "coppice/family/centred_stats.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;

template <class F>
Stats statistics(const F& family, const Rows& rows, std::size_t first, std::size_t last, Weights weights = {}) {
  Stats stats(family.stats_size(), 0.0);
  BlockBuffer buffer(rows.n_columns());
  for (std::size_t at = first; at < last; at += kernels::panel_rows) {
    RowBlock block(rows, at, std::min(kernels::panel_rows, last - at), buffer);
    family.add(stats, block, weights.empty() ? weights : weights.subspan(at, block.n_rows()));
  }
  return stats;
}
template <class F>
Stats statistics(const F& family, const Rows& rows, Weights weights = {}) {
  return statistics(family, rows, 0, rows.size(), weights);
}

template <class F>
std::vector<double> costs(const F& family, const typename F::Posterior& q, const Rows& rows) {
  return for_rows(rows, [&](RowBlock& block, double* out) { family.costs({&q, 1}, block, out); });
}

// Correlated rows whose columns differ in scale.
Rows slanted_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
  std::vector<double> values = random_values(n * d, seed);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t c = 1; c < d; ++c)
      values[row * d + c] = (0.6 * values[row * d + c - 1] + values[row * d + c]) * 1.5;
  }
  return make_rows(std::move(values), d);
}

template <class F>
class PointFamilies : public testing::Test {};
using Shapes = testing::Types<PointGaussian, PointDiagonal, PointSpherical>;
TYPED_TEST_SUITE(PointFamilies, Shapes);

constexpr std::size_t column_counts[] = {1, 2, 3, 4, 5, 9};

TYPED_TEST(PointFamilies, EvidenceIsTheSumOfLogDensities) {
  for (const std::size_t d : column_counts) {
    for (const double floor : {1e-6, 2.0, 50.0}) {  // the last two bind
      const TypeParam family(d, floor);
      const Rows rows = slanted_rows(40, d, d);
      const std::vector<double> weights = random_weights(40, d);
      const Stats stats = statistics(family, rows, weights);
      const auto q = family.posterior(stats);
      const std::vector<double> cost = costs(family, q, rows);
      double sum = 0.0;
      for (std::size_t row = 0; row < rows.size(); ++row) sum += weights[row] * cost[row];
      EXPECT_NEAR(-family.log_evidence(stats), sum, 1e-11 * std::abs(sum)) << d << ", floor " << floor;
      EXPECT_NEAR(family.node_cost(q, stats), sum, 1e-11 * std::abs(sum));
      const Stats part = statistics(family, rows, 3, 11, weights);
      double of_part = 0.0;
      for (std::size_t row = 3; row < 11; ++row) of_part += weights[row] * cost[row];
      EXPECT_NEAR(family.node_cost(q, part), of_part, 1e-11 * std::abs(of_part));
    }
  }
}

// Whatever else the parameters might be, as long as they keep to the floor.
TYPED_TEST(PointFamilies, NoOtherParametersAreLikelier) {
  for (const std::size_t d : {1U, 2U, 5U}) {
    for (const double floor : {1e-6, 2.0}) {
      const TypeParam family(d, floor);
      const Stats stats = statistics(family, slanted_rows(30, d, d + 1));
      const double best = family.log_evidence(stats);
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto other = family.posterior(statistics(family, slanted_rows(30, d, 100 + seed)));
        EXPECT_LE(-family.node_cost(other, stats), best + 1e-9);
        Stats wider = stats;
        scale_centred(wider, d, seed % 2 == 0 ? 1.1 : 0.9);
        wider[0] = stats[0];  // as many rows, more or less spread
        EXPECT_LE(-family.node_cost(family.posterior(wider), stats), best + 1e-9);
      }
    }
  }
}

TYPED_TEST(PointFamilies, PredictiveDensitiesAreMinusCosts) {
  const TypeParam family(3, 1e-6);
  const Rows rows = slanted_rows(300, 3, 4);
  const auto q = family.posterior(statistics(family, rows));
  std::vector<double> log_density = for_rows(rows, [&](RowBlock& block, double* out) {
    family.log_predictive({&q, 1}, block, out);
  });
  const std::vector<double> cost = costs(family, q, rows);
  for (std::size_t row = 0; row < rows.size(); ++row)
    ASSERT_NEAR(log_density[row], -cost[row], 1e-14 * (1.0 + cost[row]));
  EXPECT_EQ(costs(family, family.plug_in(q), rows), cost);
  EXPECT_EQ(family.kl_to_prior(q), 0.0);
}

TYPED_TEST(PointFamilies, WeightsAreCopies) {
  for (const std::size_t d : column_counts) {
    const TypeParam family(d, 1e-6);
    const Rows rows = slanted_rows(60, d, d);
    std::vector<double> weights(60);
    std::vector<double> values;
    std::vector<double> row(d);
    for (std::size_t i = 0; i < 60; ++i) {
      weights[i] = static_cast<double>(i % 4);
      rows.copy_row(i, row);
      for (std::size_t copy = 0; copy < i % 4; ++copy) values.insert(values.end(), row.begin(), row.end());
    }
    const Stats weighted = statistics(family, rows, weights);
    const Stats copied = statistics(family, make_rows(std::move(values), d));
    for (std::size_t i = 0; i < weighted.size(); ++i) {
      EXPECT_NEAR(weighted[i], copied[i], 1e-11 * (1.0 + std::abs(copied[i])));
    }
  }
}

// Panels are summed about the mean that is there, or about their own, or row by row: it makes no difference.
TYPED_TEST(PointFamilies, PanelsMergeInAnyWay) {
  for (const std::size_t d : {2U, 5U, 8U}) {
    for (const double shift : {0.0, 1e6}) {
      const TypeParam family(d, 1e-6);
      std::vector<double> values = random_values(1000 * d, d);
      for (double& value : values) value += shift;
      const Rows rows = make_rows(std::move(values), d);
      std::vector<double> weights = random_weights(1000, 3);
      for (std::size_t row = 0; row < 300; ++row) weights[row] *= 1e-9;  // the first panel weighs next to nothing
      const Stats in_panels = statistics(family, rows, weights);
      Stats one_by_one(family.stats_size(), 0.0);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        family.merge(one_by_one, statistics(family, rows, row, row + 1, weights));
      }
      for (std::size_t i = 0; i < in_panels.size(); ++i) {
        // Each of 1000 merges moves the mean by up to 2^-53 of the shift, and the scatter by that times the spread.
        const double size = i == 0 ? in_panels[0] : i <= d ? 1.0 + shift : in_panels[0] * (1.0 + 1e-3 * shift);
        EXPECT_NEAR(in_panels[i], one_by_one[i], 1e-12 * size) << i << " of " << d;
      }
    }
  }
}

TYPED_TEST(PointFamilies, TheTieScaleKeepsItsPromise) {
  for (const std::size_t d : column_counts) {
    const TypeParam family(d, 1e-6);
    const auto q = family.posterior(statistics(family, slanted_rows(20, d, d)));
    const TieScale promise = family.tie_scale(q);
    const Rows query = random_rows(100, d, d + 70);
    const std::vector<double> fast = costs(family, q, query);
    std::vector<double> row(d);
    for (std::size_t i = 0; i < query.size(); ++i) {
      query.copy_row(i, row);
      const ExactCost exact = family.exact_cost(q, row);
      EXPECT_NEAR(exact.value, fast[i], 1e-12 * (1.0 + exact.scale));
      EXPECT_LE(exact.scale, promise.ratio * (exact.value - promise.floor) * (1.0 + 1e-9));
    }
  }
}

// One row, copies of one row, a constant column, a column twice.
TYPED_TEST(PointFamilies, TheFloorKeepsDegenerateClustersAlive) {
  const std::vector<Rows> examples = {make_rows({3.0, 4.0}, 2), make_rows({3.0, 4.0, 3.0, 4.0, 3.0, 4.0}, 2),
                                      make_rows({1.0, 4.0, 2.0, 4.0, 3.0, 4.0}, 2),
                                      make_rows({1.0, 1.0, 2.0, 2.0, 3.5, 3.5}, 2)};
  for (const Rows& rows : examples) {
    const TypeParam family(2, 1e-6);
    const Stats stats = statistics(family, rows);
    const auto q = family.posterior(stats);
    double sum = 0.0;
    for (const double cost : costs(family, q, rows)) sum += cost;
    EXPECT_TRUE(std::isfinite(sum));
    EXPECT_NEAR(-family.log_evidence(stats), sum, 1e-6 * std::abs(sum));
  }
  const TypeParam family(2, 1e-6);
  EXPECT_NEAR(family.log_evidence(statistics(family, examples[0])), -std::log(2.0 * std::numbers::pi * 1e-6), 1e-9);
}

TYPED_TEST(PointFamilies, WithoutAFloorASingularCovarianceIsAnError) {
  const TypeParam family(2, 0.0);
  const Stats one_row = statistics(family, make_rows({3.0, 4.0}, 2));
  EXPECT_THAT(message_of<NumericError>([&] { (void)family.posterior(one_row); }), HasSubstr("set floor above 0"));
  EXPECT_THROW((void)family.log_evidence(one_row), NumericError);
  EXPECT_TRUE(std::isfinite(family.log_evidence(statistics(family, random_rows(9, 2, 1)))));
}

// Rows on a line, whose squares are so large that the floor is lost beside them.
TYPED_TEST(PointFamilies, WithAFloorNoCovarianceIsSingular) {
  for (const double size : {1e6, 1e20, 1e76, 1e148}) {
    const TypeParam family(2, size < 1e100 ? 1e-6 : 1e-16);  // of which that is more than doubles hold
    const Rows rows = make_rows({size, -size, 0.0, 0.0, 1.0, 0.0, -size, size, 0.0, 2.0, -2.0, 1.0}, 2);
    const Stats stats = statistics(family, rows);
    EXPECT_TRUE(std::isfinite(family.log_evidence(stats))) << size;
    const auto posterior = family.posterior(stats);
    for (const double cost : costs(family, posterior, rows)) EXPECT_TRUE(std::isfinite(cost)) << size;
  }
}

TYPED_TEST(PointFamilies, NoRowsNoEvidence) {
  const TypeParam family(2, 1e-6);
  EXPECT_EQ(family.log_evidence(Stats(family.stats_size(), 0.0)), 0.0);
}

TYPED_TEST(PointFamilies, AreSavedAndLoaded) {
  const TypeParam family(3, 0.25);
  const TypeParam back = TypeParam::from_arrays(family.to_arrays());
  EXPECT_EQ(back.n_columns(), 3U);
  EXPECT_EQ(back.floors(), std::vector<double>(3, 0.25));
  NamedArrays arrays = family.to_arrays();
  arrays.erase("floor");
  EXPECT_THAT(message_of<DataError>([&] { (void)TypeParam::from_arrays(arrays); }), HasSubstr("floor"));
  arrays = family.to_arrays();
  arrays["columns"].values[0] = 2.5;
  EXPECT_THROW((void)TypeParam::from_arrays(arrays), DataError);
  arrays = family.to_arrays();
  arrays["floor"] = {{}, {0.25}};
  EXPECT_EQ(TypeParam::from_arrays(arrays).floors(), back.floors()) << "one number for all columns";
  arrays["floor"] = {{2}, {0.25, 0.25}};
  EXPECT_THROW((void)TypeParam::from_arrays(arrays), DataError);
  EXPECT_THROW(TypeParam(3, -1.0), OptionError);
  EXPECT_THROW(TypeParam(3, std::numeric_limits<double>::infinity()), OptionError);
  EXPECT_THROW(TypeParam(0, 1.0), OptionError);
}

TYPED_TEST(PointFamilies, MomentsAreThoseOfTheRows) {
  const TypeParam family(2, 1e-6);
  const Stats stats = statistics(family, make_rows({1.0, 10.0, 3.0, 20.0}, 2));
  const ColumnMoments moments = family.column_moments(stats);
  EXPECT_EQ(moments.mean, (std::vector<double>{2.0, 15.0}));
  const bool is_spherical = std::same_as<TypeParam, PointSpherical>;
  EXPECT_EQ(moments.variance, is_spherical ? (std::vector<double>{13.0, 13.0}) : (std::vector<double>{1.0, 25.0}));
  const SplitAxis axis = family.split_axis(stats);
  double squared_norm = 0.0;
  for (const double entry : axis.direction) squared_norm += entry * entry;
  EXPECT_NEAR(squared_norm, 1.0, 1e-12);
  const bool is_diagonal = std::same_as<TypeParam, PointDiagonal>;
  EXPECT_NEAR(axis.variance, is_spherical ? 13.0 : (is_diagonal ? 25.0 : 26.0), 1e-12);
}

// Whoever is wanted somewhere in a box is left.
TYPED_TEST(PointFamilies, PruningKeepsWhoeverIsWanted) {
  std::size_t n_dropped = 0;
  for (const std::size_t d : {1U, 2U, 5U}) {
    FamilyAdapter<TypeParam> clusters(TypeParam(d, 1e-6));
    StatsArena stats(0, clusters.stats_size());
    RandomStream random{d, Purpose::test, 3};
    for (std::size_t c = 0; c < 6; ++c) {
      std::vector<double> values = random_values(20 * d, 10 * d + c, random.uniform(0.3, 2.0));
      const double shift = 4.0 * random.normal();
      for (double& value : values) value += shift;
      stats.append(statistics(clusters.get(), make_rows(std::move(values), d)));
    }
    clusters.update(stats);
    const std::vector<double> offsets = {0.0, 1.0, 0.5, 2.0, 0.1, 0.7};
    const auto test = clusters.box_test(offsets);
    for (std::size_t box = 0; box < 200; ++box) {
      std::vector<double> low(d);
      std::vector<double> high(d);
      for (std::size_t c = 0; c < d; ++c) {
        low[c] = 4.0 * random.normal();
        high[c] = low[c] + random.uniform(0.0, 1.5);
      }
      std::vector<std::int32_t> left = {0, 1, 2, 3, 4, 5};
      std::vector<double> scratch;
      kernels::ContestedBox contested{low.data(), high.data(), left.data(), left.size()};
      test->prune({&contested, 1}, 0.0, scratch);
      left.resize(contested.n);
      n_dropped += 6 - left.size();
      for (std::size_t point = 0; point < 20; ++point) {
        std::vector<double> x(d);
        for (std::size_t c = 0; c < d; ++c) x[c] = random.uniform(low[c], high[c]);
        std::int32_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::int32_t c = 0; c < 6; ++c) {
          const auto cluster = static_cast<std::size_t>(c);
          const double cost =
              clusters.get().exact_cost(clusters.get().posterior(stats[cluster]), x).value + offsets[cluster];
          if (cost < least) {
            least = cost;
            best = c;
          }
        }
        ASSERT_NE(std::ranges::find(left, best), left.end());
      }
    }
  }
  EXPECT_GT(n_dropped, 500U) << "nothing was dropped: nothing was tested";
}

// Closed forms for a handful of rows.
TEST(PointGaussian, IsTheNormalDensity) {
  const PointGaussian family(2, 0.0);
  const Stats stats = statistics(family, make_rows({0.0, 0.0, 2.0, 0.0, 0.0, 2.0, 2.0, 4.0}, 2));
  // mean (1, 1.5); covariance ((1, 0.5), (0.5, 2.75)), of determinant 2.5
  EXPECT_EQ(family.covariance(stats), (std::vector<double>{1.0, 0.5, 0.5, 2.75}));
  const auto q = family.posterior(stats);
  // (x - m) = (1, -0.5): quadratic form (2.75 + 2 * 0.25 + 0.25) / 2.5
  const double expected = std::log(2.0 * std::numbers::pi) + 0.5 * std::log(2.5) + 0.5 * 3.5 / 2.5;
  EXPECT_NEAR(costs(family, q, make_rows({2.0, 1.0}, 2))[0], expected, 1e-13);
}

TEST(PointGaussian, TheFloorRaisesSmallEigenvaluesAlone) {
  const PointGaussian family(2, 0.5);
  // Along (1, 1) the variance is 8, across it 0.
  const Stats stats = statistics(family, make_rows({2.0, 2.0, -2.0, -2.0}, 2));
  const std::vector<double> covariance = family.covariance(stats);
  EXPECT_NEAR(covariance[0], 4.25, 1e-12);
  EXPECT_NEAR(covariance[1], 3.75, 1e-12);
  EXPECT_NEAR(covariance[3], 4.25, 1e-12);
  const PointGaussian low(2, 1e-3);
  const Stats round = statistics(low, random_rows(50, 2, 1));
  const std::vector<double> free = PointGaussian(2, 0.0).covariance(round);
  EXPECT_EQ(low.covariance(round), free) << "a floor that does not bind changes nothing";
}

TEST(PointGaussian, ColumnsHaveFloorsOfTheirOwn) {
  // In units of the floors' roots, (10, 0.1), the first rows are those of the test above.
  const PointGaussian family(std::vector<double>{50.0, 0.005});
  const std::vector<double> covariance = family.covariance(statistics(family, make_rows({20.0, 0.2, -20.0, -0.2}, 2)));
  EXPECT_NEAR(covariance[0], 425.0, 1e-10);
  EXPECT_NEAR(covariance[1], 3.75, 1e-12);
  EXPECT_NEAR(covariance[3], 0.0425, 1e-14);
  EXPECT_THROW(PointGaussian(std::vector<double>{1.0, 0.0}), OptionError);
}

TEST(PointDiagonal, IsAProductOfNormalDensities) {
  const PointDiagonal family(2, 0.5);
  const Stats stats = statistics(family, make_rows({1.0, 5.0, 3.0, 5.0}, 2));  // variances 1 and 0
  const double expected = 0.5 * std::log(2.0 * std::numbers::pi) + 0.5 * 4.0 +
                          0.5 * std::log(2.0 * std::numbers::pi * 0.5) + 0.5 * 9.0 / 0.5;
  EXPECT_NEAR(costs(family, family.posterior(stats), make_rows({4.0, 8.0}, 2))[0], expected, 1e-13);
}

TEST(PointSpherical, HasOneVariance) {
  const PointSpherical family(2, 1e-6);
  const Stats stats = statistics(family, make_rows({1.0, 5.0, 3.0, 5.0}, 2));  // variance (1 + 0) / 2
  const double expected = std::log(2.0 * std::numbers::pi * 0.5) + 0.5 * (4.0 + 9.0) / 0.5;
  EXPECT_NEAR(costs(family, family.posterior(stats), make_rows({4.0, 8.0}, 2))[0], expected, 1e-13);
}

TEST(PoolScatter, GivesAllClustersOneCovariance) {
  const PointGaussian family(3, 1e-6);
  StatsArena stats(0, family.stats_size());
  stats.append(statistics(family, slanted_rows(40, 3, 1)));
  stats.append(statistics(family, random_rows(10, 3, 2)));
  StatsArena pooled = stats;
  pool_scatter(pooled, 3);
  const std::vector<double> first = family.covariance(pooled[0]);
  const std::vector<double> second = family.covariance(pooled[1]);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(first[i], second[i], 1e-13);
    const double expected = 0.8 * family.covariance(stats[0])[i] + 0.2 * family.covariance(stats[1])[i];
    EXPECT_NEAR(first[i], expected, 1e-12);
  }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(pooled[0][i], stats[0][i]) << "weight and mean stay";
}

TEST(ScaleCentred, IsAWeightOnEveryRow) {
  const PointGaussian family(2, 1e-6);
  const Rows rows = random_rows(9, 2, 1);
  Stats scaled = statistics(family, rows);
  scale_centred(scaled, 2, 0.3);
  const Stats weighted = statistics(family, rows, std::vector<double>(9, 0.3));
  for (std::size_t i = 0; i < scaled.size(); ++i) EXPECT_NEAR(scaled[i], weighted[i], 1e-13);
}

// What is taken off a scatter where the mean moves may exceed it by a rounding.
TEST(PointGaussian, VariancesAreNotNegativeWhereAlmostAllIsOneRow) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Dataset data = scattered_rows(600, 2, 3, seed, 4.0);
    const Rows rows(data, {0.0, 0.0});
    RandomStream random{seed, Purpose::test, 3};
    std::vector<double> weights(256);
    for (double& weight : weights) weight = std::pow(10.0, random.uniform(-60.0, -20.0));
    weights[random.below(256)] = 5969.9;
    const PointGaussian family(2, 1e-6);
    std::vector<double> stats(family.stats_size(), 0.0);
    BlockBuffer buffer(2);
    for (std::size_t first = 0; first < 512; first += 256) {
      RowBlock block(rows, first, 256, buffer);
      family.add(stats, block, weights);
      weights.assign(256, 1e-45);
    }
    for (const double variance : family.column_moments(stats).variance) EXPECT_GE(variance, 0.0) << seed;
  }
}

}  // namespace
}  // namespace coppice::internal
