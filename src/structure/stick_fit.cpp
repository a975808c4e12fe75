// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/stick_fit.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>

#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

FittedSticks fit_alpha2(const StickPrior& prior, std::span<const double> sizes, double total) {
  constexpr int bits = 12;
  constexpr std::uintmax_t most_evaluations = 40;
  constexpr double step = 1.0 / 64.0;  // of the logarithm, so that the last bits of sums do not reach the prior
  const auto objective = [&](double log_alpha2) {
    return make_sticks(prior.alpha1, std::exp(log_alpha2))->objective(sizes, total);
  };
  const double low = std::log(least_alpha2);
  const double high = std::log(most_alpha2);
  std::uintmax_t left = most_evaluations;
  const double found = boost::math::tools::brent_find_minima(objective, low, high, bits, left).first;
  const double log_alpha2 = std::clamp(std::nearbyint(found / step) * step, low, high);
  const double gain = objective(std::log(prior.alpha2)) - objective(log_alpha2);
  if (!(gain > 0.0)) return {prior, 0.0};
  return {{prior.alpha1, std::exp(log_alpha2)}, gain};
}

}  // namespace coppice::internal
