// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/gamma.hpp"

#include <cmath>

namespace coppice::internal {

// Marsaglia and Tsang (2000); a shape below 1 by way of Gamma(shape + 1) U^(1 / shape).
double draw_log_gamma(RandomStream& random, double shape) {
  if (shape < 1.0) {
    const double log_uniform = std::log1p(-random.uniform());
    return draw_log_gamma(random, shape + 1.0) + log_uniform / shape;
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

}  // namespace coppice::internal
