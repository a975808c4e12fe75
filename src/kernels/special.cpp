// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/special.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace coppice::kernels {

namespace {

// Doubles stay doubles: long double would cost five times the time for digits nobody uses. What is too large is
// infinite.
using Policy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

// Sums of log Gamma and of digamma over x, x - 1, ..., n of them. Each is one more step up from the second least, which
// is above 1, so that nothing cancels: log Gamma(y + 1) = log Gamma(y) + log y, digamma(y + 1) = digamma(y) + 1 / y.
double log_gamma_ladder(double x, std::size_t n) {
  if (n == 0) return 0.0;
  const double least = x - static_cast<double>(n - 1);
  double sum = log_gamma(least);
  if (n == 1) return sum;
  sum += static_cast<double>(n - 1) * log_gamma(least + 1.0);
  for (std::size_t step = 1; step + 1 < n; ++step) {
    sum += static_cast<double>(n - 1 - step) * std::log(least + static_cast<double>(step));
  }
  return sum;
}

double digamma_ladder(double x, std::size_t n) {
  if (n == 0) return 0.0;
  const double least = x - static_cast<double>(n - 1);
  double sum = digamma(least);
  if (n == 1) return sum;
  sum += static_cast<double>(n - 1) * digamma(least + 1.0);
  for (std::size_t step = 1; step + 1 < n; ++step) {
    sum += static_cast<double>(n - 1 - step) / (least + static_cast<double>(step));
  }
  return sum;
}

}  // namespace

double log_gamma(double x) { return boost::math::lgamma(x, Policy()); }

double digamma(double x) { return boost::math::digamma(x, Policy()); }

double log_multigamma(double a, std::size_t dimension) {
  const auto d = static_cast<double>(dimension);
  return d * (d - 1.0) / 4.0 * std::log(std::numbers::pi) + log_gamma_ladder(a, (dimension + 1) / 2) +
         log_gamma_ladder(a - 0.5, dimension / 2);
}

double sum_digamma(double eta, std::size_t dimension) {
  return digamma_ladder(eta / 2.0, (dimension + 1) / 2) + digamma_ladder((eta - 1.0) / 2.0, dimension / 2);
}

}  // namespace coppice::kernels
