// SPDX-License-Identifier: BSD-3-Clause
#include "data/generate/gamma_draw.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

// Marsaglia and Tsang (2000); a shape below 1 by way of Gamma(shape + 1) U^(1 / shape).
double draw_log_gamma(double shape, RandomStream& random) {
  if (shape < 1.0) {
    const double log_uniform = std::log1p(-random.uniform());
    return draw_log_gamma(shape + 1.0, random) + log_uniform / shape;
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = random.normal();
    const double root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double log_v = 3.0 * std::log(root);
    const double v = root * root * root;
    if (std::log1p(-random.uniform()) < 0.5 * x * x + d - d * v + d * log_v) return std::log(d) + log_v;
  }
}

std::vector<double> draw_dirichlet(std::size_t n, double concentration, RandomStream& random) {
  std::vector<double> shares(n);
  for (double& share : shares) share = draw_log_gamma(concentration, random);
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
