// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/stick_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {
namespace {

double objective(const StickPrior& prior, const std::vector<double>& sizes, double total) {
  return make_sticks(prior.alpha1, prior.alpha2)->objective(sizes, total);
}

TEST(StickFit, FindsTheLeast) {
  const std::vector<double> sizes = {400.0, 220.0, 180.0, 90.0, 60.0, 30.0, 12.0, 5.0, 2.0};
  const double total = 1000.5;
  for (const double start : {0.2, 1.0, 30.0}) {
    const FittedSticks fitted = fit_alpha2({1.0, start}, sizes, total);
    EXPECT_GE(fitted.gain, 0.0);
    EXPECT_NEAR(objective({1.0, start}, sizes, total) - objective(fitted.prior, sizes, total), fitted.gain, 1e-9);
    for (double alpha2 = least_alpha2; alpha2 < most_alpha2; alpha2 *= 1.1) {
      EXPECT_GE(objective({1.0, alpha2}, sizes, total), objective(fitted.prior, sizes, total) - 1e-3) << alpha2;
    }
  }
}

// One component would have no other ever come.
TEST(StickFit, KeepsWithinItsBounds) {
  EXPECT_NEAR(fit_alpha2({1.0, 1.0}, std::vector{1000.0}, 1000.0).prior.alpha2, least_alpha2, 0.01);
  EXPECT_LE(fit_alpha2({1.0, 1.0}, std::vector<double>(300, 1.0), 300.0).prior.alpha2, most_alpha2 * (1.0 + 1e-12));
}

}  // namespace
}  // namespace coppice::internal
