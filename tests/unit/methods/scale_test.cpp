// SPDX-License-Identifier: BSD-3-Clause
// Units do not matter: a table times a constant has the same clusters, and its objective is shifted by the logarithm of
// the change of volume.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "coppice/data/generate.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/methods/linkages.hpp"

namespace coppice {
namespace {

Generated clusters() { return generate(GaussianMixture{.n_rows = 120, .n_columns = 3, .k = 4, .tau = 8.0, .seed = 3}); }

// Column c times factors[c].
Dataset times(const Dataset& data, const std::vector<double>& factors) {
  std::vector<double> values;
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c) * factors[c]);
  }
  return Dataset::from_rows(std::move(values), data.n_rows(), data.n_columns());
}

Dataset times(const Dataset& data, double factor) { return times(data, std::vector<double>(3, factor)); }

enum class Objective { squares, log_density, none };  // none: it hangs on draws by the rows' contents

const std::vector<double> powers_of_two = {0x1p-300, 0x1p-40, 0x1p40, 0x1p300};
const std::vector<double> any_factors = {1e-6, 1e-4, 1e4, 1e6, 0x1p-300, 0x1p-40, 0x1p40, 0x1p300};

template <class Method>
void expect_same(const Method& method, Objective objective, const std::string& what,
                 const std::vector<double>& factors = any_factors) {
  const Generated made = clusters();
  const Fit plain = fit(made.data, method);
  EXPECT_GT(evaluate::adjusted_rand_index(plain.labels, made.labels), 0.6) << what;
  for (const double factor : factors) {
    const Fit scaled = fit(times(made.data, factor), method);
    EXPECT_EQ(evaluate::adjusted_rand_index(scaled.labels, plain.labels), 1.0) << what << ", times " << factor;
    if (objective == Objective::none) continue;
    const double expected = objective == Objective::squares ? plain.model.objective() * factor * factor
                                                            : plain.model.objective() + 120.0 * 3.0 * std::log(factor);
    EXPECT_NEAR(scaled.model.objective(), expected, 1e-6 * std::abs(expected)) << what << ", times " << factor;
  }
}

TEST(Scale, KMeans) {
  for (const char* assign : {"naive", "kdtree", "bounds"}) {
    // Other rules draw rows by their contents, and so others in other units.
    expect_same(KMeans{.k = 4, .seeding = "farthest", .assign = assign}, Objective::squares, assign);
  }
  expect_same(KMeans{.k = {2, 6}, .seeding = "farthest"}, Objective::squares, "chosen by bic");
}

TEST(Scale, GaussianMixture) {
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    for (const bool hard : {false, true}) {
      const GaussianMixtureEm method{.k = 4, .family = family, .hard = hard, .restarts = 8};
      expect_same(method, Objective::log_density, std::string(family) + (hard ? " hard" : ""));
    }
    expect_same(GaussianMixtureEm{.k = 4, .family = family, .shared_variance = true, .restarts = 8},
                Objective::log_density, std::string(family) + " shared");
  }
}

TEST(Scale, BayesianKMeans) {
  for (const char* family : {"auto", "student"}) {
    expect_same(BayesianKMeans{.family = family}, Objective::log_density, family);
  }
  // Draws by the rows' contents know powers of two alone, and two states of this family are within two nats here.
  expect_same(BayesianKMeans{.family = "student-spherical"}, Objective::log_density, "student-spherical",
              powers_of_two);
  expect_same(BayesianKMeans{.prior = "paper"}, Objective::none, "paper");
  expect_same(BayesianKMeans{.outliers = true}, Objective::log_density, "outliers");
}

TEST(Scale, Trees) {
  expect_same(AgglomerativeBayesian{}, Objective::log_density, "abc");
  expect_same(SingleLinkage{.k = 4}, Objective::squares, "single");
  expect_same(CompleteLinkage{.k = 4}, Objective::squares, "complete");
  expect_same(AverageLinkage{.k = 4}, Objective::squares, "average");
  expect_same(WardLinkage{.k = 4}, Objective::squares, "ward");
}

// Models that mind no column's unit.
template <class Method>
void expect_same_with_columns_of_their_own(const Method& method, const std::string& what) {
  const Generated made = clusters();
  const Fit plain = fit(made.data, method);
  for (const std::vector<double>& factors : {std::vector<double>{1e-6, 1.0, 1e6}, std::vector<double>{1e3, 1e-4, 0.1},
                                             std::vector<double>{0x1p-90, 0x1p90, 1.0}}) {
    const Fit scaled = fit(times(made.data, factors), method);
    EXPECT_EQ(evaluate::adjusted_rand_index(scaled.labels, plain.labels), 1.0) << what << ", times " << factors[0];
    double expected = plain.model.objective();
    for (const double factor : factors) expected += 120.0 * std::log(factor);
    EXPECT_NEAR(scaled.model.objective(), expected, 1e-6 * std::abs(expected)) << what << ", times " << factors[0];
  }
}

TEST(Scale, ColumnsOfTheirOwnUnits) {
  for (const char* family : {"gaussian", "diagonal"}) {
    for (const bool hard : {false, true}) {
      expect_same_with_columns_of_their_own(GaussianMixtureEm{.k = 4, .family = family, .hard = hard, .restarts = 8},
                                            family);
    }
  }
  for (const char* family : {"gaussian", "diagonal", "student", "student-diagonal"}) {
    expect_same_with_columns_of_their_own(BayesianKMeans{.family = family}, family);
  }
  expect_same_with_columns_of_their_own(AgglomerativeBayesian{.family = "gaussian"}, "abc");
}

}  // namespace
}  // namespace coppice
