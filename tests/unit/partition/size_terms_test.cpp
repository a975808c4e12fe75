// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/partition/size_terms.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "coppice/partition/background.hpp"

namespace coppice::internal {
namespace {

std::vector<std::unique_ptr<PartitionPrior>> all_priors() {
  std::vector<std::unique_ptr<PartitionPrior>> priors;
  priors.push_back(make_dirichlet(2.0));
  priors.push_back(make_dirichlet(0.3));
  priors.push_back(make_dirichlet_process(1.5));
  priors.push_back(make_no_partition_prior());
  priors.push_back(make_shares());
  priors.push_back(make_equal_shares());
  priors.push_back(beside_background(make_dirichlet(2.0), {.log_volume = 3.0, .weight = 5.0}));
  return priors;
}

// The log gammas of large sizes are large, and so is their rounding.
double rounding_of(double size) { return 1e-15 * (1.0 + size * std::log1p(size)); }

TEST(SizeTerm, MakesUpThePartOfAPair) {
  for (const auto& prior : all_priors()) {
    for (const double a : {0.4, 1.0, 7.0, 12345.0}) {
      for (const double b : {0.7, 1.0, 400.0, 20000.0}) {
        const double terms =
            prior->merges().size_term(a) + prior->merges().size_term(b) - prior->merges().size_term(a + b);
        EXPECT_NEAR(terms, prior->merges().pair(a, b), 8.0 * rounding_of(a + b))
            << prior->name() << ' ' << a << ' ' << b;
      }
    }
  }
}

TEST(SizeTerms, AreTheTermsThemselves) {
  const std::vector<double> whole{1.0, 3.0, 5.0};
  const std::vector<double> broken{1.0, 2.5};
  for (const auto& prior : all_priors()) {
    const SizeTerms of_whole(*prior, whole);
    const SizeTerms of_broken(*prior, broken);
    for (const double size : {1.0, 3.0, 5.0, 9.0}) EXPECT_EQ(of_whole(size), prior->merges().size_term(size));
    for (const double size : {1.0, 2.5, 3.5}) EXPECT_EQ(of_broken(size), prior->merges().size_term(size));
  }
}

TEST(SizeTerms, DoNotNeedATableForHugeWeights) {
  const auto prior = make_dirichlet(2.0);
  const std::vector<double> pieces{1e12, 3.0};
  EXPECT_EQ(SizeTerms(*prior, pieces)(1e12 + 3.0), prior->merges().size_term(1e12 + 3.0));
}

}  // namespace
}  // namespace coppice::internal
