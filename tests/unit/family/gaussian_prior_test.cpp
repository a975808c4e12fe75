// SPDX-License-Identifier: BSD-3-Clause
// Which priors of Gaussian clusters are refused, and how a prior travels through a model file.
#include <gtest/gtest.h>

#include <limits>

#include "coppice/family/gaussian.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

NormalWishart good() { return {{0.0, 1.0}, 0.1, 2.0, {2.0, 0.5, 0.5, 1.0}}; }

TEST(GaussianPrior, AProperOneIsTaken) {
  EXPECT_NO_THROW(Gaussian{good()});
  NormalWishart barely = good();
  barely.eta0 = 1.0 + 1e-9;  // D - 1 is the limit
  EXPECT_NO_THROW(Gaussian{barely});
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

TEST(GaussianPrior, B0MustBeSymmetricAndPositiveDefinite) {
  const std::vector<std::vector<double>> refused = {
      {},                        // no entries
      {1.0, 0.0, 1.0},           // not 2 x 2
      {2.0, 0.5, 0.4, 1.0},      // not symmetric
      {1.0, 2.0, 2.0, 1.0},      // indefinite
      {1.0, 1.0, 1.0, 1.0},      // singular
      {0.0, 0.0, 0.0, 0.0},      //
      {-1.0, 0.0, 0.0, -1.0},    // negative definite
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

}  // namespace
}  // namespace coppice
