// SPDX-License-Identifier: BSD-3-Clause
// Weights count rows. Less than one row in all, or next to nothing on some rows, is little to go by, but a number like
// any other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "coppice/data/generate.hpp"
#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/plain_texts.hpp"

namespace coppice {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::size_t n_rows = 60;

Dataset rows_of(double weight) {
  const Dataset data = generate(GaussianMixture{.n_rows = n_rows, .n_columns = 2, .k = 3, .tau = 8.0, .seed = 5}).data;
  return data.with_weights(std::vector<double>(n_rows, weight));
}

// Every third row as given, the others 1.
Dataset some_rows_of(double weight) {
  const Dataset data = rows_of(1.0);
  std::vector<double> weights = data.weights();
  for (std::size_t row = 0; row < n_rows; row += 3) weights[row] = weight;
  return data.with_weights(weights);
}

void expect_whole(const Fit& found, const std::string& what) {
  EXPECT_TRUE(std::isfinite(found.model.objective())) << what;
  for (const std::int32_t label : found.labels) {
    EXPECT_GE(label, -1) << what;
    EXPECT_LT(label, static_cast<std::int32_t>(found.model.k())) << what;
  }
  for (const double probability : found.probabilities)
    EXPECT_TRUE(probability >= 0.0 && probability < 1.0 + 1e-9) << what;
}

class BkmWeights : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static BayesianKMeans method() {
    const std::string name = GetParam();
    if (name == "outliers") return {.outliers = true};
    if (name == "dp outliers") return {.partition = "dp", .outliers = true};
    if (name == "dp") return {.partition = "dp"};
    if (name == "paper" || name == "grid") return {.prior = name};
    if (name == "little freedom") return {.family = "gaussian", .eta0 = 1.25};
    return {.family = name};
  }
};

TEST_P(BkmWeights, LessThanARowInAll) {
  for (const double weight : {1e-2, 1e-3, 1e-6}) {
    const Fit found = fit(rows_of(weight), method());
    expect_whole(found, std::to_string(weight));
    // Too little to tell clusters apart; a Dirichlet process minds no cluster of less than a row, but rewards none.
    EXPECT_LE(found.model.k(), method().partition == "dp" ? 10U : 1U) << weight;
    EXPECT_THAT(plain(found.warnings), Contains(HasSubstr("weights count rows"))) << weight;
  }
  for (const double weight : {1e-9, 1e-90}) {
    EXPECT_THAT(message_of<DataError>([&] { (void)fit(rows_of(weight), method()); }), HasSubstr("together weigh"));
  }
}

TEST_P(BkmWeights, NextToNothingOnSomeRows) {
  const Fit without = fit(some_rows_of(0.0), method());
  for (const double weight : {1e-9, 1e-90}) {
    const Fit found = fit(some_rows_of(weight), method());
    expect_whole(found, std::to_string(weight));
    EXPECT_EQ(found.model.k(), without.model.k()) << weight;
    // Small distances and the width of a background go by all rows, whatever they weigh.
    const bool goes_by_weights = method().prior == "auto" && !method().outliers;
    EXPECT_NEAR(found.model.objective(), without.model.objective(), goes_by_weights ? 1e-3 : 10.0) << weight;
  }
}

TEST_P(BkmWeights, MoreThanCanBeCounted) {
  expect_whole(fit(rows_of(1e9), method()), "billions");
  EXPECT_THAT(message_of<DataError>([&] { (void)fit(rows_of(1e15), method()); }), HasSubstr("row 1 weighs 1e+15"));
  EXPECT_THAT(message_of<DataError>([&] { (void)fit(rows_of(1e300), method()); }), HasSubstr("row 1 weighs 1e+300"));
}

INSTANTIATE_TEST_SUITE_P(Options, BkmWeights,
                         testing::Values("auto", "gaussian", "student", "student-spherical", "diagonal", "spherical",
                                         "paper", "grid", "dp", "outliers", "dp outliers", "little freedom"));

TEST(SmallWeights, Abc) {
  EXPECT_EQ(fit(rows_of(1e-6), AgglomerativeBayesian{}).model.k(), 1U);
  for (const char* partition : {"dirichlet", "dp"}) {
    const AgglomerativeBayesian method{.partition = partition};
    for (const double weight : {1e-3, 1e-6, 1e-90}) {
      if (weight > 1e-9) expect_whole(fit(rows_of(weight), method), partition);
      expect_whole(fit(some_rows_of(weight), method), partition);
    }
    EXPECT_THROW((void)fit(rows_of(1e300), method), DataError);
  }
}

// Without a prior only proportions matter.
TEST(SmallWeights, ProportionsAloneMatterToMixturesAndCentres) {
  const Fit mixture = fit(rows_of(1.0), GaussianMixtureEm{.k = 3, .restarts = 3});
  const Fit centres = fit(rows_of(1.0), KMeans{.k = 3, .restarts = 3});
  for (const double weight : {1e-90, 1e-3, 1e15, 1e100}) {
    EXPECT_EQ(fit(rows_of(weight), GaussianMixtureEm{.k = 3, .restarts = 3}).labels, mixture.labels) << weight;
    EXPECT_EQ(fit(rows_of(weight), KMeans{.k = 3, .restarts = 3}).labels, centres.labels) << weight;
  }
  EXPECT_THROW((void)fit(rows_of(1e300), GaussianMixtureEm{.k = 3}), DataError);
  EXPECT_THROW((void)fit(rows_of(1e-300), KMeans{.k = 3}), DataError);
}

}  // namespace
}  // namespace coppice
