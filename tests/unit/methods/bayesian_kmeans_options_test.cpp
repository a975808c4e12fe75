// SPDX-License-Identifier: BSD-3-Clause
// Options that make no sense, alone or with the data, are refused with a message that says what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;

Dataset ten_rows() { return scattered_rows(10, 2, 2, 1); }

Dataset bits() { return Dataset::from_rows(std::vector<double>{1, 1, 0, 1, 1, 0, 0, 0}, 4, 2); }

bool is_finite(const Fit& found) {
  const auto is_number = [](double value) { return std::isfinite(value); };
  return std::isfinite(found.model.objective()) && std::ranges::all_of(found.probabilities, is_number);
}

// fit() and score() check alike.
template <class Expected>
std::string refusal(const Dataset& data, const BayesianKMeans& method) {
  const std::vector<std::int32_t> labels(data.n_rows(), 0);
  const std::string of_fit = message_of<Expected>([&] { (void)fit(data, method); });
  EXPECT_EQ(message_of<Expected>([&] { (void)score(data, labels, method); }), of_fit);
  return of_fit;
}

TEST(BayesianKMeansOptions, MoreClustersThanRows) {
  EXPECT_EQ(refusal<OptionError>(ten_rows(), {.k = 11}), "k is 11, but the data has 10 rows; choose 1 to 10");
  EXPECT_NO_THROW((void)fit(ten_rows(), {.k = 10}));
}

TEST(BayesianKMeansOptions, MoreClustersThanTheLimit) {
  EXPECT_EQ(refusal<OptionError>(ten_rows(), {.k = 5, .max_k = 4}), "k is 5, but max_k is 4; k must not exceed it");
  EXPECT_NO_THROW((void)fit(ten_rows(), {.k = 4, .max_k = 4}));
}

TEST(BayesianKMeansOptions, ThePublishedSearchFindsKItself) {
  const std::string message = refusal<OptionError>(ten_rows(), {.k = 2, .search = "paper"});
  EXPECT_THAT(message, HasSubstr("leave out k"));
  EXPECT_THAT(message, HasSubstr("search auto"));
  EXPECT_NO_THROW((void)fit(ten_rows(), {.search = "paper"}));
}

TEST(BayesianKMeansOptions, ValuesOutsideTheirRange) {
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.k = 0}), HasSubstr("k is 0"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.max_k = 0}), HasSubstr("max_k is 0"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.family = "cauchy"}), HasSubstr("family is 'cauchy'"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.partition = "flat"}), HasSubstr("dirichlet, dp"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.phi0 = 0.0}), HasSubstr("phi0 is 0"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.alpha = std::nan("")}), HasSubstr("alpha is nan"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.xi0 = -1.0}), HasSubstr("xi0 is -1"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.restarts = 0}), HasSubstr("restarts is 0"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.max_iterations = 0}), HasSubstr("max_iterations is 0"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.min_size = -0.5}), HasSubstr("min_size is -0.5"));
  EXPECT_THROW((void)fit(ten_rows(), {}, {.time_limit = 0.0}), OptionError);
}

TEST(BayesianKMeansOptions, PriorsThatDoNotFitTheData) {
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.eta0 = 1.0}), HasSubstr("eta0 is 1"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.m0 = Table{1, 3, {0, 0, 0}}}), HasSubstr("m0 has 3 values"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.b0 = Table{1, 1, {1}}}),
              HasSubstr("1 entry, but 2 columns need 2 x 2"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.b0 = Table{2, 2, {1, 0.5, 0, 1}}}), HasSubstr("not symmetric"));
  EXPECT_THAT(refusal<OptionError>(ten_rows(), {.b0 = Table{2, 2, {1, 2, 2, 1}}}), HasSubstr("not positive definite"));
}

// Gamma functions of them overflow, or cannot tell them from others: an error, no NaN and no endless search.
TEST(BayesianKMeansOptions, PseudoCountsThatNobodyMeansAreRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Dataset counts = Dataset::from_rows(std::vector<double>{3, 1, 0, 2, 5, 0, 1, 4}, 4, 2);
  for (const double value : {infinity, 1.7e308, 1e308, 1e306, 1e305, 1e300, 1e150, 1.001e12, 1e-101, 1e-308, 5e-324}) {
    EXPECT_THAT(refusal<OptionError>(ten_rows(), {.phi0 = value}), HasSubstr("phi0 is "));
    EXPECT_THAT(refusal<OptionError>(ten_rows(), {.partition = "dp", .alpha = value}), HasSubstr("alpha is "));
    EXPECT_THAT(refusal<OptionError>(ten_rows(), {.xi0 = value}), HasSubstr("xi0 is "));
    EXPECT_THAT(refusal<OptionError>(ten_rows(), {.eta0 = value}), HasSubstr("eta0 is "));
    EXPECT_THAT(refusal<OptionError>(counts, {.family = "multinomial", .psi0 = value}), HasSubstr("psi0 is "));
    EXPECT_THAT(refusal<OptionError>(bits(), {.family = "bernoulli", .omega0 = value}), HasSubstr("omega0 is "));
  }
}

TEST(BayesianKMeansOptions, TheLargestAndSmallestPseudoCountsLeaveNumbers) {
  const Dataset counts = Dataset::from_rows(std::vector<double>{3, 1, 0, 2, 5, 0, 1, 4}, 4, 2);
  for (const double value : {1e12, 1e-100}) {
    EXPECT_TRUE(is_finite(fit(ten_rows(), {.phi0 = value}))) << value;
    EXPECT_TRUE(is_finite(fit(ten_rows(), {.partition = "dp", .alpha = value}))) << value;
    EXPECT_TRUE(is_finite(fit(ten_rows(), {.family = "spherical", .xi0 = value}))) << value;
    EXPECT_TRUE(is_finite(fit(counts, {.family = "multinomial", .psi0 = value}))) << value;
    EXPECT_TRUE(is_finite(fit(bits(), {.family = "bernoulli", .omega0 = value}))) << value;
  }
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    EXPECT_TRUE(is_finite(fit(ten_rows(), {.family = family, .eta0 = 1e12}))) << family;
  }
}

TEST(BayesianKMeansOptions, AColumnOfWordsNamesTheOthers) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 2, 3, 4}, 2, 2)
                           .with_names({"width", "height"})
                           .with_categories({{"colour", {"blue", "red"}, {0, 1}}});
  EXPECT_EQ(refusal<OptionError>(data, {}),
            "column 'colour' holds words, and bkm clusters numbers only; choose the numeric ones with columns "
            "width,height");
}

TEST(BayesianKMeansOptions, TablesWithNothingInThem) {
  EXPECT_THAT(refusal<DataError>(Dataset::from_rows(std::vector<double>{}, 0, 2), {}), HasSubstr("the table is empty"));
  EXPECT_THAT(refusal<DataError>(Dataset{}, {}), HasSubstr("the table is empty"));
  EXPECT_THAT(refusal<DataError>(ten_rows().with_weights(std::vector<double>(10, 0.0)), {}),
              HasSubstr("all rows weigh 0"));
}

TEST(BayesianKMeansOptions, ScoreWantsALabelPerRow) {
  const std::vector<std::int32_t> nine(9, 0);
  EXPECT_EQ(message_of<DataError>([&] { (void)score(ten_rows(), nine, {}); }),
            "9 labels given, but the data has 10 rows");
}

}  // namespace
}  // namespace coppice::internal
