// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/family_registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/runtime/error.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice {
namespace {

using testing::Contains;
using testing::HasSubstr;

NamedArrays gaussian_arrays() { return Gaussian(plain_prior(2, 3.0)).to_arrays(); }

std::unique_ptr<Components> load_gaussian(const NamedArrays& prior) {
  return std::make_unique<FamilyAdapter<Gaussian>>(Gaussian::from_arrays(prior));
}

TEST(FamilyRegistry, KnowsTheGaussian) {
  EXPECT_THAT(family_names(), Contains("gaussian"));
  const std::unique_ptr<Components> family = make_family("gaussian", gaussian_arrays());
  EXPECT_EQ(family->family(), "gaussian");
  EXPECT_EQ(family->n_columns(), 2U);
  EXPECT_EQ(family->size(), 0U);
  EXPECT_EQ(family->prior_arrays(), gaussian_arrays());
}

TEST(FamilyRegistry, RefusesASecondFamilyOfOneName) {
  const std::string message = message_of<OptionError>([] { register_family("gaussian", load_gaussian); });
  EXPECT_EQ(message, "there is a family 'gaussian' already; choose another name");
  register_family("bell", load_gaussian);
  EXPECT_THAT(family_names(), Contains("bell"));
  EXPECT_EQ(make_family("bell", gaussian_arrays())->n_columns(), 2U);
  EXPECT_THROW(register_family("bell", load_gaussian), OptionError);
}

TEST(FamilyRegistry, NamesTheKnownFamiliesForAnUnknownOne) {
  const std::string message = message_of<DataError>([] { (void)make_family("cauchy", gaussian_arrays()); });
  EXPECT_THAT(message, HasSubstr("the family 'cauchy' is not known here"));
  EXPECT_THAT(message, HasSubstr("gaussian"));
  EXPECT_THROW((void)make_family("", {}), DataError);
}

TEST(FamilyRegistry, RefusesAnIncompletePrior) {
  for (const char* name : {"m0", "xi0", "eta0", "b0"}) {
    NamedArrays arrays = gaussian_arrays();
    arrays.erase(name);
    EXPECT_THAT(message_of<DataError>([&] { (void)make_family("gaussian", arrays); }), HasSubstr(name));
  }
}

}  // namespace
}  // namespace coppice
