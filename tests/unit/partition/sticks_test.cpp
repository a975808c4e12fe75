// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/partition/sticks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/kernels/special.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {
namespace {

using Sizes = std::vector<double>;
constexpr StickPrior priors[] = {{1.0, 1.0}, {1.0, 0.3}, {1.0, 8.0}, {2.5, 0.7}};

double log_beta(double a, double b) {
  return kernels::log_gamma(a) + kernels::log_gamma(b) - kernels::log_gamma(a + b);
}

TEST(Sticks, TheTailIsAnInfiniteSum) {
  for (const StickPrior& prior : priors) {
    const std::vector<Stick> many(6000, {prior.alpha1, prior.alpha2});
    EXPECT_NEAR(log_tail(prior), kernels::log_sum_exp(expected_log_weights(many).of_components), 1e-12);
  }
}

// A stick that is broken so many times at most.
TEST(Sticks, ATailThatEndsIsAFiniteSum) {
  for (const StickPrior& prior : priors) {
    for (const std::size_t n : {1U, 2U, 7U}) {
      const StickWeights weights = expected_log_weights(std::vector<Stick>(n - 1, {prior.alpha1, prior.alpha2}));
      std::vector<double> all = weights.of_components;
      all.push_back(weights.of_rest);
      EXPECT_NEAR(log_tail_of(prior, n), kernels::log_sum_exp(all), 1e-12) << n;
    }
  }
}

// Empty clusters may be left out where there may be no more than so many: those that could come stand for them.
TEST(Sticks, TruncatedSticksNeedNoEmptyClusters) {
  const auto prior = make_truncated_sticks(1.5, 0.7, 5);
  const Sizes some = {6.0, 3.0, 1.0};
  const Sizes all = {6.0, 3.0, 1.0, 0.0, 0.0};
  EXPECT_NEAR(prior->objective(some, 10.0), prior->objective(all, 10.0), 1e-12);
  const std::vector<double> of_some = offsets_of(*prior, some, 10.0);
  const std::vector<double> of_all = offsets_of(*prior, all, 10.0);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(of_some[c], of_all[c], 1e-12);
  EXPECT_NEAR(prior->remainder_offset(some, 10.0), -kernels::log_sum_exp(std::vector{-of_all[3], -of_all[4]}), 1e-12);
  EXPECT_EQ(prior->remainder_offset(all, 10.0), std::numeric_limits<double>::infinity());
  double sum = std::exp(prior->log_remainder(some, 10.0));
  for (const double share : log_shares_of(*prior, some, 10.0)) sum += std::exp(share);
  EXPECT_NEAR(sum, 1.0, 1e-14);
  sum = 0.0;
  for (const double share : log_shares_of(*prior, all, 10.0)) sum += std::exp(share);
  EXPECT_NEAR(sum, 1.0, 1e-14) << "the last takes what is left";
}

// What parts one component at its prior off the tail changes nothing.
TEST(Sticks, OneMoreAtItsPriorLeavesTheTail) {
  for (const StickPrior& prior : priors) {
    std::vector<Stick> sticks = sticks_of(prior, Sizes{5.0, 2.5}, 0.75);
    const double kl = kl_to_prior(sticks, prior);
    const double before = expected_log_weights(sticks).of_rest + log_tail(prior);
    sticks.push_back({prior.alpha1, prior.alpha2});
    const StickWeights after = expected_log_weights(sticks);
    EXPECT_NEAR(before, kernels::log_sum_exp(std::vector{after.of_components.back(), after.of_rest + log_tail(prior)}),
                1e-12);
    EXPECT_NEAR(kl_to_prior(sticks, prior), kl, 1e-13);
  }
}

TEST(Sticks, WeightsOfAllComponentsAreOne) {
  const StickWeights weights = log_expected_weights(sticks_of({1.0, 2.5}, Sizes{3.0, 8.0, 1.5}, 0.5));
  double sum = std::exp(weights.of_rest);
  for (const double log_weight : weights.of_components) sum += std::exp(log_weight);
  EXPECT_NEAR(sum, 1.0, 1e-14);
}

// The divergence by the sizes alone: what the objective of these sizes has beside the shares' part.
TEST(Sticks, ObjectiveAndOffsetsMakeTheDivergence) {
  const Sizes sizes = {8.0, 5.0, 3.0, 1.5};
  const double behind = 0.9;
  const double total = 18.4;
  for (const StickPrior& prior : priors) {
    const auto sticks = make_sticks(prior.alpha1, prior.alpha2);
    double divergence = sticks->objective(sizes, total) - behind * sticks->remainder_offset(sizes, total);
    const std::vector<double> offsets = offsets_of(*sticks, sizes, total);
    for (std::size_t c = 0; c < sizes.size(); ++c) divergence -= sizes[c] * offsets[c];
    EXPECT_NEAR(divergence, kl_to_prior(sticks_of(prior, sizes, behind), prior), 1e-12);
  }
}

// No other order of the components has a lower free energy, and none but theirs is taken.
TEST(Sticks, DecreasingSizesAreTheBestOrder) {
  const Sizes sizes = {3.0, 0.4, 11.0, 1.0, 6.5};
  const double behind = 0.7;
  for (const StickPrior& prior : priors) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    double least = std::numeric_limits<double>::infinity();
    do {
      Sizes ordered;
      for (const std::size_t c : order) ordered.push_back(sizes[c]);
      double sum = -behind * log_tail(prior);
      for (const auto& [a, b] : sticks_of(prior, ordered, behind)) {
        sum += log_beta(prior.alpha1, prior.alpha2) - log_beta(a, b);
      }
      least = std::min(least, sum);
    } while (std::ranges::next_permutation(order).found);
    const double total = std::accumulate(sizes.begin(), sizes.end(), behind);
    EXPECT_NEAR(make_sticks(prior.alpha1, prior.alpha2)->objective(sizes, total), least, 1e-11);
  }
}

// Where rows leave the tail for a component, by the conjugate identity.
TEST(Sticks, OffsetsAreSlopesBesideATail) {
  const Sizes sizes = {3.0, 1.5, 8.0};
  const double total = 14.0;
  const double h = 1e-5;
  const auto prior = make_sticks(1.3, 2.5);
  const std::vector<double> offsets = offsets_of(*prior, sizes, total);
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    Sizes more = sizes;
    Sizes less = sizes;
    more[c] += h;
    less[c] -= h;
    const double slope = (prior->objective(more, total) - prior->objective(less, total)) / (2.0 * h);
    EXPECT_NEAR(offsets[c] - prior->remainder_offset(sizes, total), slope, 1e-7) << c;
  }
}

}  // namespace
}  // namespace coppice::internal
