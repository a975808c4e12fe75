// SPDX-License-Identifier: BSD-3-Clause
// The shares of a mixture by maximum likelihood.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/partition/one_cluster.hpp"

namespace coppice {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Sizes = std::vector<double>;

TEST(Shares, AreTheClustersPartsOfTheWeight) {
  const auto shares = make_shares();
  EXPECT_DOUBLE_EQ(offset(*shares, 2.0, 8.0, 5), std::log(4.0));
  EXPECT_DOUBLE_EQ(log_share(*shares, 2.0, 8.0, 5), -std::log(4.0));
  EXPECT_EQ(offset(*shares, 0.0, 8.0, 5), infinity);
  EXPECT_EQ(log_remainder(*shares, 8.0), -infinity);
}

TEST(Shares, TheObjectiveSumsTheOffsets) {
  const Sizes sizes = {3.0, 0.5, 0.0, 4.5};
  for (const auto& prior : {make_shares(), make_equal_shares()}) {
    double sum = 0.0;
    for (const double size : sizes) sum += size > 0.0 ? size * offset(*prior, size, 8.0, sizes.size()) : 0.0;
    EXPECT_NEAR(prior->objective(sizes, 8.0), sum, 1e-13) << prior->name();
  }
}

TEST(Shares, NoOtherSharesAreCheaper) {
  const Sizes sizes = {3.0, 0.5, 4.5};
  const auto cost = [&](const Sizes& shares) {
    double sum = 0.0;
    for (std::size_t c = 0; c < sizes.size(); ++c) sum -= sizes[c] * std::log(shares[c]);
    return sum;
  };
  const double least = make_shares()->objective(sizes, 8.0);
  EXPECT_NEAR(cost({3.0 / 8.0, 0.5 / 8.0, 4.5 / 8.0}), least, 1e-13);
  EXPECT_GT(cost({3.1 / 8.0, 0.4 / 8.0, 4.5 / 8.0}), least);
  EXPECT_GT(cost({1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}), least);
}

TEST(EqualShares, AreOneOverK) {
  const auto equal = make_equal_shares();
  EXPECT_DOUBLE_EQ(offset(*equal, 2.0, 8.0, 5), std::log(5.0));
  EXPECT_DOUBLE_EQ(log_share(*equal, 0.0, 8.0, 5), -std::log(5.0));
  EXPECT_DOUBLE_EQ(equal->objective(Sizes{3.0, 5.0}, 8.0), 8.0 * std::log(2.0));
  EXPECT_EQ(log_remainder(*equal, 8.0), -infinity);
}

// -log p(labels | shares) - log Dir(shares | phi0) at the shares that the prior gives, and no others are cheaper.
TEST(ModalShares, AreTheModeUnderTheDirichlet) {
  const Sizes sizes = {3.0, 0.5, 4.5};
  for (const double phi0 : {1.0, 1.5, 3.0}) {
    const auto prior = make_modal_shares(phi0);
    const auto cost = [&](const Sizes& shares) {
      double sum = 3.0 * std::lgamma(phi0) - std::lgamma(3.0 * phi0);
      for (std::size_t c = 0; c < 3; ++c) sum -= (sizes[c] + phi0 - 1.0) * std::log(shares[c]);
      return sum;
    };
    Sizes mode = log_shares_of(*prior, sizes, 8.0);
    double total = 0.0;
    for (double& share : mode) total += share = std::exp(share);
    EXPECT_NEAR(total, 1.0, 1e-13);
    const double least = prior->objective(sizes, 8.0);
    EXPECT_NEAR(cost(mode), least, 1e-12);
    EXPECT_GT(cost({mode[0] + 0.02, mode[1], mode[2] - 0.02}), least);
    EXPECT_GT(cost({mode[0], mode[1] + 0.02, mode[2] - 0.02}), least);
  }
  EXPECT_THROW((void)make_modal_shares(0.5), OptionError);
}

TEST(Shares, HaveAPriceIfTheyAreToldOne) {
  const auto plain = make_shares();
  const auto priced = make_shares({.first = 5.0, .further = 3.0});
  EXPECT_DOUBLE_EQ(priced->objective(Sizes{8.0}, 8.0), plain->objective(Sizes{8.0}, 8.0) + 2.5 * std::log(8.0));
  EXPECT_DOUBLE_EQ(priced->objective(Sizes{3.0, 1.0, 4.0}, 8.0),
                   plain->objective(Sizes{3.0, 1.0, 4.0}, 8.0) + 5.5 * std::log(8.0));
  EXPECT_EQ(offset(*priced, 2.0, 8.0, 5), offset(*plain, 2.0, 8.0, 5));
}

TEST(Shares, MergesChangeTheObjectiveByPairAndLevel) {
  for (const auto& prior : {make_shares(), make_shares({1.0, 2.0}), make_modal_shares(2.0), make_equal_shares()}) {
    const double before = prior->objective(Sizes{3.0, 1.0, 4.0}, 8.0);
    const double after = prior->objective(Sizes{7.0, 1.0}, 8.0);
    EXPECT_NEAR(prior->merges().pair(3.0, 4.0) + prior->merges().level(8.0, 3), after - before, 1e-13) << prior->name();
  }
}

TEST(Shares, AreFoundByNameWhateverTheParameter) {
  for (const char* name : {"shares", "equal"}) {
    for (const double parameter : {1.0, 0.0, -3.0}) {
      const auto prior = make_partition_prior(name, parameter);
      EXPECT_EQ(prior->name(), name);
      EXPECT_EQ(prior->clone()->name(), name);
      EXPECT_TRUE(prior->is_monotone());
      EXPECT_TRUE(prior->parameters().empty());
    }
  }
}

}  // namespace
}  // namespace coppice
