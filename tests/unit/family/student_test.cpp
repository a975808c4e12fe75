// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/student.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/family/axis_examples.hpp"
#include "unit/family/gaussian_identities.hpp"

namespace coppice::internal {
namespace {

constexpr std::size_t n_own_stats = 3;  // before those of the weighted rows

template <class Kind>
StudentOf<Kind> random_student(std::size_t d, double freedom, bool is_rounded) {
  return {random_family<Kind>(d, d, is_rounded).prior(), freedom};
}

template <class F>
Stats member_stats(const F& family, const typename F::Posterior& q, const Rows& rows, Weights weights = {}) {
  Stats stats(family.stats_size(), 0.0);
  BlockBuffer buffer(rows.n_columns());
  for (std::size_t at = 0; at < rows.size(); at += kernels::panel_rows) {
    RowBlock block(rows, at, std::min(kernels::panel_rows, rows.size() - at), buffer);
    family.add_members(q, stats, block, weights.empty() ? weights : weights.subspan(at, block.n_rows()));
  }
  return stats;
}

// Members weighed by the cluster that they make up.
template <class F>
Stats settled_stats(const F& family, const Rows& rows, Weights weights = {}) {
  Stats stats = stats_of(family, rows, weights);
  for (int step = 0; step < 300; ++step) stats = member_stats(family, family.posterior(stats), rows, weights);
  return stats;
}

template <class Kind>
class StudentClusters : public testing::Test {
 protected:
  using F = StudentOf<Kind>;

  // Calls check(family, rows) for few and many columns, heavy and light tails, rounded values or not.
  template <class Check>
  static void for_examples(const Check& check) {
    for (const std::size_t d : {1U, 2U, 5U}) {
      for (const double freedom : {1.5, 6.0}) {
        for (const bool is_rounded : {false, true}) {
          SCOPED_TRACE(testing::Message() << d << " columns, freedom " << freedom << ", rounded: " << is_rounded);
          check(random_student<Kind>(d, freedom, is_rounded), random_rows(30, d, d));
        }
      }
    }
  }
};
using Kinds = testing::Types<Gaussian, DiagonalGaussian, SphericalGaussian>;
TYPED_TEST_SUITE(StudentClusters, Kinds);

// The bound = -(expected costs) - KL, whatever the members weigh.
TYPED_TEST(StudentClusters, EvidenceIsMinusNodeCostMinusDivergence) {
  this->for_examples([](const auto& family, const Rows& rows) {
    const auto other = family.posterior(stats_of(family, random_rows(20, rows.n_columns(), 9)));
    for (const Stats& stats :
         {stats_of(family, rows), member_stats(family, other, rows), settled_stats(family, rows)}) {
      const auto q = family.posterior(stats);
      const double expected = -family.node_cost(q, stats) - family.kl_to_prior(q);
      EXPECT_NEAR(family.log_evidence(stats), expected, 1e-10 * std::abs(expected));
    }
  });
}

// The cost has the factors at their best: it is the sum over members of q, and less than for any other weights.
TYPED_TEST(StudentClusters, CostsAreThoseOfMembersAndLeast) {
  this->for_examples([](const auto& family, const Rows& rows) {
    const std::vector<double> weights = random_weights(rows.size(), 8);
    const auto q = family.posterior(stats_of(family, random_rows(20, rows.n_columns(), 9)));
    const std::vector<double> costs = costs_of(family, q, rows);
    double sum = 0.0;
    for (std::size_t row = 0; row < rows.size(); ++row) sum += weights[row] * costs[row];
    EXPECT_NEAR(family.node_cost(q, member_stats(family, q, rows, weights)), sum, 1e-11 * std::abs(sum));
    EXPECT_GT(family.node_cost(q, stats_of(family, rows, weights)), sum);
  });
}

// A row more costs what it takes from the bound, since all else is at its best.
TYPED_TEST(StudentClusters, CostsAreTheSlopeOfTheBound) {
  this->for_examples([](const auto& family, const Rows& rows) {
    const Rows query = random_rows(3, rows.n_columns(), 50);
    const Stats stats = settled_stats(family, rows);
    const auto q = family.posterior(stats);
    const std::vector<double> costs = costs_of(family, q, query);
    for (std::size_t row = 0; row < query.size(); ++row) {
      const auto bound_with = [&](double weight) {
        std::vector<double> weights(query.size(), 0.0);
        weights[row] = weight;
        Stats more = stats;
        family.merge(more, member_stats(family, q, query, weights));
        return family.log_evidence(more);
      };
      const double step = 1e-4;
      const double slope = (4.0 * bound_with(step) - bound_with(2.0 * step) - 3.0 * bound_with(0.0)) / (2.0 * step);
      EXPECT_NEAR(-costs[row], slope, 2e-5 * (1.0 + std::abs(slope)));
    }
  });
}

TYPED_TEST(StudentClusters, EveryStepOfWeighingGains) {
  this->for_examples([](const auto& family, const Rows& rows) {
    Stats stats = stats_of(family, rows);
    for (int step = 0; step < 20; ++step) {
      const double before = family.log_evidence(stats);
      stats = member_stats(family, family.posterior(stats), rows);
      EXPECT_GE(family.log_evidence(stats), before - 1e-10 * std::abs(before)) << step;
    }
  });
}

// Balancing gains, changes nothing where weighing has come to its end, and brings it there in a few steps.
TYPED_TEST(StudentClusters, BalancedMembersComeToTheSameEndSooner) {
  this->for_examples([](const auto& family, const Rows& rows) {
    const Stats end = settled_stats(family, rows);
    const double best = family.log_evidence(end);
    Stats balanced = end;
    family.balance(balanced);
    for (std::size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(balanced[i], end[i], 1e-6 * (1.0 + std::abs(end[i])));
    Stats stats = stats_of(family, rows);
    for (int step = 0; step < 25; ++step) {
      stats = member_stats(family, family.posterior(stats), rows);
      const double before = family.log_evidence(stats);
      family.balance(stats);
      EXPECT_GE(family.log_evidence(stats), before - 1e-10 * std::abs(before));
    }
    EXPECT_NEAR(family.log_evidence(stats), best, 1e-3);
  });
}

TYPED_TEST(StudentClusters, ExactCostsAreTheCosts) {
  this->for_examples([](const auto& family, const Rows& rows) { expect_exact_costs(family, rows); });
}

TYPED_TEST(StudentClusters, TravelsThroughArrays) {
  this->for_examples([](const auto& family, const Rows& rows) { expect_travels_through_arrays(family, rows); });
}

TYPED_TEST(StudentClusters, MergedBlocksAreOneBlock) {
  this->for_examples([](const auto& family, const Rows& rows) {
    const std::size_t d = rows.n_columns();
    const auto q = family.posterior(stats_of(family, rows));
    const Rows many = random_rows(600, d, 3);  // several blocks
    const std::vector<double> weights = random_weights(600, 4);
    Stats sum(family.stats_size(), 0.0);
    for (std::size_t row = 0; row < many.size(); ++row) {
      std::vector<double> values(d);
      many.copy_row(row, values);
      const std::vector<double> weight{weights[row]};
      family.merge(sum, member_stats(family, q, make_rows(values, d), weight));
    }
    const Stats at_once = member_stats(family, q, many, weights);
    for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(at_once[i], sum[i], 1e-9 * (1.0 + std::abs(sum[i]))) << i;
  });
}

// As the degrees of freedom grow, all is as in a Gaussian cluster.
TYPED_TEST(StudentClusters, WithoutTailsAreGaussian) {
  for (const bool is_rounded : {false, true}) {
    const auto gaussian = random_family<TypeParam>(3, 3, is_rounded);
    const StudentOf<TypeParam> student(gaussian.prior(), 1e7);
    const Rows rows = random_rows(40, 3, 5);
    const Stats of_student = settled_stats(student, rows);
    const Stats of_gaussian = stats_of(gaussian, rows);
    EXPECT_NEAR(student.log_evidence(of_student), gaussian.log_evidence(of_gaussian), 1e-3);
    const auto q = student.posterior(of_student);
    const auto p = gaussian.posterior(of_gaussian);
    const std::vector<double> costs = costs_of(student, q, rows);
    const std::vector<double> gaussian_costs = costs_of(gaussian, p, rows);
    const std::vector<double> log_predictive = log_predictive_of(student, q, rows);
    const std::vector<double> gaussian_predictive = log_predictive_of(gaussian, p, rows);
    const std::vector<double> plugged = costs_of(student, student.plug_in(q), rows);
    const std::vector<double> gaussian_plugged = costs_of(gaussian, gaussian.plug_in(p), rows);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_NEAR(costs[row], gaussian_costs[row], 1e-4);
      // rounding is exact in the Gaussian's prediction alone: there the evidence of one more row is in closed form
      EXPECT_NEAR(log_predictive[row], gaussian_predictive[row], is_rounded ? 0.1 : 1e-4);
      EXPECT_NEAR(plugged[row], gaussian_plugged[row], 1e-4);
    }
  }
}

// One column: log of the integral over mean and precision of the prior times Student t densities, on a fine grid.
struct OneColumn {
  double m0;
  double xi0;
  double eta0;
  double b0;

  template <class Kind>
  [[nodiscard]] StudentOf<Kind> family(double nu) const {
    return {{{m0}, xi0, eta0, {b0}, {}}, nu};
  }
};

double exact_log_evidence(const OneColumn& prior, double nu, const Rows& rows) {
  const double eta = prior.eta0;
  const double b = prior.b0;
  const double log_t =
      kernels::log_gamma((nu + 1.0) / 2.0) - kernels::log_gamma(nu / 2.0) - 0.5 * std::log(nu * std::numbers::pi);
  double sum = 0.0;
  double shift = -std::numeric_limits<double>::infinity();
  constexpr double step = 0.02;
  for (double log_omega = -8.0; log_omega < 6.0; log_omega += step) {
    for (double m = -12.0; m < 12.0; m += step) {
      const double omega = std::exp(log_omega);
      double log_p = eta / 2.0 * std::log(b / 2.0) - kernels::log_gamma(eta / 2.0) + eta / 2.0 * log_omega -
                     b * omega / 2.0;  // with the Jacobian of the logarithm
      log_p += 0.5 * (std::log(prior.xi0 * omega / (2.0 * std::numbers::pi)) -
                      prior.xi0 * omega * (m - prior.m0) * (m - prior.m0));
      for (std::size_t row = 0; row < rows.size(); ++row) {
        double x = 0.0;
        rows.copy_row(row, std::span(&x, 1));
        log_p += log_t + 0.5 * log_omega - (nu + 1.0) / 2.0 * std::log1p(omega * (x - m) * (x - m) / nu);
      }
      if (log_p > shift) {
        sum *= std::exp(shift - log_p);
        shift = log_p;
      }
      sum += std::exp(log_p - shift) * step * step;
    }
  }
  return shift + std::log(sum);
}

TYPED_TEST(StudentClusters, HaveABoundBelowTheEvidenceAndCloseToIt) {
  const OneColumn prior{0.5, 0.3, 2.0, 1.5};
  const Rows rows = make_rows({0.1, -0.4, 0.8, 1.1, 0.3, 6.5}, 1);
  for (const double nu : {2.0, 5.0}) {
    const auto family = prior.family<TypeParam>(nu);
    const double exact = exact_log_evidence(prior, nu, rows);
    const double bound = family.log_evidence(settled_stats(family, rows));
    EXPECT_LT(bound, exact) << nu;
    EXPECT_GT(bound, exact - 0.6) << nu;
  }
}

// Densities integrate to one.
TYPED_TEST(StudentClusters, HavePredictionsThatAreDensities) {
  const auto family = OneColumn{0.5, 0.3, 2.0, 1.5}.family<TypeParam>(4.0);
  const auto q = family.posterior(settled_stats(family, make_rows({0.1, -0.4, 0.8, 1.1, 0.3, 6.5}, 1)));
  std::vector<double> grid;
  constexpr double step = 0.05;
  for (double x = -2000.0; x < 2000.0; x += step) grid.push_back(x);
  const Rows rows = make_rows(grid, 1);
  double predictive = 0.0;
  for (const double value : log_predictive_of(family, q, rows)) predictive += step * std::exp(value);
  double plugged = 0.0;
  for (const double value : costs_of(family, family.plug_in(q), rows)) plugged += step * std::exp(-value);
  EXPECT_NEAR(predictive, 1.0, 2e-3);
  EXPECT_NEAR(plugged, 1.0, 1e-4);
}

// With many rows parameters are known, and predictions are Student t densities, also far away.
TYPED_TEST(StudentClusters, KnownWellPredictTheirOwnDensity) {
  const std::size_t d = 6;
  for (const double freedom : {1.5, 8.0, 900.0}) {
    const auto family = random_student<TypeParam>(d, freedom, false);
    Stats many(family.stats_size(), 0.0);
    family.add_scaled(many, settled_stats(family, random_rows(100, d, 1)), 1e7);
    const auto q = family.posterior(many);
    std::vector<double> far = random_values(20 * d, 3, 1.0);
    for (std::size_t i = 0; i < far.size(); ++i) far[i] *= std::pow(2.0, static_cast<double>(i / d % 7));
    const Rows query = make_rows(far, d);
    const std::vector<double> predictive = log_predictive_of(family, q, query);
    const std::vector<double> own = costs_of(family, family.plug_in(q), query);
    for (std::size_t row = 0; row < own.size(); ++row) {
      EXPECT_NEAR(predictive[row], -own[row], 1e-4 * (1.0 + std::abs(own[row]))) << "freedom " << freedom;
    }
  }
}

// A row far away counts for little, and moves the mean less than among Gaussians.
TYPED_TEST(StudentClusters, WeighRowsFarAwayLess) {
  const Rows rows = make_rows({0.1, -0.4, 0.8, 1.1, 0.3, 60.0}, 1);
  const auto family = OneColumn{0.5, 0.3, 2.0, 1.5}.family<TypeParam>(3.0);
  const Stats stats = settled_stats(family, rows);
  EXPECT_EQ(stats[0], 6.0);
  EXPECT_LT(stats[n_own_stats], 6.0);
  EXPECT_LT(family.column_moments(stats).mean[0], 1.0);
  EXPECT_NEAR(family.column_moments(stats_of(family, rows)).mean[0], 61.9 / 6.0, 1e-12);
}

// In one column there is but one kind.
TEST(Student, KindsAgreeInOneColumn) {
  const OneColumn prior{0.5, 0.3, 2.0, 1.5};
  const Rows rows = random_rows(20, 1, 4);
  const auto check = [&](const auto& one, const auto& other) {
    const Stats stats = settled_stats(one, rows);
    EXPECT_NEAR(one.log_evidence(stats), other.log_evidence(settled_stats(other, rows)), 1e-9);
    const auto q = one.posterior(stats);
    const auto p = other.posterior(stats);  // statistics are alike in one column
    EXPECT_NEAR(one.kl_to_prior(q), other.kl_to_prior(p), 1e-9);
    EXPECT_NEAR(costs_of(one, q, rows)[3], costs_of(other, p, rows)[3], 1e-9);
    EXPECT_NEAR(costs_of(one, one.plug_in(q), rows)[3], costs_of(other, other.plug_in(p), rows)[3], 1e-9);
    EXPECT_NEAR(log_predictive_of(one, q, rows)[3], log_predictive_of(other, p, rows)[3], 0.02) << "of nearly one form";
  };
  check(prior.family<Gaussian>(3.0), prior.family<DiagonalGaussian>(3.0));
  check(prior.family<Gaussian>(3.0), prior.family<SphericalGaussian>(3.0));
}

TYPED_TEST(StudentClusters, OfNothingAreThePrior) {
  const auto family = random_student<TypeParam>(2, 3.0, false);
  const Stats nothing(family.stats_size(), 0.0);
  EXPECT_EQ(family.log_evidence(nothing), 0.0);
  EXPECT_NEAR(family.kl_to_prior(family.posterior(nothing)), 0.0, 1e-12);
}

TYPED_TEST(StudentClusters, RefuseWrongNumbers) {
  for (const double freedom : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(random_student<TypeParam>(2, freedom, false), OptionError) << freedom;
  }
  NamedArrays arrays = random_student<TypeParam>(2, 3.0, false).to_arrays();
  arrays.erase("freedom");
  EXPECT_THROW((void)StudentOf<TypeParam>::from_arrays(arrays), DataError);
}

}  // namespace
}  // namespace coppice::internal
