// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/criteria.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "coppice/assign/naive.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

// log N(x; m, (eta B^-1)^-1) in two columns, by the inverse of a 2 x 2 matrix written out.
double log_normal(const Gaussian& family, ConstStatsRef stats, std::span<const double> x) {
  const NormalWishart& prior = family.prior();
  const double eta = prior.eta0 + stats[0];
  const std::vector<double> b = family.posterior_b(stats);
  const double determinant = b[0] * b[3] - b[1] * b[2];
  double t[2];
  for (std::size_t i = 0; i < 2; ++i)
    t[i] = x[i] - (stats[0] * stats[1 + i] + prior.xi0 * prior.m0[i]) / (prior.xi0 + stats[0]);
  const double quadratic = eta * (b[3] * t[0] * t[0] - 2.0 * b[1] * t[0] * t[1] + b[0] * t[1] * t[1]) / determinant;
  return -std::log(2.0 * std::numbers::pi) + std::log(eta) - 0.5 * std::log(determinant) - 0.5 * quadratic;
}

struct Brute {
  std::vector<double> split;
  std::vector<double> merge;
};

// The definitions as they stand, every row once for each unit of its whole weight.
Brute brute_force(const ClusteringProblem& test, const StatsArena& stats, std::span<const double> shares) {
  const std::size_t k = stats.size();
  std::vector<std::vector<double>> r;
  std::vector<std::vector<double>> log_p;
  std::vector<double> x(2);
  for (std::size_t row = 0; row < test.rows().size(); ++row) {
    test.rows().copy_row(row, x);
    std::vector<double> log_density(k);
    std::vector<double> responsibility(k);
    double total = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      log_density[c] = log_normal(test.components().get(), stats[c], x);
      total += responsibility[c] = shares[c] * std::exp(log_density[c]);
    }
    for (double& value : responsibility) value /= total;
    for (int copy = 0; copy < static_cast<int>(test.rows().weight(row)); ++copy) {
      r.push_back(responsibility);
      log_p.push_back(log_density);
    }
  }
  Brute result{std::vector<double>(k, 0.0), std::vector<double>(k * k)};
  const auto product = [&](std::size_t c, std::size_t d) {
    double sum = 0.0;
    for (const auto& row : r) sum += row[c] * row[d];
    return sum;
  };
  for (std::size_t c = 0; c < k; ++c) {
    double mass = 0.0;
    for (const auto& row : r) mass += row[c];
    for (std::size_t n = 0; n < r.size(); ++n) {
      const double f = r[n][c] / mass;
      if (f > 0.0) result.split[c] += f * (std::log(f) - log_p[n][c]);
    }
    for (std::size_t d = 0; d < k; ++d)
      result.merge[c * k + d] = product(c, d) / std::sqrt(product(c, c) * product(d, d));
  }
  return result;
}

std::vector<double> shares_of(const StatsArena& stats, double total, std::size_t which) {
  std::vector<double> shares;
  for (std::size_t c = 0; c < stats.size(); ++c) {
    shares.push_back(which % 2 == 0 ? (stats.weight(c) + 2.0) / (total + 2.0 * static_cast<double>(stats.size()))
                                    : stats.weight(c) / (total + 1.5));
  }
  return shares;
}

TEST(SplitMergeCriteria, AreThoseOfBruteForce) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::size_t n = 40;
    std::vector<double> weights = some_weights(n, seed);
    for (double& weight : weights) weight = seed < 4 ? 1.0 : std::floor(weight);
    const Dataset data = scattered_rows(n, 2, 3, seed, 1.0);
    ClusteringProblem test(seed < 2 ? data : data.with_weights(weights), partition_number(seed));
    const State state = test.me().from_labels(random_labels(n, 3, seed));
    const Problem problem = test.problem();
    const SplitMergeCriteria criteria = split_merge_criteria(test.execution(), problem, state.stats);
    const Brute expected = brute_force(test, state.stats, shares_of(state.stats, problem.total_weight, seed));
    ASSERT_EQ(criteria.split.size(), state.k());
    // Sums of at most 120 numbers of size 10 at most, exponentials right to 1e-14: 1e-11 is plenty.
    for (std::size_t c = 0; c < criteria.split.size(); ++c) EXPECT_NEAR(criteria.split[c], expected.split[c], 1e-11);
    ASSERT_EQ(criteria.merge.size(), expected.merge.size());
    for (std::size_t i = 0; i < criteria.merge.size(); ++i) EXPECT_NEAR(criteria.merge[i], expected.merge[i], 1e-11);
  }
}

TEST(SplitMergeCriteria, DoNotDependOnThreads) {
  const Rows rows(scattered_rows(3 * rows_per_block, 2, 4, 1), {0.0, 0.0});
  const Units units(rows);
  const FamilyAdapter<Gaussian> components = plain_gaussian(2);
  const auto partition = make_dirichlet(2.0);
  const Problem problem{units, components, *partition, static_cast<double>(rows.size())};
  LocalExecution one(1);
  LocalExecution three(3);
  const StatsArena stats =
      statistics_of_list(one.get(), Subset(units), components, random_labels(rows.size(), 4, 1), 4);
  const SplitMergeCriteria expected = split_merge_criteria(one.get(), problem, stats);
  const SplitMergeCriteria criteria = split_merge_criteria(three.get(), problem, stats);
  EXPECT_EQ(criteria.split, expected.split);
  EXPECT_EQ(criteria.merge, expected.merge);
}

}  // namespace
}  // namespace coppice::internal
