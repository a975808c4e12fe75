// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/family_catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "coppice/runtime/error.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

NamedArrays gaussian_arrays() { return Gaussian(plain_prior(2, 3.0)).to_arrays(); }

std::unique_ptr<Components> load_gaussian(const NamedArrays& prior) {
  return std::make_unique<FamilyAdapter<Gaussian>>(Gaussian::from_arrays(prior));
}

TEST(FamilyCatalogue, KnowsTheGaussian) {
  EXPECT_THAT(family_names(), Contains("gaussian"));
  const std::unique_ptr<Components> family = make_family("gaussian", gaussian_arrays());
  EXPECT_EQ(family->family(), "gaussian");
  EXPECT_EQ(family->n_columns(), 2U);
  EXPECT_EQ(family->size(), 0U);
  EXPECT_EQ(family->prior_arrays(), gaussian_arrays());
}

TEST(FamilyCatalogue, RefusesASecondFamilyOfOneName) {
  const std::string message = message_of<OptionError>([] { register_family("gaussian", load_gaussian); });
  EXPECT_EQ(message, "there is a family 'gaussian' already; choose another name");
  register_family("bell", load_gaussian);
  EXPECT_THAT(family_names(), Contains("bell"));
  EXPECT_EQ(make_family("bell", gaussian_arrays())->n_columns(), 2U);
  EXPECT_THROW(register_family("bell", load_gaussian), OptionError);
}

TEST(FamilyCatalogue, NamesTheKnownFamiliesForAnUnknownOne) {
  const std::string message = message_of<DataError>([] { (void)make_family("cauchy", gaussian_arrays()); });
  EXPECT_THAT(message, HasSubstr("the family 'cauchy' is not known here"));
  EXPECT_THAT(message, HasSubstr("gaussian"));
  EXPECT_THROW((void)make_family("", {}), DataError);
}

TEST(FamilyCatalogue, RefusesAnIncompletePrior) {
  for (const char* name : {"m0", "xi0", "eta0", "b0"}) {
    NamedArrays arrays = gaussian_arrays();
    arrays.erase(name);
    EXPECT_THAT(message_of<DataError>([&] { (void)make_family("gaussian", arrays); }), HasSubstr(name));
  }
}

// What the table says of a family is what its class can do.
TEST(FamilyCatalogue, CapabilitiesAreThoseOfTheFamilies) {
  LocalExecution local(1);
  const Rows real(scattered_rows(40, 2, 2, 1), {0.0, 0.0});
  const Rows bits(Dataset::from_rows(std::vector<double>{1, 0, 0, 1, 1, 1}, 3, 2), {0.0, 0.0});
  for (const char* name : {"gaussian", "diagonal", "spherical", "student", "student-diagonal", "student-spherical",
                           "uninformative", "multinomial", "bernoulli"}) {
    const FamilyEntry& entry = family_entry(name);
    const Rows& rows = entry.columns == ColumnsTaken::real ? real : bits;
    const auto prior = make_prior(entry, PriorSource(local.get(), rows, {}));
    const std::unique_ptr<Components> family = prior->at(prior->starts().front());
    EXPECT_EQ(prior->family(), name);
    EXPECT_EQ(prior->numbers().empty(), !entry.has_fitted_prior) << name;
    EXPECT_EQ(family->takes_sparse_rows(), entry.takes_sparse_rows) << name;
    EXPECT_EQ(family->has_density(), entry.has_density) << name;
    EXPECT_EQ(family->weighs_members(), entry.weighs_members) << name;
    EXPECT_EQ(family->moves_single_rows(), entry.moves_single_rows) << name;
    std::vector<double> row(family->stats_size(), 0.0);
    BlockBuffer buffer(2);
    RowBlock block(rows, 0, 1, buffer);
    family->add(row, block, {});
    if (entry.starts_trees) {
      EXPECT_TRUE(std::isfinite(family->log_evidence(row))) << name;
    }
    EXPECT_EQ(make_family(name, family->prior_arrays())->prior_arrays(), family->prior_arrays()) << name;
  }
  EXPECT_FALSE(family_entry("centroid").has_density);
  EXPECT_FALSE(family_entry("centroid").make_prior);
  EXPECT_THROW((void)make_prior(family_entry("centroid"), PriorSource(local.get(), real, {})), OptionError);
  EXPECT_EQ(find_family("cauchy"), nullptr);
  EXPECT_THROW((void)family_entry("cauchy"), OptionError);
}

TEST(FamilyCatalogue, PointEstimatesAreMadeFromTheColumnsLeastVariances) {
  const auto floors_of = [](const char* name) {
    return family_entry(name).point_estimates->make({1.0, 2.0, 6.0})->prior_arrays().at("floor").values;
  };
  EXPECT_THAT(floors_of("point-spherical"), Each(3.0));
  EXPECT_THAT(floors_of("point-diagonal"), ElementsAre(1.0, 2.0, 6.0));
  EXPECT_THAT(floors_of("point-gaussian"), ElementsAre(1.0, 2.0, 6.0));
  const auto numbers = [](const char* name, double d) {
    return family_entry(name).point_estimates->numbers_in_covariance(d);
  };
  for (const double d : {1.0, 2.0, 5.0}) {
    EXPECT_EQ(numbers("point-spherical", d), 1.0);
    EXPECT_EQ(numbers("point-diagonal", d), d);
    EXPECT_EQ(numbers("point-gaussian", d), d * d - d * (d - 1.0) / 2.0);  // the upper half is the lower one
  }
  EXPECT_FALSE(family_entry("gaussian").point_estimates);
}

TEST(FamilyCatalogue, RoundClustersHaveOneScale) {
  for (const std::string& name : family_names()) {
    const bool is_round = name.find("spherical") != std::string::npos;
    EXPECT_EQ(family_entry(name).has_one_scale, is_round) << name;
  }
}

TEST(FamilyCatalogue, NumbersThatAFamilyHasNoUseForAreRefused) {
  const auto message = [](const char* family, const PriorRequest& request) {
    return message_of<OptionError>([&] { check_request(family_entry(family), request); });
  };
  EXPECT_EQ(message("gaussian", {.psi0 = 1.0}), "psi0 is for family multinomial alone");
  EXPECT_EQ(message("multinomial", {.omega0 = 1.0}), "omega0 is for family bernoulli alone");
  EXPECT_EQ(message("bernoulli", {.xi0 = 1.0}),
            "xi0, eta0, m0 and b0 are for Gaussian clusters, not for family bernoulli");
  EXPECT_EQ(message("diagonal", {.b0 = {1.0}}), "b0 is a matrix for family gaussian, not for diagonal");
  EXPECT_EQ(message("uninformative", {.m0 = {1.0}}),
            "family uninformative has no prior to be set: leave out xi0, eta0 and m0");
  EXPECT_EQ(message("spherical", {.rule = PriorRule::paper}),
            "prior paper is a rule for family gaussian, not for spherical");
  check_request(family_entry("gaussian"), {.rule = PriorRule::paper, .xi0 = 1.0, .b0 = {1.0}});
  check_request(family_entry("multinomial"), {.rule = PriorRule::paper, .psi0 = 1.0});
}

TEST(FamilyCatalogue, ThePaperRuleGoesByTheUse) {
  LocalExecution local(1);
  const Rows rows(scattered_rows(60, 2, 3, 2), {0.0, 0.0});
  const auto xi0_for = [&](PriorUse use) {
    const PriorSource source(local.get(), rows, {.rule = PriorRule::paper, .use = use});
    return make_prior(family_entry("gaussian"), source)->at({})->prior_arrays().at("xi0").values[0];
  };
  EXPECT_EQ(xi0_for(PriorUse::search), 0.1);
  EXPECT_EQ(xi0_for(PriorUse::agglomeration), 0.01);
}

// Few rows of columns that vary alike: in a tree their priors are round, and one per column has nothing to add.
TEST(FamilyCatalogue, RoundPriorsNeedNoColumnsOfTheirOwn) {
  LocalExecution local(1);
  const Rows rows(scattered_rows(15, 2, 1, 3), {0.0, 0.0});
  const std::vector<std::string> families = {"gaussian", "diagonal", "spherical"};
  EXPECT_EQ(make_priors(families, PriorSource(local.get(), rows, {})).size(), 3U);
  const PriorSource tree(local.get(), rows, {.use = PriorUse::agglomeration});
  EXPECT_EQ(make_priors(families, tree).size(), 2U);
  EXPECT_EQ(make_priors(std::vector<std::string>{"diagonal"}, tree).size(), 1U);
}

TEST(FamilyCatalogue, ARegisteredPriorMustBeOfItsFamily) {
  FamilyEntry misnamed = family_entry_of<Gaussian>("misnamed");
  misnamed.make_prior = family_entry("gaussian").make_prior;
  register_family(std::move(misnamed));
  LocalExecution local(1);
  const Rows rows(scattered_rows(15, 2, 1, 3), {0.0, 0.0});
  EXPECT_THROW((void)make_prior(family_entry("misnamed"), PriorSource(local.get(), rows, {})), std::logic_error);
}

TEST(FamilyCatalogue, WordsAreFollowedByWhatFitsCanName) {
  FamilyEntry for_searches = family_entry_of<Gaussian>("for-searches");
  for_searches.make_prior = family_entry("gaussian").make_prior;
  FamilyEntry for_trees = for_searches;
  for_trees.name = "for-trees";
  for_trees.starts_trees = true;
  register_family(std::move(for_searches));
  register_family(std::move(for_trees));
  register_family("for-loading", load_gaussian);
  const std::vector<std::string> words = with_registered_families({"auto"});
  EXPECT_EQ(words.front(), "auto");
  EXPECT_THAT(words, testing::IsSupersetOf({"for-searches", "for-trees"}));
  EXPECT_THAT(words, testing::Not(Contains("for-loading")));
  EXPECT_THAT(with_registered_families({}, true), testing::Not(Contains("for-searches")));
  EXPECT_THAT(with_registered_families({}, true), Contains("for-trees"));
}

}  // namespace
}  // namespace coppice::internal
