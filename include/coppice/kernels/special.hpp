// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Special functions of the conjugate families. Thread-safe, unlike std::lgamma, which writes a global.

#include <cstddef>

namespace coppice::kernels {

[[nodiscard]] double log_gamma(double x);
[[nodiscard]] double digamma(double x);

// log Gamma_D(a) = D (D - 1) / 4 log(pi) + sum_{i=1..D} log Gamma(a + (1 - i) / 2), a > (D - 1) / 2.
[[nodiscard]] double log_multigamma(double a, std::size_t dimension);

// sum_{d=1..D} digamma((eta + 1 - d) / 2), the expected log determinant's part that depends on eta.
[[nodiscard]] double sum_digamma(double eta, std::size_t dimension);

}  // namespace coppice::kernels
