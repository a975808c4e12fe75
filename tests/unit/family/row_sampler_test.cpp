// SPDX-License-Identifier: BSD-3-Clause
// New rows come with the predictive density of their cluster: in every box of the plane there are as many as the
// density says, and every row of a few counts or bits comes as often as it is probable.
#include "coppice/family/row_sampler.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/family/student.hpp"
#include "coppice/family/uninformative.hpp"
#include "unit/chance_bounds.hpp"
#include "unit/family/axis_examples.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

constexpr double one_in = 1e6;  // seeds, the bounds of a whole test together
constexpr std::size_t n_draws = 40000;

// Rows of the cluster with number `cluster`.
template <class F>
std::vector<double> draws(const F& family, std::span<const typename F::Posterior> clusters, std::size_t cluster) {
  const std::unique_ptr<RowSampler> sampler = family.row_sampler(clusters);
  std::vector<double> values(n_draws * family.n_columns());
  for (std::size_t row = 0; row < n_draws; ++row) {
    RandomStream random{3, Purpose::test, row};
    sampler->draw(cluster, random, std::span(values).subspan(row * family.n_columns(), family.n_columns()));
  }
  return values;
}

template <class F>
double log_mass_of(const F& family, const typename F::Posterior& q) {
  if constexpr (requires { family.log_mass(q); }) return family.log_mass(q);
  return 0.0;
}

// A square of boxes about a cluster's mean, four standard deviations wide.
class Boxes {
 public:
  static constexpr std::size_t n_sides = 6;

  explicit Boxes(const ColumnMoments& of) {
    for (std::size_t i = 0; i < 2; ++i) {
      width_[i] = 4.0 * std::sqrt(of.variance[i]) / n_sides;
      low_[i] = of.mean[i] - 2.0 * std::sqrt(of.variance[i]);
    }
  }

  // How many of the rows are in every box.
  [[nodiscard]] std::vector<double> counts(std::span<const double> rows) const {
    std::vector<double> counts(n_sides * n_sides, 0.0);
    for (std::size_t row = 0; row < rows.size() / 2; ++row) {
      const double x = std::floor((rows[2 * row] - low_[0]) / width_[0]);
      const double y = std::floor((rows[2 * row + 1] - low_[1]) / width_[1]);
      if (!(x >= 0.0 && x < n_sides && y >= 0.0 && y < n_sides)) continue;
      counts[static_cast<std::size_t>(x) * n_sides + static_cast<std::size_t>(y)] += 1.0;
    }
    return counts;
  }
  // Points in the middle of small squares, box by box.
  static constexpr std::size_t n_steps = 40;
  [[nodiscard]] Rows points() const {
    std::vector<double> values;
    for (std::size_t box = 0; box < n_sides * n_sides; ++box) {
      for (std::size_t i = 0; i < n_steps * n_steps; ++i) {
        values.push_back(low_[0] + width_[0] * (place(box / n_sides, i / n_steps)));
        values.push_back(low_[1] + width_[1] * (place(box % n_sides, i % n_steps)));
      }
    }
    return make_rows(std::move(values), 2);
  }
  [[nodiscard]] double area() const { return width_[0] * width_[1] / (n_steps * n_steps); }

 private:
  static double place(std::size_t box, std::size_t step) {
    return static_cast<double>(box) + (static_cast<double>(step) + 0.5) / n_steps;
  }

  double low_[2];
  double width_[2];
};

template <class F>
void expect_rows_in_boxes(const F& family, const Stats& stats) {
  const std::vector<typename F::Posterior> clusters{family.posterior(stats)};
  const Boxes boxes(family.column_moments(stats));
  const std::vector<double> found = boxes.counts(draws(family, std::span(clusters), 0));
  const std::vector<double> log_density = log_predictive_of(family, clusters[0], boxes.points());
  const double log_mass = log_mass_of(family, clusters[0]);
  double inside = 0.0;
  for (std::size_t box = 0; box < found.size(); ++box) {
    double p = 0.0;
    for (std::size_t i = 0; i < Boxes::n_steps * Boxes::n_steps; ++i) {
      p += std::exp(log_density[box * Boxes::n_steps * Boxes::n_steps + i] - log_mass) * boxes.area();
    }
    const double n = n_draws;
    const double quadrature = 1e-4 * p;
    EXPECT_NEAR(found[box] / n, p, share_bound(p, n, static_cast<double>(found.size()) * one_in) + quadrature) << box;
    inside += p;
  }
  EXPECT_GT(inside, 0.5) << "the boxes are where the rows are";
}

Rows slanted_rows(std::size_t n_rows, std::uint64_t seed) {
  std::vector<double> values = random_values(n_rows * 2, seed);
  for (std::size_t row = 0; row < n_rows; ++row) values[2 * row + 1] = 0.4 * values[2 * row + 1] + values[2 * row];
  return make_rows(std::move(values), 2);
}

template <class Kind>
class KindsWithPriors : public testing::Test {};
using Kinds = testing::Types<Gaussian, DiagonalGaussian, SphericalGaussian>;
TYPED_TEST_SUITE(KindsWithPriors, Kinds);

// Few rows, so that what is not known of the parameters counts.
TYPED_TEST(KindsWithPriors, RowsAreWhereTheDensityIs) {
  for (const bool is_rounded : {false, true}) {
    const auto family = random_family<TypeParam>(2, 7, is_rounded);
    expect_rows_in_boxes(family, stats_of(family, slanted_rows(9, 1)));
  }
}

TYPED_TEST(KindsWithPriors, RowsOfHeavyTailsAreWhereTheDensityIs) {
  for (const double freedom : {1.5, 5.0}) {
    for (const bool is_rounded : {false, true}) {
      const StudentOf<TypeParam> family(random_family<TypeParam>(2, 8, is_rounded).prior(), freedom);
      expect_rows_in_boxes(family, stats_of(family, slanted_rows(9, 2)));
    }
  }
}

TEST(RowSampler, RowsOfPointsAreWhereTheDensityIs) {
  const Rows rows = slanted_rows(30, 3);
  expect_rows_in_boxes(PointGaussian(2, 0.0), stats_of(PointGaussian(2, 0.0), rows));
  expect_rows_in_boxes(PointDiagonal(2, 0.0), stats_of(PointDiagonal(2, 0.0), rows));
  expect_rows_in_boxes(PointSpherical(2, 0.0), stats_of(PointSpherical(2, 0.0), rows));
  const UninformativeGaussian uninformative(2, 3.0);
  expect_rows_in_boxes(uninformative, stats_of(uninformative, slanted_rows(6, 4)));
}

// The integral over all of the line, on x = m + sinh(t): heavy tails fall as exp(-|t|) there.
TYPED_TEST(KindsWithPriors, DensitiesAddUpToTheirMass) {
  for (const bool is_rounded : {false, true}) {
    const auto family = random_family<TypeParam>(1, 9, is_rounded);
    const StudentOf<TypeParam> student(family.prior(), 3.0);
    const auto expect_mass = [](const auto& of, const auto& q) {
      std::vector<double> x;
      std::vector<double> slope;
      constexpr double step = 0.002;
      for (double t = -36.0; t <= 36.0; t += step) {
        x.push_back(0.5 + std::sinh(t));
        slope.push_back(std::cosh(t) * step);
      }
      const std::vector<double> log_density = log_predictive_of(of, q, make_rows(x, 1));
      double sum = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += std::exp(log_density[i]) * slope[i];
      EXPECT_NEAR(std::log(sum), of.log_mass(q), 2e-5) << of.name();
    };
    const Rows rows = random_rows(12, 1, 5);
    expect_mass(family, family.posterior(stats_of(family, rows)));
    expect_mass(student, student.posterior(stats_of(student, rows)));
    const bool pays = family.log_mass(family.posterior(stats_of(family, rows))) < -1e-3;
    EXPECT_EQ(pays, is_rounded);
  }
}

// Independent normals become a vector of covariance A^-1 by a linear map: its columns tell all.
void expect_colours(const PrecisionRoot& root) {
  const auto d = static_cast<Eigen::Index>(root.n_columns());
  Eigen::MatrixXd map = Eigen::MatrixXd::Identity(d, d);
  for (Eigen::Index i = 0; i < d; ++i) root.colour({map.col(i).data(), root.n_columns()});
  const std::vector<double> matrix = root.matrix();
  const Eigen::Map<const Eigen::MatrixXd> a(matrix.data(), d, d);
  EXPECT_LT((a * map * map.transpose() - Eigen::MatrixXd::Identity(d, d)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(RowSampler, ColoursByTriangleAndByFewDirections) {
  for (const std::size_t n_rows : {5U, 300U}) {  // of few rows in many columns, the root has few directions
    constexpr std::size_t d = 96;
    NormalWishart prior{random_values(d, 1, 0.3), 0.2, d + 1.5, std::vector<double>(d * d, 0.0)};
    for (std::size_t i = 0; i < d; ++i) prior.b0[i * (d + 1)] = 0.5 + 0.1 * static_cast<double>(i);
    prior.rounding.assign(d, 0.1);
    const Gaussian family(prior);
    const WishartPosterior q = family.posterior(stats_of(family, random_rows(n_rows, d, 6)));
    EXPECT_EQ(q.w.if_triangle() == nullptr, n_rows < d);
    expect_colours(q.w);
    expect_colours(q.next_w);
  }
}

// The frequency of every possible row.
template <class F>
void expect_frequencies(const F& family, const std::vector<Stats>& stats, const Rows& possible) {
  std::vector<typename F::Posterior> clusters;
  for (const Stats& of_cluster : stats) clusters.push_back(family.posterior(of_cluster));
  const std::size_t d = family.n_columns();
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const std::vector<double> drawn = draws(family, std::span<const typename F::Posterior>(clusters), c);
    const std::vector<double> log_density = log_predictive_of(family, clusters[c], possible);
    for (std::size_t row = 0; row < possible.size(); ++row) {
      double n_found = 0.0;
      for (std::size_t i = 0; i < n_draws; ++i) {
        bool is_same = true;
        for (std::size_t k = 0; k < d; ++k) is_same &= drawn[i * d + k] == possible.data().value(row, k);
        n_found += is_same ? 1.0 : 0.0;
      }
      const double p = std::exp(log_density[row]);
      const double bound = share_bound(p, n_draws, static_cast<double>(possible.size() * clusters.size()) * one_in);
      EXPECT_NEAR(n_found / n_draws, p, bound) << "cluster " << c << ", row " << row;
    }
  }
}

TEST(RowSampler, CountsComeAsOftenAsTheyAreProbable) {
  const Multinomial family({0.7, 0.2, 1.4}, 4.0);
  std::vector<double> values;
  for (int a = 0; a <= 4; ++a) {
    for (int b = 0; a + b <= 4; ++b) {
      for (const int x : {a, b, 4 - a - b}) values.push_back(x);
    }
  }
  const Stats nobody(family.stats_size(), 0.0);
  expect_frequencies(family, {discrete_stats(family, rows_from({3, 0, 1, 1, 1, 2}, 3)), nobody},
                     rows_from(std::move(values), 3));
}

TEST(RowSampler, BitsComeAsOftenAsTheyAreProbable) {
  const Bernoulli family({{0.7, 0.2}, {1.0, 2.0}, {0.5, 0.5}});
  std::vector<double> values;
  for (unsigned bits = 0; bits < 8; ++bits) {
    for (unsigned c = 0; c < 3; ++c) values.push_back((bits >> c) & 1U);
  }
  const Stats nobody(family.stats_size(), 0.0);
  expect_frequencies(family, {discrete_stats(family, rows_from({1, 0, 1, 1, 1, 1}, 3)), nobody},
                     rows_from(std::move(values), 3));
}

// Where rows differ in their words, a cluster's rows have a Poisson number of them, and a cluster of no rows as many as
// all others on average.
TEST(RowSampler, RowsHaveAsManyWordsAsTheirCluster) {
  const Multinomial family(3, 0.7);
  const std::vector<Multinomial::Posterior> clusters{
      family.posterior(discrete_stats(family, rows_from({3, 0, 1, 1, 1, 0}, 3))),  // 3 words on average
      family.posterior(discrete_stats(family, rows_from({30, 10, 5}, 3))),         // 45
      family.posterior(Stats(family.stats_size(), 0.0))};                          // all: 51 in 3 rows
  const double expected[] = {3.0, 45.0, 17.0};
  for (std::size_t c = 0; c < 3; ++c) {
    double n_words = 0.0;
    for (const double count : draws(family, std::span(clusters), c)) n_words += count;
    EXPECT_NEAR(n_words, expected[c] * n_draws, poisson_bound(expected[c] * n_draws, 3.0 * one_in)) << c;
  }
}

}  // namespace
}  // namespace coppice::internal
