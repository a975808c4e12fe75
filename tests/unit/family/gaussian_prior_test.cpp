// SPDX-License-Identifier: BSD-3-Clause
// Which priors of Gaussian clusters are refused, and how a prior travels through a model file.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "coppice/family/gaussian.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/family/gaussian_examples.hpp"
#include "unit/family/gaussian_identities.hpp"

namespace coppice::internal {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

NormalWishart good() { return {{0.0, 1.0}, 0.1, 2.0, {2.0, 0.5, 0.5, 1.0}}; }

TEST(GaussianPrior, AProperOneIsTaken) {
  EXPECT_NO_THROW(Gaussian{good()});
  NormalWishart barely = good();
  barely.eta0 = 1.0 + 2e-6;  // D - 1 is the limit, and a millionth beyond it the least
  EXPECT_NO_THROW(Gaussian{barely});
}

// A diagonal matrix is not factorized: the same evidence as with one entry beside the diagonal that is next to nothing.
TEST(GaussianPrior, ADiagonalOneIsLikeAnyOther) {
  NormalWishart diagonal = good();
  diagonal.b0 = {2.0, 0.0, 0.0, 3.0};
  diagonal.multiples = {0.5, 1.0, 2.0};
  NormalWishart nearly = diagonal;
  nearly.b0 = {2.0, 1e-13, 1e-13, 3.0};
  const Gaussian family(diagonal);
  const std::vector<double> stats = stats_of(family, make_rows({1.0, 2.0, 3.5, -1.0, 0.5, 0.25}, 2));
  EXPECT_NEAR(family.log_evidence(stats), Gaussian(nearly).log_evidence(stats), 1e-11);
  diagonal.b0[3] = -1.0;
  EXPECT_THROW(Gaussian{diagonal}, OptionError);
  diagonal.b0[3] = 0.0;
  EXPECT_THROW(Gaussian{diagonal}, OptionError);
}

TEST(GaussianPrior, Xi0MustBePositive) {
  for (const double xi0 : {0.0, -1.0, nan}) {
    NormalWishart prior = good();
    prior.xi0 = xi0;
    EXPECT_THROW(Gaussian{prior}, OptionError) << xi0;
  }
}

TEST(GaussianPrior, Eta0MustExceedTheColumnsLessOne) {
  for (const double eta0 : {1.0, 0.0, -3.0, nan}) {
    NormalWishart prior = good();
    prior.eta0 = eta0;
    EXPECT_THROW(Gaussian{prior}, OptionError) << eta0;
  }
}

// eta0 + 1 - D is the argument of a gamma function, which has a pole at 0: what is too near is refused, and what is
// taken is finite however many columns the difference is rounded beside.
TEST(GaussianPrior, Eta0AHairAboveItsLeastIsRefusedOrFinite) {
  for (const std::size_t d : {1U, 2U, 3U, 7U, 10U, 33U, 100U, 129U}) {
    NormalWishart prior = random_prior(d, d);
    const double limit = static_cast<double>(d) - 1.0;
    for (const double hair : {1e-300, 1e-17, 1e-16, 3e-16, 1e-15, 1e-13, 1e-9, 9e-7}) {
      prior.eta0 = limit + hair;
      EXPECT_THROW(Gaussian{prior}, OptionError) << d << ' ' << hair;
    }
    prior.eta0 = std::nextafter(limit, limit + 1.0);
    EXPECT_THROW(Gaussian{prior}, OptionError) << d;
    for (const double more : {1.1e-6, 1e-3}) {
      prior.eta0 = limit + more;
      const Gaussian family(prior);
      const Rows rows = random_rows(2, d, 3);
      EXPECT_TRUE(std::isfinite(family.log_evidence(stats_of(family, rows)))) << d << ' ' << more;
    }
  }
}

TEST(GaussianPrior, B0MustBeSymmetricAndPositiveDefinite) {
  const std::vector<std::vector<double>> refused = {{},                      // no entries
                                                    {1.0, 0.0, 1.0},         // not 2 x 2
                                                    {2.0, 0.5, 0.4, 1.0},    // not symmetric
                                                    {1.0, 2.0, 2.0, 1.0},    // indefinite
                                                    {1.0, 1.0, 1.0, 1.0},    // singular
                                                    {0.0, 0.0, 0.0, 0.0},    //
                                                    {-1.0, 0.0, 0.0, -1.0},  // negative definite
                                                    {nan, 0.0, 0.0, 1.0}};
  for (const std::vector<double>& b0 : refused) {
    NormalWishart prior = good();
    prior.b0 = b0;
    EXPECT_THROW(Gaussian{prior}, OptionError) << testing::PrintToString(b0);
  }
}

TEST(GaussianPrior, TravelsThroughArrays) {
  const Gaussian family(random_prior(3, 8));
  const NamedArrays arrays = family.to_arrays();
  EXPECT_EQ(arrays.at("m0").shape, std::vector<std::size_t>{3});
  EXPECT_EQ(arrays.at("b0").shape, (std::vector<std::size_t>{3, 3}));
  const Gaussian copy = Gaussian::from_arrays(arrays);
  EXPECT_EQ(copy.to_arrays(), arrays);
  const Stats stats = stats_of(family, random_rows(12, 3, 9));
  EXPECT_EQ(copy.log_evidence(stats), family.log_evidence(stats));
}

TEST(GaussianPrior, AMissingArrayIsNamed) {
  for (const char* name : {"m0", "xi0", "eta0", "b0"}) {
    NamedArrays arrays = Gaussian(good()).to_arrays();
    arrays.erase(name);
    try {
      (void)Gaussian::from_arrays(arrays);
      ADD_FAILURE() << name;
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
}

// Every cluster has the multiple f of B0 that suits it best, at the price of its prior probability, in proportion to
// exp(-decay |log f|).
struct Multiples {
  std::size_t n_columns;
  double log_step;
  double decay;
  std::size_t n_taken;  // by clusters of different scales, at least
};

class MultiplesOfThePrior : public testing::TestWithParam<Multiples> {
 protected:
  [[nodiscard]] static Gaussian with(std::vector<double> multiples, double decay) {
    NormalWishart prior = random_prior(GetParam().n_columns, 4);
    prior.rounding.assign(GetParam().n_columns, 0.2);
    prior.multiples = std::move(multiples);
    prior.multiples_decay = decay;
    return Gaussian(std::move(prior));
  }
  [[nodiscard]] static std::vector<double> grid() {
    std::vector<double> multiples;
    for (int i = -20; i <= 20; ++i) multiples.push_back(std::exp(i * GetParam().log_step));
    return multiples;
  }
  [[nodiscard]] Rows rows_of_scale(double scale) const {
    return make_rows(random_values(25 * GetParam().n_columns, 7, scale), GetParam().n_columns);
  }
  const std::vector<double> multiples = grid();
  const Gaussian family = with(multiples, GetParam().decay);
};
INSTANTIATE_TEST_SUITE_P(Kinds, MultiplesOfThePrior,
                         testing::Values(Multiples{1, 0.3, 0.0, 4}, Multiples{2, 0.3, 0.0, 4},
                                         Multiples{6, 0.1, 0.0, 4}, Multiples{1, 0.3, 0.2, 4},
                                         Multiples{2, 0.3, 1.0, 4}, Multiples{6, 0.1, 2.0, 4},
                                         Multiples{2, 0.02, 30.0, 1}, Multiples{2, 0.3, 1e4, 1}));

// All of them by hand: the evidence at one multiple alone, and its share of the probabilities.
TEST_P(MultiplesOfThePrior, TheEvidenceIsThatOfTheBestOne) {
  double sum = 0.0;
  for (const double multiple : multiples) sum += std::pow(std::max(multiple, 1.0 / multiple), -GetParam().decay);
  std::set<double> taken;
  for (const double scale : {0.01, 0.05, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 4.0, 8.0, 30.0, 200.0}) {
    const Stats stats = stats_of(family, rows_of_scale(scale));
    double best = -std::numeric_limits<double>::infinity();
    double best_multiple = 0.0;
    for (const double multiple : multiples) {
      const double price = GetParam().decay * std::abs(std::log(multiple)) + std::log(sum);
      const double evidence = with({multiple}, 0.0).log_evidence(stats) - price;
      if (evidence > best) best_multiple = multiple;
      best = std::max(best, evidence);
    }
    EXPECT_NEAR(family.log_evidence(stats), best, 1e-10 * std::abs(best)) << scale;
    EXPECT_EQ(family.posterior(stats).prior_multiple, best_multiple) << scale;
    taken.insert(best_multiple);
  }
  EXPECT_GE(taken.size(), GetParam().n_taken);
}

TEST_P(MultiplesOfThePrior, TheIdentitiesHold) {
  for (const double scale : {0.05, 4.0}) {
    const Rows rows = rows_of_scale(scale);
    expect_evidence_is_minus_costs_minus_divergence(family, rows);
    expect_cost_is_the_slope(family, rows);
    expect_travels_through_arrays(family, rows);
  }
}

TEST_P(MultiplesOfThePrior, WithoutADecayInAModelFileAllAreEquallyLikely) {
  NamedArrays arrays = family.to_arrays();
  arrays.erase("multiples_decay");
  const Stats stats = stats_of(family, rows_of_scale(4.0));
  EXPECT_EQ(Gaussian::from_arrays(arrays).log_evidence(stats), with(multiples, 0.0).log_evidence(stats));
}

TEST(Gaussian, MultiplesMustNotBeLikelierTheFartherTheyAre) {
  for (const double decay : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    NormalWishart prior = random_prior(2, 1);
    prior.multiples = {0.5, 1.0};
    prior.multiples_decay = decay;
    EXPECT_THROW(Gaussian{prior}, OptionError) << decay;
  }
}

TEST(Gaussian, MultiplesMustBePositiveAndIncrease) {
  for (const std::vector<double>& multiples :
       {std::vector{0.0, 1.0}, std::vector{2.0, 1.0}, std::vector{-1.0}, std::vector{1.0, 1.0},
        std::vector{1.0, std::numeric_limits<double>::infinity()}}) {
    NormalWishart prior = random_prior(2, 1);
    prior.multiples = multiples;
    EXPECT_THROW(Gaussian{prior}, OptionError);
  }
}

}  // namespace
}  // namespace coppice::internal
