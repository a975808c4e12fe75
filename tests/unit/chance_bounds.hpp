// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a mean of random numbers may be off by chance: bounds that hold for any distribution, so that a test with
// them fails by chance in one of `one_in` seeds at most.

#include <algorithm>
#include <cmath>

namespace coppice::internal {

// Of n independent draws, how far the share of those with an event of probability p may be from p (Bernstein).
inline double share_bound(double p, double n, double one_in) {
  const double log_odds = std::log(2.0 * one_in);
  return std::sqrt(2.0 * std::max(0.0, p * (1.0 - p)) * log_odds / n) + log_odds / (3.0 * n);
}

// Of n independent numbers from a range of this width, how far their mean may be from its expectation (Hoeffding).
inline double mean_bound(double width, double n, double one_in) {
  return width * std::sqrt(std::log(2.0 * one_in) / (2.0 * n));
}

// How far the share of rows up to any x may be from the distribution function (Dvoretzky, Kiefer, Wolfowitz, Massart).
inline double distribution_bound(double n, double one_in) { return mean_bound(1.0, n, one_in); }

// How far a Poisson number may be from its mean (Chernoff).
inline double poisson_bound(double mean, double one_in) {
  const double log_odds = std::log(2.0 * one_in);
  return log_odds / 3.0 + std::sqrt(log_odds * log_odds / 9.0 + 2.0 * mean * log_odds);
}

}  // namespace coppice::internal
