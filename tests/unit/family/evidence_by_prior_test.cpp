// SPDX-License-Identifier: BSD-3-Clause
// The evidence of a cluster that was taken to pieces once is that of the family with the prior at hand.
#include "coppice/family/evidence_by_prior.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {
namespace {

struct Values {
  double xi0;
  double nu;
  double c;
};
constexpr Values all_values[] = {{0.1, 2.0, 0.3}, {1e-4, 1.0, 20.0}, {1.0, 200.0, 1e-4}, {0.3, 5.0, 1.0}};

void expect_same(std::size_t d, std::size_t n_rows, const std::vector<double>& rounding,
                 const std::vector<double>& multiples) {
  RandomStream random{d, Purpose::test, n_rows};
  std::vector<double> v(d);
  for (double& variance : v) variance = std::exp(random.uniform(-4.0, 4.0));
  const Rows rows = random_rows(n_rows, d, d + 1);
  for (const Values& values : all_values) {
    const double eta0 = static_cast<double>(d) - 1.0 + values.nu;
    NormalWishart prior{
        random_values(d, 3, 0.5), values.xi0, eta0, std::vector<double>(d * d, 0.0), rounding, multiples, 2.0};
    double log_det = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      prior.b0[i * (d + 1)] = values.c * v[i];
      log_det += std::log(values.c * v[i]);
    }
    const Gaussian family(prior);
    const Stats stats = stats_of(family, rows);
    EvidenceByPrior by_prior(prior, v, stats, stats[0]);
    const WishartEvidence evidence({d, values.xi0, eta0, log_det, 2.0}, multiples);
    for (int again = 0; again < 2; ++again) {
      const double expected = family.log_evidence(stats);
      EXPECT_NEAR(by_prior.log_evidence(evidence, values.c), expected, 1e-10 * (1.0 + std::abs(expected)))
          << d << ' ' << n_rows << ' ' << values.nu;
    }
    EvidenceByPrior half(prior, v, stats, stats[0] / 2.0);  // rows that count by factors
    const double expected = family.log_evidence(stats, stats[0] / 2.0);
    EXPECT_NEAR(half.log_evidence(evidence, values.c), expected, 1e-10 * (1.0 + std::abs(expected)));
  }
}

TEST(EvidenceByPrior, IsThatOfTheFamily) {
  const std::vector<double> multiples = {0.03, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.5, 5.0, 9.0, 20.0, 31.0};
  for (const std::size_t d : {1U, 2U, 3U, 8U, 17U}) {
    std::vector<double> rounding(d, 0.0);
    for (std::size_t i = 0; i < d; i += 2) rounding[i] = 0.05;
    for (const std::size_t n_rows : {1U, 5U, 60U}) {
      expect_same(d, n_rows, {}, {});
      expect_same(d, n_rows, {}, multiples);
      expect_same(d, n_rows, rounding, multiples);
    }
  }
}

TEST(EvidenceByPrior, OfNoRowsIsNothing) {
  const NormalWishart prior{{0.0, 0.0}, 0.1, 3.0, {1.0, 0.0, 0.0, 1.0}};
  const std::vector<double> v = {1.0, 1.0};
  EvidenceByPrior nobody(prior, v, Stats(Gaussian(prior).stats_size(), 0.0), 0.0);
  EXPECT_EQ(nobody.log_evidence(WishartEvidence({2, 0.1, 3.0, 0.0, 0.0}, {}), 1.0), 0.0);
}

// All multiples against all others: the best of them is found whatever S is beside B0.
TEST(WishartEvidence, TheBestMultipleIsTheBestOfAll) {
  std::vector<double> multiples;
  for (double log_f = -3.5; log_f < 3.6; log_f += 0.05) multiples.push_back(std::exp(log_f));
  const WishartEvidence evidence({3, 0.1, 4.0, 0.0, 2.0}, multiples);
  for (const double scatter : {1e-6, 0.1, 1.0, 4.0, 30.0, 1e5}) {
    const auto log_dets = [&](std::span<const double> some, double* out) {
      for (std::size_t i = 0; i < some.size(); ++i) {
        out[i] = std::log(some[i]) + std::log(some[i] + scatter) + std::log(some[i] + scatter / 7.0);
      }
    };
    const WishartEvidence::AtMultiple best = evidence.best(5.0, log_dets);
    for (const double multiple : multiples) {
      double log_det = 0.0;
      log_dets({&multiple, 1}, &log_det);
      EXPECT_LE(evidence.of_multiple(multiple, log_det, 5.0), best.value) << scatter << ' ' << multiple;
    }
  }
}

}  // namespace
}  // namespace coppice::internal
