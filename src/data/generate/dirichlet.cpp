// SPDX-License-Identifier: BSD-3-Clause
#include "data/generate/dirichlet.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/data/gamma.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

std::vector<double> draw_dirichlet(std::size_t n, double concentration, RandomStream& random) {
  std::vector<double> shares(n);
  for (double& share : shares) share = draw_log_gamma(random, concentration);
  // Relative to the largest: where the concentration is small, the Gamma numbers themselves may all be too small for a
  // double.
  const double largest = *std::ranges::max_element(shares);
  double total = 0.0;
  for (double& share : shares) total += share = std::exp(share - largest);
  for (double& share : shares) share /= total;
  return shares;
}

void check_concentration(double concentration) {
  if (!(concentration > 0.0) || !std::isfinite(concentration)) {
    throw OptionError(format_text("{concentration} is {}, but must be positive and finite", concentration));
  }
}

}  // namespace coppice::internal
