// SPDX-License-Identifier: BSD-3-Clause
// No row in a box is more probable than its bound says, and of a box that is one row the bound is its density.
#include "coppice/family/prediction_bounds.hpp"

#include <gtest/gtest.h>

#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/family/student.hpp"
#include "coppice/family/uninformative.hpp"
#include "unit/family/axis_examples.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_rows = 200;

// Rows anywhere in the box, its corners among them.
Rows rows_in(const std::vector<double>& low, const std::vector<double>& high, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 21};
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t c = 0; c < low.size(); ++c) {
      const double place = row % 2 == 0 ? static_cast<double>(random.below(2)) : random.uniform();
      values.push_back(low[c] + place * (high[c] - low[c]));
    }
  }
  return make_rows(std::move(values), low.size());
}

template <class F>
void expect_bounds(const F& family, const std::vector<Stats>& stats) {
  std::vector<typename F::Posterior> clusters;
  for (const Stats& of_cluster : stats) clusters.push_back(family.posterior(of_cluster));
  const auto bounds = family.prediction_bounds(clusters);
  ASSERT_NE(bounds, nullptr);
  const std::size_t d = family.n_columns();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomStream random{seed, Purpose::test, 22};
    std::vector<double> low;
    std::vector<double> high;
    const double size = seed % 4 == 0 ? 0.0 : std::pow(10.0, random.uniform(-2.0, 1.0));
    for (std::size_t c = 0; c < d; ++c) {
      low.push_back(random.uniform(-20.0, 20.0));
      high.push_back(low.back() + size * random.uniform());
    }
    std::vector<double> most(clusters.size());
    bounds->log_densities({low, high}, most);
    const Rows rows = rows_in(low, high, seed);
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      const std::vector<double> found = log_predictive_of(family, clusters[c], rows);
      const double highest = *std::ranges::max_element(found);
      const double rounding = 1e-9 * (1.0 + std::abs(highest));
      ASSERT_LE(highest, most[c] + rounding) << family.name() << ", box " << seed;
      if (size == 0.0) {
        ASSERT_NEAR(highest, most[c], rounding) << family.name() << ", box " << seed;
      }
    }
  }
}

template <class F>
void expect_bounds(const F& family) {
  const std::size_t d = family.n_columns();
  expect_bounds(family, {stats_of(family, random_rows(40, d, 1)), stats_of(family, random_rows(3 * d, d, 2)),
                         Stats(family.stats_size(), 0.0)});
}

TEST(PredictionBounds, AreNeverExceeded) {
  for (const std::size_t d : {1U, 2U, 5U}) {
    for (const bool is_rounded : {false, true}) {
      expect_bounds(random_family<Gaussian>(d, d, is_rounded));
      expect_bounds(random_family<DiagonalGaussian>(d, d, is_rounded));
      expect_bounds(random_family<SphericalGaussian>(d, d, is_rounded));
      expect_bounds(Student(random_family<Gaussian>(d, d, is_rounded).prior(), 3.0));
      expect_bounds(StudentSpherical(random_family<SphericalGaussian>(d, d, is_rounded).prior(), 3.0));
    }
    const auto of_points = [&](const auto& family) {
      expect_bounds(family, {stats_of(family, random_rows(40, d, 1)), stats_of(family, random_rows(30, d, 2))});
    };
    of_points(PointGaussian(d, 0.0));
    of_points(PointDiagonal(d, 0.0));
    of_points(PointSpherical(d, 0.0));
    of_points(UninformativeGaussian(d, 3.0));
  }
}

// Of few rows in many columns the bound is the density at the mean.
TEST(PredictionBounds, OfLowRankSayLittle) {
  constexpr std::size_t d = 96;
  NormalWishart prior{std::vector<double>(d, 0.0), 0.2, d + 1.5, std::vector<double>(d * d, 0.0)};
  for (std::size_t i = 0; i < d; ++i) prior.b0[i * (d + 1)] = 1.0;
  const Gaussian family(prior);
  const std::vector<WishartPosterior> clusters{family.posterior(stats_of(family, random_rows(5, d, 6)))};
  double most = 0.0;
  const std::vector<double> far(d, 100.0);
  family.prediction_bounds(clusters)->log_densities({far, far}, {&most, 1});
  EXPECT_NEAR(most, log_predictive_of(family, clusters[0], make_rows(clusters[0].m, d))[0], 1e-9 * std::abs(most));
}

}  // namespace
}  // namespace coppice::internal
