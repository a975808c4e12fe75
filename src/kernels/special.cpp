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

}  // namespace

double log_gamma(double x) { return boost::math::lgamma(x, Policy()); }

double digamma(double x) { return boost::math::digamma(x, Policy()); }

double log_multigamma(double a, std::size_t dimension) {
  const auto d = static_cast<double>(dimension);
  double sum = d * (d - 1.0) / 4.0 * std::log(std::numbers::pi);
  for (std::size_t i = 0; i < dimension; ++i) sum += log_gamma(a - static_cast<double>(i) / 2.0);
  return sum;
}

double sum_digamma(double eta, std::size_t dimension) {
  double sum = 0.0;
  for (std::size_t i = 0; i < dimension; ++i) sum += digamma((eta - static_cast<double>(i)) / 2.0);
  return sum;
}

}  // namespace coppice::kernels
