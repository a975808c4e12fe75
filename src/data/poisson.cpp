// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/poisson.hpp"

#include <cmath>

#include "coppice/kernels/special.hpp"

namespace coppice::internal {

namespace {

// The number at which the running sum of probabilities passes a uniform draw: mean + 1 terms on average.
double by_inversion(RandomStream& random, double mean) {
  double probability = std::exp(-mean);
  double left = random.uniform() - probability;
  double number = 0.0;
  while (left >= 0.0 && probability > 0.0) {  // far out, rounding leaves nothing to add
    number += 1.0;
    probability *= mean / number;
    left -= probability;
  }
  return number;
}

// Hormann 1993, "The transformed rejection method for generating Poisson random variables", algorithm PTRS: a table
// mountain hat over the probabilities, with a squeeze (the first test) that spares most logarithms.
double by_transformed_rejection(RandomStream& random, double mean) {
  const double log_mean = std::log(mean);
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double v_r = 0.9277 - 3.6224 / (b - 2.0);
  for (;;) {
    const double u = random.uniform() - 0.5;
    const double v = 1.0 - random.uniform();  // in (0, 1]: its logarithm is finite
    const double u_s = 0.5 - std::abs(u);
    if (u_s <= 0.0) continue;
    const double number = std::floor((2.0 * a / u_s + b) * u + mean + 0.43);
    if (u_s >= 0.07 && v <= v_r) return number;
    if (number < 0.0 || (u_s < 0.013 && v > u_s)) continue;
    const double log_hat = std::log(v * inverse_alpha / (a / (u_s * u_s) + b));
    if (log_hat <= number * log_mean - mean - kernels::log_gamma(number + 1.0)) return number;
  }
}

}  // namespace

double draw_poisson(RandomStream& random, double mean) {
  constexpr double least_for_rejection = 10.0;  // the hat covers the probabilities from here on
  return mean < least_for_rejection ? by_inversion(random, mean) : by_transformed_rejection(random, mean);
}

}  // namespace coppice::internal
