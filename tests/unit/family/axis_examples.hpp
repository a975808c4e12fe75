// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors of Gaussian clusters without correlations, for tests.

#include <vector>

#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/spherical.hpp"
#include "unit/family/gaussian_examples.hpp"

namespace coppice::internal {

inline std::vector<double> positive_values(std::size_t n, std::uint64_t seed, double low = 0.5, double high = 3.0) {
  RandomStream random{seed, Purpose::test, 98};
  std::vector<double> values(n);
  for (double& value : values) value = random.uniform(low, high);
  return values;
}

// Some prior with a family's number of scales, and a rounding error in every column but the last.
template <class F>
F random_family(std::size_t d, std::uint64_t seed, bool is_rounded) {
  std::vector<double> rounding;
  if (is_rounded) {
    rounding = positive_values(d, seed + 3, 0.05, 0.4);
    if (d > 1) rounding.back() = 0.0;
  }
  if constexpr (std::same_as<F, Gaussian>) {
    NormalWishart prior = random_prior(d, seed);
    prior.rounding = rounding;
    return F(prior);
  } else {
    const std::size_t n_scales = std::same_as<F, DiagonalGaussian> ? d : 1;
    return F({random_values(d, seed + 1, 1.0), 0.3, 1.7, positive_values(n_scales, seed + 2), rounding});
  }
}

}  // namespace coppice::internal
