// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The Bayesian information criterion (Schwarz 1978), in nats: smaller is better.

#include <cmath>

namespace coppice::evaluate {

// -log-likelihood + (parameters / 2) log N.
[[nodiscard]] inline double bic(double minus_log_likelihood, double n_parameters, double n_rows) {
  return minus_log_likelihood + n_parameters / 2.0 * std::log(n_rows);
}

}  // namespace coppice::evaluate
